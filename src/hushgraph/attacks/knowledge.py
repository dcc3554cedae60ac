"""What an attacker knows beside what the target says: an explicit value, and nothing else reaches an attack.

Nobody's attack is given the truth that it is judged by (:class:`~hushgraph.attacks.answers.Answers`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushgraph.attacks.nothing_to_ask import NothingToAskError
from hushgraph.attacks.posteriors import checked, log_odds_of


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """A model of the attacker's own, which imitates the target, and whom it was trained on.

    Or the target itself, where the attacker knows of some people whether it was trained on them.

    Attributes:
        proba: what it says of people (n, c).
        members: which of these it was trained on (n,).
    """

    proba: NDArray[np.float32]
    members: NDArray[np.bool_]

    def __post_init__(self) -> None:
        _check_rows(checked(self.proba), self.members, "members")
        _check_members(self.members)
        if self.members.all() or not self.members.any():
            raise NothingToAskError(
                "members must name some of the people, and not all: both kinds are learned from"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Shadows:
    """Several models of the attacker's own, each trained on others of the very people who are asked about.

    Attributes:
        log_odds: of the true class of each person, as each model has it (k, n).
        members: whom each was trained on (k, n).
        labels: the true classes (n,); whoever knows somebody's record knows that.
    """

    log_odds: NDArray[np.float64]
    members: NDArray[np.bool_]
    labels: NDArray[np.int64]

    def __post_init__(self) -> None:
        if self.log_odds.ndim != 2 or self.log_odds.shape != self.members.shape:
            raise ValueError("log_odds and members must both be (models, people)")
        if self.labels.shape != self.members.shape[1:]:
            raise ValueError(f"labels must be {self.members.shape[1]} classes, got {self.labels.size}")
        if not np.isfinite(self.log_odds).all():
            raise ValueError("log_odds must be finite")
        _check_members(self.members)

    @classmethod
    def of(
        cls, models: list[tuple[NDArray[np.float32], NDArray[np.bool_]]], labels: NDArray[np.int64]
    ) -> Shadows:
        """From what each model says of the people (n, c), and whom it was trained on (n,)."""
        if (labels < 0).any():
            raise ValueError("labels must be known of everybody who is asked about")
        said = np.stack([log_odds_of(checked(proba), labels) for proba, _ in models])
        return cls(said, np.stack([members for _, members in models]), labels)


@dataclass(frozen=True, slots=True, eq=False)
class Revealed:
    """An attribute that some people show to everybody.

    Attributes:
        people: their numbers.
        values: what they have, 0 … ``kinds`` - 1.
        kinds: how many values there are.
    """

    people: NDArray[np.int64]
    values: NDArray[np.int64]
    kinds: int

    def __post_init__(self) -> None:
        _check_rows(self.people, self.values, "values")
        if self.values.min(initial=0) < 0 or self.values.max(initial=0) >= self.kinds:
            raise ValueError(f"values must lie in 0 … {self.kinds - 1}")


@dataclass(frozen=True, slots=True, eq=False)
class KnownPairs:
    """Pairs of whom the attacker knows whether they are friends: an auxiliary part of the graph.

    Attributes:
        pairs: numbers of people (2, m).
        friends: whether each pair are friends (m,).
    """

    pairs: NDArray[np.int64]
    friends: NDArray[np.bool_]

    def __post_init__(self) -> None:
        if self.pairs.ndim != 2 or self.pairs.shape[0] != 2 or self.friends.shape != self.pairs.shape[1:]:
            raise ValueError("pairs must be (2, m) and friends (m,)")
        if self.friends.all() or not self.friends.any():
            raise ValueError("friends must hold for some pairs, and not for all: both kinds are learned from")


def _check_members(members: NDArray[np.bool_]) -> None:
    if members.dtype != bool:
        raise TypeError(f"members must be True or False for each, got {members.dtype}")


def _check_rows(rows: NDArray[np.generic], values: NDArray[np.generic], name: str) -> None:
    if values.shape != (len(rows),) or len(rows) == 0:
        raise ValueError(f"{name} must be one for each of at least one person, got shape {values.shape}")
