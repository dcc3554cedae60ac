"""All that is learned from a collection, with its features and, where these tell little, without them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from torch import Tensor

from hushgraph.local.cascade.calibration import Calibration, fit_calibration, log_likelihoods
from hushgraph.local.cascade.effort import Effort
from hushgraph.local.cascade.ensemble import Ensemble, Told, held_out, learn_ensemble, parts_of
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.surroundings import Surroundings


@dataclass(frozen=True, slots=True, eq=False)
class WholeFit:
    """Cascades, and what those that never saw some reports think of their owners.

    Attributes:
        ensemble: what is kept of a fit.
        posterior: of everybody, without their own report (n, c).
        held: reports that were held out.
        seen_by_others: what cascades that never saw them think of their owners (m, c).
        calibration: of both.
    """

    ensemble: Ensemble
    posterior: Tensor
    held: LabelReports
    seen_by_others: Tensor
    calibration: Calibration

    def foretells_better_than(self, other: WholeFit) -> bool:
        """Whether the reports that were held out of both are likelier, by more than a standard error."""
        mine, theirs = (
            log_likelihoods(one.calibration(one.seen_by_others, one.ensemble.shares), one.held).double()
            for one in (self, other)
        )
        gains = mine - theirs
        return bool(gains.sum() > gains.std() * len(gains) ** 0.5)


def learn_whole(
    surroundings: Surroundings, reports: LabelReports, effort: Effort, seed: int, tell: Told
) -> WholeFit:
    """One fit, or the better of two where the test says that features tell something.

    That something is told is not yet that it helps: the channels of features have noise of their own. So the
    same is learned without them, bit for bit as if nobody had been asked, and features are used if reports
    that neither fit saw are clearly likelier with them.
    """
    found = _learned(surroundings, reports, effort, seed, tell)
    if not found.ensemble.with_features:
        return found
    without = _learned(surroundings.without_features(), reports, effort, seed, tell)
    if found.foretells_better_than(without):
        return found
    return replace(without, ensemble=replace(without.ensemble, z=found.ensemble.z))


def _learned(
    surroundings: Surroundings, reports: LabelReports, effort: Effort, seed: int, tell: Told
) -> WholeFit:
    rng = np.random.default_rng(seed)
    part = parts_of(reports, rng)
    ensemble, posterior = learn_ensemble(surroundings, reports, effort.turns, rng, tell)
    held, seen_by_others = held_out(surroundings, reports, part, effort, rng, tell)
    calibration = fit_calibration(seen_by_others, ensemble.shares, held)
    return WholeFit(ensemble, posterior, held, seen_by_others, calibration)
