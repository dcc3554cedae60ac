import gc
import math
from dataclasses import fields, is_dataclass, replace
from types import FunctionType, ModuleType

import numpy as np
import pytest
import scipy.sparse as sp

import hushgraph as hg
from hushgraph.mechanisms import Factored

MECHANISMS = [
    hg.MultiBit(2.0), hg.MultiBit(9.0, m=3), hg.OneBit(2.0), hg.Laplace(2.0), hg.AnalyticGaussian(2.0, 1e-5),
]  # fmt: skip
mechanisms = pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: type(mechanism).__name__)
LABELS = hg.RandomizedResponse(1.0)


def gather(graph, split, seed=0, **changed):
    arguments = {"features": hg.MultiBit(2.0), "labels": LABELS, "rng": np.random.default_rng(seed)}
    return hg.collect(graph, split, **arguments | changed)


def dense(features):
    return features.toarray() if isinstance(features, Factored) else features


def assert_same(one, other):
    for field in ("labels", "train", "val", "answered", "edges"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))
    np.testing.assert_array_equal(dense(one.features), dense(other.features))


@mechanisms
def test_everyone_reports_features_and_the_server_holds_their_estimate(graph, split, mechanism):
    collected = gather(graph, split, features=mechanism)
    assert collected.features.shape == (40, 7)
    assert collected.answered.all()
    assert collected.midpoint == 0.5
    assert (collected.num_classes, collected.num_features, collected.num_nodes) == (3, 7, 40)
    assert collected.campaign.labels == (hg.RandomizedResponse(1.0, 3),)
    np.testing.assert_array_equal(collected.edges, graph.edges)


def test_test_people_and_people_without_a_label_report_none(graph, split):
    collected = gather(graph, split)
    gave = np.concatenate([split.train, split.val])
    assert (collected.labels[gave] >= 0).all()
    assert (np.delete(collected.labels, gave) == -1).all()


@mechanisms
def test_the_labels_of_test_people_change_nothing(graph, split, mechanism):
    labels = graph.labels.copy()
    labels[split.test] = (labels[split.test] + 1) % 3
    assert_same(*(gather(held, split, features=mechanism) for held in (graph, replace(graph, labels=labels))))


@mechanisms
def test_what_people_hold_who_do_not_answer_changes_nothing(graph, split, mechanism):
    answered = np.arange(5, 35)[::-1]
    labels, features = graph.labels.copy(), graph.features.copy()
    features[:5], features[35:] = 0.0, 1.0
    labels[2:5], labels[35:] = 0, 1
    other = replace(graph, features=features, labels=labels)
    collected = gather(graph, split, features=mechanism, answered=answered)
    assert_same(collected, gather(other, split, features=mechanism, answered=answered))
    np.testing.assert_array_equal(np.flatnonzero(collected.answered), np.sort(answered))
    assert np.isin(np.concatenate([collected.train, collected.val]), answered).all()
    missing = dense(collected.features)[~collected.answered]
    np.testing.assert_array_equal(missing, np.full_like(missing, collected.midpoint))


@mechanisms
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_everyones_row_is_their_own(graph, split, mechanism, form):
    # With an enormous ε the estimate is as good as the truth where something was answered.
    strong = replace(mechanism, epsilon=1e9)
    features = np.round(graph.features)
    collected = gather(
        replace(graph, features=form(features)), split, features=strong, answered=np.arange(3, 40, 2)
    )
    rows = np.flatnonzero(collected.answered)
    estimate, truth = dense(collected.features)[rows], features[rows]
    said = estimate != collected.midpoint
    np.testing.assert_array_equal((estimate > 0.5)[said], (truth > 0.5)[said])
    assert said.any(axis=1).all()


def test_sparse_and_dense_graphs_collect_the_same(graph, split):
    sparse = replace(graph, features=sp.csr_array(graph.features))
    assert_same(gather(graph, split), gather(sparse, split))
    some = np.arange(4, 30)
    assert_same(gather(graph, split, answered=some), gather(sparse, split, answered=some))


def test_a_seed_gives_the_same_collection(graph, split):
    assert_same(gather(graph, split, seed=5), gather(graph, split, seed=5))
    assert not np.array_equal(gather(graph, split, seed=5).labels, gather(graph, split, seed=6).labels)


@mechanisms
def test_the_guarantee_is_the_sum_of_features_and_label(graph, split, mechanism):
    guarantee = gather(graph, split, features=mechanism).guarantee
    assert guarantee.parts == (mechanism.guarantee.from_a_seed(), LABELS.guarantee.from_a_seed())
    assert guarantee.epsilon == mechanism.epsilon + 1.0
    assert guarantee.delta == mechanism.guarantee.delta
    assert guarantee.status == mechanism.guarantee.status


def test_the_statement_says_that_friendships_are_not_protected(graph, split):
    assert "friendships, and who answered which question, are no secret" in str(
        gather(graph, split).guarantee
    )


