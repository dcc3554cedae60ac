"""The worst that a run may release: canaries where no data reach.

Whoever audits plays the method's run themselves. Into every part they put what a neighboring graph changes
the most according to what the part was accounted for: of DP-SGD, as many samples as it says, each with a
gradient far above the clip and, in the other world, the opposite one (or none, where a person is one
sample and goes); of a release, values that differ by its whole sensitivity. Noise, its calibration,
sampling, clipping and composition are the run's own. So a bound comes near what was accounted, whatever
the method makes of a graph; that no graph changes more than that is another matter, which tests of
sensitivities are for.

They know everything but the noise and who was in a batch, and take the most telling score there is: the
logarithm of how much more probable what they see is in one world than in the other. The first and the last
releases are looked at one by one, too: one without noise is hidden in a sum.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import binom
from torch import Tensor, nn

from hushgraph import _check
from hushgraph.audit.bounds import COUNTED, PICKED_ON, lower_bound, reach
from hushgraph.audit.found import Audit
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.parts import Part
from hushgraph.curator.rows import Rows
from hushgraph.curator.run import PrivateRun, Release
from hushgraph.graph import Graph
from hushgraph.split import Split

# Gradients that are planted are that much longer than the clip.
FAR = 100.0
# Steps that small do not move what a gradient is.
STILL = 1e-9
# Of whole numbers; any would do.
WHOLE = 1000
# The first and the last releases that are looked at one by one, too.
ALONE = 4
PLANTED = ("training", "gaussian", "whole")


def audit_run(
    model: CuratorMethod,
    *,
    parts: Collection[str] | None = None,
    trials: int = 1_000,
    confidence: float = 0.95,
    seed: int = 0,
    subject: str = "",
    progress: Callable[[float], None] = lambda _: None,
) -> Audit:
    """A lower bound on ε of a method's run, with the worst in every part that was accounted.

    A large δ, such as 0.1, takes few trials; noise is calibrated by the same code for any.

    Args:
        model: the method with its settings; its ``random_state`` is not used.
        parts: which parts of the budget are looked at; by default all that have Gaussian noise. What
            mechanisms with an ε of their own draw is the method's doing, and nothing can be planted there.
        trials: how many runs in either world.
        confidence: of the bound.
        seed: of the audit.
        subject: what to call it.
        progress: is told which share is done.
    """
    _check.count(trials, "trials", minimum=100)
    _check.confidence(confidence)
    if not model.private:
        raise ValueError("model must have a finite epsilon to be audited")
    begun = begun_on_nobody(model, seed)
    watched = [
        part for part in begun.terms.costly if part.kind in PLANTED and (not parts or part.name in parts)
    ]
    if not watched:
        names = ", ".join(part.name for part in begun.terms.costly if part.kind in PLANTED) or "none"
        raise ValueError(f"parts must name some that have Gaussian noise: {names}")
    worlds: tuple[list[Any], list[Any]] = ([], [])
    for trial, world in itertools.product(range(trials), range(2)):
        own = seed * 2 * trials + 2 * trial + world
        worlds[world].append(_scores(begun, watched, first=world == 0, seed=own))
        progress((2 * trial + world + 1) / (2 * trials))
    scores = np.array(worlds)
    bound = lower_bound(*scores, delta=begun.delta, confidence=confidence)
    counted, events = trials - int(trials * PICKED_ON), min(COUNTED, scores[0].reshape(trials, -1).shape[1])
    highest = reach(counted, events, delta=begun.delta, confidence=confidence)
    told = ", ".join(part.name for part in watched)
    tried = f"{trials:,} runs in either world with the worst planted in {told}"
    name = subject or type(model).__name__
    return Audit(bound, model.epsilon, begun.delta, trials, confidence, name, tried, highest)


def plantable(model: CuratorMethod) -> tuple[list[str], list[str]]:
    """The names of the parts in which something can be planted, and of those in which nothing can."""
    costly = [part for part in model.parts() if not part.is_free]
    return (
        [part.name for part in costly if part.kind in PLANTED],
        [part.name for part in costly if part.kind not in PLANTED],
    )


@contextmanager
def few_people() -> Iterator[None]:
    """That δ is too large for so few people is as it should be in an audit, and needs no warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="delta = .* is not below")
        yield


