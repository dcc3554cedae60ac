"""The parts of a method's budget: what each may release, and how that is accounted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hushgraph.privacy.relations import NeighboringRelation


@dataclass(frozen=True, slots=True)
class Part:
    """One name under which a method spends budget; made by the functions below.

    Attributes:
        name: as the budget and the statement call it.
        share: of the budget, by default, in proportion to the other parts'.
        why: what is done under this name.
        kind: DP-SGD, Gaussian releases, Gaussian releases of whole numbers with whole noise, or mechanisms
            that state their own ε.
        touched: of DP-SGD, how many samples a neighboring graph changes; none of them, and it is free.
        releases: how many Gaussian releases there are.
    """

    name: str
    share: float
    why: str
    kind: Literal["training", "gaussian", "whole", "mechanism"]
    touched: int = 0
    releases: int = 0

    @property
    def is_free(self) -> bool:
        """Whether nothing that is protected reaches it."""
        return self.kind == "training" and self.touched == 0


def trained(name: str, share: float, touched: int) -> Part:
    """A network fitted by DP-SGD to samples of which a neighboring graph changes up to ``touched``."""
    changed = (
        "a person is one sample" if touched == 1 else f"a neighboring graph changes up to {touched} samples"
    )
    return Part(name, share, f"DP-SGD: {changed}", "training", touched=touched)


def noised(name: str, share: float, why: str, releases: int = 1) -> Part:
    """Values that leave with Gaussian noise, so many times."""
    return Part(name, share, why, "gaussian", releases=releases)


def counted(name: str, share: float, why: str, releases: int = 1) -> Part:
    """Whole numbers that leave with Gaussian noise on whole numbers, so many times."""
    return Part(name, share, why, "whole", releases=releases)


def randomized(name: str, share: float, why: str) -> Part:
    """Values that leave through mechanisms with an ε of their own."""
    return Part(name, share, why, "mechanism")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run promises: between which graphs, at which budget, split how over which parts.

    ``bounded`` says that it is public that nobody has more friends than the ``cap``.
    """

    relation: NeighboringRelation
    epsilon: float
    delta: float | None
    cap: int | None
    parts: tuple[Part, ...]
    shares: Mapping[str, float]
    bounded: bool = False

    def __post_init__(self) -> None:
        names = [part.name for part in self.parts]
        if len(set(names)) < len(names):
            raise RuntimeError(f"a part is declared twice: {', '.join(names)}")
        if self.private and self.relation != "edge" and any(part.is_free for part in self.parts):
            raise RuntimeError("where persons are protected, whatever learns from them costs something")
        if self.private and not self.costly:
            raise RuntimeError("a private run must have a part that costs something")
        kinds = [part.kind for part in self.costly]
        if kinds.count("whole") > 1 or ("whole" in kinds and {"training", "gaussian"} & set(kinds)):
            raise RuntimeError(
                "whole numbers with Gaussian noise are released in one part and no other has a δ"
            )
        if math.fsum(self.shares.values()) > self.epsilon * (1 + 1e-9):
            raise RuntimeError(f"the shares add up to more than ε = {self.epsilon:g}")

    @property
    def private(self) -> bool:
        """Whether there is a finite budget; otherwise nothing is noisy."""
        return math.isfinite(self.epsilon)

    @property
    def costly(self) -> tuple[Part, ...]:
        """The parts that spend budget."""
        return tuple(part for part in self.parts if not part.is_free)
