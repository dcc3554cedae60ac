"""The command on one's own people: whose noise, whose names, whose mechanism."""

from __future__ import annotations

import csv
import dataclasses
import json
import zipfile

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app
from hushgraph.curator.run import PrivateRun
from hushgraph.repeats import noise_of

NETWORK = ["--method", "lpgnn", "--epochs", "3"]
BUDGETS = ["--epsilon-x", "1", "--epsilon-y", "1", *NETWORK]


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def tables(tmp_path):
    """Files with text ids and class names, 240 people in two moods; the class 'gone' is nobody's."""
    rng = np.random.default_rng(1)
    ids = [f"p-{number:03}" for number in rng.permutation(240)]
    mood = rng.integers(0, 2, 240)
    (tmp_path / "features.csv").write_text(
        "id,tea,cake,rain\n"
        + "".join(f"{one},{m},{1 - m},{rng.integers(2)}\n" for one, m in zip(ids, mood, strict=True))
    )
    friends = [
        (a, b)
        for a, b in rng.integers(0, 240, (3000, 2))
        if a != b and (mood[a] == mood[b] or rng.random() < 0.05)
    ]
    (tmp_path / "edges.csv").write_text("from,to\n" + "".join(f"{ids[a]},{ids[b]}\n" for a, b in friends))
    (tmp_path / "labels.csv").write_text(
        "id,mood\n" + "".join(f"{one},{('merry', 'calm')[m]}\n" for one, m in zip(ids, mood, strict=True))
    )
    return [
        word for name in ("edges", "features", "labels") for word in (f"--{name}", tmp_path / f"{name}.csv")
    ]


def guessed(collected, truth, rng):
    """Which share of the labels comes back to somebody who has the generator of the noise."""
    asked = truth.num_classes
    people = np.concatenate([collected.train, collected.val])
    # Randomised response shifts a label by a step that the generator tells.
    shift = hg.RandomizedResponse(1.0, asked).randomize(np.zeros(people.size, int), rng)
    return np.mean((collected.labels[people] - shift) % asked == truth.labels[people])


def words_of(seed):
    """Generators that somebody would try who knows the seed of split and weights and nothing else."""
    return [np.random.default_rng(seed), *(np.random.default_rng([seed, stream]) for stream in range(10))]


def test_a_simulation_says_so_and_its_seed_alone_does_not_take_the_noise_off(run, tables, tmp_path):
    truth = hg.datasets.read(*tables[1::2])
    saved = tmp_path / "collected.npz"
    seeded = run("train", *tables, *BUDGETS, "--seed", "0", "--save-collected", saved)
    assert seeded.exit_code == 0, seeded.output
    collected = hg.CollectedGraph.load(saved)
    # Whoever holds what people hold can make the same noise again, and that is why it says so.
    split = hg.random_split(truth, train=0.5, val=0.25, seed=0)
    assert guessed(collected, truth, noise_of(0, truth, collected.campaign, split)) == 1.0
    # False alarm below 1e-8: unrelated draws agree in 0.6 on average, and 0.85 is seven deviations away.
    assert max(guessed(collected, truth, rng) for rng in words_of(0)) < 0.85
    statement = seeded.stdout[seeded.stdout.index("Privacy of everything") :]
    assert "simulated" in statement.splitlines()[0]

    unseeded = run("train", *tables, *BUDGETS, "--save-collected", saved)
    assert "simulated" not in unseeded.stdout
    collected = hg.CollectedGraph.load(saved)
    assert guessed(collected, truth, noise_of(0, truth, collected.campaign, split)) < 0.85
    # Whoever knows nothing but the report is right with probability e / (e + 1) = 0.73 on average.
    assert max(guessed(collected, truth, rng) for seed in range(20) for rng in words_of(seed)) < 0.85
    assert (
        json.loads(run("train", "--collected", saved, *NETWORK, "--json").stdout)["guarantee"]["simulated"]
        is False
    )


def test_the_seed_is_in_no_file_that_is_saved(run, tables, tmp_path):
    saved, model, seed = tmp_path / "collected.npz", tmp_path / "model.pt", 987654321
    result = run("train", *tables, *BUDGETS, "--seed", seed, "--save-collected", saved, "--save", model)
    assert result.exit_code == 0, result.output
    for path in (saved, model):
        with zipfile.ZipFile(path) as file:
            content = b"".join(file.read(name) for name in file.namelist())
        assert len(content) > 1000
        for written in (str(seed).encode(), seed.to_bytes(8, "little"), seed.to_bytes(4, "little")):
            assert written not in content
    assert '"simulated": true' in json.dumps(hg.load(model).guarantee.to_dict())


