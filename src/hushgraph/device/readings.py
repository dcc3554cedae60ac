"""What a device makes of a value that a campaign does not know: it answers, because silence would tell.

What everybody knows of an argument, such as how many features there are, may still be wrong and is an error.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign
from hushgraph.mechanisms.neighbor_lists import NeighborLists
from hushgraph.mechanisms.randomized_response import with_any_class
from hushgraph.mechanisms.randomness import Random


def read_label(campaign: Campaign, label: Any, rng: Random) -> int:
    """The number of the person's class; what is none of the classes is one drawn at random."""
    if isinstance(label, Collection) and not isinstance(label, str | bytes):
        raise TypeError(f"label must be one class, got a {type(label).__name__}")
    number = campaign.class_number(label)
    return int(with_any_class(-1 if number is None else number, campaign.num_classes, rng))


def read_features(campaign: Campaign, features: Any, level: int) -> NDArray[np.float64]:
    """Features in the range of the level's mechanism; what is no number stands in the middle of it."""
    given = _numbers(features.toarray() if hasattr(features, "toarray") else features, "features")
    if given.size != campaign.num_features or given.ndim > 2:
        raise ValueError(f"features must be {campaign.num_features} numbers, got shape {given.shape}")
    mechanism = campaign.features[level]
    with np.errstate(all="ignore"):
        placed = np.asarray(campaign.in_mechanism_range(given.ravel(), level, clip=True), np.float64)
        return np.where(np.isnan(placed), campaign.midpoint, np.clip(placed, mechanism.low, mechanism.high))


def read_friends(campaign: Campaign, person: int, friends: Any) -> NeighborLists:
    """The person's list, without names that there are not."""
    assert campaign.num_people is not None
    given = _numbers(friends, "friends")
    if given.dtype == bool and given.shape == (campaign.num_people,):
        given = np.flatnonzero(given)
    elif given.ndim != 1 or given.dtype == bool:
        raise ValueError("friends must be a list of numbers of people, or a mask of everybody")
    exist = (given >= 0) & (given < campaign.num_people) & (given != person) & (given == np.floor(given))
    return NeighborLists.of_person(person, np.unique(given[exist]).astype(np.int64), campaign.num_people)


def _numbers(values: Any, name: str) -> NDArray[Any]:
    """An array of numbers; in a mixture with other things, NaN for each that is none."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):  # a mixture of which numpy makes no array by itself
        array = np.asarray(values, object)
    if array.dtype.kind in "fiub":
        return array
    if array.dtype.kind not in "OUSc":
        raise TypeError(f"{name} must be numbers, got an array of {array.dtype}")
    mixture = np.asarray(values, object)
    return np.array([_number(value) for value in mixture.ravel()], np.float64).reshape(mixture.shape)


def _number(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        return math.nan
