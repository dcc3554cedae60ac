"""The parts of a method's budget: what each may release, and how that is accounted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Part:
    """One name under which a method spends budget; made by the functions below.

    Attributes:
        name: as the budget and the statement call it.
        share: of the budget, by default, in proportion to the other parts'.
        why: what is done under this name.
        kind: DP-SGD, Gaussian releases, or mechanisms that state their own ε.
        touched: of DP-SGD, how many samples a neighboring graph changes; none of them, and it is free.
        releases: how many Gaussian releases there are.
    """

    name: str
    share: float
    why: str
    kind: Literal["training", "gaussian", "mechanism"]
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


def randomized(name: str, share: float, why: str) -> Part:
    """Values that leave through mechanisms with an ε of their own."""
    return Part(name, share, why, "mechanism")
