"""Views of a collection that hide some people's reports, so that there is somebody to learn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports

FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """View 0 hides nobody's report, view 1 + k those of fold k; posteriors are (1 + folds, n, c).

    Attributes:
        reports: all of them.
        folds: the fold of each report (m,).
        shares: what is believed of everybody at first (c,).
        likelihood: of everybody's report (n, c).
    """

    reports: LabelReports
    folds: Tensor
    shares: Tensor
    likelihood: Tensor

    @classmethod
    def drawn(cls, reports: LabelReports, shares: Tensor, rng: np.random.Generator) -> Views:
        """Folds at random, all of one size."""
        folds = torch.from_numpy(rng.permutation(len(reports)) % FOLDS).to(reports.people.device)
        return cls(reports, folds, shares, reports.likelihood())

    def prior(self) -> Tensor:
        """What every view thinks before any layer."""
        return self.shares.expand(1 + FOLDS, self.reports.num_people, -1)

    def beliefs(self, posterior: Tensor) -> Tensor:
        """The posterior times the likelihood of one's own report, unless hidden; less the shares."""
        seen = posterior * self.likelihood
        hidden = 1 + self.folds, self.reports.people
        seen[hidden] = posterior[hidden]
        return seen.div_(seen.sum(2, keepdim=True)).sub_(self.shares)

    def where_hidden(self, values: Tensor, chosen: Tensor | slice = slice(None)) -> Tensor:
        """Of (views, n, …) each chosen reporter's row in the view that hides their report, (m, …)."""
        return values[1 + self.folds[chosen], self.reports.people[chosen]]
