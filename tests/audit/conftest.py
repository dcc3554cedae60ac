"""Audits fit many thousand times."""

import pytest
import torch


@pytest.fixture(autouse=True)
def seeded_without_looking_for_devices(monkeypatch):
    """torch looks for accelerators whenever it is seeded, which takes longer than what is audited."""
    monkeypatch.setattr(torch, "manual_seed", torch.default_generator.manual_seed)
