"""All attacks by name, on a method and on a saved model."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph import registry
from hushgraph.attacks import BlackBox, Decisions, Victim, card, membership
from hushgraph.attacks.card import SAYS_NOTHING
from hushgraph.attacks.nothing_to_ask import NothingToAskError
from hushgraph.attacks.stage import Roles, Stage
from hushgraph.attacks.suite import ATTACKS, WITH_TRAINING, WITHOUT_TRAINING, Settings, findings
from hushgraph.experiments.report.attacks import render_attacks, row_of

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


@pytest.fixture
def anybody(camps):
    """What somebody's own network may say of people, its embeddings, and who trained it."""
    rng = np.random.default_rng(0)
    first, members = rng.uniform(0.05, 0.95, camps.num_nodes), rng.random(camps.num_nodes) < 0.5
    shown = rng.random((camps.num_nodes, 3)).astype(np.float32)
    return BlackBox(np.column_stack([first, 1 - first]), shown), members


def test_who_has_no_label_is_asked_about_only_where_they_may_be_members(camps, anybody):
    """Of those without a label the model is never sure, which tells nothing of who trained."""
    graph = replace(camps, labels=np.where(np.arange(camps.num_nodes) % 2, camps.labels, -1))
    labelled = graph.labels >= 0
    box, members = anybody
    unsure = BlackBox(np.where(labelled[:, None], box.proba, 0.5))
    stage = Stage.of_model("mine", unsure, graph, members & labelled)
    for finding in findings(stage, ("confidence", "known-members"), 0, FEW):
        assert finding.measured.auc.low < 0.5 < finding.measured.auc.high
    assert stage.candidates.tolist() == np.flatnonzero(labelled).tolist()
    split = hg.random_split(graph, train=0.5, val=0.0, seed=0, everyone=True)
    curated = hg.DPMLP(2.0, epochs=1, random_state=0).fit(graph, split)
    assert Stage.of_model("DP-MLP", curated, graph, members).candidates.size == graph.num_nodes


def test_all_targets_of_a_card_are_asked_about_the_same_people(camps):
    """Of a curator's model anybody may be a member, and so of the networks beside it."""
    graph = replace(camps, labels=np.where(np.arange(camps.num_nodes) % 2, camps.labels, -1))
    split = hg.random_split(graph, train=0.5, val=0.0, seed=0, everyone=True)
    members = np.isin(np.arange(graph.num_nodes), split.train)
    model = hg.DPMLP(2.0, epochs=1, random_state=0).fit(graph, split)
    targets = card.on_a_model("DP-MLP", model, graph, members, ["confidence", "known-members"], 0, FEW)
    asked = [[one.measured.truth.tolist() for one in target.findings] for target in targets]
    assert asked[0] == asked[1] == asked[2]
    assert len(asked[0][0]) == graph.num_nodes


def test_what_a_target_from_elsewhere_promises_is_taken_only_if_it_is_a_promise(camps, anybody):
    box, members = anybody
    for stated in (None, "ε = 1", hg.Guarantee("labels", 1.0)):
        theirs = SimpleNamespace(predict_proba=box.predict_proba, guarantee=stated)
        mine, *_ = card.on_a_model("theirs", theirs, camps, members, ["confidence", "attribute"], 0, FEW)
        promises = isinstance(stated, hg.Guarantee)
        assert mine.guarantee.status == ("claimed" if promises else "none")
        said = "a model from elsewhere is about this is not known" if promises else "nothing is promised"
        assert all(said in one.limit.why for one in mine.findings)


