"""``hushgraph train --campaign``: from what a collector has to a model."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest
from typer.testing import CliRunner

import hushgraph as hg
from hushgraph.cli.app import app
from hushgraph.collection.export import export
from hushgraph.collection.wire import Wire

PEOPLE = 60
ADMIN = "an administrator's token"


def asked(**more):
    return hg.Campaign(
        classes=["calm", "merry"], num_features=3, features=hg.MultiBit(2.0),
        labels=hg.RandomizedResponse(4.0), num_people=PEOPLE, **more,
    )  # fmt: skip


@pytest.fixture
def run():
    return lambda *words: CliRunner().invoke(
        app, [str(word) for word in (*words, "--method", "lpgnn", "--epochs", "3")]
    )


@pytest.fixture
def stream():
    """Everybody but the last ten answered; two moods, each among themselves."""
    campaign, wire = asked(), Wire(asked())
    bodies = [
        wire.encode(
            hg.answer(
                campaign, person, features=np.full(3, person % 2), label=person % 2, public_columns=True
            )
        )
        for person in range(PEOPLE - 10)
    ]
    return b"".join(export(campaign, bodies))


@pytest.fixture
def tables(tmp_path):
    """Edges and people by name."""
    names = [f"p-{number}" for number in range(PEOPLE)]
    (tmp_path / "people.csv").write_text("id\n" + "\n".join(names) + "\n")
    pairs = [(number, (number + 2) % PEOPLE) for number in range(PEOPLE)]
    (tmp_path / "edges.csv").write_text("a,b\n" + "".join(f"{names[a]},{names[b]}\n" for a, b in pairs))
    return ["--edges", tmp_path / "edges.csv", "--people", tmp_path / "people.csv"]


@pytest.fixture
def collector(stream):
    """Something that answers as a collector does, and what it was asked."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append((self.path, self.headers.get("Authorization")))
            moved = "moved" in self.path
            right = self.headers.get("Authorization") == f"Bearer {ADMIN}"
            body = stream if right else b'{"why": "this is not the administrator"}'
            self.send_response(302 if moved else 200 if right else 401)
            if moved:
                self.send_header("Location", f"http://localhost:{server.server_port}/elsewhere")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", requests
    server.shutdown()
    server.server_close()


def test_a_model_is_learned_from_an_export(run, stream, tables, tmp_path):
    (tmp_path / "campaign.export").write_bytes(stream)
    saved = tmp_path / "collected.npz"
    words = [
        "train",
        "--campaign",
        tmp_path / "campaign.export",
        *tables,
        "--save-collected",
        saved,
        "--json",
    ]
    said = json.loads(run(*words).stdout)
    assert said["guarantee"]["epsilon"] == 6.0
    assert "60 nodes" in said["collected"]
    collected = hg.CollectedGraph.load(saved)
    assert collected.answered.sum() == PEOPLE - 10
    assert collected.ids[3] == "p-3"


def test_a_model_is_learned_from_a_collector(run, collector, tables, monkeypatch, tmp_path):
    server, requests = collector
    where = f"{server}/v1/campaigns/{asked().id}"
    (tmp_path / "token").write_text(ADMIN + "\n")
    assert run("train", "--campaign", where, *tables, "--admin-token-file", tmp_path / "token").exit_code == 0
    monkeypatch.setenv("HUSHGRAPH_ADMIN_TOKEN", ADMIN)
    assert run("train", "--campaign", where, *tables).exit_code == 0
    assert set(requests) == {(f"/v1/campaigns/{asked().id}/export", f"Bearer {ADMIN}")}


def test_a_token_is_given_to_nobody_else(run, collector, monkeypatch):
    server, requests = collector
    monkeypatch.setenv("HUSHGRAPH_ADMIN_TOKEN", ADMIN)
    refused = run("train", "--campaign", f"{server}/moved/v1/campaigns/{asked().id}")
    assert refused.exit_code == 2
    assert "302" in refused.stderr
    assert [path for path, _ in requests if "elsewhere" in path] == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--campaign", "http://example.org/v1/campaigns/" + "0" * 64], "TLS"),
        (["--campaign", "https://example.org/somewhere"], "must be a file or an address"),
        (["--campaign", "nowhere.export"], "No such file"),
        (["--campaign", "x", "--collected", "y"], "not both"),
        (["--campaign", "x", "--epsilon-y", "1"], "is for simulations"),
        (["--campaign", "x", "--ledger", "y"], "is not for --campaign"),
        (["social", "--epsilon-x", "1", "--epsilon-y", "1", "--val", "0.5"], "is for --campaign"),
    ],
)
def test_what_does_not_go_together_is_refused(run, words, why):
    refused = run("train", *words)
    assert refused.exit_code == 2
    assert why in " ".join(refused.stderr.split())


def test_a_wrong_token_is_told_in_the_collectors_words(run, collector, monkeypatch):
    monkeypatch.setenv("HUSHGRAPH_ADMIN_TOKEN", "another")
    refused = run("train", "--campaign", f"{collector[0]}/v1/campaigns/{asked().id}")
    assert "this is not the administrator" in refused.stderr
    monkeypatch.delenv("HUSHGRAPH_ADMIN_TOKEN")
    refused = run("train", "--campaign", f"{collector[0]}/v1/campaigns/{asked().id}")
    assert "HUSHGRAPH_ADMIN_TOKEN" in refused.stderr


def test_a_part_of_an_export_is_refused(run, stream, tables, tmp_path):
    (tmp_path / "part").write_bytes(stream[:-7])
    refused = run("train", "--campaign", tmp_path / "part", *tables)
    assert refused.exit_code == 2
    assert "ends too early" in refused.stderr
