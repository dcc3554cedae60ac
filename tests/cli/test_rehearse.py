"""``hushgraph collector rehearse``: devices that are played, a collector that is real."""

from __future__ import annotations

import json

import pytest
from tests.collector.playing import ADMIN, running
from typer.testing import CliRunner

from hushgraph.cli.app import app
from hushgraph.collector.sample import prepare


@pytest.mark.slow
@pytest.mark.usefixtures("few_cascades")
def test_a_rehearsal_learns_from_what_its_devices_sent(tmp_path):
    """Of 300 people 200 answer; a second rehearsal finds their first answers, and adds the others."""
    made = prepare(tmp_path, people=300)
    (tmp_path / "admin-token").write_text(ADMIN)
    words = ["--folder", tmp_path, "--repeats", "4", "--json"]
    with running(made.database) as collector:
        words += ["--server", collector.address]
        for devices in (200, 300):
            result = CliRunner().invoke(
                app, ["collector", "rehearse", "--devices", str(devices), *map(str, words)]
            )
            assert result.exit_code == 0, result.stderr
            said = json.loads(result.stdout)
            assert sum(said["sent"].values()) == devices
            assert len(said["collect"]) == 4
            assert said["accuracy_interval"][0] <= said["accuracy_estimate"] <= said["accuracy_interval"][1]
            assert said["guarantee"]["epsilon"] == 4.0
            assert collector.get(made.campaign, "").json()["reports"] == devices
    assert said["sent"]["answered before"] > 0
