"""A campaign's report card says what one answer gives away, and the command shows it."""

from __future__ import annotations

import json

import pytest
import typer

import hushgraph as hg
from hushgraph.attacks.local import FriendshipGuess, feature_after, guess_label, label_after, report_card
from hushgraph.cli.attack_campaign import attack_campaign


@pytest.fixture
def campaign():
    return hg.Campaign(
        classes=["calm", "merry"],
        num_features=5,
        features=hg.MultiBit(1.0),
        labels=[hg.RandomizedResponse(0.5), hg.RandomizedResponse(2.0)],
        lists=hg.AdjacencyRandomizedResponse(3.0),
        num_people=50,
        name="moods [2]",
    )


def test_every_question_at_every_level_has_a_line(campaign):
    lines = report_card(campaign, density=0.1, answers=7).lines
    assert [(line.question, line.level, line.epsilon) for line in lines] == [
        ("features", 0, 1.0),
        ("label", 0, 0.5),
        ("label", 1, 2.0),
        ("lists", 0, 6.0),
    ]
    assert lines[0].success_after == feature_after(campaign.features[0], 5, 7)
    assert lines[2].success_after == label_after(campaign.labels[1], 7)
    assert lines[3].success == FriendshipGuess(campaign.lists[0]).success(0.1)
    for line in lines:
        assert line.naive <= line.success <= line.bound + 1e-12
        assert line.success_after >= line.success


def test_how_common_classes_are_can_be_told(campaign):
    line = report_card(campaign, label_prior=[0.9, 0.1]).lines[2]
    assert line.success == guess_label(campaign.labels[1], [0.9, 0.1]).success
    assert line.success_after is None


def test_what_has_no_formula_is_left_open():
    asked = hg.Campaign(
        classes=2, num_features=3, features=hg.Laplace(1.0), labels=hg.RandomizedResponse(1.0)
    )
    (features, _) = report_card(asked).lines
    assert features.success is not None
    assert features.success_after is None


def test_the_command_shows_the_card(campaign, tmp_path, capsys):
    campaign.save(tmp_path / "campaign.json")
    attack_campaign(tmp_path / "campaign.json", as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert {"campaign": "moods [2]", **report_card(campaign).to_dict()} == told
    attack_campaign(tmp_path / "campaign.json", label_prior=[0.9, 0.1])
    shown = capsys.readouterr().out
    assert "moods [2]" in shown
    assert "not bounded by ε" in " ".join(shown.split())


def test_a_file_that_is_no_campaign_ends_with_one_line(tmp_path, capsys):
    (tmp_path / "campaign.json").write_text("{}")
    with pytest.raises(typer.Exit):
        attack_campaign(tmp_path / "campaign.json")
    assert "this is no campaign" in capsys.readouterr().err
