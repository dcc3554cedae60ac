"""What devices and server agree on, and what it promises."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.simulate import simulate_reports
from hushgraph.collection.statement import of_several

LEVELS = [hg.RandomizedResponse(0.5), hg.RandomizedResponse(1.0), hg.RandomizedResponse(2.0)]


def campaign(**changed):
    usual = {
        "classes": ["cat", "dog", "eel"],
        "num_features": 5,
        "features": hg.MultiBit(1.0),
        "labels": hg.RandomizedResponse(1.0),
    }
    return hg.Campaign(**usual | changed)


CAMPAIGNS = {
    "plain": campaign(),
    "levels": campaign(labels=LEVELS, features=[hg.MultiBit(1.0), hg.MultiBit(9.0)]),
    "lists": campaign(lists=hg.AdjacencyRandomizedResponse(3.0), num_people=9),
    "labels alone": campaign(features=None),
    "no labels": campaign(labels=None),
    "ranges": campaign(ranges=[(0, 1), (-1, 1), (0, 5), (2, 3), (0, 1)], feature_names=list("abcde")),
    "unprotected": campaign(features=hg.OneBit(math.inf)),
    "gaussian": campaign(features=hg.AnalyticGaussian(1.0, 1e-6, low=-1.0)),
    "numpy's numbers": campaign(
        features=hg.Laplace(np.float64(1.0)), labels=hg.RandomizedResponse(np.int64(2))
    ),
    "from data": campaign(ranges_from_data=True, classes_from_data=True, name="näh"),
}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_json_brings_the_same_campaign_back(name):
    asked = CAMPAIGNS[name]
    back = hg.Campaign.from_json(asked.to_json())
    assert back == asked
    assert (back.id, back.to_json(), back.guarantee) == (asked.id, asked.to_json(), asked.guarantee)


def test_the_id_is_the_hash_of_the_content_and_changes_with_any_of_it(tmp_path):
    ids = {asked.id for asked in CAMPAIGNS.values()}
    assert len(ids) == len(CAMPAIGNS)
    assert all(len(one) == 64 and set(one) <= set("0123456789abcdef") for one in ids)
    assert campaign().id == campaign().id != campaign(labels=hg.RandomizedResponse(1.0000001)).id
    campaign().save(tmp_path / "c.json")
    assert hg.Campaign.load(tmp_path / "c.json").id == campaign().id


def test_the_canonical_json_does_not_change_unseen():
    """Ids are in reports that were sent: a change of the format must be meant."""
    assert campaign().id == "2c10290ede9e05b7d00a2250909c2b1d0e5a0ccb308e0ad8485223042ba2a6b8"


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_document_that_is_no_campaign_is_refused(name):
    document = json.loads(CAMPAIGNS[name].to_json())
    for change in ({"format": 9}, {"classes": ["one"]}, {"features": [{"mechanism": "os.system"}]}, {"x": 1}):
        with pytest.raises(ValueError, match="this is no campaign"):
            hg.Campaign.from_json(json.dumps(document | change))
    for field in document:
        with pytest.raises(ValueError, match="this is no campaign"):
            hg.Campaign.from_json(json.dumps({key: value for key, value in document.items() if key != field}))
    for text in ("", "[]", "3", "{", "null"):
        with pytest.raises(ValueError, match="this is no campaign"):
            hg.Campaign.from_json(text)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"classes": ["cat"]}, "classes must be at least 2 names"),
        ({"classes": ["cat", "cat"]}, "each once"),
        ({"classes": "cat"}, "classes must be names"),
        ({"labels": hg.RandomizedResponse(1.0, num_classes=10)}, "10 classes, but there are 3"),
        ({"labels": LEVELS[::-1]}, "budgets that rise"),
        ({"labels": [LEVELS[0], LEVELS[0]]}, "budgets that rise"),
        ({"labels": [LEVELS[0], hg.RandomizedResponse(math.inf)]}, "finite budgets"),
        ({"features": [hg.MultiBit(1.0), hg.OneBit(2.0)]}, "of one kind"),
        ({"features": [hg.MultiBit(1.0), hg.MultiBit(2.0, high=2.0)]}, "one range"),
        ({"num_features": 0}, "num_features must be at least 1"),
        ({"num_features": -1}, "num_features must be"),
        ({"feature_names": ["a"]}, "feature_names must be 5 names"),
        ({"ranges": [(0, 1)]}, "ranges must be 5 pairs"),
        ({"ranges": [(1, 1)] * 5}, "low < high"),
        ({"lists": hg.AdjacencyRandomizedResponse(1.0)}, "num_people is needed"),
        ({"num_people": 0}, "num_people must be"),
        ({"features": 1.0}, "features must be a feature mechanism"),
        ({"features": hg.MultiBit}, "features must be a feature mechanism"),
        ({"labels": hg.MultiBit(1.0)}, "labels must be a RandomizedResponse"),
        ({"name": 3}, "name must be text"),
    ],
)
def test_a_campaign_without_sense_is_refused(changed, complaint):
    with pytest.raises((ValueError, TypeError), match=complaint):
        campaign(**changed)


def test_the_promise_is_computed_and_cannot_be_written():
    assert campaign().guarantee.strength == "ε = 2, proven"
    with pytest.raises(TypeError):
        replace(campaign(), guarantee=hg.Guarantee("everything", 0.0001))


def test_with_lists_the_first_line_says_what_a_friendship_has_and_what_entries_cost():
    promised = CAMPAIGNS["lists"].guarantee
    first = str(promised).splitlines()[0]
    assert first == (
        "Privacy of everything a person sent: ε = 6, proven; one friendship, which both ends report: ε = 6;"
        " k entries of one list: k · 3"
    )
    assert promised.to_dict()["friendship"] == 6.0


@pytest.mark.parametrize("epsilon", [0.2, 3.0, math.inf])
def test_the_headline_is_never_below_what_a_friendship_has(epsilon):
    levels = [hg.AdjacencyRandomizedResponse(0.1)] * (epsilon < 1) + [hg.AdjacencyRandomizedResponse(epsilon)]
    asked = campaign(
        lists=levels, num_people=9, features=hg.MultiBit(0.05), labels=hg.RandomizedResponse(0.05)
    )
    highest = len(levels) - 1
    for taken, friendship in (
        ({"features": 0, "label": 0, "lists": highest}, 2 * epsilon),
        ({"features": 0, "label": 0, "lists": 0}, levels[0].epsilon + epsilon),
        ({"lists": highest}, 2 * epsilon),
        ({"features": 0, "label": 0}, epsilon),
        ({}, epsilon),
    ):
        promised = asked.guarantee_of(taken)
        assert promised.epsilon == promised.friendship == pytest.approx(friendship)
        ending = "two lists" if "lists" in taken else "the other end's list"
        assert promised.relation.endswith(f"or one friendship, which stands in {ending}")
        assert promised.strength.startswith("not protected" if epsilon == math.inf else f"ε = {friendship:g}")
    assert asked.guarantee.epsilon == asked.guarantee.friendship
    much = campaign(lists=levels, num_people=9, features=hg.MultiBit(7.0))
    if epsilon < math.inf:
        assert much.guarantee.epsilon == pytest.approx(8.0 + epsilon)


def test_levels_are_promised_by_what_was_taken_and_the_choice_is_said_to_be_public():
    asked = CAMPAIGNS["levels"]
    assert asked.guarantee.epsilon == 11.0
    assert asked.guarantee_of({"features": 0, "label": 2}).epsilon == 3.0
    assert asked.guarantee_of({"label": 1}).epsilon == 1.0
    for promised in (asked.guarantee, asked.guarantee_of({"label": 0})):
        assert "(features: ε = 1, 9; label: ε = 0.5, 1, 2) is no secret" in str(promised)
    assert "level" not in str(campaign().guarantee)
    with pytest.raises(ValueError, match="level of label must lie in 0 … 2"):
        asked.guarantee_of({"label": 3})


def test_a_friendship_between_two_levels_has_both():
    levels = [hg.AdjacencyRandomizedResponse(1.0), hg.AdjacencyRandomizedResponse(4.0)]
    asked = campaign(lists=levels, num_people=9)
    assert asked.guarantee.friendship == 8.0
    assert asked.guarantee_of({"lists": 0}).friendship == 5.0


def test_what_was_read_off_private_data_makes_a_claim():
    claimed = CAMPAIGNS["from data"].guarantee
    assert claimed.status == "claimed"
    assert [part.status for part in claimed.parts] == ["claimed", "claimed"]
    assert "the list of classes was taken from the private data" in str(claimed)


def test_each_column_has_its_own_range():
    asked = CAMPAIGNS["ranges"]
    values = np.array([0.5, 0.0, 5.0, 2.0, 1.0])
    np.testing.assert_allclose(asked.in_mechanism_range(values), [0.5, 0.5, 1.0, 0.0, 1.0])
    assert "the range of each feature is public" in str(asked.guarantee)
    with pytest.raises(ValueError, match=r"some do not \(private, so not shown\)"):
        asked.in_mechanism_range(values + 1)
    clipping = campaign(features=hg.MultiBit(1.0, clip=True), ranges=asked.ranges)
    assert clipping.in_mechanism_range(values + 9).tolist() == [1.0] * 5
    same = campaign(ranges=[(0.0, 1.0)] * 5)
    assert same == campaign()


def test_the_promise_to_everybody_holds_for_every_level():
    levels = [hg.AnalyticGaussian(1.0, delta=0.1), hg.AnalyticGaussian(2.0, delta=1e-6)]
    promised = campaign(features=levels, labels=None).guarantee
    assert (promised.epsilon, promised.delta) == (2.0, 0.1)


def test_somebody_who_sends_no_list_is_told_that_others_name_them():
    levels = [hg.AdjacencyRandomizedResponse(1.0), hg.AdjacencyRandomizedResponse(3.0)]
    asked = campaign(lists=levels, num_people=9)
    silent, low = asked.guarantee_of({"label": 0}), asked.guarantee_of({"lists": 0})
    assert "one friendship, which the other end reports: ε = 3" in str(silent).splitlines()[0]
    assert "one friendship, which both ends report: ε = 4; k entries of one list: k · 1" in str(low)
    bare = campaign(lists=hg.AdjacencyRandomizedResponse(math.inf), num_people=9)
    assert "inf" not in str(bare.guarantee)
    assert (
        "which the other end reports: not protected" in str(bare.guarantee_of({"label": 0})).splitlines()[0]
    )


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"classes": {"cat", "dog"}}, "classes must be names"),
        ({"features": hg.MultiBit(1.0, m=6)}, "m must be at most the number of features"),
        ({"features": hg.Laplace(1e-15)}, "too small for Laplace noise"),
        ({"features": hg.Laplace(1.0, high=1e38)}, "may not fit single precision"),
        ({"features": hg.MultiBit(1.0, high=1e300)}, "beyond numbers"),
        ({"classes": ["\ud800", "b"]}, "UTF-8 can hold"),
    ],
)
def test_what_no_device_could_answer_is_refused_at_once(changed, complaint):
    with pytest.raises((ValueError, TypeError), match=complaint):
        campaign(**changed)


def test_equal_campaigns_have_one_id():
    for one, other in (
        (hg.MultiBit(1.0, clip=True), hg.MultiBit(1, clip=1)),
        (hg.MultiBit(1.0), hg.MultiBit(np.float32(1.0), low=-0.0)),
    ):
        assert campaign(features=one).id == campaign(features=other).id


@pytest.mark.parametrize("epsilon", ["1e400", "1" + "0" * 400, "NaN", "-1", "true", '"1"'])
def test_a_budget_that_is_no_number_is_refused_in_json(epsilon):
    text = campaign(labels=None).to_json().replace('"epsilon":1', f'"epsilon":{epsilon}')
    with pytest.raises(ValueError, match="this is no campaign"):
        hg.Campaign.from_json(text)


def test_ranges_of_single_precision_values_hold_their_own_ends():
    asked = campaign(ranges=[(0, 0.1)] * 5)
    for kind in (np.float32, np.float64):
        assert asked.in_mechanism_range(np.full(5, 0.1, kind)).tolist() == [1.0] * 5


def test_the_end_of_a_range_stays_within_the_mechanisms_range():
    """-0.1 + (0.2 - -0.1) is more than 0.2 in doubles."""
    asked = campaign(features=hg.MultiBit(1.0, low=-0.1, high=0.2), ranges=[(0, 1)] * 5)
    assert asked.in_mechanism_range(np.ones(5)).tolist() == [0.2] * 5


def test_a_collection_without_labels_is_scored_with_lists_too(graph, split):
    lists = hg.AdjacencyRandomizedResponse(5.0)
    asked = {"num_features": 7, "features": hg.MultiBit(2.0), "lists": lists, "num_people": 40}
    model = hg.LPGNN(epochs=2).fit(
        hg.collect(graph, split, features=hg.MultiBit(2.0), labels=hg.RandomizedResponse(1.0), edges=lists)
    )
    unlabelled = hg.Campaign(classes=graph.classes, **asked)
    reports = simulate_reports(unlabelled, graph, hg.Split(*(np.zeros(0, int),) * 3))
    assert model.predict(hg.assemble(unlabelled, reports)).shape == (40,)
    for other in (
        hg.Campaign(classes=graph.classes, **asked | {"feature_names": list("abcdefg")}),
        hg.Campaign(classes=graph.classes, **asked | {"features": hg.MultiBit(2.0, low=-5.0)}),
        hg.Campaign(classes=["x", "y", "z"], **asked),
    ):
        reports = simulate_reports(other, graph, hg.Split(*(np.zeros(0, int),) * 3))
        with pytest.raises(ValueError, match="other names or ranges"):
            model.predict(hg.assemble(other, reports))


def test_a_friendship_in_two_collections_has_what_both_have():
    lists = hg.AdjacencyRandomizedResponse(2.0)
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0), lists=lists, num_people=5)
    whole = of_several([asked.guarantee, asked.guarantee])
    assert (whole.friendship, whole.entry, whole.epsilon) == (8.0, 4.0, 8.0)
