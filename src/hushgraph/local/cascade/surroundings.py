"""All that a cascade smooths over: friendships, spectra and features."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np
import torch
from torch import Tensor

from hushgraph.collection.collected import CollectedGraph
from hushgraph.local.cascade.feature_embedding import feature_embeddings
from hushgraph.local.cascade.feature_evidence import feature_evidence
from hushgraph.local.cascade.friends import Friends
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.reported_features import ReportedFeatures
from hushgraph.local.cascade.ridge import Ridge
from hushgraph.local.cascade.smoothers import Smoothers
from hushgraph.local.cascade.spectra import Spectra
from hushgraph.local.cascade.views import FOLDS
from hushgraph.local.cascade.walk import Walk


class Surroundings:
    """What a collection says apart from labels, made once for all cascades.

    Nothing here has seen a label: spectra, features and degrees are the same whichever labels are hidden.
    Only the weights of private friendships depend on labels, and :meth:`smoothers` makes them for each view.
    """

    def __init__(self, collected: CollectedGraph, device: torch.device, seed: int) -> None:
        self.seed, self.generator = seed, torch.Generator().manual_seed(seed)
        self.friends = Friends(collected, device)
        walk = self.friends.without_labels
        self.log_degree = walk.degree.log1p()
        self.features = None if collected.features is None else ReportedFeatures(collected, device)

    def spectra_of(self, walk: Walk) -> Spectra | Sequence[Ridge]:
        """Ridges onto the spectra of a walk."""
        return Spectra(walk, self.generator)

    @cached_property
    def spectra(self) -> Spectra | Sequence[Ridge]:
        """Those of the friendships; the test of features does without."""
        return self.spectra_of(self.friends.without_labels)

    @cached_property
    def feature_ridges(self) -> list[Ridge]:
        """Ridges onto features; only made where they are used."""
        if self.features is None:
            return []
        embeddings = feature_embeddings(self.features, self.friends.without_labels, self.generator)
        return [Ridge(one) for one in embeddings]

    def evidence(self, reports: LabelReports) -> float:
        """The z of the features, seen through these labels; 0 where none were asked for.

        Its parts are drawn from a generator of their own: where features tell nothing, all else is bit for
        bit what it is without them.
        """
        if self.features is None:
            return 0.0
        rng = np.random.default_rng([self.seed, 1])
        return feature_evidence(self.features, self.friends.without_labels, reports, rng)

    def without_features(self) -> Self:
        """The same where nobody was asked for features; spectra are made once for both."""
        _ = self.spectra
        same = copy.copy(self)
        same.features = None
        return same

    def smoothers(self, reports: LabelReports, folds: Tensor, *, with_features: bool) -> Smoothers:
        """For views of which the first sees all reports, and each other one hides a fold."""
        walks = [self.friends.without_labels]
        if self.friends.private:
            hidden = [reports.only(folds != fold) for fold in range(FOLDS)]
            walks = [self.friends.walk(view) for view in (reports, *hidden)]
        return Smoothers(walks, self.spectra, self.feature_ridges if with_features else [])
