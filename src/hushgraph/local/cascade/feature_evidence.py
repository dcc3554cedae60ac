"""Whether features tell anything, before anything is made of them."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.reported_features import ReportedFeatures
from hushgraph.local.cascade.walk import Walk

PARTS, STEPS = 10, 4
# Features are used above this z, which noise alone exceeds once in 740 collections.
ENOUGH = 3.0


def feature_evidence(
    features: ReportedFeatures, walk: Walk, reports: LabelReports, rng: np.random.Generator
) -> float:
    r"""The z of features foretelling what is reported around people; standard normal if they are pure noise.

    People fall into ten parts at random. The covariance of features and smoothed reports y over the parts
    before foretells the next part,

    .. math:: s_i = \Big(\sum_{j \text{ before}} (x_i \cdot x_j)\, y_j\Big) \cdot y_i , \qquad
        z = \sum_i s_i \Big/ \sqrt{\sum_i s_i^2}

    so that each pair of people counts once. If features are noise that is independent of labels and graph,
    each part's terms have mean 0 given all parts before: their sum is a martingale, and z is N(0, 1) in large
    collections, whatever the reports, the graph and the law of the noise. No matrix is inverted, and the time
    is that of two products with the reported features.
    """
    votes = smoothed_votes(walk, reports)
    part = torch.from_numpy(rng.permutation(features.num_people) % PARTS).to(votes.device)
    covariance = votes.new_zeros(features.num_features, votes.shape[1])
    terms = votes.new_zeros(features.num_people)
    for number in range(PARTS):
        inside = (part == number).unsqueeze(1)
        if number:
            terms += (inside * votes * features.times(covariance)).sum(1)
        covariance += features.transposed_times(inside * votes)
    terms = terms.double()
    return float(terms.sum() / terms.square().sum().sqrt().clamp(min=1e-30))


def smoothed_votes(walk: Walk, reports: LabelReports) -> Tensor:
    """Unbiased votes for classes, weighted by how reliable they are, centred and averaged over four steps."""
    one_hot = torch.nn.functional.one_hot(reports.labels, reports.num_classes).float()
    # (y' - q) / (p - q) times (p - q)²: the inverse of its variance, but for a constant.
    votes = (one_hot - reports.other.unsqueeze(1)) * reports.strength.unsqueeze(1)
    weight = reports.strength.square().unsqueeze(1)
    votes -= weight * (votes.sum(0) / weight.sum().clamp(min=1e-12))
    everybody = torch.zeros(reports.num_people, reports.num_classes, device=votes.device)
    everybody[reports.people] = votes
    smoothed = walk.step(everybody, STEPS)
    return smoothed - smoothed.mean(0)