def test_two_seeded_releases_of_a_curator_share_no_noise_and_say_that_they_are_simulated(
    run, tables, monkeypatch
):
    drawn, seeds = [], []
    begin, first = PrivateRun.__init__, torch.manual_seed
    monkeypatch.setattr(
        PrivateRun,
        "__init__",
        lambda self, *how, **more: begin(self, *how, **more) or drawn.append(self.coins("").random()),
    )
    monkeypatch.setattr(torch, "manual_seed", lambda seed: seeds.append(seed) or first(seed))
    for epsilon in (1, 2, 1):
        words = ["--method", "nip-gnn", "--epsilon", epsilon, "--seed", 5, "--setting", "epochs=1"]
        result = run("curate", *tables, *words)
        assert result.exit_code == 0, result.output
        assert "simulated" in result.stdout
    assert drawn[0] == drawn[2]
    assert len(set(drawn)) == 2
    assert 5 not in seeds


def test_a_curator_states_the_list_of_classes(run, tables, tmp_path):
    words = ["curate", *tables, "--method", "nip-gnn", "--epsilon", 1, "--setting", "epochs=1", "--json"]
    claimed = json.loads(run(*words).stdout)
    stated = run(*words, "--classes", "merry,calm,gone")
    assert stated.exit_code == 0, stated.output
    assert claimed["guarantee"]["status"] == "claimed"
    assert json.loads(stated.stdout)["guarantee"]["status"] == "proven"
    assert "3 classes" in json.loads(stated.stdout)["private"]["graph"]
    refused = run(*words, "--classes", "merry,gone")
    assert refused.exit_code == 2
    assert "not in the list of classes" in " ".join(refused.output.split())


def test_a_curator_whose_people_have_no_label_is_told_no_error(run, tables, tmp_path):
    (tmp_path / "labels.csv").write_text("id,mood\n")
    words = ["curate", *tables, "--epsilon", 4, "--setting", "epochs=1", "--classes", "merry,calm"]
    shown, as_json = run(*words), run(*words, "--json")
    assert shown.exit_code == as_json.exit_code == 0, shown.output
    assert "nobody who is tested has a label" in shown.stdout
    assert json.loads(as_json.stdout)["private"]["test_accuracy"] is None


def test_ids_and_class_names_come_out_as_they_went_in(run, tables, tmp_path):
    model, table = tmp_path / "model.pt", tmp_path / "predictions.csv"
    budgets = ["--epsilon-x", "inf", "--epsilon-y", "inf", "--method", "lpgnn", "--epochs", "60"]
    assert run("train", *tables, *budgets, "--save", model).exit_code == 0
    shown = run("predict", model, "--output", table)
    assert shown.exit_code == 0, shown.output
    assert "merry" in shown.stdout
    with table.open() as file:
        rows = list(csv.DictReader(file))
    with (tmp_path / "labels.csv").open() as file:
        moods = {row["id"]: row["mood"] for row in csv.DictReader(file)}
    assert [row["id"] for row in rows] == list(moods)
    assert np.mean([moods[row["id"]] == row["class"] for row in rows]) > 0.9
    document = json.loads(run("predict", model, "--json").stdout)
    assert document["ids"] == list(moods)
    assert document["predictions"] == [row["class"] for row in rows]


