"""What a plan says, and that it looks at nothing that people hold."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.planning import Statistics, Structure

HOMOPHILY = 0.7


@pytest.fixture(scope="module")
def planned(circles):
    """Two budgets on a public graph, with features that tell little."""
    return hg.plan(circles, epsilons=[1, 4], homophily=HOMOPHILY, draws=2)


def test_it_reads_friendships_and_nothing_that_people_hold(circles):
    rng = np.random.default_rng(0)
    others = dataclasses.replace(
        circles, features=rng.random((600, 20)), labels=rng.permutation(circles.labels), num_classes=3
    )
    one, other = (hg.plan(graph, epsilons=4, homophily=HOMOPHILY, draws=2) for graph in (circles, others))
    assert one == other


def test_classes_that_were_read_off_labels_are_asked_for(circles):
    read_off = hg.Graph(circles.edges, circles.features, circles.labels)
    with pytest.raises(ValueError, match="classes is needed: those of this graph were read off its labels"):
        hg.plan(read_off, epsilons=4, homophily=HOMOPHILY, draws=2)
    stated = hg.plan(read_off, epsilons=4, classes=3, homophily=HOMOPHILY, draws=2)
    assert stated == hg.plan(circles, epsilons=4, homophily=HOMOPHILY, draws=2)


@pytest.mark.parametrize("epsilons", [np.float32(1.0), [1.0, 1000.0], (0.001, 1)])
def test_any_budget_that_tells_something_can_be_planned(epsilons):
    few = Statistics(200, mean_degree=6.0)
    plan = hg.plan(few, epsilons=epsilons, classes=3, homophily=0.7, draws=2)
    assert all(0 <= one.low <= one.accuracy <= one.high <= 1 for one in plan.splits)


def test_a_plan_of_private_friendships_says_that_it_is_made_of_them():
    plan = hg.plan(RING, epsilons=6, classes=2, homophily=0.8, lists=True, draws=2)
    assert "share it only if these are public" in " ".join(plan.advice)
    assert all(one.accuracy <= plan.ceiling.accuracy for one in plan.splits)


def test_features_that_tell_nothing_are_not_asked_for_and_their_budget_goes_to_the_label(planned):
    for epsilon in (1, 4):
        taken = planned.recommended(epsilon)
        assert (taken.epsilon_x, taken.epsilon_y, taken.epsilon_a) == (0, epsilon, 0)
    assert "features tell nothing: do not ask for them" in planned.advice[-1]
    assert {one.features for one in planned.splits} == {0, 10, 20}


def test_forecasts_rise_with_the_label_s_budget_up_to_what_no_noise_brings(planned):
    in_order = sorted(planned.splits, key=lambda one: one.epsilon_y)
    assert (np.diff([one.accuracy for one in in_order]) >= 0).all()
    assert planned.ceiling.accuracy >= in_order[-1].accuracy > in_order[0].accuracy + 0.1


def test_every_split_spends_its_budget_and_lies_within_its_interval(planned):
    for one in planned.splits:
        assert one.epsilon_x + one.epsilon_y + one.epsilon_a == pytest.approx(one.epsilon)
        assert 0 <= one.low < one.accuracy < one.high <= 1


def test_a_campaign_with_real_labels_lies_within_the_interval(circles):
    """Of a graph that no setting of the planner was chosen on, with the homophily that it has."""
    ends = circles.labels[circles.edges]
    plan = hg.plan(
        circles, epsilons=3.0, num_features=0, homophily=float((ends[0] == ends[1]).mean()), draws=3,
        class_shares=np.bincount(circles.labels) / 600,
    )  # fmt: skip
    split = hg.random_split(circles, train=0.5, val=0.25, seed=0)
    response, rng = hg.RandomizedResponse(3.0), np.random.default_rng(0)
    collected = hg.collect(circles, split, features=None, labels=response, rng=rng)
    (one,) = plan.splits
    assert one.low < hg.accuracy(hg.Cascade().fit(collected), circles, split.test) < one.high


def test_features_that_tell_much_are_simulated_and_recommended(circles):
    """Nobody is much like their friends, and five questions nearly give the class away."""
    plan = hg.plan(
        circles, epsilons=12.0, num_features=5, homophily=0.45, informativeness=0.3, label_rate=0.4, draws=2
    )
    taken = plan.recommended(12.0)
    assert taken.epsilon_x > 0
    assert taken.expected_z > 3
    assert taken.accuracy > max(one.accuracy for one in plan.splits if not one.epsilon_x) + 0.01
    assert "worth asking for" in plan.advice[-1]
    assert plan.advice[0].startswith("Without noise, labels alone would give")


def test_every_number_of_features_that_the_test_may_notice_is_simulated(circles):
    plan = hg.plan(
        circles, epsilons=16.0, num_features=40, homophily=0.45, informativeness=0.3, label_rate=0.4, draws=2
    )
    half = [one for one in plan.splits if one.epsilon_x == 8.0]
    assert [one.features for one in half] == [10, 40]
    assert min(one.expected_z for one in half) > 2
    assert half[0].accuracy != half[1].accuracy


def test_a_homophily_that_is_not_known_widens_the_interval(circles, planned):
    unsure = hg.plan(circles, epsilons=4, num_features=0, homophily=(0.4, HOMOPHILY, 0.75), draws=2)
    (one,), known = unsure.splits, planned.recommended(4)
    assert one.high - one.low > known.high - known.low + 0.1
    assert unsure.advice[0].startswith("Without noise, no budget buys more than")
    assert "homophily is not known" in " ".join(unsure.advice)


def test_with_private_lists_these_take_a_part_of_the_budget():
    progress = []
    plan = hg.plan(
        Statistics(300, mean_degree=6.0), epsilons=6, classes=2, homophily=0.8, lists=True, draws=2,
        num_features=8, progress=lambda *done: progress.append(done),
    )  # fmt: skip
    assert all(one.epsilon_a > 0 for one in plan.splits)
    assert plan.recommended(6).epsilon_x == 0
    # With a third of the budget three in a hundred lie about every stranger; that takes over.
    by_lists = {one.epsilon_a: one.accuracy for one in plan.splits if not one.epsilon_x}
    assert by_lists[max(by_lists)] > by_lists[min(by_lists)]
    assert progress[-1] == (12, 12)
    assert "2 draws" in plan.simulated


def test_more_people_than_are_simulated_count_for_features_all_the_same(circles):
    """The sum over pairs grows like the square of people, and its noise like their number."""
    few = hg.plan(circles, epsilons=2, homophily=HOMOPHILY, draws=2, most_people=300)
    whole = hg.plan(circles, epsilons=2, homophily=HOMOPHILY, draws=2)
    assert "300 people, who stand for 600" in few.simulated
    both = [max(one.expected_z for one in plan.splits) for plan in (few, whole)]
    assert 0.5 < both[0] / both[1] < 2


def test_a_plan_is_plain_values_and_sentences(planned):
    document = json.loads(planned.to_json())
    assert document["assumed"]["homophily"] == {"low": 0.7, "typical": 0.7, "high": 0.7}
    assert [one["epsilon"] for one in document["recommended"]] == [1, 4]
    assert str(planned).startswith("ε = 1: ")
    bits = [one.bits for one in planned.theory]
    assert 0 < bits[0] < bits[1] < math.log2(3)
    with pytest.raises(ValueError, match="planned budgets, 1, 4; got 2"):
        planned.recommended(2)


RING = Structure(np.stack([np.arange(200), (np.arange(200) + 1) % 200]), 200)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"epsilons": []}, "at least one finite budget"),
        ({"epsilons": [math.inf]}, "at least one finite budget"),
        ({"epsilons": 0.0}, "epsilons must be above 0"),
        ({"epsilons": None}, "epsilons must be a number"),
        ({"classes": None}, "classes is needed"),
        ({"classes": 1}, "classes must be a whole number ≥ 2"),
        ({"homophily": 1.2}, r"homophily must lie in \[0, 1\], got 1.2"),
        ({"homophily": (0.9, 0.8, 0.7)}, "three: low, typical and high"),
        ({"class_shares": [0.5, 0.5, 0.5]}, "class_shares must be 2, one for each class; got 3"),
        ({"class_shares": [0.5, 0.2]}, "must sum to 1, got 0.7"),
        ({"class_shares": [1.0, 0.0]}, "two finite numbers above 0"),
        ({"answering": 0.0}, "answering must be above 0"),
        ({"label_rate": 1.5}, "label_rate must lie in"),
        ({"label_rate": 0.05}, "leave 10 labels of 200 people; 20 or more are needed"),
        ({"draws": 0}, "draws must be a whole number ≥ 2"),
    ],
)
def test_what_cannot_be_planned_is_refused(wrong, said):
    with pytest.raises((TypeError, ValueError), match=said):
        hg.plan(RING, **{"epsilons": 1.0, "classes": 2, **wrong})


def test_a_source_is_a_graph_or_numbers_about_one():
    with pytest.raises(TypeError, match="a Graph, a Structure or Statistics, got str"):
        hg.plan("cora", epsilons=1.0, classes=2)
