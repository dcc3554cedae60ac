"""LiRA: was this person's true class as probable as where they train, or as where they do not?"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from hushgraph.attacks import posteriors
from hushgraph.attacks.answers import Answers, most_likely
from hushgraph.attacks.knowledge import Shadows
from hushgraph.attacks.nothing_to_ask import NothingToAskError
from hushgraph.attacks.targets import Target, said_of

Variance = Literal["pooled", "own"]
Side = NDArray[np.float64]


def by_likelihood_ratio(
    target: Target,
    people: NDArray[np.int64],
    shadows: Shadows,
    *,
    online: bool = True,
    variance: Variance = "pooled",
) -> Answers:
    r"""The likelihood-ratio attack (Carlini, Chien, Nasr, Song, Terzis & Tramèr, S&P 2022).

    The attacker knows each person's record and class, and trains several models on random parts of the very
    population. With φ the log odds of a person's class, those of the models that had the person in training
    are one normal distribution, those of the others another, and the score is

    .. math:: \log N(\phi; \mu_{in}, \sigma_{in}) - \log N(\phi; \mu_{out}, \sigma_{out})

    Offline, models that had the person are not looked at: the score is how far φ lies above the others.

    Args:
        shadows: in the order of ``people``.
        online: whether the attacker trains on the person asked about, too.
        variance: one for everybody (``"pooled"``, the paper's choice below 64 models), or everybody's own.

    Says "member" where the score is above 0; offline, above the middle of all scores.
    """
    if len(people) != shadows.labels.size:
        raise ValueError(f"shadows are of {shadows.labels.size} people, and {len(people)} are asked about")
    said = posteriors.log_odds_of(said_of(target, people), shadows.labels)
    inside, outside = shadows.members, ~shadows.members
    if online and not (inside.any(0) & outside.any(0)).any():
        raise NothingToAskError("shadows must be enough models that somebody is in some and not in others")
    out_mean, out_spread = _normal(shadows.log_odds, outside, variance)
    if not online:
        out_mean = np.where(outside.any(0), out_mean, np.nanmean(out_mean))
        scores = norm.logcdf((said - out_mean) / out_spread)
        return most_likely("likelihood ratio, offline", scores, share=0.5)
    in_mean, in_spread = _normal(shadows.log_odds, inside, variance)
    # Of whoever no model had, or all had, the side that was not seen is as far away as it usually is.
    gap = np.nanmean(in_mean - out_mean)
    in_mean = np.where(inside.any(0), in_mean, out_mean + gap)
    out_mean = np.where(outside.any(0), out_mean, in_mean - gap)
    scores = norm.logpdf(said, in_mean, in_spread) - norm.logpdf(said, out_mean, out_spread)
    return Answers("likelihood ratio", scores, scores > 0)


def _normal(values: Side, which: NDArray[np.bool_], variance: Variance) -> tuple[Side, Side]:
    """Mean and spread of each person's values over these models; of nobody's, not a number."""
    count = which.sum(0)
    if count.max(initial=0) < 2:
        raise NothingToAskError(
            "shadows must be enough models that somebody is on either side of two of them"
        )
    mean = np.divide((values * which).sum(0), count, out=np.full(count.shape, np.nan), where=count > 0)
    squares = (np.where(which, values - mean, 0.0) ** 2).sum(0)
    pooled = float(np.sqrt(squares.sum() / max(1, (count[count > 0] - 1).sum())))
    own = np.sqrt(squares / np.maximum(count - 1, 1))
    spread = np.where(count > 1, own, pooled) if variance == "own" else np.full(count.shape, pooled)
    return mean, np.maximum(spread, 1e-3)
