"""Cascade: classes of people from a graph, noisy labels and, where they tell anything, noisy features."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.local.cascade import storage
from hushgraph.local.cascade.accuracy_estimate import AccuracyEstimate, estimate_accuracy
from hushgraph.local.cascade.calibration import Calibration
from hushgraph.local.cascade.effort import Effort
from hushgraph.local.cascade.ensemble import Ensemble, parts_of
from hushgraph.local.cascade.feature_evidence import ENOUGH
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.surroundings import Surroundings
from hushgraph.local.cascade.whole_fit import learn_whole
from hushgraph.local.estimator import LocalEstimator, OnStep, check_collected
from hushgraph.sparse import runtime


class Cascade(LocalEstimator):
    """The cross-fitted posterior cascade: everybody's class by averaging over people, in layers.

    There is nothing to tune. Beliefs about everybody are smoothed over the graph in several ways, a
    regression through the labels' own noise learns what each is worth for somebody whose report it has not
    seen, and what it concludes is the belief that the next layer smooths. Features are used if a test says
    that they tell something, and if reports that no fit saw are likelier with them; of private lists,
    friendships count by their probability. See docs/cascade.md.

    Args:
        random_state: seeds folds and starting vectors; torch's global state is left alone.
        device: ``"auto"`` takes a GPU where there is one.
        threads: CPU threads of torch during :meth:`fit`; see :class:`~hushgraph.LPGNN`. Other numbers of them
            round sums otherwise, and a few close decisions go the other way.

    Everything is learned from reports. Training and validation people count alike. After :meth:`fit`:

    - ``accuracy_estimate_``: of how many of those without a report the class is right, with a 95 % interval,
      from noisy labels that the predictions in question never saw;
    - ``feature_evidence_``, how clearly features tell anything (z, standard normal if they are noise), and
      ``uses_features_``, whether that is enough and helps;
    - ``calibration_``, the power of the evidence and the doubt that calibrate it, and ``shares_`` of the
      classes;
    - ``classes_`` (names) and ``ids_`` (or None).

    A person's probabilities count their own report where they gave one.

    >>> import hushgraph as hg
    >>> import numpy as np
    >>> graph = hg.datasets.load("social", n=600, features=50, classes=3, seed=1)
    >>> split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    >>> collected = hg.collect(graph, split, features=None, labels=hg.RandomizedResponse(2.0),
    ...                        rng=np.random.default_rng(0))
    >>> model = hg.Cascade().fit(collected)
    >>> model.accuracy_estimate_.low < hg.accuracy(model, graph, split.test) < model.accuracy_estimate_.high
    True
    """

    random_state: int = 0
    device: str = "auto"
    threads: int | None = None

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        _check.count(self.random_state, "random_state")
        if self.threads is not None:
            _check.count(self.threads, "threads", minimum=1)
        runtime.resolve_device(self.device)

    @property
    def steps(self) -> int:
        """The number of cascades, held-out ones included; fewer for more than 100,000 reports.

        Where the test says that features tell something, twice as many.
        """
        return Effort().cascades

    @torch.no_grad()
    def fit(self, collected: CollectedGraph, *, progress: OnStep | None = None) -> Self:
        """Learns from a collection; ``progress(cascade, cascades, None)`` is called after every cascade."""
        self.check_params()
        check_collected(collected)
        if collected.train.size + collected.val.size == 0:
            raise ValueError("no labelled person to train on: this collection can only be scored")
        device = runtime.resolve_device(self.device)
        reports = LabelReports.of(collected, device)
        if len(reports) < 2:
            raise ValueError(
                "collected must have the labels of two people or more, to hold one against the other; it has"
                f" {len(reports)} that say anything"
            )
        effort = Effort.worth(len(reports))
        count = itertools.count(1)

        def tell() -> None:
            """Twice as many, once it turns out that features may help."""
            if progress is not None:
                done = next(count)
                progress(done, effort.cascades * (1 + (done > effort.cascades)), None)

        with runtime.tuned_for(collected.edges.shape[1], self.threads):
            surroundings = Surroundings(collected, device, self.random_state)
            found = learn_whole(surroundings, reports, effort, self.random_state, tell)
            shares, held = found.ensemble.shares, found.held
            sure, seen_by_others = (
                found.calibration(one, shares) for one in (found.posterior, found.seen_by_others)
            )
            unseen = torch.ones(reports.num_people, dtype=torch.bool, device=device)
            unseen[reports.people] = False
            changed = (sure[held.people].argmax(1) != seen_by_others.argmax(1)).double().mean().item()
            estimate = estimate_accuracy(seen_by_others, held, sure[unseen], changed)
            proba = _with_own_reports(sure, reports)
        self.ensemble_: Ensemble = found.ensemble
        self.accuracy_estimate_: AccuracyEstimate = estimate
        self._describe(found.calibration)
        self._remember(collected, proba)
        return self

    @torch.no_grad()
    def evidence(self, collected: CollectedGraph) -> tuple[float, ...]:
        """The z of features in :meth:`fit`: to all reports, and without each part that it holds out.

        Where none is enough, :meth:`ignores_features`.
        """
        check_collected(collected)
        device = runtime.resolve_device(self.device)
        with runtime.tuned_for(collected.edges.shape[1], self.threads):
            reports = LabelReports.of(collected, device)
            surroundings = Surroundings(collected, device, self.random_state)
            part = parts_of(reports, np.random.default_rng(self.random_state))
            seen = (reports, *(reports.only(part != one) for one in range(Effort.worth(len(reports)).parts)))
            return tuple(surroundings.evidence(some) for some in seen)

    def ignores_features(self, collected: CollectedGraph) -> bool:
        """Whether no z of features is enough: then the fit is bit for bit the same without them."""
        return max(self.evidence(collected)) <= ENOUGH

    def details(self) -> dict[str, Any]:
        """The accuracy that noisy labels show, and whether features were used."""
        estimate = self.accuracy_estimate_
        return {
            "accuracy_estimate": estimate.value,
            "accuracy_interval": [estimate.low, estimate.high],
            "feature_evidence": self.feature_evidence_,
            "uses_features": self.uses_features_,
        }

    def save(self, path: str | Path) -> None:
        """Writes gates, shares, settings, guarantee and predictions; no reports and no seed."""
        self._check_fitted()
        storage.save(self, path)

    @classmethod
    def load(cls, path: str | Path, *, device: str = "auto") -> Self:
        """Reads what :meth:`save` wrote; no code in the file is run."""
        return storage.load(cls, path, device)

    @torch.no_grad()
    def _probabilities_of(self, collected: CollectedGraph) -> NDArray[np.float32]:
        """Of others, from their own graph and reports; folds and starting vectors are always the same."""
        device = runtime.resolve_device(self.device)
        with runtime.tuned_for(collected.edges.shape[1], self.threads):
            reports = LabelReports.of(collected, device)
            if len(reports) == 0:
                raise ValueError("nobody in this collection gave a label, and others' labels are what tells")
            if self.uses_features_ and collected.features is None:
                raise ValueError("nobody in this collection sent features, which the model uses")
            posterior = self.ensemble_.posterior(Surroundings(collected, device, 0), reports, 0)
            sure = self.calibration_(posterior, self.ensemble_.shares)
            return _with_own_reports(sure, reports)

    def _fits(self, campaign: Campaign) -> bool:
        """Where features are not used, it does not matter which were asked for."""
        if self.uses_features_:
            return super()._fits(campaign)
        return campaign.classes == self.classes_

    def _describe(self, calibration: Calibration) -> None:
        self.calibration_ = calibration
        self.feature_evidence_, self.uses_features_ = self.ensemble_.z, self.ensemble_.with_features
        self.shares_: NDArray[np.float32] = self.ensemble_.shares.cpu().numpy()


def _with_own_reports(posterior: torch.Tensor, reports: LabelReports) -> NDArray[np.float32]:
    """Bayes' rule: what others tell of somebody, and what they reported themselves."""
    both = posterior * reports.likelihood()
    return np.asarray((both / both.sum(1, keepdim=True)).cpu())
