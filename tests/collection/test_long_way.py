"""The long way: a campaign as JSON, two thousand devices that write files, a server without the truth."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.simulate import campaign_for, simulate_reports

PEOPLE = 2000
FEATURES, LABELS = hg.MultiBit(7.0), hg.RandomizedResponse(1.0)


class Recording(hg.SecureRandom):
    """Draws for everybody at once, and remembers."""

    def __init__(self):
        self.calls = []

    def integers(self, low, high, size=None, **rest):
        drawn = super().integers(low, high, size, **rest)
        self.calls.append(np.array(drawn))
        return drawn


class Replaying(hg.SecureRandom):
    """Gives one device its own row of what was drawn for all."""

    def __init__(self, rows):
        self.rows = list(rows)

    def integers(self, low, high, size=None, **rest):
        return np.reshape(self.rows.pop(0), () if size is None else size)


@pytest.fixture(scope="module")
def people():
    return hg.datasets.load("social", n=PEOPLE, features=30, classes=4, seed=5)


@pytest.fixture(scope="module")
def split(people):
    return hg.random_split(people, train=0.5, val=0.25, seed=1)


def the_server(folder, people, split):
    """A process of its own that gets the campaign, report files, the public edges and who trains."""
    np.savez(folder / "public.npz", edges=people.edges, train=split.train, val=split.val)
    code = f"""
import pathlib, numpy as np, hushgraph as hg
folder = pathlib.Path({str(folder)!r})
public = np.load(folder / "public.npz")
campaign = hg.Campaign.load(folder / "campaign.json")
reports = (file.read_text() for file in sorted((folder / "reports").iterdir()))
split = hg.Split(public["train"], public["val"], np.zeros(0, np.int64))
edges = None if campaign.lists else public["edges"]
collected = hg.assemble(campaign, reports, edges=edges, split=split)
model = hg.LPGNN(epochs=15, k_x=2, k_y=2).fit(collected)
np.save(folder / "proba.npy", model.predict_proba())
(folder / "statement.txt").write_text(str(model.guarantee))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return np.load(folder / "proba.npy"), (folder / "statement.txt").read_text()


def short_way(collected):
    return hg.LPGNN(epochs=15, k_x=2, k_y=2).fit(collected).predict_proba()


def test_devices_one_by_one_give_the_same_model_as_collect_from_the_same_randomness(people, split, tmp_path):
    source = Recording()
    collected = hg.collect(people, split, features=FEATURES, labels=LABELS, rng=source)
    labels, *columns, signs = source.calls
    gives_label = np.concatenate([split.train, split.val])
    word_of = dict(zip(gives_label.tolist(), labels, strict=True))

    campaign_for(people, features=FEATURES, labels=LABELS).save(tmp_path / "campaign.json")
    asked = hg.Campaign.load(tmp_path / "campaign.json")
    (tmp_path / "reports").mkdir()
    for person in range(PEOPLE):
        # A device knows the campaign, its own person and its own randomness.
        own = (
            people.features[[person]].toarray()[0]
            if hasattr(people.features, "toarray")
            else people.features[person]
        )
        answers = person in word_of
        rows = [word_of[person]] if answers else []
        rng = Replaying([*rows, *(drawn[person] for drawn in columns), signs[person]])
        report = hg.answer(
            asked, person, features=own, label=int(people.labels[person]) if answers else None, rng=rng
        )
        assert not rng.rows
        (tmp_path / "reports" / f"{person:05}.json").write_text(report.to_json())

    proba, statement = the_server(tmp_path, people, split)
    np.testing.assert_array_equal(proba, short_way(collected))
    assert statement == str(collected.guarantee)
    # Its generator is not the operating system's own, whatever it is made of.
    assert "simulated" in statement.splitlines()[0]


def test_lists_go_the_long_way_too(people, split, tmp_path):
    lists = hg.AdjacencyRandomizedResponse(8.0)
    asked = campaign_for(people, features=FEATURES, labels=LABELS, lists=lists)
    reports = simulate_reports(asked, people, split, rng=np.random.default_rng(4))
    asked.save(tmp_path / "campaign.json")
    (tmp_path / "reports").mkdir()
    for report in reports:
        (tmp_path / "reports" / f"{report.person:05}.json").write_text(report.to_json())
    proba, statement = the_server(tmp_path, people, split)
    collected = hg.collect(
        people, split, features=FEATURES, labels=LABELS, edges=lists, rng=np.random.default_rng(4)
    )
    np.testing.assert_array_equal(proba, short_way(collected))
    assert "simulated" in statement.splitlines()[0]


def test_a_report_file_holds_the_report_and_nothing_of_what_the_person_holds(people, split):
    asked = campaign_for(people, features=FEATURES, labels=LABELS)
    report = hg.answer(asked, 7, features=people.features[[7]].toarray()[0], label=2)
    document = json.loads(report.to_json())
    assert set(document) == {"format", "campaign", "person", "answers"}
    assert set(document["answers"]) == {"features", "label"}
    assert len(document["answers"]["features"]["signs"]) == FEATURES.sampled(30)
