"""Fake people do harm, thinning takes most of it back, and screens cry out no more than stated."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom
from tests.attacks.local.agreement import FALSE_ALARM

import hushgraph as hg
from hushgraph.attacks.local import (
    LabelKnowledge,
    against_friends,
    equal_choices,
    impossible_shares,
    impossible_signs,
    lying,
    surprising_groups,
    thinned,
    uneven_columns,
    unexpected_shares,
    with_fakes,
)
from hushgraph.attacks.local.calibration import calibrated
from hushgraph.attacks.local.candidates import label_likelihoods
from hushgraph.attacks.local.label_screens import expected_reports, reported_counts
from hushgraph.attacks.local.screen import monte_carlo
from hushgraph.collection.estimates import LabelChannel

RATE, COLLECTIONS = 0.05, 150


@pytest.fixture(scope="module")
def circles():
    return hg.datasets.load("social", n=600, features=30, classes=3, seed=1)


def collection(graph, seed, fakes=(), **more):
    """Half train; fakes do too, and nobody knows that they are fakes."""
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    parts = {name: np.setdiff1d(getattr(split, name), fakes) for name in ("train", "val", "test")}
    parts["train"] = np.union1d(parts["train"], fakes).astype(np.int64)
    usual = {"features": None, "labels": hg.RandomizedResponse(1.0), "rng": np.random.default_rng(seed)}
    return hg.collect(graph, hg.Split(**parts), **usual | more)


def cries_no_more_than_stated(noticed):
    """Among honest people, whose reports were drawn so often."""
    assert len(noticed) == COLLECTIONS
    assert binom.sf(sum(noticed) - 1, COLLECTIONS, RATE) > FALSE_ALARM


def shares_of(graph):
    return np.bincount(graph.labels, minlength=graph.num_classes) / graph.num_nodes


def test_fakes_join_at_the_end_and_befriend_real_people(circles):
    larger, fakes = with_fakes(circles, 0.1, np.random.default_rng(0), befriends="hubs", friends=7)
    assert fakes.tolist() == list(range(600, 667))
    assert larger.num_nodes == 667
    u, v = larger.edges
    new = v >= 600
    assert (u[new] < 600).all()
    assert (larger.edges[:, ~new] == circles.edges).all()
    assert np.bincount(v[new])[600:].max() <= 7
    degree = np.bincount(circles.edges.ravel(), minlength=600)
    assert degree[u[new]].mean() > degree.mean()


def test_liars_say_what_they_like_and_nobody_else_is_changed(circles):
    larger, fakes = with_fakes(circles, 0.1, np.random.default_rng(0))
    sent = collection(larger, 0, fakes, features=hg.MultiBit(1.0))
    lied = lying(sent, fakes, np.full(fakes.size, 2), columns=np.array([5], np.int32))
    others = np.setdiff1d(np.arange(larger.num_nodes), fakes)
    assert (lied.labels[fakes] == 2).all()
    assert (lied.labels[others] == sent.labels[others]).all()
    rows = lied.features.toarray() - sent.midpoint
    assert (np.flatnonzero(rows[fakes].any(0)) == [5]).all()
    assert (rows[others] == (sent.features.toarray() - sent.midpoint)[others]).all()


def test_who_speaks_against_friends_names_the_class_after_theirs():
    graph = hg.Graph([[0, 1, 2, 0], [3, 3, 3, 1]], np.zeros((4, 1)), [2, 2, 1, 0], num_classes=3)
    assert against_friends(graph, np.array([3])).tolist() == [0]


def test_a_fifth_of_fakes_does_harm_and_thinning_takes_most_of_it_back(circles):
    larger, fakes = with_fakes(circles, 0.2, np.random.default_rng(0))
    honest = collection(larger, 0, fakes, labels=hg.RandomizedResponse(0.5))
    lied = lying(honest, fakes, np.ones(fakes.size, np.int64))
    rng, test = np.random.default_rng(0), np.setdiff1d(np.arange(600), honest.reports.people)
    right = [
        hg.accuracy(hg.Cascade().fit(one), larger, test)
        for one in (lied, thinned(lied, shares_of(circles), rng))
    ]
    assert right[0] < 0.4
    assert right[1] > right[0] + 0.2


def test_what_stays_after_thinning_comes_as_often_as_expected(circles):
    larger, fakes = with_fakes(circles, 0.2, np.random.default_rng(0))
    lied = lying(collection(larger, 0, fakes, features=hg.MultiBit(1.0)), fakes, np.zeros(fakes.size, int))
    left = thinned(lied, shares_of(circles), np.random.default_rng(1))
    counts, expected = reported_counts(left), expected_reports(left, shares_of(circles))
    assert (reported_counts(lied) >= counts).all()
    assert np.abs(counts / counts.sum() - expected).max() < 0.05
    assert left.train.size + left.val.size == counts.sum()
    assert (left.features.toarray() == lied.features.toarray()).all()


def test_thinning_leaves_honest_people_alone_though_nobody_has_a_class(circles):
    fourth = hg.Graph(circles.edges, circles.features, circles.labels, num_classes=4)
    honest = collection(fourth, 0, labels=hg.RandomizedResponse(8.0))
    left = thinned(honest, shares_of(fourth), np.random.default_rng(0))
    assert reported_counts(left).sum() > 0.8 * reported_counts(honest).sum()


@pytest.mark.filterwarnings("error")
def test_a_class_that_nobody_can_report_needs_no_division(circles):
    """Without noise honest people report no class that nobody has; whoever does is no honest one."""
    fourth = hg.Graph(circles.edges, circles.features, circles.labels, num_classes=4)
    honest = collection(fourth, 0, labels=hg.RandomizedResponse(math.inf))
    rng, liars = np.random.default_rng(0), honest.train[:5]
    lied = lying(honest, liars, np.full(liars.size, 3))
    assert reported_counts(thinned(honest, shares_of(fourth), rng)).sum() > 0.8 * len(honest.reports.people)
    assert reported_counts(thinned(lied, shares_of(fourth), rng))[3] == 0
    assert not unexpected_shares(honest, shares_of(fourth), rng).noticed(0.01).size
    assert unexpected_shares(lied, shares_of(fourth), rng).noticed(0.01).tolist() == [3]


def test_lies_are_classes_and_hubs_need_no_friendships(circles):
    sent, liars = collection(circles, 0), np.arange(3)
    for wrong in ([7, 7, 7], [-1, 0, 0], [0, 0]):
        with pytest.raises(ValueError, match="one of 3 classes"):
            lying(sent, liars, np.array(wrong))
    nobody = lying(sent, np.zeros(0, np.int64), np.zeros(0, np.int64))
    assert (nobody.labels == sent.labels).all()
    lonely = replace(circles, edges=np.zeros((2, 0), int))
    larger, fakes = with_fakes(lonely, 0.1, np.random.default_rng(0), befriends="hubs")
    assert larger.num_edges == fakes.size


def test_of_a_known_and_of_an_impossible_histogram_honest_people_make_no_more_than_stated(circles):
    asked = collection(circles, 0)
    answers, rng = asked.reports.answers[0], np.random.default_rng(3)
    impossible, unexpected = [], []
    for _ in range(COLLECTIONS):
        # Nobody has class 2: the case in which it is reported least.
        for held, noticed in (([0.5, 0.5, 0.0], impossible), (shares_of(circles), unexpected)):
            drawn = asked.campaign.labels[0].randomize(rng.choice(3, answers.people.size, p=held), rng)
            one = replace(answers, parts={"label": drawn})
            sent = replace(asked, reports=replace(asked.reports, answers=(one,)))
            if noticed is impossible:
                noticed.append(impossible_shares(sent).noticed(RATE).size > 0)
            else:
                noticed.append(unexpected_shares(sent, held, rng, draws=99).noticed(RATE).size > 0)
    cries_no_more_than_stated(impossible)
    cries_no_more_than_stated(unexpected)


def test_a_class_that_fakes_report_is_noticed_where_shares_are_known(circles):
    larger, fakes = with_fakes(circles, 0.1, np.random.default_rng(0))
    lied = lying(collection(larger, 0, fakes), fakes, np.full(fakes.size, 2))
    assert unexpected_shares(lied, shares_of(circles), np.random.default_rng(0)).noticed(0.01).tolist() == [2]
    everybody = np.arange(larger.num_nodes)
    only_one = lying(lied, everybody, np.zeros(larger.num_nodes, int))
    assert sorted(impossible_shares(only_one).noticed(0.01)) == [1, 2]


def known_of(labels, posterior):
    channel = LabelChannel(np.full(labels.size, 0.5), np.full(labels.size, 0.25))
    return LabelKnowledge(
        np.arange(labels.size), labels, np.log(2), posterior.mean(0), posterior,
        label_likelihoods(labels, channel, 3), channel.keep, channel.other,
    )  # fmt: skip


@pytest.mark.parametrize(("people", "too_sure"), [(300, 1.0), (2000, 5.0)])
def test_groups_of_honest_people_surprise_no_more_than_stated(people, too_sure):
    """Though what others tell is too sure, and of one class above all, as a network's is."""
    rng, noticed = np.random.default_rng(5), []
    groups = np.arange(people) % 10
    for _ in range(COLLECTIONS):
        posterior = rng.dirichlet(np.ones(3), size=people)
        told = 0.25 + 0.25 * posterior
        labels = (rng.random((people, 1)) > told.cumsum(1)).sum(1)
        stated = posterior**too_sure * [1.0, 1.0, too_sure**2]
        stated /= stated.sum(1, keepdims=True)
        screen = surprising_groups(known_of(labels, stated), groups, rng, draws=39)
        noticed.append(screen.noticed(RATE).size > 0)
    cries_no_more_than_stated(noticed)


