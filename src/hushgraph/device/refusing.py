"""Refusing values that a campaign does not know, for people who would rather not answer than be rounded.

It is a choice between two things: whoever refuses is silent because of a value, and silence can be seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hushgraph.collection.campaign import Campaign
from hushgraph.device.readings import names_of, numbers, read_features, read_friends


def refuse_odd_values(campaign: Campaign, person: int, features: Any, label: Any, friends: Any) -> None:
    """An error, for the person alone, that names the first value which would not be answered as it is."""
    if features is not None:
        read_features(campaign, features, level=0)  # as many as are asked for
        given = numbers(features.toarray() if hasattr(features, "toarray") else features, "features")
        # Ends are rounded like the values, so that what lies inside a range still does.
        kind = given.dtype if given.dtype.kind == "f" else np.dtype(float)
        own = campaign.features[0]
        ranges = campaign.ranges or ((own.low, own.high),) * campaign.num_features
        for place, (value, (low, high)) in enumerate(zip(given, ranges, strict=True)):
            if not kind.type(low) <= value <= kind.type(high):
                name = campaign.feature_names[place] if campaign.feature_names else f"feature {place}"
                raise ValueError(f"{name} must lie in [{low:g}, {high:g}]")
    if label is not None and campaign.class_number(label) is None:
        raise ValueError(f"label must be one of {', '.join(campaign.classes)}")
    if friends is not None:
        read = read_friends(campaign, person, friends)
        if read.num_names < names_of(campaign, friends).size:
            raise ValueError("friends must be numbers of other people, each once")
