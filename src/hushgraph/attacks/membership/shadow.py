"""The shadow attack: whoever trained a model like the target has seen how it treats its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks import posteriors
from hushgraph.attacks.answers import Answers
from hushgraph.attacks.classifier import learned
from hushgraph.attacks.knowledge import Shadow
from hushgraph.attacks.targets import Target, said_of

# The largest probabilities of a row are looked at, whichever classes they are of.
LARGEST = 3


def by_shadow(
    target: Target,
    people: NDArray[np.int64],
    shadow: Shadow,
    rng: np.random.Generator,
) -> Answers:
    """Says "member" by what a classifier learned from a model of the attacker's own.

    (Shokri et al. 2017; for GNNs Olatunji, Nejdl & Khosla 2021 and Duddu et al. 2020.)
    Black box, supervised: a shadow model is trained like the target, on an auxiliary graph of which the
    attacker knows who is in it; a classifier learns from its posteriors, sorted, who is. Of a row it sees the
    log odds of the first class, the entropy and the largest probabilities.
    """
    seen, asked = _rows(shadow.proba), _rows(said_of(target, people))
    width = min(seen.shape[1], asked.shape[1])
    classifier = learned(seen[:, :width], shadow.members.astype(np.int64), 2, rng, balanced=True)
    chances = classifier(asked[:, :width])[:, 1]
    return Answers("shadow model", chances, chances > 0.5)


def _rows(proba: NDArray[np.float32]) -> NDArray[np.float64]:
    largest = -np.sort(-np.asarray(proba, np.float64), axis=1)[:, :LARGEST]
    return np.column_stack([posteriors.confidence(proba), posteriors.entropy(proba), largest])