def test_a_posterior_that_is_right_stays_and_one_that_is_too_sure_is_taken_back():
    rng = np.random.default_rng(9)
    right = rng.dirichlet(np.ones(3), size=20_000)
    labels = (rng.random((len(right), 1)) > (0.25 + 0.25 * right).cumsum(1)).sum(1)
    too_sure = right**3 * [1.0, 2.0, 5.0]
    for stated in (right, too_sure / too_sure.sum(1, keepdims=True)):
        assert np.abs(calibrated(known_of(labels, stated)).others - right).mean() < 0.03


def test_the_group_in_which_fakes_joined_is_noticed_and_no_other():
    rng = np.random.default_rng(6)
    groups, posterior = np.arange(300) % 10, rng.dirichlet(np.ones(3), size=300)
    labels = (rng.random((300, 1)) > (0.25 + 0.25 * posterior).cumsum(1)).sum(1)
    labels[np.flatnonzero(groups == 4)[:20]] = 1
    assert surprising_groups(known_of(labels, posterior), groups, rng).noticed(0.01).tolist() == [4]


def test_a_monte_carlo_p_value_counts_what_was_found():
    honest = np.arange(19.0)
    assert monte_carlo(np.array([25.0, 18.0, 9.5, -1.0]), honest) == pytest.approx([0.05, 0.1, 0.5, 1.0])


