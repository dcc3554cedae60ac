"""Several cascades over other folds and spectra, averaged; and cascades that some reports never reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from hushgraph.local.cascade.class_shares import class_shares
from hushgraph.local.cascade.effort import PARTS, Effort
from hushgraph.local.cascade.feature_evidence import ENOUGH
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.layers import Learned, apply, learn
from hushgraph.local.cascade.surroundings import Surroundings
from hushgraph.local.cascade.views import Views

Told = Callable[[], None]
# Where degrees' logarithms deviate by less, people of another collection, who may have any number of friends,
# are not to be taken for wonders.
LEAST_DEVIATION = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """What was learned from a collection, and nothing of its reports but sums over many.

    Attributes:
        shares: of the classes (c,).
        with_features: whether features told anything, and ``z`` how clearly.
        degree_units: mean and deviation of the logarithm of degrees (2,).
        cascades: what is averaged.
    """

    shares: Tensor
    with_features: bool
    z: float
    degree_units: Tensor
    cascades: tuple[Learned, ...]

    def degree(self, surroundings: Surroundings) -> Tensor:
        """Standardised degrees (n,)."""
        mean, deviation = self.degree_units
        standard: Tensor = (surroundings.log_degree - mean) / deviation
        return standard

    def posterior(self, surroundings: Surroundings, reports: LabelReports, seed: int) -> Tensor:
        """What the cascades think of the people of another collection, see :func:`learn_ensemble`."""
        degree, rng = self.degree(surroundings), np.random.default_rng(seed)
        average = _Average(reports)
        for one in self.cascades:
            views = Views.drawn(reports, self.shares, rng)
            smoothers = surroundings.smoothers(reports, views.folds, with_features=self.with_features)
            average.add(views, apply(one, views, smoothers, degree))
        return average.value


def learn_ensemble(
    surroundings: Surroundings,
    reports: LabelReports,
    turns: Sequence[int],
    rng: np.random.Generator,
    tell: Told,
) -> tuple[Ensemble, Tensor]:
    """Cascades over other draws of folds, and what they think of everybody without their own report (n, c).

    Somebody who gave no label is seen where nobody's report is hidden, and a reporter where their own is.
    """
    shares, z = class_shares(reports), surroundings.evidence(reports)
    units = torch.stack(
        [surroundings.log_degree.mean(), surroundings.log_degree.std().clamp(min=LEAST_DEVIATION)]
    )
    blank = Ensemble(shares, z > ENOUGH, z, units, ())
    degree, average = blank.degree(surroundings), _Average(reports)
    cascades: list[Learned] = []
    for turn in turns:
        views = Views.drawn(reports, shares, rng)
        smoothers = surroundings.smoothers(reports, views.folds, with_features=blank.with_features)
        start = cascades[-1].positions if cascades else None
        learned, posterior = learn(views, smoothers, degree, turn, rng, start)
        cascades.append(learned)
        average.add(views, posterior)
        tell()
    return Ensemble(shares, blank.with_features, z, units, tuple(cascades)), average.value


def parts_of(reports: LabelReports, rng: np.random.Generator) -> Tensor:
    """The part of each report (m,), all of one size: each is held out in its turn."""
    return torch.from_numpy(rng.permutation(len(reports)) % PARTS).to(reports.people.device)


def held_out(
    surroundings: Surroundings,
    reports: LabelReports,
    part: Tensor,
    effort: Effort,
    rng: np.random.Generator,
    tell: Told,
) -> tuple[LabelReports, Tensor]:
    """Reports, and what cascades that never saw one of their part think of their owners (m, c).

    Shares, the test of features, weights of friendships, gates: all of it is made anew without the part, so
    that no report has any way into its own row. It is what the reports can be held against.
    """
    found = torch.empty(len(reports), reports.num_classes, device=reports.people.device)
    for number in range(effort.parts):
        hidden = part == number
        visible = reports.only(~hidden)
        _, posterior = learn_ensemble(surroundings, visible, effort.turns_of_a_part, rng, tell)
        found[hidden] = posterior[reports.people[hidden]]
    held = part < effort.parts
    return reports.only(held), found[held]


class _Average:
    """The mean of posteriors, of each person where their report is hidden."""

    def __init__(self, reports: LabelReports) -> None:
        self.reports, self.count = reports, 0
        self.sum = torch.zeros(reports.num_people, reports.num_classes, device=reports.people.device)

    def add(self, views: Views, posterior: Tensor) -> None:
        unseen = posterior[0].clone()
        unseen[self.reports.people] = views.where_hidden(posterior)
        self.sum += unseen
        self.count += 1

    @property
    def value(self) -> Tensor:
        return self.sum / self.count
