"""Audits fit many thousand times."""

import sys
from pathlib import Path

import pytest
import torch

# Planted bugs stand beside the benchmark that measures how often they are found.
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))


@pytest.fixture(autouse=True)
def seeded_without_looking_for_devices(monkeypatch):
    """torch looks for accelerators whenever it is seeded, which takes longer than what is audited."""
    monkeypatch.setattr(torch, "manual_seed", torch.default_generator.manual_seed)