def test_an_attack_that_works_on_no_network_says_nothing_and_is_marked(camps, anybody, monkeypatch):
    """Of three attacks: one that throws coins, one that works on the target, one that works beside it."""
    box, members = anybody

    def guesses(works_on):
        def asked(stage, rng, _):
            shift = 3.0 * stage.members * (stage.title in works_on)
            scores = rng.normal(size=stage.members.size) + shift
            yield Decisions("told apart", scores, scores > shift.max() / 2, stage.members)

        return asked

    for works_on, marked in (([], True), (["mine"], False), (["GCN, not private"], False)):
        monkeypatch.setitem(ATTACKS, "confidence", ("membership", guesses(works_on)))
        mine, *references = card.on_a_model("mine", box, camps, members, ["confidence"], 3, FEW)
        (said,) = mine.to_dict()["attacks"]
        assert (said["note"] == SAYS_NOTHING) == (row_of(mine.findings[0])["note"] == SAYS_NOTHING) == marked
        assert (SAYS_NOTHING in render_attacks([mine, *references], {})) == marked
        assert all(one.note is None for target in references for one in target.findings)


def test_any_target_has_a_card(camps, anybody):
    box, members = anybody
    mine, *references = card.on_a_model("mine", box, camps, members, None, 0, FEW)
    assert {one.name for one in mine.findings} == {*WITHOUT_TRAINING}
    assert mine.guarantee.status == "none"
    assert all("nothing is promised" in one.limit.why for one in mine.findings)
    assert all(set(one.left_out) == set() for one in (mine, *references))
    with pytest.raises(TypeError, match="target must have predict_proba"):
        card.on_a_model("mine", object(), camps, members, None, 0, FEW)


def test_attacks_that_a_graph_does_not_allow_are_left_out_and_named(camps, anybody):
    box, members = anybody
    alone = replace(camps, edges=np.zeros((2, 0), np.int32))
    card_of = [BlackBox(box.proba), alone, members]
    mine, *_ = card.on_a_model("mine", *card_of, None, 0, FEW)
    assert set(mine.left_out) == {"attribute-embeddings", "link-distance", "link-known"}
    assert mine.left_out == mine.to_dict()["left_out"]
    assert "no friendships" in mine.left_out["link-known"]
    with pytest.raises(ValueError, match="attribute-embeddings: this target shows no embeddings"):
        card.on_a_model("mine", *card_of, ["confidence", "attribute-embeddings"], 0, FEW)
    alike = replace(alone, labels=np.zeros_like(camps.labels))
    everybody = np.ones_like(members)
    sure = BlackBox(np.tile([1.0, 0.0], (camps.num_nodes, 1)))
    with pytest.raises(ValueError, match=r"confidence: .* link-known: .* extraction: truth is the same"):
        card.on_a_model("mine", sure, alike, everybody, None, 0, FEW)


def test_what_there_is_none_of_is_refused_before_anything_is_trained(camps, anybody, monkeypatch):
    box, members = anybody
    monkeypatch.setattr(Victim, "learn", lambda *_: pytest.fail("it is trained"))
    victim = Victim("DP-MLP", hg.DPMLP(2.0, epochs=1))
    on_a_method = partial(card.on_a_method, victim, camps)
    on_a_model = partial(card.on_a_model, "mine", box, camps, members)
    for of in (on_a_method, on_a_model):
        with pytest.raises(ValueError, match=r"names must be one of .*did you mean 'confidence'"):
            of(["confidence", "confidense"], 0, FEW)
        with pytest.raises(ValueError, match="attribute must be 'label'"):
            of(None, 0, replace(FEW, attribute="height"))
    with pytest.raises(ValueError, match="names must be one of"):
        next(findings(Stage.of_model("mine", box, camps, members), ["confidense"], 0))


def test_of_named_attacks_the_first_that_is_impossible_ends_it(camps, anybody):
    box, members = anybody
    asked, doing = ["attribute-embeddings", "confidence"], []
    with pytest.raises(ValueError, match="mine cannot be attacked so: attribute-embeddings: this target"):
        card.on_a_model("mine", BlackBox(box.proba), camps, members, asked, 0, FEW, doing.append)
    assert doing == ["mine: attribute-embeddings"]