def begun_on_nobody(model: CuratorMethod, seed: int) -> PrivateRun:
    """A calibrated run on people who have nothing: enough of them for all samples that change."""
    people = max(
        [8, 2 * (getattr(model, "batch_size", None) or 0), *(part.touched for part in model.parts())]
    )
    nobody = np.array([], np.int64)
    graph = Graph(
        np.empty((2, 0), np.int64), np.zeros((people, 1)), np.zeros(people, np.int64), num_classes=2
    )
    with few_people():
        return type(model)(**{**model.get_params(), "random_state": seed}).begin(
            graph, Split(np.arange(people), nobody, nobody)
        )


def _scores(begun: PrivateRun, watched: Collection[Part], *, first: bool, seed: int) -> list[float]:
    """How much more all that this run releases looks like the first world; then releases one by one."""
    seen: list[Release] = []
    run = begun.again(seed, seen.append)

    def sign() -> float:
        """Opposite directions by turns: noise that two releases had in common would cancel."""
        return -1.0 if len(seen) % 2 else 1.0

    ratios: list[float] = []
    for part in watched:
        seen.clear()
        if part.kind == "training":
            assert run.schedule is not None
            run.schedule = replace(run.schedule, learning_rate=STILL)
            gone = part.touched == 1 and run.terms.relation == "node-removal"
            changed = _Changed(
                1.0, 0.0 if gone else -1.0, part.touched, run.schedule.rate(run.split.train.size)
            )
            size = FAR * run.schedule.clip * (changed.here if first else changed.there)
            run.train(part.name, _network(), _PlantedRows(part.touched, size, sign))
            sees = [float(one.values[1] - one.values[0]) / math.sqrt(2) for one in seen]
        else:
            changed = _Changed(1.0, 0.0, 1, 1.0)
            for _ in range(part.releases):
                _release(run, part, sign() * first)
            sees = [float(one.values[0]) for one in seen]
        for number, (one, value) in enumerate(zip(seen, sees, strict=True)):
            deviation = max(one.deviation / one.sensitivity, 1e-9)
            ratios.append(changed.log_ratio((-1) ** number * value / one.sensitivity, deviation))
    return [math.fsum(ratios), *ratios[:ALONE], *ratios[ALONE:][-ALONE:]]


def _release(run: PrivateRun, part: Part, size: float) -> None:
    if part.kind == "whole":
        run.release_whole(part.name, np.array([round(size * WHOLE)], np.int64), WHOLE)
    else:
        run.release(part.name, torch.tensor([size]), 1.0)


@dataclass(frozen=True, slots=True)
class _Changed:
    """What of a release is other in another world: so many samples, each there with some probability."""

    here: float
    there: float
    samples: int
    rate: float

    def log_ratio(self, value: float, deviation: float) -> float:
        """How much more probable a sum of these with normal noise is in the first world, as a logarithm."""
        counts, chances = _drawn(self.samples, self.rate)
        one, other = (
            np.logaddexp.reduce(chances - ((value - counts * end) / deviation) ** 2 / 2)
            for end in (self.here, self.there)
        )
        return float(one - other)


@cache
def _drawn(samples: int, rate: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """How many of the samples may be in a batch, and the logarithm of each number's probability."""
    counts = np.arange(samples + 1) if rate < 1 else np.array([samples])
    return counts, binom.logpmf(counts, samples, rate)


def _network() -> nn.Module:
    """Two logits of one number, both 0: a sample's gradient is half of the number, once with each sign."""
    layer = nn.Linear(1, 2, bias=False, device="meta").to_empty(device="cpu")
    nn.init.zeros_(layer.weight)
    return nn.Sequential(layer)


class _PlantedRows(Rows):
    """A number for each person: the same for all who change, with signs by turns, and 0 for the others."""

    def __init__(self, changed: int, size: float, sign: Callable[[], float]) -> None:
        self.changed, self.size, self.sign = changed, size, sign

    def of(self, people: Any) -> Rows:
        """The same: everybody trains."""
        return self

    def __call__(self, ids: Tensor) -> Tensor:
        """The rows of these people."""
        return torch.where(ids < self.changed, self.sign() * self.size, 0.0)[:, None].float()
