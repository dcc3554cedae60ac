"""All attacks by name, on a method and on a saved model."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg
from hushgraph import registry
from hushgraph.attacks import Victim
from hushgraph.attacks.stage import Roles, Stage
from hushgraph.attacks.suite import ATTACKS, WITH_TRAINING, WITHOUT_TRAINING, Settings, findings

FEW = Settings(pairs=200, shadows=3, queries=(40,))


def staged(victim, graph):
    rng = np.random.default_rng(0)
    return Stage.set(victim, Roles.drawn(graph, rng, pairs=100), rng)


def test_every_attack_is_registered_by_its_title(social_stage):
    assert set(ATTACKS) == set(registry.ATTACKS)
    for finding in findings(social_stage, WITH_TRAINING, 1, FEW):
        title = registry.ATTACKS[finding.name].title
        assert finding.measured.attack.startswith(title)
        assert not finding.limit.applies


def test_an_attack_is_the_same_whichever_others_are_asked_for(social_stage):
    alone, beside = (
        [one for one in findings(social_stage, names, 5, FEW) if one.name == "link-known"]
        for names in (["link-known"], ["attribute", "link-known"])
    )
    assert (alone[0].measured.scores == beside[0].measured.scores).all()


@pytest.mark.parametrize("model", [hg.LPGNN(epochs=3), hg.Cascade(), hg.DPMLP(2.0, epochs=3)])
def test_any_method_can_be_attacked(camps, model):
    stage = staged(Victim("it", model, 2.0), camps)
    assert stage.guarantee.epsilon == 2.0
    assert stage.box.proba.shape == (stage.graph.num_nodes, 2)
    named = [one.name for one in findings(stage, ("confidence", "tstf", "attribute-embeddings"), 0, FEW)]
    assert named == ["confidence", "tstf"] + ["attribute-embeddings"] * isinstance(model, hg.LPGNN)


def test_a_private_method_stays_under_its_bound(camps):
    """The interval of no attack lies above it: one of four would in less than 1 of 10 draws of a seed."""
    stage = staged(Victim("DP-MLP", hg.DPMLP(0.5, epochs=5)), camps)
    for finding in findings(stage, ("confidence", "tstf", "lira"), 0, FEW):
        assert finding.limit.applies
        assert finding.measured.auc.low <= finding.limit.auc
        assert finding.measured.tpr_at(0.1).low <= finding.limit.tpr_at(0.1)


def test_a_saved_model_is_attacked_on_its_own_graph(camps, camps_split, tmp_path):
    hg.GAP(4.0, epochs=2, random_state=0).fit(camps, camps_split).save(tmp_path / "model.pt")
    members = np.zeros(camps.num_nodes, bool)
    members[camps_split.train] = True
    stage = Stage.of_model("GAP", hg.load(tmp_path / "model.pt"), camps, members)
    found = {one.name: one for one in findings(stage, WITHOUT_TRAINING, 0, FEW)}
    assert set(found) == {*WITHOUT_TRAINING} - {"attribute-embeddings"}
    assert not any(one.limit.applies for one in found.values())
    assert "people's own data" in found["confidence"].limit.why
    with pytest.raises(ValueError, match="predicts 400 people, but the graph has 100"):
        Stage.of_model("GAP", hg.load(tmp_path / "model.pt"), hg.datasets.social(n=100), members)