def test_a_mistake_in_a_program_is_no_attack_that_is_left_out(camps, anybody, monkeypatch):
    def wrong(*_):
        return np.zeros(3) + np.zeros(4)

    monkeypatch.setitem(ATTACKS, "confidence", ("membership", wrong))
    box, members = anybody
    with pytest.raises(ValueError, match="broadcast"):
        card.on_a_model("mine", box, camps, members, None, 0, FEW)
    with pytest.raises(ValueError, match="broadcast"):
        list(findings(Stage.of_model("mine", box, camps, members), ["confidence"], 0))


def test_an_attack_that_ends_halfway_is_left_out_as_a_whole(camps, anybody, monkeypatch):
    def halfway(stage, *_):
        yield membership.by_confidence(stage.box, stage.everybody).judged(stage.members)
        raise NothingToAskError("there is no more")

    monkeypatch.setitem(ATTACKS, "confidence", ("membership", halfway))
    box, members = anybody
    mine, *_ = card.on_a_model("mine", box, camps, members, None, 0, FEW)
    assert mine.left_out == {"confidence": "there is no more"}
    assert "confidence" not in {one.name for one in mine.findings}
    assert not list(findings(Stage.of_model("mine", box, camps, members), ["confidence"], 0))


def test_where_all_have_one_label_a_copy_still_has_its_fidelity(camps, anybody):
    box, members = anybody
    alike = replace(camps, labels=np.zeros_like(camps.labels))
    stage = Stage.of_model("mine", box, alike, members)
    asked = replace(FEW, queries=(40, 80))
    titles = [one.title for one in findings(stage, ["extraction"], 0, asked)]
    assert titles == ["extraction, 40 queries: fidelity", "extraction, 80 queries: fidelity"]


@pytest.mark.parametrize("people", [3, 6, 16])
@pytest.mark.parametrize("labels", ["both", "few", "one", "none"])
def test_however_small_a_graph_is_an_attack_is_possible_or_left_out(people, labels):
    """So that nothing but NothingToAskError ends a card."""
    kinds = np.arange(people) % 2
    given = {"both": kinds, "few": np.where(np.arange(people) < 2, kinds, -1), "one": 0 * kinds}
    few = Settings(pairs=20, shadows=2, queries=(3,))
    proba = np.random.default_rng(0).dirichlet(np.ones(2), people)
    for edges in (np.zeros((2, 0), int), np.array(np.triu_indices(people, 1)), [[0, 1], [1, 2]]):
        graph = hg.Graph(edges, proba, given.get(labels, 0 * kinds - 1), num_classes=2)
        stage = Stage.of_model("mine", BlackBox(proba), graph, kinds.astype(bool))
        assert {one.name for one in findings(stage, WITHOUT_TRAINING, 0, few)} <= {*WITHOUT_TRAINING}
        mine = replace(stage, victim=Victim("DP-MLP", hg.DPMLP(2.0, epochs=1)), elsewhere=graph)
        assert {one.name for one in findings(mine, ("tstf", "lira"), people, few)} <= {"tstf", "lira"}


def test_a_network_that_cannot_be_trained_here_is_left_out_and_named(camps, anybody):
    box, members = anybody
    plain = replace(camps, features=np.zeros((camps.num_nodes, 0), np.float32))
    mine, overfitted, structure = card.on_a_model("mine", box, plain, members, None, 0, FEW)
    assert overfitted.untrained == "it learns from features, and nobody here has any"
    assert overfitted.findings == ()
    assert {one.name for one in mine.findings} == {*WITHOUT_TRAINING}
    assert {one.name for one in structure.findings} == {*WITHOUT_TRAINING}
    nobody = replace(camps, labels=np.full_like(camps.labels, -1), num_classes=2)
    labels = np.where(members, -1, camps.labels)
    for graph in (nobody, replace(camps, labels=labels)):
        _, *references = card.on_a_model("mine", box, graph, members, ["link-known"], 0, FEW)
        assert all("nobody here has any" in one.untrained for one in references)
