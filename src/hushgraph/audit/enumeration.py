"""Exact audits: all inputs on a grid and all outputs, where there are few enough of them.

The probabilities of randomised response and of sign mechanisms are read off what the code does with each
word of randomness (:mod:`hushgraph.audit.words`). Lists and Laplace noise draw in ways that cannot be read
off like that: of these the probabilities are those that the mechanism states of its draw, and whether it
draws like that is a matter for samples.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hushgraph.audit.found import Audit
from hushgraph.audit.privacy_loss import PrivacyLoss
from hushgraph.audit.words import ScriptedRandom, SignBox, chances
from hushgraph.mechanisms import AdjacencyRandomizedResponse, Laplace, MultiBit, OneBit, RandomizedResponse

Distribution = dict[Hashable, Fraction]
KINDS = (RandomizedResponse, OneBit, MultiBit, AdjacencyRandomizedResponse, Laplace)
# Inputs times outputs beyond which nobody waits for the answer.
MOST = 200_000


def enumerable(mechanism: Any) -> bool:
    """Whether :func:`audit_exactly` knows how to enumerate a mechanism."""
    return isinstance(mechanism, KINDS) and math.isfinite(mechanism.epsilon)


def audit_exactly(mechanism: Any, size: int = 2, *, epsilon: float | None = None) -> Audit:
    """The exact worst loss of a mechanism, over a grid of inputs.

    Args:
        mechanism: of hushgraph, or a kind of one of these.
        size: how many features there are, or how many other people a list may name; of randomised response
            the classes are its own.
        epsilon: what is promised, where it is not what the mechanism says.

    >>> audit_exactly(RandomizedResponse(1.0, 3)).passed
    True
    """
    if not enumerable(mechanism):
        names = ", ".join(kind.__name__ for kind in KINDS)
        raise TypeError(f"mechanism must be one of {names} with a finite epsilon to be enumerated")
    promised = float(mechanism.epsilon if epsilon is None else epsilon)
    if isinstance(mechanism, Laplace):
        loss, kept = _laplace(mechanism, size, promised)
        tried = f"the two ends of the range in each of {size} features, with the noise as stated"
    else:
        losses = list(_losses(mechanism, size))
        loss = max(map(float, losses))
        kept = all(one.is_at_most(promised) for one in losses)
        tried = _tried(mechanism, size)
    # A loss is compared exactly; the double beside it may be rounded past the promise, or down to it.
    shown = min(loss, promised) if kept else max(loss, math.nextafter(promised, math.inf))
    return Audit(shown, promised, 0.0, 0, 1.0, f"{type(mechanism).__name__}, enumerated", tried)


def _losses(mechanism: Any, size: int) -> Iterator[PrivacyLoss]:
    """The exact loss of each set of inputs of which any two must be hard to tell apart."""
    if isinstance(mechanism, RandomizedResponse):
        yield PrivacyLoss(response_distributions(mechanism))
    elif isinstance(mechanism, AdjacencyRandomizedResponse):
        yield from list_losses(mechanism, size)
    else:
        yield from sign_losses(mechanism, size)


def response_distributions(mechanism: RandomizedResponse) -> Iterator[Distribution]:
    """What is answered to each label, with its probability."""
    for label in range(mechanism.num_classes or 0):

        def answers(words: Sequence[int], label: int = label) -> list[int]:
            drawn = mechanism.randomize(np.full(len(words), label), ScriptedRandom(list(words)))
            answered: list[int] = np.asarray(drawn).tolist()
            return answered

        yield chances(answers)


def list_distribution(mechanism: AdjacencyRandomizedResponse, bits: Sequence[int]) -> Distribution:
    """The probability of every answer to a list, given as its bits."""
    return {
        answer: math.prod(
            (mechanism.probability(bool(a), bool(b)) for a, b in zip(answer, bits, strict=True)),
            start=Fraction(1),
        )
        for answer in itertools.product((0, 1), repeat=len(bits))
    }


def list_losses(mechanism: AdjacencyRandomizedResponse, others: int) -> Iterator[PrivacyLoss]:
    """The loss of every two lists that differ in one entry."""
    _check_size(4**others * others, "others")
    lists = list(itertools.product((0, 1), repeat=others))
    known = {bits: list_distribution(mechanism, bits) for bits in lists}
    for bits in lists:
        for entry in range(others):
            if bits[entry] == 0:
                with_entry = (*bits[:entry], 1, *bits[entry + 1 :])
                yield PrivacyLoss([known[bits], known[with_entry]])


def sign_distribution(
    plus: Mapping[float, Fraction], x: Sequence[float], m: int, drawn: Sequence[int] | None = None
) -> Distribution:
    """The distribution of the report of x: of columns and signs, or of signs if ``drawn`` is known."""
    subsets = [tuple(drawn)] if drawn else list(itertools.combinations(range(len(x)), m))
    return {
        (subset, signs): math.prod(
            (
                plus[x[column]] if sign > 0 else 1 - plus[x[column]]
                for column, sign in zip(subset, signs, strict=True)
            ),
            start=Fraction(1, len(subsets)),
        )
        for subset in subsets
        for signs in itertools.product((-1, 1), repeat=m)
    }


def sign_losses(mechanism: OneBit | MultiBit, size: int) -> Iterator[PrivacyLoss]:
    """The loss of the whole report, then of the signs alone for each set of columns."""
    m = mechanism.sampled(size) if isinstance(mechanism, MultiBit) else size
    _check_size(3**size * 2**m * math.comb(size, m), "features")
    box, low, high = SignBox(mechanism, size), mechanism.low, mechanism.high
    plus = {value: box.chance_of_plus(value) for value in (low, low + (high - low) / 3, high)}
    inputs = list(itertools.product(plus, repeat=size))
    for drawn in (None, *itertools.combinations(range(size), m)):
        yield PrivacyLoss(sign_distribution(plus, x, m, drawn) for x in inputs)


def _laplace(mechanism: Laplace, size: int, promised: float) -> tuple[float, bool]:
    """P(k) ∝ exp(-|k| / t): the worst loss is the distance of the two places over t, in every feature."""
    noise = mechanism.noise(size)
    loss = Fraction(size * noise.steps, noise.scale)
    return float(loss), loss <= Fraction(promised)


def _check_size(outputs: int, what: str) -> None:
    if outputs > MOST:
        raise ValueError(f"there are too many {what} to enumerate: take a smaller size")


def _tried(mechanism: Any, size: int) -> str:
    if isinstance(mechanism, RandomizedResponse):
        return f"all of {mechanism.num_classes} labels and answers, and all words of randomness"
    if isinstance(mechanism, AdjacencyRandomizedResponse):
        return f"all lists of {size} others that differ in one entry, and all answers, with chances as stated"
    return f"all of {3**size} inputs on a grid of {size} features, all answers, and all words of randomness"
