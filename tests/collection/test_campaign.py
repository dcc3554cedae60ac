"""What devices and server agree on, and what it promises."""

import json
import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.simulate import simulate_reports
from hushgraph.mechanisms import MultiBitReports

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
        "Privacy of everything a person sent: ε = 5, proven; one friendship, which both ends report: ε = 6;"
        " k entries of one list: k · 3"
    )
    assert promised.to_dict()["friendship"] == 6.0


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


@dataclass(frozen=True)
class Doubling:
    """A mechanism of somebody's own: sends twice the value, which protects nobody."""

    epsilon: float
    low: float = 0.0
    high: float = 1.0

    @property
    def guarantee(self):
        return hg.Guarantee("features", self.epsilon, reason="it is doubled")

    def randomize(self, values, rng):
        return np.asarray(values, np.float32) * 2

    def estimate(self, reports):
        return reports / 2

    def variance(self, values):
        return np.zeros(np.shape(values))


def test_a_mechanism_of_ones_own_works_and_is_a_claim(graph, split):
    collected = hg.collect(graph, split, features=Doubling(1.0), labels=hg.RandomizedResponse(1.0))
    np.testing.assert_allclose(collected.features, graph.features, rtol=1e-6)
    assert collected.guarantee.status == "claimed"
    assert "hushgraph has not checked it" in str(collected.guarantee)
    assert hg.LPGNN(epochs=2).fit(collected).guarantee.status == "claimed"


class Loud(hg.MultiBit):
    """Inherits a promise that it does not keep."""

    __slots__ = ()

    def estimate(self, reports):
        return super().estimate(reports)


@dataclass(frozen=True)
class Borrowed(Doubling):
    @property
    def guarantee(self):
        return hg.MultiBit(0.0001).guarantee


@pytest.mark.parametrize("mechanism", [Loud(1.0), Borrowed(1.0)], ids=lambda one: type(one).__name__)
def test_a_promise_that_is_inherited_or_borrowed_is_a_claim(mechanism):
    promised = campaign(features=mechanism).guarantee
    assert promised.status == "claimed"
    assert "the mechanism is its author's own" in str(promised)


def test_a_mechanism_of_ones_own_is_read_only_if_it_is_passed_in(tmp_path, graph, split):
    asked = campaign(features=Doubling(1.0))
    with pytest.raises(ValueError, match="Pass your own as mechanisms="):
        hg.Campaign.from_json(asked.to_json())
    assert hg.Campaign.from_json(asked.to_json(), mechanisms=[Doubling]) == asked
    collected = hg.collect(graph, split, features=Doubling(1.0), labels=hg.RandomizedResponse(1.0))
    collected.save(tmp_path / "c.npz")
    with pytest.raises(ValueError, match="Pass your own as mechanisms="):
        hg.CollectedGraph.load(tmp_path / "c.npz")
    loaded = hg.CollectedGraph.load(tmp_path / "c.npz", mechanisms=[Doubling])
    np.testing.assert_array_equal(loaded.features, collected.features)


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


@dataclass(frozen=True)
class Bounded(Doubling):
    bound: float = math.inf
    note: str = "inf"


def test_settings_of_ones_own_come_back_as_they_were():
    asked = campaign(features=Bounded(1.0))
    back = hg.Campaign.from_json(asked.to_json(), mechanisms=[Bounded])
    assert back == asked
    assert back.features[0].bound == math.inf
    assert back.features[0].note == "inf"
    for wrong in (Bounded(1.0, bound=math.nan), Bounded(1.0, note=("a",))):
        with pytest.raises(TypeError, match="settings of Bounded must be finite numbers or text"):
            campaign(features=wrong).to_json()


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
        (Doubling(1.0, low=-0.0), Doubling(1, high=np.float64(1.0))),
    ):
        assert campaign(features=one).id == campaign(features=other).id


@pytest.mark.parametrize("epsilon", ["1e400", "1" + "0" * 400, "NaN", "-1", "true", '"1"'])
def test_a_budget_that_is_no_number_is_refused_in_json(epsilon):
    text = campaign(labels=None).to_json().replace('"epsilon":1', f'"epsilon":{epsilon}')
    with pytest.raises(ValueError, match="this is no campaign"):
        hg.Campaign.from_json(text)


@dataclass(frozen=True)
class Signs(Doubling):
    """One's own mechanism that answers two features with signs."""

    def sampled(self, dimensions):
        return 2

    def randomize(self, values, rng):
        shape = (*np.shape(values)[:-1], 2)
        columns = np.broadcast_to([0, 1], shape)
        return MultiBitReports(columns, np.ones(shape, np.int8), np.shape(values)[-1])

    def estimate(self, reports):
        return hg.MultiBit(1.0, m=2).estimate(reports)


def test_a_mechanism_of_ones_own_may_send_signs(graph, split):
    collected = hg.collect(graph, split, features=Signs(1.0), labels=hg.RandomizedResponse(1.0))
    assert np.diff(collected.features.indptr).tolist() == [2] * 40
    report = hg.answer(collected.campaign, 3, features=graph.features[3])
    assert hg.Reports.gather(collected.campaign, [report.to_json()])[1] == []


def test_ranges_of_single_precision_values_hold_their_own_ends():
    asked = campaign(ranges=[(0, 0.1)] * 5)
    for kind in (np.float32, np.float64):
        assert asked.in_mechanism_range(np.full(5, 0.1, kind)).tolist() == [1.0] * 5


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


@dataclass(frozen=True)
class Coin:
    """One's own randomised response: the truth, or any class."""

    epsilon: float
    num_classes: int = 2
    truth: float = 0.8

    @property
    def guarantee(self):
        return hg.Guarantee("label", self.epsilon, reason="a coin")

    def for_classes(self, num_classes):
        return replace(self, num_classes=num_classes)

    @property
    def other_probability(self):
        return (1 - self.truth) / self.num_classes

    @property
    def keep_probability(self):
        return self.truth + self.other_probability

    def randomize(self, values, rng):
        drawn = rng.integers(0, 1000, size=np.shape(values))
        return np.where(drawn < 1000 * self.truth, values, drawn % self.num_classes)

    def estimate(self, reports):
        hot = np.asarray(reports)[..., None] == np.arange(self.num_classes)
        return (hot - self.other_probability) / self.truth

    def variance(self, values):
        return np.full((*np.shape(values), self.num_classes), 0.1)


@dataclass(frozen=True)
class Honest:
    """One's own mechanism for lists, which flips nothing."""

    epsilon: float
    flip_probability: float = 0.01

    @property
    def guarantee(self):
        return hg.Guarantee("friendships", self.epsilon)

    def randomize(self, values, rng):
        return values

    def estimate(self, reports):
        return reports

    def variance(self, values):
        return np.zeros(np.shape(values))


def test_mechanisms_of_ones_own_for_labels_and_lists_work_too(camps, camps_split):
    collected = hg.collect(
        camps, camps_split, features=hg.MultiBit(4.0), labels=Coin(2.0), edges=Honest(3.0), rng=None
    )
    back = hg.assemble(
        hg.Campaign.from_json(collected.campaign.to_json(), mechanisms=[Coin, Honest]),
        [one.to_json() for one in collected.reports],
        split=camps_split,
    )
    assert collected.label_channel.keep == pytest.approx(0.9)
    assert collected.lists.edges().tolist() == camps.edges.tolist()
    assert collected.guarantee.status == "claimed"
    np.testing.assert_array_equal(back.labels, collected.labels)
    model = hg.LPGNN(epochs=60, selection="last").fit(back)
    assert hg.accuracy(model, camps, camps_split.test) > 0.9
