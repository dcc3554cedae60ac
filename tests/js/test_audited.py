"""The JavaScript device, audited through what it sends."""

from __future__ import annotations

import numpy as np
from tests.js.node_device import SCRIPT

import hushgraph as hg
from hushgraph.audit import Commanded, audit_device

ASKED = hg.Campaign(
    classes=3, num_features=5, features=hg.MultiBit(2.0), labels=hg.RandomizedResponse(1.0),
    lists=hg.AdjacencyRandomizedResponse(1.5), num_people=20,
)  # fmt: skip
HELD = (
    {"features": np.zeros(5), "label": 0, "friends": []},
    {"features": np.ones(5), "label": 2, "friends": [1]},
)


def test_the_javascript_device_tells_no_more_than_the_campaign_promises(node):
    """Its randomness is secure; that it is called wrong has a probability below 10⁻³."""
    device = Commanded(f"{node} {SCRIPT}")
    found = audit_device(ASKED, *HELD, device=device, trials=300, confidence=0.999)
    assert found.passed, str(found)
    assert found.epsilon == 4.5
    assert found.lower_bound > 0.5
