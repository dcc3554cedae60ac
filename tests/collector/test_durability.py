"""Acknowledged is kept, whenever the collector is killed; `durability.py` is the long form of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.collector import durability


@pytest.mark.slow
def test_killed_at_random_moments_nothing_acknowledged_is_lost_doubled_or_altered(
    database: str, tmp_path: Path
) -> None:
    random.seed(14)
    outcome = durability.run(database, 5_000, 3, tmp_path / "log")
    assert outcome.kills == 3
    assert len(outcome.acknowledged) == 5_000
    assert (outcome.missing, outcome.altered, outcome.twice, outcome.unknown) == (0, 0, 0, 0)
