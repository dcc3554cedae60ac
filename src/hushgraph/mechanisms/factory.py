"""Mechanisms for features by name."""

from __future__ import annotations

import dataclasses
from typing import Any

from hushgraph import _check
from hushgraph.mechanisms.protocol import FeatureMechanism
from hushgraph.registry import FEATURES, imported


def feature_mechanism(
    name: str,
    epsilon: float,
    *,
    delta: float | None = None,
    low: float | None = None,
    high: float | None = None,
    clip: bool = False,
) -> FeatureMechanism:
    """A registered mechanism, or one's own by where to import it from, such as ``"mine.noise:Mine"``.

    What is None, or not to be clipped, is left to the mechanism.

    >>> feature_mechanism("laplace", 2.0, high=5.0)
    Laplace(epsilon=2.0, low=0.0, high=5.0, clip=False)
    """
    kind = imported(name) if ":" in name else FEATURES[_check.choice(name, "mechanism", FEATURES)].load()
    settings: dict[str, Any] = {"delta": delta, "low": low, "high": high, "clip": clip or None}
    given = {field: value for field, value in settings.items() if value is not None}
    taken = {field.name for field in dataclasses.fields(kind)}
    if unknown := sorted(given.keys() - taken):
        raise ValueError(f"the mechanism {name!r} takes no {' or '.join(unknown)}")
    mechanism: FeatureMechanism = kind(epsilon, **given)
    return mechanism
