"""Acknowledged is kept, whenever the collector is killed; `durability.py` is the long form of it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.collector import durability, postgresql


@pytest.mark.slow
def test_killed_at_random_moments_nothing_acknowledged_is_lost_doubled_or_altered(
    database: str, tmp_path: Path
) -> None:
    random.seed(14)
    outcome = durability.run(database, 5_000, 3, tmp_path / "log")
    assert outcome.kills == 3
    assert len(outcome.acknowledged) == 5_000
    assert (outcome.missing, outcome.altered, outcome.twice, outcome.unknown) == (0, 0, 0, 0)


@pytest.mark.slow
def test_a_database_that_crashes_loses_nothing_acknowledged_either(
    postgresql_server: str, tmp_path: Path
) -> None:
    """Devices are told to come again while it is away, and the collector needs no restart."""
    random.seed(15)
    # Not the one that other tests share.
    with postgresql.server() as address:
        database = postgresql.new_database(address, "durability")
        outcome = durability.run(database, 2_000, 0, tmp_path / "log", crashes=2)
    assert outcome.kills == 2
    assert len(outcome.acknowledged) == 2_000
    assert outcome.good
    assert outcome.statuses[503] > 0
