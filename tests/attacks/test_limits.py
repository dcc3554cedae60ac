"""Where ε bounds an attack, and that it says so where it does not."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.attacks import Victim, largest_auc, limit_on
from hushgraph.attacks.membership.two_views import TwoViews
from hushgraph.attacks.questions import coins


def promise(model, graph):
    views = TwoViews.of(graph, coins(graph.num_nodes, np.random.default_rng(0)))
    return model.promise(views.graph, views.split)


@pytest.mark.parametrize(("model", "family", "bounded"), [
    (hg.GAP(2.0), "membership", True),
    (hg.DPMLP(2.0), "membership", True),
    (hg.DPMLP(2.0, relation="node-replacement"), "membership", False),
    (hg.GAP(2.0, relation="edge"), "membership", False),
    (hg.GAP(2.0, relation="edge"), "withheld friendship", True),
    (hg.GAP(2.0), "withheld friendship", False),
    (hg.GAP(2.0, relation="edge"), "link", False),
    (hg.GAP(2.0), "attribute", False),
    (hg.GAP(2.0), "extraction", False),
    (hg.GAP(math.inf), "membership", False),
    (hg.PublishedNIPGNN(2.0), "membership", False),
])  # fmt: skip
def test_the_relation_decides_what_is_bounded(camps, model, family, bounded):
    promised = promise(model, camps)
    limit = limit_on(family, Victim("it", model), promised)
    assert limit.applies == bounded
    assert limit.why.startswith("bounded by ε" if bounded else "not bounded by ε: ")
    if bounded:
        assert limit.auc == largest_auc(2.0, promised.delta)
        assert limit.accuracy == pytest.approx((1 + limit.advantage) / 2)
        assert limit.tpr_at(0.01) <= 0.01 * math.exp(2) + promised.delta
    else:
        assert limit.accuracy is limit.auc is limit.tpr_at(0.01) is None


@pytest.mark.parametrize("family", ["membership", "attribute", "link", "withheld friendship", "extraction"])
def test_local_models_bound_none_of_these(family):
    promised = hg.RandomizedResponse(1.0, 3).guarantee
    limit = limit_on(family, Victim("LPGNN", hg.LPGNN(), 1.0), promised)
    assert not limit.applies
    assert limit.why.startswith("not bounded by ε: ")


def test_a_cap_covers_a_share(camps):
    limit = limit_on("membership", Victim("GAP", hg.GAP(1.0)), promise(hg.GAP(1.0), camps), covered=0.9)
    assert "90.0 %" in limit.why
