"""A collection in which friendships are private too."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg

EDGES = hg.AdjacencyRandomizedResponse(3.0)


def gather(graph, split, seed=0, **changed):
    arguments = {
        "features": hg.MultiBit(2.0), "labels": hg.RandomizedResponse(1.0), "edges": EDGES,
        "rng": np.random.default_rng(seed),
    }  # fmt: skip
    return hg.collect(graph, split, **arguments | changed)


def test_the_server_has_the_lists_as_they_were_reported(graph, split):
    collected = gather(graph, split)
    held = hg.NeighborLists.from_edges(graph.edges, graph.num_nodes)
    assert collected.edge_noise == EDGES
    assert collected.lists.num_people == graph.num_nodes
    # With ε = 3 some entries are flipped, and most are not.
    entries = {tuple(pair) for pair in np.stack(held.pairs).T.tolist()}
    reported = {tuple(pair) for pair in collected.edges.T.tolist()}
    assert len(entries & reported) > 0.8 * len(entries)
    assert reported != entries
    assert "names in lists" in repr(collected)


def test_the_reports_of_features_and_labels_do_not_depend_on_the_lists_budget(graph, split):
    public, private = gather(graph, split, edges=None), gather(graph, split)
    np.testing.assert_array_equal(public.labels, private.labels)


def test_people_who_do_not_answer_send_no_list(graph, split):
    answered = np.arange(5, 40)
    collected = gather(graph, split, answered=answered)
    assert set(collected.edges[0]) <= set(answered)
    assert collected.edges[1].min() < 5
    assert collected.friendships.answered.sum() == answered.size


def test_lists_can_be_all_that_is_asked(graph, split):
    collected = gather(graph, split, features=None)
    assert collected.features is None
    assert collected.answered.all()
    model = hg.LPGNN(features="degree", k_x=0, epochs=3).fit(collected)
    assert model.predict().shape == (40,)


def test_the_guarantee_is_per_entry_and_says_what_a_friendship_costs(graph, split):
    guarantee = gather(graph, split).guarantee
    assert guarantee.epsilon == 6.0
    assert guarantee.status == "proven"
    text = str(guarantee)
    assert (
        guarantee.relation
        == "any two values of one person's features and label, and neighbour lists that differ in one entry;"
        " or one friendship, which stands in two lists"
    )
    assert "Privacy of friendships: ε = 3, simulated (else proven)" in text
    first = text.splitlines()[0]
    assert "one friendship, which both ends report: ε = 6; k entries of one list: k · 3" in first
    assert guarantee.friendship == 6.0
    assert "friendships, and who answered" not in text
    assert "who takes part, and who answered which question, are no secret" in text


def test_the_ledger_is_charged_for_the_list_as_well(graph, split):
    """A friendship has 6, which is more than features and an entry, 2 + 3."""
    ledger = hg.Ledger(epsilon=7.0)
    gather(graph, split, ledger=ledger, labels=hg.RandomizedResponse(2.0))
    gave_label = np.zeros(40, bool)
    gave_label[np.concatenate([split.train, split.val])] = True
    np.testing.assert_allclose([ledger.spent(one)[0] for one in range(40)], np.where(gave_label, 7.0, 6.0))
    assert [entry.what for entry in ledger.entries] == [
        "campaign/features and label and friendships", "campaign/features and friendships",
    ]  # fmt: skip
    with pytest.raises(hg.BudgetExceededError):
        gather(graph, split, ledger=ledger)


def test_the_ledger_is_charged_for_those_who_are_in_the_lists_of_others_alone(graph, split):
    ledger = hg.Ledger(epsilon=9.0)
    collected = gather(graph, split, ledger=ledger, answered=np.arange(5, 40))
    assert [ledger.spent(one)[0] for one in range(5)] == [3.0] * 5
    assert collected.guarantee_of(0).epsilon == 3.0
    assert "campaign/lists of others" in [entry.what for entry in ledger.entries]


def test_a_saved_collection_keeps_its_lists(graph, split, tmp_path):
    collected = gather(graph, split, answered=np.arange(3, 40))
    collected.save(tmp_path / "reports.npz")
    loaded = hg.CollectedGraph.load(tmp_path / "reports.npz")
    assert loaded.edge_noise == EDGES
    np.testing.assert_array_equal(loaded.edges, collected.edges)
    assert loaded.guarantee == collected.guarantee


def test_a_public_graph_has_no_lists(graph, split):
    with pytest.raises(ValueError, match="did not ask for neighbour lists"):
        _ = gather(graph, split, edges=None).lists


def test_only_a_mechanism_for_lists_is_taken(graph, split):
    with pytest.raises(
        TypeError,
        match=r"lists must be an AdjacencyRandomizedResponse.* or None, got float",
    ):
        gather(graph, split, edges=7.0)


def test_a_budget_whose_lists_would_not_fit_is_refused_with_one_that_would(graph, split):
    with pytest.raises(
        ValueError, match=r"would give about [\d,]+ names, more than the limit of 200; ε = \S+ would"
    ):
        gather(graph, split, edges=hg.AdjacencyRandomizedResponse(0.5, limit=200))
