"""The command: started, asked over HTTP, and stopped as an orchestrator does."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import threading
import time
from pathlib import Path

import httpx
import pytest
from tests.collector.playing import ADMIN, Admin, campaign, report
from tests.collector.postgresql import free_port
from tests.collector.processes import COMMAND, Process
from typer.testing import CliRunner

from hushgraph.cli.app import app
from hushgraph.collection.export import Export
from hushgraph.collector.sample import prepare, sample_campaign

ASKED = campaign()
pytestmark = pytest.mark.slow


def _told(*words: object) -> str:
    """What a command says, once it went well."""
    finished = CliRunner().invoke(app, ["collector", *map(str, words)], env={"HUSHGRAPH_ADMIN_TOKEN": ADMIN})
    assert finished.exit_code == 0, finished.output
    return finished.output


@pytest.fixture
def process(on_sqlite: str, tmp_path: Path) -> Process:
    one = Process(on_sqlite, free_port(), tmp_path / "log")
    one.start()
    return one


def test_a_campaign_from_its_creation_to_its_export(process: Process, tmp_path: Path) -> None:
    try:
        server = ("--server", process.address)
        ASKED.save(tmp_path / "campaign.json")
        assert ASKED.id in _told("campaign", "create", tmp_path / "campaign.json", *server)
        _told("campaign", "open", ASKED.id, *server)
        tokens = tmp_path / "tokens.csv"
        _told("tokens", "issue", ASKED.id, "--people", 20, "--days", 7, "--output", tokens, *server)
        assert tokens.stat().st_mode & 0o777 == 0o600
        with tokens.open() as file:
            known = {int(row["person"]): row["token"] for row in csv.DictReader(file)}
        assert list(known) == list(range(20))
        admin = Admin(process.address)
        for person in range(20):
            assert admin.send(ASKED, known[person], report(ASKED, person)).status_code == 201
        admin.http.close()
        assert '"reports": 20' in _told("status", ASKED.id, "--json", *server)
        _told("export", ASKED.id, "--output", tmp_path / "export", *server)
        with (tmp_path / "export").open("rb") as stream:
            assert len(list(Export(stream).reports())) == 20
        assert '"closed"' in _told("campaign", "close", ASKED.id, "--json", *server)
        refused = CliRunner().invoke(
            app, ["collector", "campaign", "open", ASKED.id, *server], env={"HUSHGRAPH_ADMIN_TOKEN": ADMIN}
        )
        assert refused.exit_code == 2
        assert "a closed campaign stays closed" in " ".join(refused.output.split())
        wrong = CliRunner().invoke(
            app, ["collector", "status", ASKED.id, *server], env={"HUSHGRAPH_ADMIN_TOKEN": "x" * 40}
        )
        assert wrong.exit_code == 2
        assert "401" in wrong.output
    finally:
        assert process.terminate() == 0


def test_told_to_stop_it_finishes_what_it_took(process: Process, tmp_path: Path) -> None:
    admin = Admin(process.address)
    tokens = admin.started(ASKED)
    answers: list[int] = []

    def device(first: int) -> None:
        mine = Admin(process.address)
        for person in range(first, 200, 4):
            try:
                answers.append(mine.send(ASKED, tokens[person], report(ASKED, person)).status_code)
            except httpx.TransportError:
                break
        mine.http.close()

    devices = [threading.Thread(target=device, args=(first,)) for first in range(4)]
    for one in devices:
        one.start()
    time.sleep(0.15)
    admin.http.close()
    assert process.terminate() == 0
    for one in devices:
        one.join(30)
    assert b'"stopped"' in (tmp_path / "log").read_bytes()
    process.start()
    again = Admin(process.address)
    assert again.get(ASKED).json()["reports"] == answers.count(201)
    again.http.close()
    process.terminate()


@pytest.mark.parametrize("token", ["", "too short"])
def test_without_a_long_admin_token_it_does_not_start(token: str, on_sqlite: str) -> None:
    refused = CliRunner().invoke(
        app, ["collector", "serve", "--database", on_sqlite], env={"HUSHGRAPH_ADMIN_TOKEN": token}
    )
    assert refused.exit_code == 2
    assert re.search("admin(istrator)? token", " ".join(refused.output.split()))


def test_a_setting_that_there_is_not_is_refused(on_sqlite: str) -> None:
    for setting in ("nothing=1", "connections=many", "admin_token=1"):
        refused = CliRunner().invoke(
            app,
            ["collector", "serve", "--database", on_sqlite, "--setting", setting],
            env={"HUSHGRAPH_ADMIN_TOKEN": ADMIN},
        )
        assert refused.exit_code == 2
        assert "--setting" in " ".join(refused.output.split())


def test_a_token_does_not_leave_this_machine_without_tls() -> None:
    refused = CliRunner().invoke(
        app,
        ["collector", "status", ASKED.id, "--server", "http://example.org"],
        env={"HUSHGRAPH_ADMIN_TOKEN": ADMIN},
    )
    assert refused.exit_code == 2
    assert "TLS" in " ".join(refused.output.split())


def test_the_sample_is_ready_for_everybody_and_made_once(tmp_path: Path) -> None:
    made = prepare(tmp_path / "sample", people=50)
    again = prepare(tmp_path / "sample", people=50)
    assert made == again
    assert made.campaign.id == sample_campaign(50).id
    assert len(made.tokens.read_text().splitlines()) == 51
    assert made.tokens.read_text(encoding="ascii").splitlines()[-1].startswith("49,49.")
    for secretly in ("admin-token", "tokens.csv", "collector.db"):
        assert (tmp_path / "sample" / secretly).stat().st_mode & 0o777 == 0o600


def test_the_sample_is_served_with_the_addresses_of_its_pages(tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--sample", "--folder", str(tmp_path), "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if name != "HUSHGRAPH_ADMIN_TOKEN"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL, env=environment
    ) as served:
        assert served.stdout is not None
        lines = [served.stdout.readline() for _ in range(5)]
        served.terminate()
        assert served.wait(30) == 0
    text = "".join(lines)
    assert f"/participate/{sample_campaign().id}\n" in text
    assert f"/dashboard/{sample_campaign().id}\n" in text
    assert "token=" not in text, "browsers and logs keep addresses"


def test_neither_the_collector_nor_its_command_imports_torch() -> None:
    script = (
        "import sys; import hushgraph.cli.app, hushgraph.collector.serving, hushgraph.collector.sample;"
        "heavy = {'torch', 'scipy', 'pandas', 'matplotlib', 'jinja2', 'networkx'};"
        "print(heavy & set(sys.modules))"
    )
    finished = subprocess.run([COMMAND[0], "-c", script], capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "set()"
