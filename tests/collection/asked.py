"""Campaigns, and good reports to them, for tests of what is refused."""

from __future__ import annotations

import json
import math

import numpy as np

import hushgraph as hg

PEOPLE, FEATURES = 30, 6
ASKED = hg.Campaign(
    classes=["cat", "dog", "eel"],
    num_features=FEATURES,
    features=hg.MultiBit(7.0),  # answers three of six features
    labels=[hg.RandomizedResponse(0.5), hg.RandomizedResponse(2.0)],
    lists=hg.AdjacencyRandomizedResponse(3.0),
    num_people=PEOPLE,
)
VALUES = hg.Campaign(classes=2, num_features=4, features=hg.Laplace(1.0), num_people=PEOPLE)
SIGNS = hg.Campaign(classes=2, num_features=4, features=hg.OneBit(1.0), num_people=PEOPLE)
PLAIN = hg.Campaign(classes=2, num_features=4, features=hg.MultiBit(math.inf), num_people=PEOPLE)
SECRET = 1234567


def good(person, campaign=ASKED):
    rng = np.random.default_rng(person)
    if campaign is not ASKED:
        return json.loads(hg.answer(campaign, person, features=rng.random(4), rng=rng).to_json())
    friends = [friend for friend in range(3) if friend != person]
    report = hg.answer(
        ASKED,
        person,
        features=rng.random(FEATURES),
        label="dog",
        friends=friends,
        levels={"label": 1},
        rng=rng,
    )
    return json.loads(report.to_json())


def batch(campaign=ASKED):
    """The reports of ten people, as columns."""
    reports, refused = hg.Reports.gather(
        campaign, [json.dumps(good(person, campaign)) for person in range(10)]
    )
    assert refused == []
    return reports
