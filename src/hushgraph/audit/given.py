"""What neighboring graphs change in all that a method gives to its run, before any noise.

A run adds noise for the sensitivity that it is told, and for as many samples as a part declares. Whether the
method keeps to both is the method's own doing, and is compared here without statistics: on two graphs, with
the same first weights, and with the same released in both: what left before may be anything, and is the same
for both, as the theorems have it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from hushgraph.audit.canary import World
from hushgraph.audit.found import Audit
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.rows import Rows
from hushgraph.curator.run import PrivateRun

# Sums of 32-bit numbers are rounded.
ROUNDED = 1e-4


@dataclass(frozen=True, slots=True)
class Given:
    """Values of a part, or rows to be learned from, with how much a neighboring graph may change of them."""

    part: str
    values: NDArray[np.float64]
    allowed: float
    samples: bool = False

    def share(self, other: Given) -> float:
        """How much of what is allowed is other in another world."""
        if (self.part, self.allowed, self.values.shape) != (other.part, other.allowed, other.values.shape):
            return math.inf
        same = (self.values == other.values) | (np.isnan(self.values) & np.isnan(other.values))
        changed = float((~same).any(axis=1).sum())
        if not self.samples:
            # What is no number in one world alone is infinitely far away.
            apart = np.where(same, 0.0, self.values - np.where(same, 0.0, other.values))
            changed = float(np.nan_to_num(np.linalg.norm(apart), nan=math.inf))
        if not changed:
            return 0.0
        # In a part that is free nothing may change.
        return changed / self.allowed if self.allowed else math.inf


@dataclass
class _Replayed:
    """A run that keeps what it is given, and says what another one released.

    Networks keep their first weights: what was trained is released, and so the same in both worlds.
    """

    run: PrivateRun
    said: list[Any]
    given: list[Given] = field(default_factory=list)
    says: list[Any] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def train(self, name: str, network: nn.Module, rows: Rows) -> None:
        """Nothing is learned."""
        part = next(part for part in self.run.terms.parts if part.name == name)
        people = self.run.split.train
        inputs = rows.of(people)(torch.arange(len(people))).reshape(len(people), -1)
        samples = np.column_stack([inputs.numpy(), self.run.graph.labels[people]])
        self.given.append(Given(name, samples.astype(np.float64), part.touched, samples=True))

    def release(self, name: str, values: Any, sensitivity: float) -> Any:
        """What the other released, if there is one."""
        self._given(name, values.numpy(), sensitivity)
        return self._said(lambda: self.run.release(name, values, sensitivity))

    def release_whole(self, name: str, values: Any, sensitivity: int) -> Any:
        """What the other released, if there is one."""
        self._given(name, values, sensitivity)
        return self._said(lambda: self.run.release_whole(name, values, sensitivity))

    def randomize(self, name: str, epsilon: float, draw: Any) -> Any:
        """What the other drew, if there is one."""
        return self._said(lambda: self.run.randomize(name, epsilon, draw))

    def _given(self, name: str, values: Any, allowed: float) -> None:
        rows = np.array(values, np.float64)
        self.given.append(Given(name, rows.reshape(len(rows), -1), float(allowed)))

    def _said(self, own: Callable[[], Any]) -> Any:
        number = len(self.says)
        self.says.append(self.said[number] if number < len(self.said) else own())
        return self.says[-1]


def audit_given(
    model: CuratorMethod, one: World, other: World, *, subject: str = "what the method gives to its run"
) -> Audit:
    """Compares exactly what neighboring graphs change before noise with what was accounted.

    Somebody's friends must be within the cap in both graphs, so that no friendship is dropped.
    """
    first = _fitted(model, one, [])
    second = _fitted(model, other, first.says)
    shares = [(here.share(there), here.part) for here, there in zip(first.given, second.given, strict=False)]
    if len(first.given) != len(second.given):
        shares.append((math.inf, "one graph alone"))
    most, part = max(shares)
    told = ", ".join(dict.fromkeys(here.part for here in first.given))
    return Audit(
        0.0, model.epsilon, 0.0, 0, 1.0, subject, f"two neighboring graphs, before noise, in {told}",
        measured=f"in {part}, at most {most:.3g} of what was accounted is changed",
        broken=most > 1 + ROUNDED,
    )  # fmt: skip


def _fitted(model: CuratorMethod, world: World, said: list[Any]) -> _Replayed:
    run = _Replayed(model.begin(*world, common_noise=True), said)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        # It has what a method asks of a run, and is none: nothing leaves it.
        model.learn(run)  # type: ignore[arg-type]
    return run