def test_ranges_taken_from_the_data_make_the_guarantee_a_claim(graph, split):
    guarantee = gather(graph.rescaled(), split).guarantee
    assert guarantee.status == "claimed"
    assert "taken from the private data" in str(guarantee)
    assert gather(graph.rescaled(0.0, 1.0), split).guarantee.status == "proven"
    assert gather(graph.rescaled(), split, features=None).guarantee.status == "proven"


@pytest.mark.parametrize(
    ("features", "labels"),
    [
        (hg.MultiBit(math.inf), LABELS),
        (hg.MultiBit(1.0), hg.RandomizedResponse(math.inf)),
        (None, hg.RandomizedResponse(math.inf)),
    ],
)
def test_one_part_without_privacy_leaves_the_whole_unprotected(graph, split, features, labels):
    guarantee = gather(graph, split, features=features, labels=labels).guarantee
    assert guarantee.status == "none"
    assert "not protected" in guarantee.strength


def test_features_need_not_be_asked_for(graph, split):
    collected = gather(graph, split, features=None)
    assert collected.features is None
    assert not collected.answered.any()
    assert collected.guarantee.epsilon == 1.0
    assert collected.num_features == 7


def test_features_that_nobody_has_cannot_be_asked_for(graph, split, tmp_path):
    bare = replace(graph, features=None)
    hg.collect(bare, split, labels=LABELS).save(tmp_path / "bare.npz")
    loaded = hg.CollectedGraph.load(tmp_path / "bare.npz")
    assert (loaded.num_nodes, loaded.num_features) == (graph.num_nodes, 0)
    with pytest.raises(ValueError, match=r"features cannot be asked for: 'forty' has none; features=None"):
        gather(bare, split)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        (
            {"labels": 1.0},
            r"labels must be a RandomizedResponse.* or None, got float",
        ),
        ({"labels": None}, "labels must be a RandomizedResponse"),
        (
            {"labels": hg.MultiBit(1.0)},
            r"labels must be a RandomizedResponse.* or None, got MultiBit",
        ),
        ({"features": 1.0}, "features must be a feature mechanism or None, got float"),
        ({"features": LABELS}, "features must be a feature mechanism or None, got RandomizedResponse"),
        ({"features": hg.MultiBit}, "features must be a feature mechanism or None"),
        ({"rng": 0}, "rng must be a numpy.random.Generator or a SecureRandom"),
    ],
)
def test_arguments_of_the_wrong_type_are_refused(graph, split, changed, complaint):
    with pytest.raises(TypeError, match=complaint):
        gather(graph, split, **changed)


@pytest.mark.parametrize(
    ("answered", "complaint"),
    [
        ([40], "answered names node 40"),
        ([-1], "answered names node -1"),
        ([3, 3], "answered names a node more than once"),
        ([0.5], "answered must be a list of node numbers"),
        ([True] * 39, "answered must be a list of node numbers"),
        ([[1, 2]], "answered must be a list of node numbers"),
    ],
)
def test_people_who_answer_must_exist_once(graph, split, answered, complaint):
    with pytest.raises(ValueError, match=complaint):
        gather(graph, split, answered=answered)


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"train": np.array([0, 5])}, "split.train names people who have no label"),
        ({"val": np.array([40])}, "split.val names node 40"),
        ({"val": np.array([-1])}, "split.val names node -1"),
    ],
)
def test_a_split_that_does_not_fit_is_refused(graph, split, changed, complaint):
    with pytest.raises(ValueError, match=complaint):
        gather(graph, replace(split, **changed))


def test_nobody_trains_and_validates(graph, split):
    with pytest.raises(ValueError, match=r"more than once|share people"):
        gather(graph, replace(split, val=split.train[:3]))


def test_somebody_has_to_answer(graph, split):
    with pytest.raises(ValueError, match="answered must name at least one person"):
        gather(graph, split, answered=[])


def test_a_collection_in_which_nobody_trains_can_be_scored_and_not_learned_from(graph, split):
    model = hg.LPGNN(epochs=2).fit(gather(graph, split))
    unlabelled = gather(graph, hg.Split(split.train[:0], split.val[:0], split.test))
    assert model.predict(unlabelled).shape == (40,)
    with pytest.raises(ValueError, match="can only be scored"):
        hg.LPGNN(epochs=2).fit(unlabelled)


def test_without_a_generator_the_noise_is_the_operating_systems_and_no_simulation(graph, split):
    one, other = (gather(graph, split, rng=None) for _ in range(2))
    assert not np.array_equal(one.labels, other.labels)
    assert not one.guarantee.simulated
    assert "simulated" not in str(one.guarantee)
    seeded = gather(graph, split).guarantee
    assert seeded.simulated
    assert "simulated" in str(seeded).splitlines()[0]
    assert seeded.to_dict()["simulated"] is True


def spent_by(ledger, people):
    return np.array([ledger.spent(person)[0] for person in range(people)])


