"""Which noise a run draws: one of its own about the user's own people, a common one on public graphs."""

from __future__ import annotations

from hushgraph.datasets.loading import is_public
from hushgraph.experiments.studies.study import Configuration


def noise_for(dataset: str) -> Configuration:
    """What a configuration says about noise; nothing on public graphs, so that their runs keep their keys."""
    return {} if is_public(dataset) else {"noise": "own"}


def is_common(configuration: Configuration) -> bool:
    """Whether runs of one seed have random numbers in common, see :func:`~hushgraph.repeats.noise_of`."""
    return "noise" not in configuration
