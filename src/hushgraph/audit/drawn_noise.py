"""The noise of a run as it is drawn, beside what its accounting asks for.

This needs nobody who tells two worlds apart: what left without its noise is known to whoever audits, and the
difference is the noise. So noise that is short is found where accounting is loose, as of samples of which
several change, and no bound on ε comes near the promise.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import chi2
from torch import Tensor, nn

from hushgraph import _check
from hushgraph.audit.found import Audit
from hushgraph.audit.worst_run import PLANTED, STILL, WHOLE, begun_on_nobody
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.parts import Part
from hushgraph.curator.rows import Rows
from hushgraph.curator.run import PrivateRun, Release
from hushgraph.curator.whole_noise import gaussian_multiplier
from hushgraph.privacy import calibration

# So many runs release so many numbers each: noise that is a tenth short is found.
RUNS, WIDTH = 10, 200
# Unlike bounds this test is not on the safe side, and would be wrong as often as is stated: it has power to
# spare, and takes a part of the error.
SPARED = 0.02


def audit_noise(
    model: CuratorMethod, *, confidence: float = 0.95, seed: int = 0, subject: str = "noise that was drawn"
) -> Audit:
    """Whether the Gaussian noise of each part is as wide as its accounting asks for.

    Over the deviation that was accounted, so many numbers have a sum of squares that is chi-square
    distributed. The promise is broken where a part's is lower than an honest run's would be, but for a
    fiftieth of the stated error, which the parts share. How much noise there must be is calculated again from
    what was accounted, and not taken from the run.
    """
    _check.confidence(confidence)
    begun = begun_on_nobody(model, seed)
    parts = [part for part in begun.terms.costly if part.kind in PLANTED]
    owed = _multipliers(begun)
    # Of each part: how probable so little noise is, and the share of the deviation that there is.
    found: list[tuple[float, float, str]] = []
    for part in parts:
        drawn = np.concatenate(
            [_drawn(begun, part, owed[part.name], seed * RUNS + run) for run in range(RUNS)]
        )
        squares = float(drawn @ drawn)
        # What is no number is no noise.
        chance = float(chi2.cdf(squares, drawn.size)) if math.isfinite(squares) else 0.0
        found.append((chance, math.sqrt(squares / drawn.size), part.name))
    least, share, name = min(found)
    return Audit(
        0.0, model.epsilon, begun.delta, RUNS, confidence, subject,
        f"noise of {RUNS} runs in {', '.join(part.name for part in parts)}",
        measured=f"in {name}, a deviation {share:.2f} of what was accounted",
        broken=least < SPARED * (1 - confidence) / len(parts),
    )  # fmt: skip


def _multipliers(run: PrivateRun) -> dict[str, float]:
    """The noise of each part over its sensitivity, from what was accounted."""
    terms, owed = run.terms, {}
    if run.accounted:
        shares = tuple(terms.shares[part.name] for part in run.accounted)
        rest = terms.epsilon - math.fsum(terms.shares[part.name] for part in run.randomized)
        found = calibration.calibrate(run.accounted, shares, rest, run.delta, terms.relation)
        owed = {part.name: one for part, one in zip(run.accounted, found, strict=True)}
    for part in terms.costly:
        if part.kind == "whole":
            owed[part.name] = gaussian_multiplier(terms.shares[part.name], run.delta, part.releases)
    return owed


def _drawn(begun: PrivateRun, part: Part, multiplier: float, seed: int) -> NDArray[np.float64]:
    """All noise of a part in a run where nobody has anything, over the deviation that was accounted."""
    seen: list[Release] = []
    run = begun.again(seed, seen.append)
    if part.kind == "training":
        assert run.schedule is not None
        run.schedule = replace(run.schedule, learning_rate=STILL)
        run.train(part.name, nn.Sequential(nn.Linear(1, WIDTH, bias=False)), _Nothing())
    for _ in range(part.releases):
        if part.kind == "whole":
            run.release_whole(part.name, np.zeros(WIDTH, np.int64), WHOLE)
        else:
            run.release(part.name, torch.zeros(WIDTH), 1.0)
    return np.concatenate([(one.values - one.clean) / (multiplier * one.sensitivity) for one in seen])


class _Nothing(Rows):
    """A zero for everybody: no gradient."""

    def __init__(self) -> None:
        """There is no matrix."""

    def of(self, people: object) -> Rows:
        """The same: everybody trains."""
        return self

    def __call__(self, ids: Tensor) -> Tensor:
        """The rows of these people."""
        return torch.zeros(len(ids), 1)
