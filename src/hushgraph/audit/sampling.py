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

# People who answer in one call: enough to be quick, and few enough that a call which begins its randomness
# anew is seen.
PEOPLE = 64


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
        epsilon, delta: what is promised, by default by the mechanism's ``guarantee`` or its ``epsilon``.
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
    promised, slack = _promise(mechanism, epsilon, delta)
    here, there = (_answers(mechanism, value, trials, source, view) for value in (one, other))
    bound, events = bound_of_rows(here, there, delta=slack, confidence=confidence)
    tried = f"{trials:,} answers to either value, {events} events counted on half of them"
    return Audit(bound, promised, slack, trials, confidence, subject or type(mechanism).__name__, tried)


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


def _answers(mechanism: Any, value: Any, trials: int, rng: Random, view: Callable[[Any], Rows]) -> list[Rows]:
    """Rows of answers; and with the place in the call, which shows noise that each call draws anew."""
    lists = isinstance(value, NeighborLists)
    people = 1 if lists else PEOPLE
    many = value if lists else np.repeat(np.asarray(value)[np.newaxis], people, axis=0)
    calls = math.ceil(trials / people)
    rows = [view(mechanism.randomize(many, rng)) for _ in range(calls)]
    if any(len(one) != people for one in rows):
        raise ValueError(f"randomize must answer for each of {people} people")
    stacked: NDArray[Any] = np.concatenate(rows)[:trials]
    place = np.arange(trials) % people
    return [stacked] if people == 1 else [stacked, np.column_stack([place, stacked])]


def _promise(mechanism: Any, epsilon: float | None, delta: float | None) -> tuple[float, float]:
    stated = getattr(mechanism, "guarantee", None)
    promised = (
        epsilon if epsilon is not None else getattr(stated, "epsilon", getattr(mechanism, "epsilon", None))
    )
    if promised is None:
        raise ValueError("epsilon is required: the mechanism does not say what it promises")
    slack = delta if delta is not None else getattr(stated, "delta", 0.0)
    return _check.epsilon(promised), _check.fraction(slack, "delta", open_above=True)