@pytest.fixture(scope="module")
def asked_features(circles):
    return collection(circles, 0, features=hg.MultiBit(6.5))


def resent(sent, rng):
    """The same collection, features drawn anew of people who all hold the highest value."""
    (answers,) = sent.reports.of_question("features")
    drawn = sent.campaign.features[0].randomize(np.ones((answers.people.size, sent.num_features)), rng)
    one = replace(answers, parts={"columns": drawn.columns, "signs": drawn.signs})
    others = sent.reports.of_question("label")
    return replace(sent, reports=replace(sent.reports, answers=(*others, one)))


def test_honest_devices_are_noticed_no_more_than_stated(asked_features):
    rng, noticed = np.random.default_rng(7), {"columns": [], "signs": [], "choices": []}
    for _ in range(COLLECTIONS):
        sent = resent(asked_features, rng)
        noticed["columns"].append(uneven_columns(sent, rng, draws=39).noticed(RATE).size > 0)
        noticed["signs"].append(impossible_signs(sent).noticed(RATE).size > 0)
        noticed["choices"].append(equal_choices(sent).noticed(RATE).size > 0)
    for one in noticed.values():
        cries_no_more_than_stated(one)


def test_devices_that_claim_the_same_features_are_noticed(circles, asked_features):
    fakes = np.arange(60)
    columns = np.array([3, 9, 21], np.int32)
    assert asked_features.reports.of_question("features")[0].parts["columns"].shape[1] == 3
    lied = lying(asked_features, fakes, np.zeros(60, int), columns=columns)
    rng = np.random.default_rng(8)
    assert set(uneven_columns(lied, rng).noticed(0.01)) == set(columns.tolist())
    assert not uneven_columns(asked_features, rng).noticed(0.01).size
    many = lying(asked_features, np.arange(590), np.zeros(590, int), columns=columns)
    assert set(columns.tolist()) <= set(impossible_signs(many).noticed(0.01).tolist())
    few_features = hg.datasets.load("social", n=100, features=200, classes=3, seed=1)
    sent = collection(few_features, 0, features=hg.MultiBit(11.0))
    m = sent.reports.of_question("features")[0].parts["columns"].shape[1]
    same = lying(sent, np.arange(8), np.zeros(8, int), columns=np.arange(m, dtype=np.int32))
    assert sorted(equal_choices(same).noticed(0.01).tolist()) == list(range(8))
    assert not equal_choices(sent).noticed(0.01).size


def test_screens_of_features_are_about_multi_bit(circles):
    with pytest.raises(TypeError, match="MultiBit"):
        equal_choices(collection(circles, 0))
