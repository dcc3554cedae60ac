"""The attacker of :mod:`hushgraph.attacks.local.one_report`, played: what is likely, given a report."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph.attacks.local.feature_channels import FeatureChannel, feature_channel
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.columns import feature_answers
from hushgraph.collection.estimates import LabelChannel
from hushgraph.collection.reports import Reports
from hushgraph.mechanisms.protocol import FeatureMechanism

# What went through no noise is believed, and its logarithm stays a number.
LEAST = 1e-300


def posterior(log_likelihoods: NDArray[np.float64], prior: ArrayLike) -> NDArray[np.float64]:
    """Bayes' rule along the last axis."""
    with np.errstate(divide="ignore"):
        scores = log_likelihoods + np.log(np.asarray(prior, np.float64))
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(scores / scores.sum(-1, keepdims=True))


def label_likelihoods(
    labels: NDArray[np.int64], channel: LabelChannel, num_classes: int
) -> NDArray[np.float64]:
    """The logarithm of the probability of each reported label (n,), given each class: (n, c)."""
    keep, other = (np.broadcast_to(part, labels.shape)[:, None] for part in (channel.keep, channel.other))
    same = labels[:, None] == np.arange(num_classes)
    return np.log(np.maximum(np.where(same, keep, other), LEAST))


def feature_posterior(
    mechanism: FeatureMechanism, reports: object, dimensions: int, values: ArrayLike, prior: ArrayLike
) -> NDArray[np.float64]:
    """How likely each of several values is of each feature of each person, (n, d, values)."""
    channel = _known(mechanism, dimensions)
    records = np.repeat(np.asarray(values, np.float64)[:, None], dimensions, axis=1)
    return posterior(np.moveaxis(channel.log_likelihood(reports, records), 1, 2), prior)


def record_posterior(
    campaign: Campaign,
    reports: Reports,
    records: NDArray[np.float64],
    labels: NDArray[np.int64],
    prior: ArrayLike,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Who answered, and how likely it is of each that they are one or another of some known people.

    The attacker knows ``records`` (K, d) and ``labels`` (K,) of K people, and that everybody who answered is
    one of them, with chances ``prior``: the best attack on a whole report, whatever depends on what.
    """
    people = reports.people
    told = np.zeros((people.size, len(labels)))
    for one in reports.answers:
        rows = np.searchsorted(people, one.people)
        mechanism = campaign.levels(one.question)[one.level]
        if one.question == "label":
            channel = LabelChannel(mechanism.keep_probability, mechanism.other_probability)
            told[rows] += label_likelihoods(one.parts["label"], channel, campaign.num_classes)[:, labels]
        elif one.question == "features":
            answers = feature_answers(one.parts, campaign.num_features)
            of_features = _known(mechanism, campaign.num_features).log_likelihood(answers, records)
            told[rows] += of_features.sum(2)
    return people, posterior(told, prior)


def _known(mechanism: FeatureMechanism, dimensions: int) -> FeatureChannel:
    channel = feature_channel(mechanism, dimensions)
    if channel is None:
        without = " without a budget" if math.isinf(mechanism.epsilon) else ""
        raise TypeError(
            f"the answers of {type(mechanism).__name__}{without} have no known probabilities here"
        )
    return channel
