"""The ledger: what each person has spent, and the refusal to spend more."""

from __future__ import annotations

import math
import sqlite3
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from hushgraph import _check, _renamed
from hushgraph._sqlite_file import SqliteFile
from hushgraph.privacy.guarantee import Guarantee
from hushgraph.privacy.ledger_file import LEDGER, new_ledger

# Sums such as 0.1 + 0.2 must not be refused for the last bit of a double.
_ROUNDING = 1e-9

Price = tuple[str, Guarantee, Iterable[str | int]]
"""What was answered or released, what it is promised to cost, and the ids of those who pay it."""


class BudgetExceededError(ValueError):
    """Somebody would have spent more than their limit; nothing was recorded."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the ledger: what was answered, at what price, by how many people."""

    what: str
    epsilon: float
    delta: float
    people: int


@_renamed.arguments(people=None)
class Ledger:
    """Adds up what each person spends, over questions and over campaigns, and refuses to overspend.

    People are known by their user ids: texts, or whole numbers, which are the same people as their decimal
    texts. With a ``path`` the ledger is a file that several processes may use at once; what was spent is on
    disk before ``spend`` returns, and a kill at any moment leaves all of a spending or nothing.

    What is not protected costs ε = ∞, which only an infinite limit allows. A refuted promise is refused with
    a ``ValueError``, whatever the limit: its ε is known to be wrong. Claims and simulations are charged
    at their word.

    Args:
        epsilon, delta: the limit of each person, kept in the file.
        path: a file to make, or one with the same limit; ``Ledger.open`` takes the limit from the file.

    >>> from hushgraph import MultiBit, RandomizedResponse
    >>> ledger = Ledger(epsilon=2.0)
    >>> ledger.spend("spring/features", MultiBit(1.0).guarantee, ["ann", "bo", "cy"])
    >>> ledger.spend("spring/label", RandomizedResponse(1.0).guarantee, ["ann", "bo"])
    >>> ledger.spent("ann"), ledger.remaining("cy")
    ((2.0, 0.0), 1.0)
    >>> ledger.spend("summer/features", MultiBit(1.0).guarantee, ["ann", "bo", "cy"])
    Traceback (most recent call last):
    ...
    hushgraph.privacy.ledger.BudgetExceededError: summer/features: insufficient privacy budget for
    2 of 3 people: epsilon 3 > 2 for person ann
    """

    def __init__(self, epsilon: float, delta: float = 0.0, path: str | Path | None = None) -> None:
        named = _check.epsilon(epsilon), _check.fraction(delta, "delta", open_above=True)
        file = None if path is None else Path(path)
        new = file is None or not file.exists()
        self._take(new_ledger(file, *named) if new else SqliteFile(LEDGER, file))
        if (self.epsilon, self.delta) != named:
            raise ValueError(
                f"{path} has the limit epsilon {self.epsilon:g} and delta {self.delta:g} for each person, "
                f"not epsilon {named[0]:g} and delta {named[1]:g}"
            )

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """The ledger in a file that exists, with the limit that is kept there."""
        ledger = cls.__new__(cls)
        ledger._take(SqliteFile(LEDGER, Path(path)))
        return ledger

    def _take(self, file: SqliteFile) -> None:
        self._file, self.path = file, file.path
        ((self.epsilon, self.delta),) = self._rows("SELECT epsilon, delta FROM budget")

    def spend(self, what: str, guarantee: Guarantee, who: Iterable[str | int]) -> None:
        """Records ``guarantee`` for the people in ``who``, or refuses for all of them."""
        self.spend_all([(what, guarantee, who)])

    def spend_all(self, prices: Iterable[Price]) -> None:
        """Records several prices at once: everybody pays everything, or nobody anything."""
        self._charge(prices, keep=True)

    def check(self, what: str, guarantee: Guarantee, who: Iterable[str | int]) -> None:
        """Raises what :meth:`spend` would raise, and records nothing."""
        self.check_all([(what, guarantee, who)])

    def check_all(self, prices: Iterable[Price]) -> None:
        """Raises what :meth:`spend_all` would raise, and records nothing."""
        self._charge(prices, keep=False)

    def spent(self, person: str | int) -> tuple[float, float]:
        """The ε and the δ that ``person`` has spent."""
        rows = self._rows("SELECT epsilon, delta FROM people WHERE id = ?", _id(person, "person"))
        return rows[0] if rows else (0.0, 0.0)

    def remaining(self, person: str | int) -> float:
        """The ε that ``person`` may still spend."""
        epsilon, _ = self.spent(person)
        return 0.0 if math.isinf(epsilon) else max(0.0, self.epsilon - epsilon)

    @property
    def entries(self) -> list[Entry]:
        """What was spent, in the order in which it was."""
        rows = self._rows("SELECT what, epsilon, delta, people FROM entries ORDER BY number")
        return [Entry(*row) for row in rows]

    @property
    def people(self) -> int:
        """How many people have spent anything."""
        ((people,),) = self._rows("SELECT count(*) FROM people")
        return int(people)

    @property
    def most_spent(self) -> tuple[float, float]:
        """The largest ε and the largest δ that anybody has spent."""
        ((epsilon, delta),) = self._rows("SELECT max(epsilon), max(delta) FROM people")
        return epsilon or 0.0, delta or 0.0

    def __repr__(self) -> str:
        where = "in memory" if self.path is None else str(self.path)
        return f"Ledger(epsilon {self.epsilon:g} and delta {self.delta:g} for each person, {where})"

    def _rows(self, query: str, *values: str) -> list[Any]:
        with self._file.connected() as connection:
            return connection.execute(query, values).fetchall()

    def _charge(self, prices: Iterable[Price], *, keep: bool) -> None:
        charges = [(what, _cost(what, promised), _ids(who)) for what, promised, who in prices]
        with self._file.transaction(keep=keep) as connection:
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS payers (id TEXT)")
            for what, cost, people in charges:
                connection.execute("DELETE FROM payers")
                connection.executemany("INSERT INTO payers VALUES (?)", zip(people))
                connection.execute(_PAY, cost)
                self._refuse_overspending(connection, what)
                connection.execute(_RECORD, (what, *cost, len(people)))

    def _refuse_overspending(self, connection: sqlite3.Connection, what: str) -> None:
        """Looks at those who have just paid: nobody else can be above the limit."""
        limits = {"epsilon": self.epsilon, "delta": self.delta}
        highest = {name: limit * (1 + _ROUNDING) for name, limit in limits.items()}
        ((refused,),) = connection.execute(f"SELECT EXISTS (SELECT 1 {_OVER})", highest)
        if not refused:
            return
        ((people, over),) = connection.execute(_HOW_MANY, highest)
        ((person, *totals),) = connection.execute(_FIRST, highest)
        name, total = next(
            (name, total) for name, total in zip(limits, totals, strict=True) if total > highest[name]
        )
        raise BudgetExceededError(
            f"{what}: insufficient privacy budget for {over} of {people} people: "
            f"{name} {total:g} > {limits[name]:g} for person {person}"
        )


