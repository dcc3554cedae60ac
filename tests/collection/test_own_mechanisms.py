"""Mechanisms of one's own: they work wherever hushgraph's do, and their promise is a claim."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.mechanisms import MultiBitReports


def campaign(features):
    return hg.Campaign(classes=2, num_features=5, features=features)


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
    promised = campaign(mechanism).guarantee
    assert promised.status == "claimed"
    assert "the mechanism is its author's own" in str(promised)


def test_a_mechanism_of_ones_own_is_read_only_if_it_is_passed_in(tmp_path, graph, split):
    asked = campaign(Doubling(1.0))
    with pytest.raises(ValueError, match="Pass your own as mechanisms="):
        hg.Campaign.from_json(asked.to_json())
    assert hg.Campaign.from_json(asked.to_json(), mechanisms=[Doubling]) == asked
    collected = hg.collect(graph, split, features=Doubling(1.0), labels=hg.RandomizedResponse(1.0))
    collected.save(tmp_path / "c.npz")
    with pytest.raises(ValueError, match="Pass your own as mechanisms="):
        hg.CollectedGraph.load(tmp_path / "c.npz")
    loaded = hg.CollectedGraph.load(tmp_path / "c.npz", mechanisms=[Doubling])
    np.testing.assert_array_equal(loaded.features, collected.features)


@dataclass(frozen=True)
class Bounded(Doubling):
    bound: float = math.inf
    note: str = "inf"


def test_settings_of_ones_own_come_back_as_they_were():
    asked = campaign(Bounded(1.0))
    back = hg.Campaign.from_json(asked.to_json(), mechanisms=[Bounded])
    assert back == asked
    assert back.features[0].bound == math.inf
    assert back.features[0].note == "inf"
    for wrong in (Bounded(1.0, bound=math.nan), Bounded(1.0, note=("a",))):
        with pytest.raises(TypeError, match="settings of Bounded must be finite numbers or text"):
            campaign(wrong).to_json()


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


def test_whoever_sends_no_list_is_told_that_the_mechanism_of_the_others_lists_is_its_authors():
    asked = hg.Campaign(classes=2, labels=hg.RandomizedResponse(1.0), lists=Honest(0.5), num_people=9)
    silent = asked.guarantee_of({"label": 0})
    assert silent.status == "claimed"
    assert "the mechanism is its author's own" in str(silent)


def test_equal_mechanisms_make_one_campaign():
    assert campaign(Doubling(1.0, low=-0.0)).id == campaign(Doubling(1, high=np.float64(1.0))).id
