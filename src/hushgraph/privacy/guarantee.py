"""A guarantee: what is protected, against whom, how strongly, and why that is so."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

Status = Literal["proven", "proven over the reals", "claimed", "refuted", "none"]

# From the weakest to the best founded: a whole is as good as its weakest part.
STATUSES: tuple[Status, ...] = ("none", "refuted", "claimed", "proven over the reals", "proven")
FROM_A_SEED = "the noise came from a seed; whoever knows or guesses the seed can take the noise off again"
BY_HAND = "it was stated by hand, and nothing checks it"
_GAPS = {
    "proven over the reals": "not proven for the numbers of a computer, because",
    "claimed": "not proven, because",
    "refuted": "refuted, because",
    "none": "besides",
}


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A statement about privacy, in words and numbers.

    Mechanisms, campaigns and methods state what holds. One that is made by hand, as the author of a mechanism
    of one's own does, is a claim: ``status`` may then be ``"claimed"``, ``"refuted"`` or ``"none"``.

    Attributes:
        protects: what the statement is about, such as ``"features"``.
        epsilon, delta: for any two values that ``relation`` allows and any set of outputs,
            P[M(x) ∈ S] ≤ exp(epsilon) · P[M(x') ∈ S] + delta.
        status: ``"proven"`` (a theorem whose conditions the code enforces, in exact arithmetic), ``"proven
            over the reals"`` (the theorem holds, but its noise is a floating-point number here),
            ``"claimed"`` (a condition of the theorem is not enforced), ``"refuted"`` (a counter-example is
            known), ``"none"`` (not protected). Below ``"proven"``, ``gaps`` says why.
        relation: which two inputs must be hard to tell apart.
        against: who sees the outputs.
        released: what leaves, and who gets it, where that is not plain from the rest.
        reason: the theorem.
        conditions: what must hold outside the code for the statement to be true.
        gaps: why it is not proven.
        parts: the guarantees that this one is composed of.
        simulated: whether the noise came from a seed, so that nobody is protected from those who know it.
        friendship: the ε of one friendship, in the lists of both ends or of the other end alone.
        entry: the ε of one entry of the person's own list; None if they sent none.
    """

    protects: str
    epsilon: float
    delta: float = 0.0
    status: Status = "claimed"
    relation: str = "any two values of one person"
    against: str = "everyone but the person's own device, the server included"
    released: str = ""
    reason: str = ""
    conditions: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    parts: tuple[Guarantee, ...] = ()
    simulated: bool = False
    friendship: float | None = None
    entry: float | None = None

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon must be at least 0, got {self.epsilon!r}")
        if not 0 <= self.delta <= 1:
            raise ValueError(f"delta must lie in [0, 1], got {self.delta!r}")
        if self.status not in ("claimed", "refuted", "none"):
            raise ValueError(
                f"status must be 'claimed', 'refuted' or 'none' for a guarantee made by hand, got"
                f" {self.status!r}: what is proven is stated by mechanisms, campaigns and methods"
            )
        texts = (self.protects, self.relation, self.against, self.released, self.reason)
        if any("\n" in text for text in (*texts, *self.conditions, *self.gaps)):
            raise ValueError("protects, reason and the other texts must be one line each")
        if self.status == "none":
            object.__setattr__(self, "epsilon", math.inf)
        if self.status == "claimed" and not self.gaps:
            object.__setattr__(self, "gaps", (BY_HAND,))

    @classmethod
    def _stated(cls, status: Status = "proven", **values: Any) -> Guarantee:
        """What hushgraph itself states: the only way to a status above ``"claimed"``."""
        gaps = values.pop("gaps", ())
        if status not in STATUSES:
            raise ValueError(f"there is no status {status!r}")
        guarantee = cls(**values)
        object.__setattr__(guarantee, "status", status)
        object.__setattr__(guarantee, "gaps", tuple(gaps))
        return guarantee

    def _changed(self, **changes: Any) -> Guarantee:
        """The same statement with some of its values changed, its status kept unless that is one of them."""
        return self._stated(**{field.name: getattr(self, field.name) for field in fields(self)} | changes)

    def weakened(self, status: Status, why: str) -> Guarantee:
        """The same statement with a weaker status, and why it is no more than that."""
        return self._changed(status=_weakest([self.status, status]), gaps=(*self.gaps, why))

    def claimed(self, why: str) -> Guarantee:
        """The same statement as a mere claim, with why it is not more."""
        return self.weakened("claimed", why)

    def from_a_seed(self) -> Guarantee:
        """The same statement about a simulation."""
        return self._changed(simulated=True, parts=tuple(part.from_a_seed() for part in self.parts))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; an infinite epsilon is the word ``"inf"``."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        for name in ("epsilon", "friendship", "entry"):
            plain[name] = "inf" if plain[name] == math.inf else plain[name]
        return plain | {"parts": [part.to_dict() for part in self.parts]}

    @classmethod
    def _from_dict(cls, values: dict[str, Any]) -> Guarantee:
        """The inverse of :meth:`to_dict`, for hushgraph's own files."""
        plain = dict(values)
        if "adjacency" in plain:  # as files had it before 0.3
            plain["relation"] = plain.pop("adjacency")
        for name in ("epsilon", "friendship", "entry"):
            plain[name] = None if plain.get(name) is None else float(plain[name])
        for name in ("conditions", "gaps"):
            plain[name] = tuple(plain[name])
        return cls._stated(**plain | {"parts": tuple(map(cls._from_dict, plain["parts"]))})

    @property
    def strength(self) -> str:
        """The numbers in one line, such as ``"ε = 2, proven"``; of a simulation nothing is proven."""
        if self.status == "none":
            return f"not protected (ε = ∞){', simulated' if self.simulated else ''}"
        delta = f", δ = {self.delta:g}" if self.delta else ""
        founded = f"simulated (else {self.status})" if self.simulated else self.status
        return f"ε = {self.epsilon:g}{delta}, {founded}"

    def __str__(self) -> str:
        return "\n".join(self._lines(whole=None))

    def _lines(self, whole: Guarantee | None) -> list[str]:
        """What there is to say that was not said of the whole."""
        first = f"Privacy of {self.protects}: {self.strength}"
        if self.friendship is not None:
            who = "the other end reports" if self.entry is None else "both ends report"
            open_ = math.isinf(self.friendship)
            first += (
                f"; one friendship, which {who}: {'not protected' if open_ else f'ε = {self.friendship:g}'}"
            )
        if self.entry is not None and math.isfinite(self.entry):
            first += f"; k entries of one list: k · {self.entry:g}"
        lines = [first]
        if whole is None and self.simulated:
            lines.append(f"  simulated: {FROM_A_SEED}")
        if self.status != "none" and (whole is None or self.relation != whole.relation):
            lines.append(f"  hard to tell apart: {self.relation}")
        if whole is None or self.against != whole.against:
            lines.append(f"  against: {self.against}")
        if self.released:
            lines.append(f"  released: {self.released}")
        if self.reason:
            lines.append(f"  why: {self.reason}")
        lines += [f"  provided that: {condition}" for condition in self.conditions]
        lines += [f"  {_GAPS[self.status]}: {gap}" for gap in self.gaps]
        for part in self.parts:
            first, *rest = part._lines(whole=self)
            lines += [f"  · {first}", *(f"    {line}" for line in rest)]
        return lines


def _compose(
    protects: str,
    parts: Iterable[Guarantee],
    conditions: Iterable[str] = (),
    relation: str = "any two values of all of these of one person",
) -> Guarantee:
    """Sequential composition: epsilons and deltas add up; ``conditions`` are those of the whole.

    The whole is only as well founded as its weakest part, and it is not protected at all as long as
    one part is released without randomisation.

    >>> from hushgraph import MultiBit, RandomizedResponse
    >>> _compose("features and label", [MultiBit(1.0).guarantee, RandomizedResponse(0.5).guarantee]).strength
    'ε = 1.5, proven'
    """
    parts = tuple(parts)
    return Guarantee._stated(
        status=_weakest([part.status for part in parts]),
        protects=protects,
        epsilon=math.fsum(part.epsilon for part in parts) if parts else 0.0,
        delta=min(1.0, math.fsum(part.delta for part in parts)),
        relation=relation,
        reason="sequential composition; all that follows from the reports is post-processing",
        conditions=tuple(conditions),
        parts=parts,
        simulated=any(part.simulated for part in parts),
    )


def _weakest(statuses: Iterable[Status]) -> Status:
    return min(statuses, key=STATUSES.index, default="proven")