def _sum(name: str) -> str:
    """A sum in SQL that is never rounded down: a price too small to change it would cost nothing."""
    spent, price = f"people.{name}", f"excluded.{name}"
    rounded_down = f"{spent} + {price} - max({spent}, {price}) < min({spent}, {price})"
    return f"({spent} + {price}) * CASE WHEN {rounded_down} THEN 1 + {sys.float_info.epsilon} ELSE 1 END"


# In the order of ids, as the file is: a million people then take seconds.
_PAY = f"""
INSERT INTO people SELECT id, ?1, ?2 FROM payers WHERE true ORDER BY id
ON CONFLICT (id) DO UPDATE SET epsilon = {_sum("epsilon")}, delta = {_sum("delta")}
"""
_RECORD = "INSERT INTO entries (what, epsilon, delta, people) VALUES (?, ?, ?, ?)"
_OVER = "FROM payers JOIN people USING (id) WHERE epsilon > :epsilon OR delta > :delta"
_HOW_MANY = f"SELECT (SELECT count(*) FROM payers), (SELECT count(*) {_OVER})"
_FIRST = f"SELECT id, epsilon, delta {_OVER} ORDER BY payers.rowid LIMIT 1"


def _cost(what: str, promised: Guarantee) -> tuple[float, float]:
    """The ε and the δ to charge for a promise."""
    if not isinstance(what, str):
        raise TypeError(f"what must be a text, got {type(what).__name__}")
    _text(what, "what")
    if not isinstance(promised, Guarantee):
        raise TypeError(f"guarantee must be a Guarantee, got {type(promised).__name__}")
    if promised.status == "refuted":
        raise ValueError(f"{what}: a refuted promise cannot be charged, because its epsilon is wrong")
    epsilon = math.inf if promised.status == "none" else promised.epsilon
    if not (epsilon >= 0 and promised.delta >= 0):
        raise ValueError(f"{what}: epsilon and delta must be at least 0")
    return float(epsilon), float(promised.delta)


def _ids(who: Iterable[str | int]) -> list[str]:
    if isinstance(who, str | bytes) or not isinstance(who, Iterable):
        raise TypeError("who must be a list of user ids")
    ids = [_id(one, "who") for one in (who.tolist() if isinstance(who, np.ndarray) else who)]
    if not ids:
        raise ValueError("who must name at least one person, got nobody")
    if len(set(ids)) < len(ids):
        raise ValueError("who names a person more than once")
    return ids


def _id(person: str | int, name: str) -> str:
    """A user id as a text; a whole number is the same person as its decimal text."""
    if isinstance(person, bool) or not isinstance(person, str | int | np.integer):
        raise TypeError(f"{name} must name people by texts or whole numbers, got {type(person).__name__}")
    return _text(str(person), name)


def _text(value: str, name: str) -> str:
    """A text that can be written down; half of a surrogate pair cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name} must be text that UTF-8 can hold, got {value!a}") from None
    return value