def test_the_ledger_records_what_each_person_sent(graph, split):
    ledger = hg.Ledger(epsilon=10.0, delta=1e-4)
    answered = np.setdiff1d(np.arange(40), [split.train[0], split.test[0]])
    for campaign in (1, 2):
        gather(
            graph,
            split,
            features=hg.AnalyticGaussian(2.0, 1e-5),
            answered=answered,
            ledger=ledger,
            campaign="c",
        )
        expected = np.full(40, 2.0)
        expected[np.concatenate([split.train, split.val])] += 1.0
        expected[[split.train[0], split.test[0]]] = 0.0
        np.testing.assert_allclose(spent_by(ledger, 40), campaign * expected)
        np.testing.assert_allclose(
            [ledger.spent(one)[1] for one in range(40)], campaign * 1e-5 * (expected > 0)
        )
    assert all(entry.what.startswith("c/") for entry in ledger.entries)


def test_only_labels_are_paid_for_when_only_labels_are_asked(graph, split):
    ledger = hg.Ledger(epsilon=10.0)
    gather(graph, split, features=None, ledger=ledger)
    labelled = np.isin(np.arange(40), np.concatenate([split.train, split.val]))
    np.testing.assert_array_equal(spent_by(ledger, 40), labelled * 1.0)


@pytest.mark.parametrize("poor", ["train", "val", "test"])
def test_one_person_without_budget_stops_the_whole_collection(graph, split, poor):
    ledger = hg.Ledger(epsilon=4.0)
    ledger.spend("earlier", hg.Guarantee("features", 3.0), who=getattr(split, poor)[-1:])
    before = spent_by(ledger, 40)
    rng = np.random.default_rng(0)
    state = rng.bit_generator.state
    with pytest.raises(hg.BudgetExceededError, match=f"for person {getattr(split, poor)[-1]}"):
        gather(graph, split, ledger=ledger, rng=rng)
    np.testing.assert_array_equal(spent_by(ledger, 40), before)
    assert len(ledger.entries) == 1
    assert rng.bit_generator.state == state


def test_people_of_a_graph_with_ids_pay_by_id_and_others_by_number(graph, split):
    ledger = hg.Ledger(epsilon=10.0)
    names = [f"p{number}" for number in range(40)][::-1]
    gather(replace(graph, ids=names), split, ledger=ledger)
    spent = np.full(40, 2.0)
    spent[np.concatenate([split.train, split.val])] += 1.0
    assert [ledger.spent(name)[0] for name in names] == spent.tolist()
    assert not spent_by(ledger, 40).any()
    gather(graph, split, ledger=ledger)
    assert spent_by(ledger, 40).tolist() == spent.tolist()


def test_a_collection_that_is_refused_at_the_end_is_paid_by_nobody_and_not_returned(graph, split):
    class Raced(hg.Ledger):
        """Another process spends between the check and the payment."""

        def check_all(self, prices):
            super().check_all(prices)
            self.spend("elsewhere", hg.Guarantee("x", 9.5), [int(split.test[-1])])

    ledger = Raced(epsilon=10.0)
    with pytest.raises(hg.BudgetExceededError, match=f"for person {split.test[-1]}"):
        gather(graph, split, ledger=ledger)
    assert [entry.what for entry in ledger.entries] == ["elsewhere"]
    assert ledger.people == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"features": hg.MultiBit(1.0, low=0.0, high=0.5)},
        {"features": hg.MultiBit(1.0, m=8)},
        {"features": hg.Laplace(1.0), "rng": np.random.RandomState(0)},
    ],
    ids=["features out of range", "m above d", "wrong rng"],
)
def test_a_collection_that_cannot_happen_costs_nothing(graph, split, changed):
    ledger = hg.Ledger(epsilon=10.0)
    with pytest.raises((ValueError, TypeError)):
        gather(graph, split, ledger=ledger, **changed)
    assert ledger.people == 0
    assert ledger.entries == []


def reachable(start):
    """Every object that can be reached from ``start``, code left aside."""
    seen, todo = {}, [start]
    while todo:
        item = todo.pop()
        if id(item) in seen or isinstance(item, type | ModuleType | FunctionType):
            continue
        seen[id(item)] = item
        todo += gc.get_referents(item)
        if isinstance(item, np.ndarray) and item.base is not None:
            todo.append(item.base)
        if is_dataclass(item):
            todo += [getattr(item, field.name) for field in fields(item)]
    return list(seen.values())


@mechanisms
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("answered", [None, np.arange(3, 30)], ids=["everyone", "some"])
def test_a_collection_holds_nothing_of_what_people_hold(graph, split, mechanism, form, answered):
    held = replace(graph, features=form(graph.features))
    private = (
        [held.labels, held.features.data] if sp.issparse(held.features) else [held.labels, held.features]
    )
    found = reachable(gather(held, split, features=mechanism, answered=answered))
    arrays = [item for item in found if isinstance(item, np.ndarray)]
    assert len(arrays) >= 6
    assert not any(item is held or isinstance(item, hg.Graph) or sp.issparse(item) for item in found)
    assert not any(np.shares_memory(array, secret) for array in arrays for secret in private)
