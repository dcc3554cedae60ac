"""Audits of any mechanism for devices, one's own too, from samples of what it answers to two values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.audit.found import Audit
from hushgraph.audit.scores import Rows, bound_of_rows
from hushgraph.mechanisms import MultiBitReports, NeighborLists, SecureRandom
from hushgraph.mechanisms.randomness import Random, checked

# Of so many people in a call the value is audited, and of a neighbor of each it is known: enough to be quick,
# and to meet the places where it shows that each call begins its randomness anew. Of few trials there are
# fewer people: whether answers of a call hang together takes some hundred calls to see.
FEWEST, MOST, CALLS = 16, 64, 100


def audit_mechanism(
    mechanism: Any,
    one: Any,
    other: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    trials: int = 20_000,
    confidence: float = 0.95,
    rng: Random | None = None,
    look: Callable[[Any], Rows] | None = None,
    subject: str = "",
) -> Audit:
    """A lower bound on ε of a mechanism, from what it answers to two values of one person.

    Scores that tell the two apart are learned from a quarter of the answers and events are picked on another;
    they are counted on the rest (:mod:`hushgraph.audit.scores`). The mechanism is a box: nothing that it says
    of itself is used, but for the promise.

    Args:
        mechanism: anything with ``randomize(values, rng)``.
        one, other: the values: features (d,), a label, or a :class:`~hushgraph.NeighborLists` of one person.
        epsilon, delta: what is promised, by default by the mechanism's ``guarantee``, or its ``epsilon`` and
            ``delta``.
        trials: how many answers to either value.
        confidence: of the bound.
        rng: the operating system's randomness, unless an audit is to be repeated.
        look: makes rows of numbers (n, k) of what ``randomize`` returned for n people, where that is neither
            an array nor one of hushgraph's own.
        subject: what to call it.

    Half of the budget that the mechanism says it keeps:

    >>> from hushgraph import RandomizedResponse
    >>> rng = np.random.default_rng(0)
    >>> audit_mechanism(RandomizedResponse(2.0, 3), 0, 1, epsilon=1.0, rng=rng).passed
    False
    """
    _check.count(trials, "trials", minimum=100)
    source: Random = SecureRandom() if rng is None else checked(rng)
    view = look or numbers
    _check.confidence(confidence)
    promised, slack = promise(mechanism, epsilon, delta)
    together = 1 if isinstance(one, NeighborLists) else min(MOST, max(FEWEST, trials // CALLS))
    here, there = (
        _answers(mechanism, (value, one), trials, together, source, view) for value in (one, other)
    )
    found = bound_of_rows(here, there, delta=slack, confidence=confidence, together=together)
    tried = f"{trials:,} answers to either value, {found.events} events counted on {found.samples:,} of them"
    name = subject or type(mechanism).__name__
    return Audit(found.epsilon, promised, slack, trials, confidence, name, tried, found.reach)


def numbers(answers: Any) -> Rows:
    """What a mechanism answered for n people, as rows of numbers (n, k)."""
    if isinstance(answers, MultiBitReports):
        columns, signs = np.atleast_2d(answers.columns), np.atleast_2d(answers.signs)
        rows = np.zeros((len(columns), answers.dimensions), np.int8)
        np.put_along_axis(rows, columns.astype(np.int64), signs, axis=1)
        return rows
    if isinstance(answers, NeighborLists):
        bits = np.zeros((answers.owners.size, answers.num_people), np.int8)
        bits[np.repeat(np.arange(answers.owners.size), np.diff(answers.starts)), answers.names] = 1
        return bits
    values = np.asarray(answers.toarray() if hasattr(answers, "toarray") else answers)
    if values.dtype.kind not in "fiub":
        raise TypeError(
            f"what randomize returned must be numbers, or look= must make some of it: {values.dtype}"
        )
    return values.reshape(len(values), -1)


def _answers(
    mechanism: Any, held: tuple[Any, Any], trials: int, people: int, rng: Random, view: Callable[[Any], Rows]
) -> list[Rows]:
    """Rows of answers of people who each have a neighbor; ``held`` are the values of both.

    A second view has their place in the call, which shows noise that each call draws anew, and a third how
    far they are from the neighbor's answer, which shows noise that both have.
    """
    lists = isinstance(held[0], NeighborLists)
    many = held[0] if lists else np.stack([np.asarray(value) for value in held] * people)
    expected = 1 if lists else 2 * people
    rows = [view(mechanism.randomize(many, rng)) for _ in range(math.ceil(trials / people))]
    if any(len(one) != expected for one in rows):
        raise ValueError(f"randomize must answer for each of {expected} people")
    stacked: NDArray[Any] = np.concatenate(rows)
    if lists:
        return [stacked]
    own, beside = stacked[::2], stacked[1::2]
    place = np.arange(len(own)) % people
    with np.errstate(invalid="ignore"):
        apart = own - beside.astype(np.float64)
    return [own, np.column_stack([place, own]), np.column_stack([own, apart])]


def promise(mechanism: Any, epsilon: float | None, delta: float | None) -> tuple[float, float]:
    """The ε and δ to check: those that are given, or what the mechanism says of itself."""
    stated = getattr(mechanism, "guarantee", None)
    promised = (
        epsilon if epsilon is not None else getattr(stated, "epsilon", getattr(mechanism, "epsilon", None))
    )
    if promised is None:
        raise ValueError("epsilon is required: the mechanism does not say what it promises")
    slack = delta if delta is not None else getattr(stated, "delta", getattr(mechanism, "delta", None)) or 0.0
    return _check.epsilon(promised), _check.fraction(slack, "delta", open_above=True)
