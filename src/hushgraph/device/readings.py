"""What a device makes of a value that a campaign does not know: it answers, because silence would tell.

What everybody knows of an argument, such as how many features there are, may still be wrong and is an error.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import Campaign
from hushgraph.mechanisms.neighbor_lists import NeighborLists
from hushgraph.mechanisms.randomized_response import with_any_class
from hushgraph.mechanisms.randomness import Random


def read_label(campaign: Campaign, label: Any, rng: Random) -> int:
    """The number of the person's class; what is none of the classes is one drawn at random.

    A list is an error, with however many classes in it: its form is the device's doing and not the person's.
    """
    single = _single(label)
    if isinstance(single, Collection) and not isinstance(single, str | bytes):
        raise TypeError(f"label must be one class, got a {type(label).__name__}")
    number = None
    with suppress(Exception):
        number = campaign.class_number(single)
    return int(with_any_class(-1 if number is None else number, campaign.num_classes, rng))


def read_features(campaign: Campaign, features: Any, level: int) -> NDArray[np.float64]:
    """Features in the range of the level's mechanism; what is no number stands in the middle of it."""
    given = numbers(features.toarray() if hasattr(features, "toarray") else features, "features")
    if given.size != campaign.num_features:
        raise ValueError(f"features must be {campaign.num_features} numbers, got {given.size}")
    mechanism = campaign.features[level]
    with np.errstate(all="ignore"):
        placed = np.asarray(campaign.in_mechanism_range(given, level, clip=True), np.float64)
        within = np.clip(placed, mechanism.low, mechanism.high)
        # Adding 0 turns -0 into 0, which has one form.
        return np.where(np.isnan(placed), campaign.midpoint, within) + 0.0


def read_friends(campaign: Campaign, person: int, friends: Any) -> NeighborLists:
    """The person's list, without names that there are not; or from a mask of everybody."""
    people, given = campaign.num_people, names_of(campaign, friends)
    assert people is not None
    exist = (given >= 0) & (given < people) & (given != person) & (given == np.floor(given))
    return NeighborLists.of_person(person, np.unique(given[exist]).astype(np.int64), people)


def names_of(campaign: Campaign, friends: Any) -> NDArray[Any]:
    """Whom a list names, or a mask of everybody; whoever they are."""
    given = numbers(friends, "friends")
    if given.size == campaign.num_people and _is_mask(friends, given):
        return np.flatnonzero(given == 1)
    if given.dtype == bool:
        raise ValueError("friends must be a list of numbers of people, or a mask of everybody")
    return given


def _single(value: Any) -> Any:
    """What an array or a tensor without dimensions holds, and None behind a mask; anything else as it is."""
    if getattr(value, "ndim", None) != 0 or not hasattr(value, "item"):
        return value
    with suppress(Exception):
        return None if np.ma.is_masked(value) else value.item()
    return None


def _is_mask(values: Any, read: NDArray[Any]) -> bool:
    """Whether every value is yes, no or missing, and not all are missing; people's numbers are none of it."""
    if read.dtype == bool:
        return True
    told = [isinstance(_single(value), bool | np.bool_) for value in values]
    return any(told) and bool((np.array(told) | np.isnan(read)).all())


def numbers(values: Any, name: str) -> NDArray[Any]:
    """Numbers, one for each value: NaN for each that is none, or that is masked.

    Values of a list are looked at one by one, so that none decides what becomes of the others.
    """
    if not hasattr(values, "__len__") or isinstance(values, str | bytes | dict):
        raise TypeError(f"{name} must be a list of numbers, got a {type(values).__name__}")
    if isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray):
        if values.dtype.kind in "fiub":
            return values.ravel()
        values = values.ravel()
    return np.array([_number(value) for value in values], np.float64)


def _number(value: Any) -> float:
    """NaN for what is no number, whatever kind of error it makes of that."""
    with suppress(Exception):
        if np.ma.is_masked(value) or isinstance(value, complex | np.complexfloating):
            return math.nan
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    return math.nan
