"""What everything but one's own report gives away, and that one's own adds ε at most."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.attacks.local.agreement import FALSE_ALARM, may_have_been

import hushgraph as hg
from hushgraph.attacks.local import guess_label, label_knowledge, without_reports
from hushgraph.attacks.local.candidates import posterior

EPSILON = 1.0
METHOD = hg.LPGNN("gcn", features="random", k_x=1, k_y=1, epochs=40, selection="last")


def collection(graph, **more):
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    usual = {"features": None, "labels": hg.RandomizedResponse(EPSILON), "rng": np.random.default_rng(0)}
    return hg.collect(graph, split, **usual | more)


@pytest.fixture(scope="module")
def known(camps):
    return label_knowledge(hg.Cascade(), collection(camps), np.random.default_rng(0), parts=3)


def test_what_others_tell_does_not_depend_on_the_persons_own_report(camps):
    sent = collection(camps)
    known = label_knowledge(METHOD, sent, np.random.default_rng(0), parts=3)
    person = int(known.people[5])
    (answers,) = sent.reports.answers
    labels = answers.parts["label"].copy()
    labels[answers.people == person] = (labels[answers.people == person] + 1) % 2
    changed = replace(
        sent, reports=replace(sent.reports, answers=(replace(answers, parts={"label": labels}),))
    )
    again = label_knowledge(METHOD, changed, np.random.default_rng(0), parts=3)
    assert (again.others[5] == known.others[5]).all()
    assert (again.everything[5] != known.everything[5]).any()
    assert (again.others != known.others).any()


def test_friends_give_away_more_than_the_report_and_no_epsilon_bounds_that(camps, known):
    guesses = known.guesses(camps.labels)
    alone, others = guesses["the report alone"], guesses["everything but the report"]
    right = int((others.guessed == others.truth).sum())
    allowed = guess_label(hg.RandomizedResponse(EPSILON), known.shares).bound
    assert binomtest(right, others.truth.size, allowed, alternative="greater").pvalue < FALSE_ALARM
    assert others.accuracy.value > alone.accuracy.value


def test_the_report_alone_is_worth_its_closed_form(camps, known):
    shares = np.bincount(camps.labels, minlength=2) / camps.num_nodes
    expected = guess_label(hg.RandomizedResponse(EPSILON), shares).success
    told = posterior(known.likelihoods, shares).argmax(1)
    assert may_have_been(told == camps.labels[known.people], expected)


def test_a_report_moves_the_odds_by_epsilon_and_no_more(known):
    assert known.largest_shift == pytest.approx(EPSILON)


def test_what_is_expected_lies_between_knowing_the_others_and_what_epsilon_allows(known):
    sure = float(known.others.max(1).mean())
    assert sure <= known.expected <= known.expected_bound
    assert known.accuracy_bound(0.5) == pytest.approx(1 - np.exp(-EPSILON) / 2)
    assert known.accuracy_bound(0.01) == pytest.approx(np.exp(EPSILON) * 0.01)


def test_people_whose_reports_are_left_out_never_answered(camps):
    sent = collection(camps, features=hg.MultiBit(1.0), edges=hg.AdjacencyRandomizedResponse(5.0))
    people = sent.train[:20]
    left = without_reports(sent, people)
    assert left.num_nodes == sent.num_nodes
    assert not np.isin(left.reports.people, people).any()
    assert not np.isin(left.edges[0], people).any()
    assert (left.labels[people] == -1).all()
    assert left.train.size == sent.train.size - 20
    kept = np.setdiff1d(sent.reports.people, people)
    assert (left.labels[kept] == sent.labels[kept]).all()
    assert (left.features.toarray()[kept] == sent.features.toarray()[kept]).all()
