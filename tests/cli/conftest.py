"""What tests of several commands share."""

from __future__ import annotations

import pytest

from hushgraph.local.cascade.effort import Effort


@pytest.fixture
def few_cascades(monkeypatch):
    """A cascade learns as from very many reports: three cascades instead of eighteen."""
    monkeypatch.setattr(Effort, "worth", classmethod(lambda cls, _: cls((2, 3), 1, (3,))))
