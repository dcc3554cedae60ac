"""What a campaign leaves the best attacker: question by question, level by level, before anybody is asked."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hushgraph import _check
from hushgraph.attacks.local.one_friendship import FriendshipGuess
from hushgraph.attacks.local.one_report import BestGuess, guess_feature, guess_label
from hushgraph.attacks.local.several_answers import feature_after, label_after
from hushgraph.collection.campaign import Campaign, Question

ANSWERS = 10


@dataclass(frozen=True, slots=True)
class Line:
    """What one answer to one question gives away.

    Attributes:
        question, level: which of the campaign's.
        epsilon: what the answer costs.
        about: what is guessed.
        naive: how often the guess is right without the answer.
        success: how often with it; None where the mechanism is one's own.
        bound: what (ε, δ) allows.
        fresh_answers, success_after: how often it would be right, did the device answer so often anew; None
            where there is no formula.
    """

    question: Question
    level: int
    epsilon: float
    about: str
    naive: float
    success: float | None
    bound: float
    fresh_answers: int
    success_after: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ReportCard:
    """The lines of a campaign, and what they leave out."""

    lines: tuple[Line, ...]
    warnings: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return {"lines": [line.to_dict() for line in self.lines], "warnings": list(self.warnings)}


def report_card(
    campaign: Campaign,
    *,
    label_prior: ArrayLike | None = None,
    density: float = 0.5,
    answers: int = ANSWERS,
) -> ReportCard:
    """What the best attacker learns from one answer to each question, and from several fresh ones.

    Args:
        campaign: what is asked.
        label_prior: how common each class is; by default all alike.
        density: how likely two people are friends before anybody answers.
        answers: how many fresh answers a device that does not remember would give.

    >>> from hushgraph import MultiBit, RandomizedResponse
    >>> asked = Campaign(classes=4, num_features=9, features=MultiBit(1.0), labels=RandomizedResponse(1.0))
    >>> for line in report_card(asked).lines:
    ...     print(line.about, round(line.naive, 3), round(line.success, 3), round(line.success_after, 3))
    which end of its range one feature is at 0.5 0.526 0.668
    the class 0.25 0.475 0.773
    """
    answers = _check.count(answers, "answers", minimum=1)
    shares = np.full(campaign.num_classes, 1 / campaign.num_classes) if label_prior is None else label_prior
    lines = tuple(_lines(campaign, np.asarray(shares, np.float64), density, answers))
    return ReportCard(lines, tuple(_warnings(campaign, answers)))


def _lines(campaign: Campaign, shares: Any, density: float, answers: int) -> Iterator[Line]:
    for level, asked in enumerate(campaign.features):
        best = guess_feature(asked, campaign.num_features)
        try:
            after: float | None = feature_after(asked, campaign.num_features, answers)
        except TypeError:
            after = 1.0 if math.isinf(asked.epsilon) else None
        about = "which end of its range one feature is at"
        yield _line("features", level, asked.epsilon, about, best, answers, after)
    for level, mechanism in enumerate(campaign.labels):
        best = guess_label(mechanism, shares)
        alike = np.ptp(shares) < 1e-12
        several = label_after(mechanism, answers) if alike else None
        yield _line("label", level, mechanism.epsilon, "the class", best, answers, several)
    for level, lists in enumerate(campaign.lists):
        pair = FriendshipGuess(lists)
        best = BestGuess(pair.success(density), max(density, 1 - density), pair.success_bound(density))
        several = FriendshipGuess(lists, lists=2 * answers).success(density)
        about = "whether two people are friends, from both lists"
        yield _line("lists", level, pair.epsilon, about, best, answers, several)


def _line(
    question: Question, level: int, epsilon: float, about: str, best: BestGuess, answers: int, after: Any
) -> Line:
    return Line(question, level, epsilon, about, best.naive, best.success, best.bound, answers, after)


def _warnings(campaign: Campaign, answers: int) -> Iterator[str]:
    yield (
        f"a device that answers {answers} times anew spends {answers} times the budget: hg.Reporter gives its"
        " first answer for ever after"
    )
    yield (
        "what friends and everybody else's answers tell of a person is not bounded by ε: it is told whether"
        " they answer or not"
    )
    if len(campaign.asked) > 1:
        yield "answers to several questions add up: where one tells of another, so do their budgets"
