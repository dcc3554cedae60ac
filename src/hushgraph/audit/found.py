"""What an audit found: one form for every kind of audit."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from hushgraph import _check


@dataclass(frozen=True, slots=True)
class Audit:
    """A lower bound on ε beside what was promised.

    Attributes:
        lower_bound: ε is at least this, with that confidence.
        epsilon, delta: what is promised.
        trials: how often something was drawn or fitted in either world; 0 where all was enumerated.
        confidence: how sure the bound is; 1 where all was enumerated.
        subject: what was audited.
        tried: what was tried, in words.
        reach: no bound from so many trials is above this: a promise that is cannot be found broken by them.
        measured: what was looked at in the place of a bound, in words: memory, noise, what a graph changes.
        broken: whether that is other than was promised, which no ε excuses.

    >>> print(Audit(1.25, 1.0, 0.0, 5000, subject="my mechanism", tried="5,000 answers to either value"))
    my mechanism: ε ≥ 1.25 (95 %), promised ε = 1: the promise is broken
      tried: 5,000 answers to either value
    """

    lower_bound: float
    epsilon: float
    delta: float
    trials: int
    confidence: float = 0.95
    subject: str = ""
    tried: str = ""
    reach: float = math.inf
    measured: str = ""
    broken: bool = False

    @property
    def passed(self) -> bool:
        """Whether the promise may be true."""
        return self.lower_bound <= self.epsilon and not self.broken

    @property
    def exact(self) -> bool:
        """Whether everything was enumerated, so that the bound is the loss itself."""
        return self.trials == 0

    @property
    def sureness(self) -> str:
        """The confidence as people write it."""
        return "enumerated" if self.exact else f"{100 * self.confidence:.4g} %"

    @property
    def verdict(self) -> str:
        """The result in words; what passed was not contradicted, and is not proven by that."""
        return "no contradiction" if self.passed else "the promise is broken"

    def __str__(self) -> str:
        about = f"{self.subject}: " if self.subject else ""
        tried = f"\n  tried: {self.tried}" if self.tried else ""
        if self.measured:
            return f"{about}{self.measured}: {self.verdict}{tried}"
        relation = "=" if self.exact else "≥"
        delta = f", δ = {self.delta:g}" if self.delta else ""
        first = f"{about}ε {relation} {self.lower_bound:.3g} ({self.sureness}), promised ε = {self.epsilon:g}"
        return f"{first}{delta}: {self.verdict}{tried}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; an infinite number is the word ``"inf"``."""
        plain = {name: "inf" if value == math.inf else value for name, value in asdict(self).items()}
        return {**plain, "passed": self.passed, "exact": self.exact}


def shared_confidence(confidence: float, audits: int) -> float:
    """What each of several audits needs so that all of them together have that confidence (Bonferroni).

    >>> round(shared_confidence(0.95, 5), 4)
    0.99
    """
    return 1 - (1 - _check.confidence(confidence)) / audits
