"""Runs of a trusted curator that release more than was accounted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import torch

import hushgraph as hg
from hushgraph.audit import Audit, audit, audit_run, neighbors
from hushgraph.audit.drawn_noise import RUNS as RUNS_OF_NOISE
from hushgraph.audit.drawn_noise import audit_noise
from hushgraph.audit.given import audit_given
from hushgraph.curator import dp_sgd, gap, sums
from hushgraph.curator import run as curator_run
from hushgraph.curator.run import PrivateRun
from hushgraph.privacy import calibration

from .bug import FITS, Bug

SMALL: dict[str, Any] = {"delta": 0.1, "epochs": 1}
SHOWN = ("epsilon", "relation", "delta", "epochs", "batch_size", "hops", "max_degree")
PRIVATE_STEPS, CALIBRATE = dp_sgd._private_steps, calibration.calibrate
CALIBRATE_RUN, ACCOUNTED, RELEASE = PrivateRun._calibrate, PrivateRun._accounted, PrivateRun.release


def half_noise(self: PrivateRun) -> None:
    """Half of the noise that was found."""
    CALIBRATE_RUN(self)
    self.multipliers = {part: value / 2 for part, value in self.multipliers.items()}


def clipped_at(factor: float) -> Any:
    """Gradients that may be so many times as long as the noise is for."""

    def steps(network: Any, schedule: Any, size: int, source: Any, noise: float, on_step: Any) -> Any:
        def told(clean: Any, noisy: Any) -> None:
            on_step(clean, noisy)

        long = replace(schedule, clip=factor * schedule.clip)
        return PRIVATE_STEPS(network, long, size, source, noise / factor, told)

    return steps


def quiet_at_the_end(shape: torch.Size, source: Any, drawn: dict[int, int] = {}) -> Any:  # noqa: B006
    """Noise in the first step of a run and none in the second."""
    before = drawn.get(id(source), 0)
    drawn.clear()
    drawn[id(source)] = before + 1
    return torch.from_numpy(source.normal(0.0, float(before == 0), size=tuple(shape))).float()


def same_noise(shape: torch.Size, source: Any) -> Any:
    """The noise of every release is that of the first."""
    again = np.random.default_rng(source.bit_generator.seed_seq)
    return torch.from_numpy(again.normal(0.0, 1.0, size=tuple(shape))).float()


def everybody(self: Any, people: int, source: Any) -> Iterator[Any]:
    """Batches of everybody, accounted as samples."""
    for _ in range(self.steps(people)):
        yield torch.arange(people)


def as_removal(parts: Any, shares: Any, epsilon: float, delta: float, relation: Any) -> Any:
    """The noise for a person who goes, where one is replaced."""
    return CALIBRATE(parts, shares, epsilon, delta, "node-removal")


def each_the_whole(parts: Sequence[Any], shares: Any, epsilon: float, delta: float, relation: Any) -> Any:
    """The whole budget for every part."""
    return tuple(CALIBRATE((part,), (epsilon,), epsilon, delta, relation)[0] for part in parts)


def root_of_samples(self: PrivateRun, part: Any, people: int) -> Any:
    """The square root of how many samples a person changes, as if their gradients were orthogonal."""
    own = ACCOUNTED(self, part, people)
    return replace(own, touched=math.ceil(math.sqrt(own.touched)))


def twice_in_a_sum(messages: Any, edges: Any, num_nodes: int, _: Any) -> Any:
    """Every edge counts twice."""
    return sums.clipped_sums(2 * messages, edges, num_nodes, None)


def run(name: str, patch: Callable[[], AbstractContextManager[Any]], model: Any, samples: int = FITS) -> Bug:
    """A run with the worst planted in every part."""

    def audited(planted: Callable[[], AbstractContextManager[Any]], seed: int) -> Audit:
        with planted():
            return audit_run(model, trials=samples, seed=seed)

    return Bug(name, _named(model), "run", samples, partial(audited, patch), partial(audited, nullcontext))


def noise(name: str, patch: Callable[[], AbstractContextManager[Any]], model: Any) -> Bug:
    """The noise of a run beside what was accounted."""

    def audited(planted: Callable[[], AbstractContextManager[Any]], seed: int) -> Audit:
        with planted():
            return audit_noise(model, seed=seed)

    return Bug(
        name, _named(model), "noise", RUNS_OF_NOISE, partial(audited, patch), partial(audited, nullcontext)
    )


def given(name: str, patch: Callable[[], AbstractContextManager[Any]], model: Any) -> Bug:
    """What a method gives to its run, before noise."""

    def audited(planted: Callable[[], AbstractContextManager[Any]], seed: int) -> Audit:
        with planted():
            return audit_given(model.with_params(random_state=seed), *neighbors(model.relation))

    return Bug(name, _named(model), "given", 2, partial(audited, patch), partial(audited, nullcontext))


def _named(model: Any) -> str:
    settings = {name: value for name, value in model.get_params().items() if name in SHOWN}
    return f"{type(model).__name__}, {', '.join(f'{name} = {value}' for name, value in settings.items())}"


def of_gap(seed: int) -> Any:
    """GAP with nearly all of the budget for one hop of sums."""
    return hg.GAP(
        3.0, relation="edge", embedding=2, hops=1, hidden=2, random_state=seed, delta=0.03, epochs=1
    )


def canary(name: str, patch: Callable[[], AbstractContextManager[Any]]) -> Bug:
    """A real method on two graphs that differ in a friendship."""

    def audited(planted: Callable[[], AbstractContextManager[Any]], seed: int) -> Audit:
        with planted():
            return audit(lambda own: of_gap(100_000 * seed + own), *neighbors("edge"), trials=FITS)

    of = f"{_named(of_gap(0))}, a canary"
    return Bug(name, of, "canary", FITS, partial(audited, patch), partial(audited, nullcontext))


def patched(target: Any, name: str, new: Any) -> Callable[[], AbstractContextManager[Any]]:
    """Something in the place of something else."""
    return lambda: mock.patch.object(target, name, new)


GAP = hg.GAP(3.0, relation="edge", hops=2, **SMALL)
MLP = hg.DPMLP(3.0, **SMALL)
RUNS = [
    run("noise of releases halved", patched(PrivateRun, "_calibrate", half_noise), GAP),
    run("noise of gradients halved", patched(PrivateRun, "_calibrate", half_noise), MLP),
    run("gradients not clipped", patched(dp_sgd, "_private_steps", clipped_at(100.0)), MLP),
    run("clipping after averaging over eight", patched(dp_sgd, "_private_steps", clipped_at(8.0)), MLP),
    run(
        "no noise in the last of two steps",
        patched(dp_sgd, "gaussian_noise", quiet_at_the_end),
        hg.DPMLP(3.0, delta=0.1, epochs=2),
    ),
    run("the same noise in both hops", patched(curator_run, "gaussian_noise", same_noise), GAP),
    run(
        "everybody in every batch, accounted as samples",
        patched(dp_sgd.Schedule, "batches", everybody),
        hg.DPMLP(1.0, batch_size=2, delta=0.05, epochs=1),
        samples=300,
    ),
    run(
        "replacement accounted as removal",
        patched(calibration, "calibrate", as_removal),
        hg.DPMLP(3.0, relation="node-replacement", **SMALL),
    ),
    run(
        "the whole budget for each of three parts",
        patched(calibration, "calibrate", each_the_whole),
        hg.GAP(3.0, hops=2, max_degree=2, bounded=True, **SMALL),
    ),
    run(
        "nine changed samples accounted as three",
        patched(PrivateRun, "_accounted", root_of_samples),
        hg.DPSAGE(3.0, max_degree=8, bounded=True, **SMALL, budget={"training": 2.9, "inference": 0.1}),
    ),
    noise("noise of releases halved", patched(PrivateRun, "_calibrate", half_noise), GAP),
    noise("noise of gradients halved", patched(PrivateRun, "_calibrate", half_noise), MLP),
    noise(
        "noise of DP-SAGE halved",
        patched(PrivateRun, "_calibrate", half_noise),
        hg.DPSAGE(4.0, delta=0.1, epochs=2),
    ),
    noise(
        "noise of DPDGC halved",
        patched(PrivateRun, "_calibrate", half_noise),
        hg.DPDGC(4.0, delta=0.1, epochs=2),
    ),
    given("an edge counts twice in a sum", patched(gap, "clipped_sums", twice_in_a_sum), of_gap(0)),
    canary("an edge counts twice in a sum", patched(gap, "clipped_sums", twice_in_a_sum)),
]
