"""What hides a report never sees it: views given their gates, and held-out cascades altogether."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.local.cascade.effort import Effort
from hushgraph.local.cascade.ensemble import held_out, learn_ensemble, parts_of
from hushgraph.local.cascade.label_reports import LabelReports
from hushgraph.local.cascade.layers import apply, learn
from hushgraph.local.cascade.surroundings import Surroundings
from hushgraph.local.cascade.views import Views
from hushgraph.sparse.runtime import threads

CPU = torch.device("cpu")
LISTS = [None, hg.AdjacencyRandomizedResponse(5.0)]
NAMES = ["public graph", "private lists"]


@pytest.fixture(autouse=True)
def one_thread():
    """As in a fit: more of them only wait for each other."""
    with threads(1):
        yield


@pytest.fixture(scope="module")
def circles() -> hg.Graph:
    return hg.datasets.load("social", n=300, features=20, classes=3, seed=3)


def gathered(graph, lists):
    split = hg.random_split(graph, train=0.5, val=0.25, seed=0)
    collected = hg.collect(
        graph, split, features=hg.MultiBit(np.inf), labels=hg.RandomizedResponse(1.5), edges=lists,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    return Surroundings(collected, CPU, 0), LabelReports.of(collected)


def with_another_report(reports, which):
    labels = reports.labels.clone()
    labels[which] = (labels[which] + 1) % reports.num_classes
    return replace(reports, labels=labels)


@torch.no_grad()
@pytest.mark.parametrize("lists", LISTS, ids=NAMES)
def test_given_its_gates_a_view_does_not_depend_on_a_report_that_it_hides(circles, lists):
    surroundings, reports = gathered(circles, lists)
    shares, degree = torch.full((3,), 1 / 3), torch.zeros(300)
    drawn = Views.drawn(reports, shares, np.random.default_rng(0))
    smoothers = surroundings.smoothers(reports, drawn.folds, with_features=True)
    learned, _ = learn(drawn, smoothers, degree, 0, np.random.default_rng(1))
    found = []
    which = 17
    for told in (reports, with_another_report(reports, which)):
        views = Views(told, drawn.folds, shares, told.likelihood())
        seen = surroundings.smoothers(told, drawn.folds, with_features=True)
        found.append(apply(learned, views, seen, degree))
    before, after = found
    hiding = 1 + int(drawn.folds[which])
    for view in range(6):
        same = torch.equal(before[view], after[view])
        assert same == (view == hiding)


@torch.no_grad()
@pytest.mark.parametrize("lists", LISTS, ids=NAMES)
def test_what_held_out_cascades_think_of_a_person_does_not_depend_on_their_report(circles, lists):
    surroundings, reports = gathered(circles, lists)
    which, part = 40, parts_of(reports, np.random.default_rng(1))
    before, after = (
        held_out(surroundings, told, part, Effort(), np.random.default_rng(0), lambda: None)[1]
        for told in (reports, with_another_report(reports, which))
    )
    assert torch.equal(before[which], after[which])
    assert not torch.equal(before, after)


@torch.no_grad()
def test_everybody_is_seen_where_their_own_report_is_hidden(circles):
    surroundings, reports = gathered(circles, None)
    ensemble, posterior = learn_ensemble(surroundings, reports, [0], np.random.default_rng(0), lambda: None)
    assert len(ensemble.cascades) == 1
    of_own_class = posterior[reports.people, reports.labels].mean()
    # Somebody's own report, had it been seen, would make its class clearly more likely than its share of all.
    keep = float(reports.keep[0])
    assert 1 / 3 < of_own_class < keep


def test_folds_have_one_size_and_hide_each_report_once(circles):
    _, reports = gathered(circles, None)
    views = Views.drawn(reports, torch.full((3,), 1 / 3), np.random.default_rng(0))
    counts = torch.bincount(views.folds)
    assert counts.max() - counts.min() <= 1
    posterior = torch.rand(6, 300, 3)
    posterior /= posterior.sum(2, keepdim=True)
    beliefs = views.beliefs(posterior) + views.shares
    hidden = views.where_hidden(beliefs)
    assert torch.allclose(hidden, views.where_hidden(posterior), atol=1e-6)
    assert not torch.allclose(beliefs[0, reports.people], posterior[0, reports.people], atol=1e-3)