def test_codes_are_names_and_never_empty_classes(run, tables, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text(labels.read_text().replace("merry", "10").replace("calm", "30"))
    result = run(
        "train",
        *tables,
        "--epsilon-x",
        "inf",
        "--epsilon-y",
        "inf",
        "--method",
        "lpgnn",
        "--epochs",
        "60",
        "--json",
    )
    report = json.loads(result.stdout)
    assert "2 classes" in report["private"]["graph"]
    assert report["private"]["test_accuracy"] > 0.9


def test_classes_taken_from_labels_make_a_claim_and_a_public_list_does_not(run, tables):
    taken = json.loads(run("train", *tables, *BUDGETS, "--json").stdout)["guarantee"]
    assert taken["status"] == "claimed"
    assert "the list of classes was taken from the private data" in json.dumps(taken)
    public = json.loads(run("train", *tables, *BUDGETS, "--classes", "calm,merry,gone", "--json").stdout)
    assert public["guarantee"]["status"] == "proven"
    assert "3 classes" in public["private"]["graph"]
    missing = run("train", *tables, *BUDGETS, "--classes", "calm,gone")
    assert missing.exit_code == 2
    assert "1 classes that are not in the list" in " ".join(missing.output.split())


def test_people_need_no_features(run, few_cascades, tables, tmp_path):
    _, edges, *_, labels = tables
    # The last in the table has no label, and somebody has no friend.
    rows = labels.read_text().splitlines()
    labels.write_text("\n".join([*rows[:-1], "z-alone,calm"]) + "\n")
    bare = ["--edges", edges, "--labels", labels]
    model, saved, asked, table = (tmp_path / name for name in ("m.pt", "c.npz", "x.npz", "table.csv"))
    result = run("train", *bare, "--epsilon-y", 2, "--save", model, "--save-collected", saved)
    assert result.exit_code == 0, result.output
    assert "not asked for" in result.stdout
    assert run("predict", model, "--collected", saved, "--output", table).exit_code == 0
    with table.open() as file:
        who = [row["id"] for row in csv.DictReader(file)]
    assert who == sorted([row.split(",")[0] for row in rows[1:]] + ["z-alone"])
    network = ["--method", "lpgnn", "--model-features", "degree", "--epochs", 2]
    assert run("train", "--collected", saved, *network).exit_code == 0

    labels.write_text("\n".join(rows) + "\n")
    budgets = [*BUDGETS, "--save", model, "--save-collected", asked]
    assert run("train", *tables, *budgets).exit_code == 0
    for words, message in [
        (["train", *bare, *BUDGETS], "--epsilon-x asks for features, and 'edges' has none: leave it out"),
        (["train", *bare, "--epsilon-y", 2, *NETWORK], "--method lpgnn needs features"),
        (["curate", *bare, "--epsilon", 4], "GAP learns from people's features, and 'edges' has none"),
        (["train", "--edges", edges, "--epsilon-y", 2], "give --edges, --labels and, if there are any"),
        (["predict", model, "--collected", saved], "did not ask for features, which the model uses"),
    ]:
        refused = run(*words)
        assert refused.exit_code == 2
        assert message in " ".join(refused.output.split())


OWN = '''
from dataclasses import dataclass
import numpy as np
import hushgraph as hg

@dataclass(frozen=True)
class Mine:
    """Adds a coin."""
    epsilon: float
    low: float = 0.0
    high: float = 1.0

    @property
    def guarantee(self):
        return hg.Guarantee("features", self.epsilon, reason="a coin [0, 1] is added [/x]")

    def randomize(self, values, rng):
        dense = values.toarray() if hasattr(values, "toarray") else np.asarray(values)
        return (dense + rng.integers(0, 2, size=dense.shape)).astype(np.float32)

    def estimate(self, reports):
        return reports - np.float32(0.5)

    def variance(self, values):
        return np.full(np.shape(values), 0.25)
'''


def test_a_mechanism_of_ones_own_is_named_by_where_it_is(run, tables, tmp_path, monkeypatch):
    (tmp_path / "my_noise.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    saved, model = tmp_path / "collected.npz", tmp_path / "model.pt"
    result = run(
        "train", *tables, *BUDGETS, "--mechanism", "my_noise:Mine", "--save-collected", saved, "--save", model
    )
    assert result.exit_code == 0, result.output
    assert "stated by hand" in result.stdout
    assert "a coin [0, 1] is added [/x]" in result.stdout
    refused = run("train", "--collected", saved, *NETWORK)
    assert "Pass your own as mechanisms=" in " ".join(refused.output.split())
    named = ["--collected", saved, "--own-mechanism", "my_noise:Mine"]
    assert run("train", *named, *NETWORK).exit_code == 0
    assert run("predict", model, *named).exit_code == 0
    for wrong in ("my_noise:Nobody", "nowhere:Mine", "my_noise:"):
        answer = run("train", *tables, *BUDGETS, "--mechanism", wrong)
        assert (answer.exit_code, "to import" in answer.output) == (2, True)


def test_reports_are_assembled_learned_from_and_predicted_with_ids(run, tables, tmp_path):
    truth = hg.datasets.read(*tables[1::2], classes=["calm", "merry"])
    asked = hg.Campaign(
        classes=truth.classes, num_features=3, features=hg.MultiBit(4.0), labels=hg.RandomizedResponse(3.0),
        feature_names=truth.feature_names, name="moods",
    )  # fmt: skip
    asked.save(tmp_path / "campaign.json")
    reports = tmp_path / "reports"
    reports.mkdir()
    for person, features in enumerate(truth.features):
        report = hg.answer(asked, person, features=features, label=int(truth.labels[person]))
        (reports / f"{person}.json").write_text(report.to_json())
    (reports / "17.json").write_text('{"person": 17}')
    (tmp_path / "more.jsonl").write_text("not JSON\n\n")
    people = tmp_path / "people.csv"
    people.write_text("id\n" + "\n".join(truth.ids) + "\n")
    saved, model, table = (tmp_path / name for name in ("collected.npz", "model.pt", "table.csv"))
    words = ["assemble", tmp_path / "campaign.json", reports, tmp_path / "more.jsonl", "--output", saved]
    result = run(*words, "--edges", tables[1], "--people", people)
    assert result.exit_code == 0, result.output
    said = " ".join(result.output.replace("│", " ").split())
    assert "reports refused 2" in said
    assert "has no answers, campaign, format" in said
    assert "ε = 7, proven" in said
    assert (
        run("train", "--collected", saved, "--method", "lpgnn", "--epochs", "30", "--save", model).exit_code
        == 0
    )
    assert run("predict", model, "--output", table).exit_code == 0
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == truth.ids.tolist()
    right = np.mean([row["class"] == truth.classes[k] for row, k in zip(rows, truth.labels, strict=True)])
    assert right > 0.8
    numbered = run(*words, "--edges", tables[1], "--num-people", "240")
    assert numbered.exit_code == 2
    assert "must name people by their numbers" in " ".join(numbered.output.split())


def test_predicting_for_people_who_answered_before_says_what_adds_up(run, tables, tmp_path):
    model, first, second = (tmp_path / name for name in ("model.pt", "first.npz", "second.npz"))
    run("train", *tables, *BUDGETS, "--save", model, "--save-collected", first)
    run("train", *tables, *BUDGETS[:1], "0.5", *BUDGETS[2:], "--save-collected", second)
    told = json.loads(run("predict", model, "--collected", second, "--json").stdout)
    assert told["guarantees"]["somebody who is in both"]["epsilon"] == 3.5
    assert (told["people_in_both"], told["same_reports"]) == (240, False)
    said = " ".join(run("predict", model, "--collected", second).stdout.split())
    assert "For somebody who is in both: Privacy of everything a person sent to several collections" in said
    assert "ε = 3.5, claimed" in said
    assert "240 of these people are in both collections" in said

    same = json.loads(run("predict", model, "--collected", first, "--json").stdout)
    assert same["same_reports"] is True
    assert "somebody who is in both" not in same["guarantees"]
    assert "one collection, and nothing adds up" in " ".join(
        run("predict", model, "--collected", first).stdout.split()
    )

    again = hg.CollectedGraph.load(second)
    strangers = np.char.add("stranger ", again.ids)
    dataclasses.replace(again, ids=strangers).save(second)
    apart = json.loads(run("predict", model, "--collected", second, "--json").stdout)
    assert apart["people_in_both"] == 0
    assert "somebody who is in both" not in apart["guarantees"]
    dataclasses.replace(again, ids=None).save(second)
    unknown = json.loads(run("predict", model, "--collected", second, "--json").stdout)
    assert unknown["people_in_both"] is None
    assert unknown["guarantees"]["somebody who is in both"]["epsilon"] == 3.5


def test_a_model_that_does_not_say_what_it_learned_from_counts_as_of_another_collection(
    run, tables, tmp_path
):
    model, saved = tmp_path / "model.pt", tmp_path / "collected.npz"
    run("train", *tables, *BUDGETS, "--save", model, "--save-collected", saved)
    stored = torch.load(model, weights_only=True)
    header = json.loads(stored["hushgraph"])
    del header["learned_from"]
    torch.save(stored | {"hushgraph": json.dumps(header)}, model)
    told = json.loads(run("predict", model, "--collected", saved, "--json").stdout)
    assert told["guarantees"]["somebody who is in both"]["epsilon"] == 4.0


def test_repeats_say_that_the_same_people_are_asked_again(run, tables):
    words = ["train", *tables, *BUDGETS, "--repeats", "3", "--seed", "0"]
    said = " ".join(run(*words).stdout.split())
    assert "3 collections of the same people; added up, for each person: ε = 6, simulated (else" in said
    told = json.loads(run(*words, "--json").stdout)
    assert told["collections"].startswith("3 collections of the same people")
    assert told["guarantee"]["epsilon"] == 2.0
    assert "adds up" not in run("train", *tables, *BUDGETS, "--seed", "0").stdout
