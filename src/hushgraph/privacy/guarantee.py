"""A guarantee: what is protected, against whom, how strongly, and why that is so."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

Status = Literal["proven", "claimed", "none"]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A statement about privacy, in words and numbers.

    Attributes:
        protects: what the statement is about, such as ``"features"``.
        epsilon, delta: for any two values that ``adjacency`` allows and any set of outputs,
            P[M(x) ∈ S] ≤ exp(epsilon) · P[M(x') ∈ S] + delta.
        status: ``"proven"`` (a theorem whose conditions hold), ``"claimed"`` (the theorem needs more than
            what is done, and ``gaps`` lists it), ``"none"`` (not protected).
        adjacency: which two inputs must be hard to tell apart.
        against: who sees the outputs.
        released: what leaves, and who gets it, where that is not plain from the rest.
        reason: the theorem.
        conditions: what must hold outside the code for the statement to be true.
        gaps: why a claimed statement is not proven.
        parts: the guarantees that this one is composed of.
    """

    protects: str
    epsilon: float
    delta: float = 0.0
    status: Status = "proven"
    adjacency: str = "any two values of one person"
    against: str = "everyone but the person's own device, the server included"
    released: str = ""
    reason: str = ""
    conditions: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    parts: tuple[Guarantee, ...] = ()

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon must be at least 0, got {self.epsilon!r}")
        if not 0 <= self.delta <= 1:
            raise ValueError(f"delta must lie in [0, 1], got {self.delta!r}")

    def claimed(self, why: str) -> Guarantee:
        """The same statement as a mere claim, with why it is not more."""
        status: Status = "none" if self.status == "none" else "claimed"
        return replace(self, status=status, gaps=(*self.gaps, why))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; an infinite epsilon is the word ``"inf"``."""
        return {
            "protects": self.protects,
            "epsilon": "inf" if math.isinf(self.epsilon) else self.epsilon,
            "delta": self.delta,
            "status": self.status,
            "adjacency": self.adjacency,
            "against": self.against,
            "released": self.released,
            "reason": self.reason,
            "conditions": list(self.conditions),
            "gaps": list(self.gaps),
            "parts": [part.to_dict() for part in self.parts],
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Guarantee:
        """The inverse of :meth:`to_dict`."""
        plain = dict(values)
        plain["epsilon"] = float(plain["epsilon"])
        plain["conditions"], plain["gaps"] = tuple(plain["conditions"]), tuple(plain["gaps"])
        plain["parts"] = tuple(cls.from_dict(part) for part in plain["parts"])
        return cls(**plain)

    @property
    def strength(self) -> str:
        """The numbers in one line, such as ``"ε = 2, proven"``."""
        if self.status == "none":
            return "not protected (ε = ∞)"
        delta = f", δ = {self.delta:g}" if self.delta else ""
        return f"ε = {self.epsilon:g}{delta}, {self.status}"

    def __str__(self) -> str:
        return "\n".join(self._lines(whole=None))

    def _lines(self, whole: Guarantee | None) -> list[str]:
        """What there is to say that was not said of the whole."""
        lines = [f"Privacy of {self.protects}: {self.strength}"]
        if self.status != "none" and (whole is None or self.adjacency != whole.adjacency):
            lines.append(f"  hard to tell apart: {self.adjacency}")
        if whole is None or self.against != whole.against:
            lines.append(f"  against: {self.against}")
        if self.released:
            lines.append(f"  released: {self.released}")
        if self.reason:
            lines.append(f"  why: {self.reason}")
        lines += [f"  provided that: {condition}" for condition in self.conditions]
        lines += [f"  not proven, because: {gap}" for gap in self.gaps]
        for part in self.parts:
            first, *rest = part._lines(whole=self)
            lines += [f"  · {first}", *(f"    {line}" for line in rest)]
        return lines


def compose(
    protects: str,
    parts: Iterable[Guarantee],
    conditions: Iterable[str] = (),
    adjacency: str = "any two values of all of these of one person",
) -> Guarantee:
    """Sequential composition: epsilons and deltas add up; ``conditions`` are those of the whole.

    The whole is only as well founded as its weakest part, and it is not protected at all as long as
    one part is released without randomisation.

    >>> two = compose("features and label", [Guarantee("features", 1.0), Guarantee("label", 0.5)])
    >>> two.strength
    'ε = 1.5, proven'
    """
    parts = tuple(parts)
    statuses = {part.status for part in parts}
    weakest: Status = "none" if "none" in statuses else "claimed" if "claimed" in statuses else "proven"
    return Guarantee(
        protects=protects,
        epsilon=math.fsum(part.epsilon for part in parts) if parts else 0.0,
        delta=min(1.0, math.fsum(part.delta for part in parts)),
        status=weakest,
        adjacency=adjacency,
        reason="sequential composition; all that follows from the reports is post-processing",
        conditions=tuple(conditions),
        parts=parts,
    )
