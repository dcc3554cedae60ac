"""Attribute inference: similar people have similar rows, and some show what they have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.attacks import posteriors
from hushgraph.attacks.answers import Named
from hushgraph.attacks.classifier import learned
from hushgraph.attacks.knowledge import Revealed
from hushgraph.attacks.targets import BlackBox, Target, said_by


def by_posteriors(
    target: Target, people: NDArray[np.int64], revealed: Revealed, rng: np.random.Generator
) -> Named:
    """Names an attribute from what the target says of a person.

    Black box: the attacker sees posteriors of everybody, and the attribute of those who reveal it; a
    classifier learns from them (Duddu et al. 2020, who do so with embeddings).
    """
    rows = posteriors.logarithms(said_by(target))
    return _named("attribute, from posteriors", rows, people, revealed, rng)


def by_embeddings(
    target: BlackBox, people: NDArray[np.int64], revealed: Revealed, rng: np.random.Generator
) -> Named:
    """Names an attribute from a person's embedding (Duddu, Boutet & Shejwalkar 2020, section 4).

    The attacker sees the embeddings that a model publishes, and the attribute of those who reveal it.
    """
    if target.embeddings is None:
        raise ValueError("this target shows no embeddings: attack its posteriors")
    rows = np.asarray(target.embeddings, np.float64)
    return _named("attribute, from embeddings", rows, people, revealed, rng)


def _named(
    attack: str,
    rows: NDArray[np.float64],
    people: NDArray[np.int64],
    revealed: Revealed,
    rng: np.random.Generator,
) -> Named:
    asked, shown = (
        _check.node_ids(ids, name, len(rows))
        for name, ids in {"people": people, "revealed.people": revealed.people}.items()
    )
    classifier = learned(rows[shown], revealed.values, revealed.kinds, rng)
    return Named(attack, classifier(rows[asked]).argmax(1))
