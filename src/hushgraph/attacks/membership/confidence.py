"""The confidence attack: a model is surer of those it was trained on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks import posteriors
from hushgraph.attacks.answers import Answers, most_likely
from hushgraph.attacks.targets import Target, said_of


def by_confidence(target: Target, people: NDArray[np.int64], *, share: float = 0.5) -> Answers:
    """Says "member" of whom the target is surest (Duddu, Boutet & Shejwalkar 2020; Yeom et al. 2018).

    Black box, unsupervised: the attacker sees posteriors and knows which share of the people are members,
    which sets the threshold. The score is the log odds of the most probable class, which orders people as the
    highest probability does, and tells apart those whose probability rounds to 1.

    >>> from hushgraph.attacks import BlackBox
    >>> sure = BlackBox(np.array([[0.9, 0.1], [0.6, 0.4]]))
    >>> by_confidence(sure, np.array([0, 1])).said.tolist()
    [True, False]
    """
    return most_likely("confidence", posteriors.confidence(said_of(target, people)), share)
