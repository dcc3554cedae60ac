"""The pages promise what is so, and nothing beyond it."""

from __future__ import annotations

import math

import pytest
from tests.collector_pages.visits import press, randomise, send

import hushgraph as hg

pytestmark = pytest.mark.slow

HIDES_LITTLE = "This hides little"
TOO_MUCH = (
    "nobody can be sure", "Nobody but you can tell", "nobody can be pinned to", "in all campaigns together",
    "all campaigns that it answers", "The server has deleted it", "nobody can see that you did",
)  # fmt: skip


def words(page):
    """All that stands on a page, whatever is folded or scrolled away."""
    return page.locator("body").text_content()


def labelled(collector, *budgets):
    return collector.campaign(classes=["a", "b"], labels=[hg.RandomizedResponse(one) for one in budgets])


def test_what_is_kept_by_address_is_said_to_be(visits, asked):
    page = visits.participant(asked.link(7))
    host = asked.collector.address.partition("//")[2]
    assert (
        f"the ε of all campaigns that you answered at this address, {host}: not of those at other"
        in words(page)
    )
    assert page.get_by_label("Your limit: the most ε in all campaigns that you answer here").is_visible()
    assert f"for this address alone, {host}" in page.locator(".ledger").inner_text()


def test_no_page_says_more_than_is_so(visits, asked, collector):
    page = visits.participant(asked.link(7))
    said = [words(page)]
    randomise(page)
    said.append(words(page))
    send(page)
    said.append(words(page))
    page.get_by_role("button", name="Withdraw my answer").click()
    said.append(words(page))
    page.keyboard.press("Escape")
    press(page, "Withdraw my answer", "Withdraw it")
    page.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    said.append(words(page))
    assert "was asked to delete it and says that it has" in said[-1]
    assert "copies and backups" in said[-1]
    said.append(words(visits.participant(asked.link(7))))
    front = visits.device().new_page()
    front.goto(collector.address)
    said.append(words(front))
    for text in said:
        assert [claim for claim in TOO_MUCH if claim in text] == []
    assert "limited by the odds below" in said[0]
    assert "limited by the odds that you were told" in said[1]


def test_levels_that_hide_little_say_so(visits, collector):
    page = visits.participant(labelled(collector, 1.0, 5.0, 5.5).link(3))
    rows = page.locator(".questions dd p")
    assert [HIDES_LITTLE in row for row in rows.all_inner_texts()] == [False, False, True]
    choices = page.locator(".levels .choice")
    assert [HIDES_LITTLE in choice for choice in choices.all_inner_texts()] == [False, False, True]
    page.get_by_label("Your limit").fill("9")
    choices.last.click()
    randomise(page, "a")
    assert "At odds like these, that is a lot" in words(page)


def test_the_only_level_says_so_too(visits, collector):
    page = visits.participant(labelled(collector, 8.0).link(3))
    said = page.locator(".hiding").inner_text()
    assert HIDES_LITTLE in said
    # e⁸ / (e⁸ + 1), which is not 100 %.
    assert "is sent with a chance of 99.9665\xa0%, any other with 0.0335\xa0% each" in said


def test_what_is_not_certain_is_not_called_so(visits, collector):
    page = visits.participant(labelled(collector, 40.0).link(3))
    assert "is sent with a chance of more than 99.999999\xa0%" in page.locator(".hiding").inner_text()


def test_what_is_not_hidden_is_not_called_random(visits, collector):
    page = visits.participant(labelled(collector, math.inf).link(3))
    lead = page.locator(".heading .lead").inner_text()
    assert lead == "Nothing is hidden in this campaign: what you answer is sent as it is."
    mixed = collector.campaign(
        classes=["a", "b"], labels=hg.RandomizedResponse(1.0), num_features=1, features=hg.OneBit(math.inf)
    )
    lead = visits.participant(mixed.link(3)).locator(".heading .lead").inner_text()
    assert "sends others as they are" in lead


def test_signs_say_how_far_they_lean(visits, collector):
    asked = collector.campaign(classes=["a", "b"], num_features=1, features=hg.OneBit(2.0))
    # e² / (e² + 1)
    assert "is told truly with a chance of 88.1\xa0%" in words(visits.participant(asked.link(3)))


@pytest.mark.parametrize("finite", [True, False])
def test_the_dashboard_says_what_the_server_has(visits, collector, finite):
    asked = collector.campaign(
        classes=["a", "b"],
        labels=hg.RandomizedResponse(1.0),
        num_features=1,
        features=hg.OneBit(3.0 if finite else math.inf),
    )
    foot = visits.dashboard(asked).locator("#foot").inner_text()
    assert ("What they were before is not on this server" in foot) is finite
    assert ("devices send answers as they are" in foot) is not finite
