"""The curator's run: nothing leaves but what was declared, accounted, noisy and recorded."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch
from scipy.stats import chi2, norm
from tests.independence import shared
from torch import nn

from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, NIPGNN, PublishedNIPGNN
from hushgraph.curator.dp_sgd import Schedule
from hushgraph.curator.parts import Terms, noised, randomized, trained
from hushgraph.curator.rows import Rows
from hushgraph.curator.run import PrivateRun
from hushgraph.privacy import accounting
from hushgraph.privacy.calibration import calibrate

GAUSSIAN = [(method, relation) for method in (DPMLP, DPSAGE, DPDGC, GAP) for relation in method.RELATIONS]
# How often a correct run may fail a test of its noise; what cannot be seeded gets the smaller rate.
FALSE_ALARM = {0: 1e-4, None: 1e-9}


def observed(method, graph, split, **settings):
    """A fitted model, and everything that left."""
    seen = []
    model = method(4.0, **{"epochs": 3, "random_state": 0} | settings)
    return model.fit(graph, split, observe=seen.append), seen


def run_of(graph, split, *parts, random_state=0, **settings):
    terms = Terms("node-removal", 4.0, 1e-3, 10, parts, {part.name: 4.0 / len(parts) for part in parts})
    schedule = Schedule(epochs=1)
    return PrivateRun(terms, graph, split, schedule=schedule, random_state=random_state, **settings)


@pytest.mark.parametrize("random_state", [0, None])
@pytest.mark.parametrize(("method", "relation"), GAUSSIAN)
def test_every_release_has_the_noise_that_was_accounted_and_its_own(
    method, relation, random_state, graph, split
):
    settings = {"relation": relation, "random_state": random_state}
    own = {GAP: {"hops": 3}, DPMLP: {"batch_size": 7}}
    model, seen = observed(method, graph, split, **settings | own.get(method, {}))
    run = model.begin(graph, split)
    spent = accounting.epsilon_of(
        run.accounted, tuple(run.multipliers[part.name] for part in run.accounted), run.delta, relation
    )
    assert 0.999 * 4.0 < spent <= 4.0
    counts = {part.name: part.steps for part in run.accounted}
    assert {name: sum(one.part == name for one in seen) for name in counts} == counts
    noises = [((one.values - one.clean) / one.deviation).ravel() for one in seen]
    alarm = FALSE_ALARM[random_state] / 3
    for one in seen:
        assert shared(one.values - one.clean, alarm / len(seen)) == []
    for one, noise in zip(seen, noises, strict=True):
        assert one.deviation == model.noise_multipliers_[one.part] * one.sensitivity
        low, high = (chi2.ppf(q, noise.size) for q in (alarm / len(seen) / 2, 1 - alarm / len(seen) / 2))
        assert low < np.square(noise).sum() < high
    pairs = list(itertools.combinations(noises, 2))
    for one, other in pairs:
        size = min(one.size, other.size)
        # Products of two normal numbers have variance 1 and heavy tails: their own spread is the yardstick.
        score = (one[:size] * other[:size]).sum() / math.sqrt((one[:size] ** 2 * other[:size] ** 2).sum())
        assert abs(score) < norm.isf(alarm / len(pairs) / 2)


@pytest.mark.parametrize("random_state", [0, None])
@pytest.mark.parametrize("shape", [(128, 128), (16384,), (3, 1500), (1500, 3)])
def test_no_part_of_a_release_has_noise_in_common_with_another(shape, random_state, graph, split):
    run = run_of(graph, split, noised("sums", 1.0, "sums"), random_state=random_state)
    noise = run.release("sums", torch.zeros(shape), 1.0)
    assert shared(noise, FALSE_ALARM[random_state]) == []


@pytest.mark.parametrize("random_state", [0, None])
def test_no_part_of_a_gradient_has_noise_in_common_with_another(random_state, graph, split):
    seen = []
    run = run_of(graph, split, trained("net", 1.0, 1), observe=seen.append, random_state=random_state)
    network = nn.Sequential(nn.Linear(7, 500), nn.SELU(), nn.Linear(500, 3))
    run.train("net", network, Rows(graph.features))
    (step,) = seen
    assert step.values.size == 5503
    assert shared(step.values - step.clean, FALSE_ALARM[random_state]) == []


@pytest.mark.parametrize("method", [NIPGNN, PublishedNIPGNN])
def test_mechanisms_are_recorded_too(method, graph, split):
    model, seen = observed(method, graph, split, batch_size=10)
    assert sorted(release.part for release in seen) == sorted(model.budget_)
    assert all(release.clean is None for release in seen)


def test_what_is_recorded_is_not_changed_afterwards(graph, split):
    seen = []
    NIPGNN(4.0, epochs=2, batch_size=10, random_state=0).fit(
        graph, split, observe=lambda release: seen.append((release.values, release.values.copy()))
    )
    assert all(abs(now - then).sum() == 0 for now, then in seen)


def test_being_observed_changes_nothing(graph, split):
    model, seen = observed(GAP, graph, split)
    assert len(seen) == 3 + 2 + 3
    assert (model.proba_ == GAP(4.0, epochs=3, random_state=0).fit(graph, split).proba_).all()


def test_first_weights_may_be_the_same_where_noise_is_not(graph, split):
    clean = []
    for seed in (0, 1):
        DPMLP(4.0, epochs=1, random_state=seed).fit(
            graph, split, observe=lambda release: clean.append(release.clean), first_weights=5
        )
    assert (clean[0] == clean[1]).all()


@pytest.mark.parametrize("method", [DPMLP, GAP, NIPGNN, PublishedNIPGNN])
def test_a_promise_can_be_read_before_anything_is_learned(method, graph, split):
    model = method(4.0, epochs=2, batch_size=19, random_state=0)
    assert model.promise(graph, split) == model.fit(graph, split).guarantee


def test_nothing_leaves_under_a_name_that_was_not_declared(graph, split):
    run = run_of(graph, split, noised("sums", 1.0, "sums"))
    with pytest.raises(RuntimeError, match="no part 'other' was declared for gaussian"):
        run.release("other", torch.zeros(3), 1.0)
    with pytest.raises(RuntimeError, match="no part 'sums' was declared for training"):
        run.train("sums", nn.Linear(7, 3), Rows(graph.features))


def test_nothing_leaves_twice_where_once_was_accounted(graph, split):
    seen = []
    run = run_of(graph, split, noised("sums", 1.0, "sums"), trained("net", 1.0, 1), observe=seen.append)
    run.release("sums", torch.zeros(3), 1.0)
    run.train("net", nn.Linear(7, 3), Rows(graph.features))
    for again in (
        lambda: run.release("sums", torch.zeros(3), 1.0),
        lambda: run.train("net", nn.Linear(7, 3), Rows(graph.features)),
    ):
        with pytest.raises(RuntimeError, match="more than was accounted for"):
            again()
    assert len(seen) == 2


def test_a_mechanism_spends_no_more_than_its_part_has(graph, split):
    run = run_of(graph, split, randomized("labels", 1.0, "labels"))
    assert run.randomize("labels", 3.0, lambda rng: np.array([1])) == 1
    drawn = []
    with pytest.raises(RuntimeError, match="more than was accounted for"):
        run.randomize("labels", 1.1, drawn.append)
    assert not drawn


def test_a_part_that_was_accounted_and_not_used_is_a_mistake(graph, split):
    run = run_of(graph, split, noised("sums", 1.0, "sums", releases=2))
    run.release("sums", torch.zeros(3), 1.0)
    with pytest.raises(RuntimeError, match="'sums' was accounted for and not used"):
        run.close()


def test_gaussian_parts_share_what_mechanisms_leave(graph, split):
    together = run_of(graph, split, noised("sums", 1.0, "sums"), randomized("labels", 1.0, "labels"))
    alone = calibrate((accounting.Releases("sums", 1),), (2.0,), 2.0, 1e-3, "node-removal")
    assert together.multipliers == {"sums": alone[0]}


@pytest.mark.parametrize("epsilon", [math.nan, -0.5, 0.0, math.inf])
def test_a_mechanism_states_what_it_spends(epsilon, graph, split):
    run = run_of(graph, split, randomized("labels", 1.0, "labels"))
    with pytest.raises(RuntimeError, match="must be above 0 and finite"):
        run.randomize("labels", epsilon, lambda rng: graph.labels)


@pytest.mark.parametrize("sensitivity", [math.nan, -1.0, 0.0, math.inf])
def test_a_release_has_a_sensitivity(sensitivity, graph, split):
    run = run_of(graph, split, noised("sums", 1.0, "sums"))
    with pytest.raises(RuntimeError, match="must be above 0 and finite"):
        run.release("sums", torch.ones(3), sensitivity)


def test_nothing_is_free_where_persons_are_protected(graph, split):
    with pytest.raises(RuntimeError, match="costs something"):
        run_of(graph, split, trained("net", 1.0, touched=0), noised("sums", 1.0, "sums"))
    with pytest.raises(RuntimeError, match="declared twice"):
        run_of(graph, split, noised("sums", 1.0, "sums"), noised("sums", 1.0, "sums"))


def test_a_fit_that_is_interrupted_leaves_no_promise_of_an_earlier_one(graph, split):
    def stop(share):
        raise KeyboardInterrupt

    model = GAP(4.0, epochs=1, random_state=0).fit(graph, split)
    with pytest.raises(KeyboardInterrupt):
        model.set_params(epsilon=50.0).fit(graph, split, progress=stop)
    with pytest.raises(RuntimeError, match="not fitted"):
        _ = model.guarantee


def test_nothing_leaves_before_a_batch_size_is_refused(graph, split):
    seen = []
    with pytest.raises(ValueError, match="batch_size must be at most the 19 people"):
        NIPGNN(4.0, batch_size=5000).fit(graph, split, observe=seen.append)
    assert not seen


def test_parts_of_a_simulation_say_so(graph, split):
    said = NIPGNN(4.0, epochs=1, batch_size=10, random_state=0).fit(graph, split).guarantee
    assert said.simulated
    assert all(part.simulated for part in said.parts)


def test_a_ceiling_says_who_holds_the_data(graph, split):
    said = GAP(math.inf, epochs=1, random_state=0).fit(graph, split).guarantee
    assert "curator holds the data" in said.against
    assert said.released


def test_shares_are_no_more_than_the_budget():
    parts = (noised("sums", 1.0, "sums"), randomized("labels", 1.0, "labels"))
    with pytest.raises(RuntimeError, match="add up to more than ε = 4"):
        Terms("node-removal", 4.0, 1e-3, 10, parts, {"sums": 2.0, "labels": 2.1})
