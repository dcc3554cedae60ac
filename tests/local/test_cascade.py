"""The cascade as its users have it: what it learns from which collection, and what it never learns."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.reports import Answers, Reports


@cache
def circles(**options) -> hg.Graph:
    return hg.datasets.load("social", **{"n": 600, "features": 40, "classes": 3, "seed": 1} | options)


def asked(graph, *, epsilon=1.5, seed=0, features=None, train=0.5, **options) -> hg.CollectedGraph:
    split = hg.random_split(graph, train=train, val=0.25, seed=seed)
    labels = options.pop("labels", hg.RandomizedResponse(epsilon))
    rng = np.random.default_rng([seed, 1])
    return hg.collect(graph, split, features=features, labels=labels, rng=rng, **options)


def right(model, graph, seed=0) -> float:
    return hg.accuracy(model, graph, hg.random_split(graph, train=0.5, val=0.25, seed=seed).test)


def of_the_largest_class(graph) -> float:
    return float(np.bincount(graph.labels).max() / graph.num_nodes)


class TestAccuracy:
    @pytest.mark.parametrize(("homophily", "least"), [(0.45, 0.45), (0.6, 0.65), (0.9, 0.75)])
    def test_it_is_far_above_the_largest_class_however_much_friends_have_in_common(self, homophily, least):
        graph = circles(homophily=homophily)
        found = right(hg.Cascade().fit(asked(graph)), graph)
        assert found > least > of_the_largest_class(graph)

    def test_friends_of_other_classes_tell_as_much(self):
        rng = np.random.default_rng(0)
        labels = np.repeat([0, 1], 200)
        across = np.stack([rng.integers(0, 200, 2000), rng.integers(200, 400, 2000)])
        graph = hg.Graph(
            np.concatenate([across, rng.integers(0, 400, (2, 200))], 1), np.ones((400, 1)), labels
        )
        assert right(hg.Cascade().fit(asked(graph)), graph) > 0.95

    def test_features_are_used_where_they_tell_something_and_left_alone_where_they_do_not(self):
        graph = circles(features=30)
        clear = hg.Cascade().fit(asked(graph, features=hg.MultiBit(np.inf)))
        noise = hg.Cascade().fit(asked(graph, features=hg.MultiBit(0.1)))
        assert clear.uses_features_
        assert clear.feature_evidence_ > 3 > noise.feature_evidence_
        assert not noise.uses_features_

    @pytest.mark.parametrize(
        "mechanism", [hg.MultiBit(40.0), hg.OneBit(40.0), hg.Laplace(60.0), hg.AnalyticGaussian(60.0, 1e-5)]
    )
    def test_any_mechanism_for_features_will_do(self, mechanism):
        graph = circles(n=300, features=20)
        model = hg.Cascade().fit(asked(graph, features=mechanism))
        assert np.isfinite(model.predict_proba()).all()
        assert np.isfinite(model.feature_evidence_)

    def test_private_lists_tell_almost_what_the_graph_does(self, camps):
        model = hg.Cascade().fit(asked(camps, edges=hg.AdjacencyRandomizedResponse(6.0)))
        assert right(model, camps) > 0.9


@pytest.fixture
def few_people():
    rng = np.random.default_rng(0)
    return hg.Graph(rng.integers(0, 30, (2, 90)), np.ones((30, 1)), rng.integers(0, 2, 30), num_classes=2)


class TestOddCollections:
    def test_isolated_people_and_small_components_are_predicted_from_what_is_common(self):
        rng = np.random.default_rng(0)
        labels = (rng.random(200) < 0.8).astype(int)
        edges = np.array([[0, 2, 4, 4], [1, 3, 5, 6]])
        graph = hg.Graph(edges, np.ones((200, 1)), labels, num_classes=2)
        collected = asked(graph, epsilon=3.0)
        model = hg.Cascade().fit(collected)
        alone = np.setdiff1d(np.arange(7, 200), np.concatenate([collected.train, collected.val]))
        assert (model.predict()[alone] == 1).all()
        assert model.predict_proba()[alone, 1] == pytest.approx(0.8, abs=0.15)

    def test_a_graph_without_edges_is_no_error(self):
        graph = hg.Graph(np.zeros((2, 0), int), np.ones((60, 1)), np.arange(60) % 3)
        assert np.isfinite(hg.Cascade().fit(asked(graph)).predict_proba()).all()

    @pytest.mark.parametrize("epsilon", [1.0, np.inf])
    def test_where_one_class_was_reported_it_is_everybodys(self, epsilon):
        graph = replace(circles(n=300), labels=np.zeros(300, int))
        model = hg.Cascade().fit(asked(graph, epsilon=epsilon))
        unseen = hg.random_split(graph, train=0.5, val=0.25, seed=0).test
        assert (model.predict()[unseen] == 0).mean() > 0.95

    def test_people_who_never_answer_are_predicted_too(self):
        graph = circles()
        answered = np.random.default_rng(5).permutation(600)[:400]
        model = hg.Cascade().fit(asked(graph, features=hg.MultiBit(np.inf), answered=answered))
        silent = np.setdiff1d(np.arange(600), answered)
        assert hg.accuracy(model, graph, silent) > 0.6

    def test_everybody_may_have_reported(self):
        graph = circles(n=300)
        model = hg.Cascade().fit(asked(graph, train=0.75))
        estimate = model.accuracy_estimate_
        assert 0.4 < estimate.low < estimate.value < estimate.high

    def test_each_report_is_believed_by_its_own_level(self):
        graph = circles()
        levels = np.random.default_rng(1).integers(0, 2, 600)
        labels = [hg.RandomizedResponse(0.01), hg.RandomizedResponse(4.0)]
        model = hg.Cascade().fit(asked(graph, labels=labels, levels={"label": levels}))
        reliable = np.flatnonzero(levels == 1)
        only = asked(graph, epsilon=4.0, answered=reliable)
        assert right(model, graph) > right(hg.Cascade().fit(only), graph) - 0.06
        assert right(model, graph) > 0.7

    @pytest.mark.parametrize("reporters", [2, 3, 6])
    @pytest.mark.parametrize("lists", [None, hg.AdjacencyRandomizedResponse(4.0)])
    def test_a_handful_of_reports_is_no_error_and_no_proof(self, few_people, reporters, lists):
        split = hg.Split(np.arange(reporters), np.zeros(0, int), np.arange(reporters, 30))
        collected = hg.collect(
            few_people, split, features=None, labels=hg.RandomizedResponse(1.0), edges=lists,
            rng=np.random.default_rng(1),
        )  # fmt: skip
        model = hg.Cascade().fit(collected)
        np.testing.assert_allclose(model.predict_proba().sum(1), 1, atol=1e-5)
        assert model.accuracy_estimate_.high - model.accuracy_estimate_.low > 0.5

    @pytest.mark.parametrize(("reporters", "epsilon"), [(1, 1.0), (20, 1e-9)])
    def test_too_few_labels_that_say_anything_are_refused(self, few_people, reporters, epsilon):
        split = hg.Split(np.arange(reporters), np.zeros(0, int), np.arange(reporters, 30))
        labels = hg.RandomizedResponse(epsilon)
        collected = hg.collect(few_people, split, features=None, labels=labels)
        with pytest.raises(ValueError, match="the labels of two people or more"):
            hg.Cascade().fit(collected)

    def test_a_level_that_says_nothing_is_as_if_those_people_had_given_no_label(self):
        graph = circles(n=300)
        levels = np.arange(300) % 2
        labels = [hg.RandomizedResponse(1e-9), hg.RandomizedResponse(4.0)]
        collected = asked(graph, labels=labels, levels={"label": levels})
        heard = replace(
            collected,
            train=collected.train[levels[collected.train] == 1],
            val=collected.val[levels[collected.val] == 1],
        )
        both, alone = (hg.Cascade().fit(one) for one in (collected, heard))
        np.testing.assert_array_equal(both.predict_proba(), alone.predict_proba())
        assert both.accuracy_estimate_ == alone.accuracy_estimate_

    def test_a_collection_without_labels_is_refused(self):
        graph = circles(n=300)
        with pytest.raises(ValueError, match="no labelled person to train on"):
            hg.Cascade().fit(replace(asked(graph), train=np.zeros(0, int), val=np.zeros(0, int)))

    def test_what_is_no_collection_is_refused(self):
        with pytest.raises(TypeError, match="takes a CollectedGraph"):
            hg.Cascade().fit(circles())


class TestWhatItDependsOn:
    def test_true_labels_of_test_people_change_nothing(self):
        graph = circles(n=300)
        test = hg.random_split(graph, train=0.5, val=0.25, seed=0).test
        lies = graph.labels.copy()
        lies[test] = (lies[test] + 1) % 3
        honest, fooled = (hg.Cascade().fit(asked(one)) for one in (graph, replace(graph, labels=lies)))
        np.testing.assert_array_equal(honest.predict_proba(), fooled.predict_proba())
        assert honest.accuracy_estimate_ == fooled.accuracy_estimate_

    def test_labels_of_people_in_no_part_of_the_split_are_not_looked_at(self):
        collected = asked(circles(n=300))
        fewer = replace(collected, val=np.zeros(0, np.int64))
        (answers,) = fewer.reports.answers
        lies = answers.parts["label"].copy()
        lies[np.isin(answers.people, collected.val)] = 0
        other = Reports(fewer.reports.campaign_id, (replace(answers, parts={"label": lies}),), simulated=True)
        models = [hg.Cascade().fit(one) for one in (fewer, replace(fewer, reports=other))]
        np.testing.assert_array_equal(*(model.predict_proba() for model in models))

    def test_a_seed_decides_everything_and_torchs_own_stays(self):
        import torch

        collected = asked(circles(n=300))
        before = torch.random.get_rng_state()
        one, same, other = (hg.Cascade(random_state=seed).fit(collected) for seed in (3, 3, 4))
        assert torch.equal(torch.random.get_rng_state(), before)
        np.testing.assert_array_equal(one.predict_proba(), same.predict_proba())
        assert one.accuracy_estimate_ == same.accuracy_estimate_
        assert not np.array_equal(one.predict_proba(), other.predict_proba())

    def test_numbers_of_people_mean_nothing(self):
        graph = circles()
        collected = asked(graph, epsilon=2.0)
        number = np.random.default_rng(3).permutation(600)
        (answers,) = collected.reports.answers
        order = np.argsort(number[answers.people])
        renumbered = Answers(
            "label", 0, number[answers.people][order], {"label": answers.parts["label"][order]}
        )
        split = hg.Split(
            np.sort(number[collected.train]), np.sort(number[collected.val]), np.zeros(0, np.int64)
        )
        again = hg.assemble(
            collected.campaign,
            Reports(collected.reports.campaign_id, (renumbered,), simulated=True),
            edges=number[collected.edges],
            split=split,
        )
        before, after = (hg.Cascade().fit(one).predict_proba() for one in (collected, again))
        assert np.abs(before - after[number]).mean() < 0.03
        assert (before.argmax(1) == after[number].argmax(1)).mean() > 0.95

    def test_progress_is_told_of_every_cascade(self):
        told = []
        model = hg.Cascade()
        model.fit(asked(circles(n=300)), progress=lambda done, of, _: told.append((done, of)))
        assert told == [(number, model.steps) for number in range(1, model.steps + 1)]


class TestProbabilities:
    def test_they_are_probabilities_and_count_ones_own_report(self):
        collected = asked(circles(n=300), epsilon=np.inf)
        proba = hg.Cascade().fit(collected).predict_proba()
        assert proba.dtype == np.float32
        np.testing.assert_allclose(proba.sum(1), 1, atol=1e-5)
        who = np.concatenate([collected.train, collected.val])
        assert (proba[who].argmax(1) == collected.labels[who]).mean() > 0.99

    def test_they_are_calibrated(self):
        graph = circles(n=4000, classes=4)
        model = hg.Cascade().fit(asked(graph, epsilon=1.0))
        test = hg.random_split(graph, train=0.5, val=0.25, seed=0).test
        proba = model.predict_proba()[test]
        correct = proba.argmax(1) == graph.labels[test]
        sure = proba.max(1)
        error = sum(
            abs(sure[inside].mean() - correct[inside].mean()) * inside.mean()
            for low in np.arange(0, 1, 0.2)
            if (inside := (sure > low) & (sure <= low + 0.2)).any()
        )
        assert error < 0.07

    def test_others_are_predicted_from_their_own_graph_and_reports(self):
        here, there = circles(n=1000), circles(n=1000, seed=2)
        model = hg.Cascade().fit(asked(here, epsilon=2.0))
        found = model.predict(asked(there, epsilon=2.0))
        test = hg.random_split(there, train=0.5, val=0.25, seed=0).test
        assert (found[test] == there.labels[test]).mean() > 0.6

    @pytest.mark.parametrize("friends", ["ring", "couples"])
    def test_where_all_have_equally_many_friends_others_may_have_any_number(self, friends):
        people = np.arange(300)
        labels, (one, two) = people * 3 // 300, np.triu_indices(300, 1)
        chance = np.where(labels[one] == labels[two], 0.06, 0.005)
        met = np.random.default_rng(2).random(one.size) < chance
        alike = np.stack([people, (people + 1) % 300]) if friends == "ring" else people.reshape(-1, 2).T
        here, there = (
            hg.Graph(edges=edges, features=None, labels=labels, num_classes=3)
            for edges in (alike, np.stack([one[met], two[met]]))
        )
        found = hg.Cascade().fit(asked(here, epsilon=2.0)).predict(asked(there, epsilon=2.0, seed=1))
        assert (found == labels).mean() > 0.8

    def test_the_people_learned_from_are_predicted_alike_as_others(self):
        collected = asked(circles(), features=hg.MultiBit(np.inf), epsilon=2.0)
        model = hg.Cascade().fit(collected)
        assert model.uses_features_
        assert np.abs(model.predict_proba(collected) - model.predict_proba()).mean() < 0.04

    def test_others_without_labels_or_of_another_campaign_are_refused(self):
        model = hg.Cascade().fit(asked(circles(n=300), features=hg.MultiBit(1.0)))
        silent = hg.assemble(
            asked(circles(n=300), features=hg.MultiBit(1.0)).campaign,
            asked(circles(n=300), features=hg.MultiBit(1.0), train=0.0).reports,
            edges=circles(n=300).edges,
        )
        nobody = replace(silent, reports=Reports(silent.reports.campaign_id, tuple(
            one for one in silent.reports.answers if one.question == "features"
        ), simulated=True))  # fmt: skip
        with pytest.raises(ValueError, match="nobody in this collection gave a label"):
            model.predict_proba(nobody)
        with pytest.raises(ValueError, match="collected has"):
            model.predict_proba(asked(circles(n=300, classes=4)))

    def test_before_fitting_there_is_nothing_to_predict(self):
        with pytest.raises(RuntimeError, match="this Cascade is not fitted yet"):
            hg.Cascade().predict()


class TestFiles:
    def test_a_saved_model_is_the_same_to_the_last_bit(self, tmp_path):
        collected = asked(circles(n=300), features=hg.MultiBit(np.inf))
        model = hg.Cascade(random_state=7).fit(collected)
        model.save(tmp_path / "model.pt")
        loaded = hg.load(tmp_path / "model.pt", device="cpu")
        np.testing.assert_array_equal(loaded.predict_proba(), model.predict_proba())
        np.testing.assert_array_equal(loaded.predict_proba(collected), model.predict_proba(collected))
        assert loaded.guarantee == model.guarantee == collected.guarantee
        assert loaded.accuracy_estimate_ == model.accuracy_estimate_
        assert loaded.details() == model.details()
        assert loaded.learned_from_ == collected.digest

    def test_neither_seed_nor_reports_are_in_the_file(self, tmp_path):
        import json

        import torch

        model = hg.Cascade(random_state=12345).fit(asked(circles(n=300)))
        model.save(tmp_path / "model.pt")
        stored = torch.load(tmp_path / "model.pt", weights_only=True)
        assert set(stored) == {"hushgraph", "proba", "shares", "degree_units", "cascades"}
        header = json.loads(stored["hushgraph"])
        assert "random_state" not in header["parameters"]
        assert "12345" not in stored["hushgraph"]

    def test_a_damaged_file_and_one_of_another_method_are_refused(self, tmp_path):
        path = tmp_path / "model.pt"
        hg.Cascade().fit(asked(circles(n=300))).save(path)
        with pytest.raises(ValueError, match="it holds a Cascade"):
            hg.LPGNN.load(path)
        path.write_bytes(path.read_bytes()[:-100])
        with pytest.raises(ValueError, match="not a readable hushgraph model"):
            hg.Cascade.load(path)


def test_settings_are_checked():
    with pytest.raises(ValueError, match="random_state must be a whole number"):
        hg.Cascade(random_state=-1).check_params()
    with pytest.raises(ValueError, match="device must be"):
        hg.Cascade(device="abacus").check_params()
    with pytest.raises(ValueError, match="threads"):
        hg.Cascade(threads=0).check_params()
    assert hg.Cascade(random_state=4).get_params()["random_state"] == 4


def test_a_gpu_finds_what_the_cpu_does():
    import torch

    if not torch.cuda.is_available():
        pytest.skip("there is no GPU on this machine")
    collected = asked(circles(), features=hg.MultiBit(np.inf))
    here, there = (hg.Cascade(device=device).fit(collected).predict_proba() for device in ("cpu", "cuda"))
    assert np.abs(here - there).mean() < 0.02
