"""Names are other people's words: whatever is in them, the words around them read as they were written."""

from __future__ import annotations

import pytest
from tests.collector_pages.visits import randomise

import hushgraph as hg

pytestmark = pytest.mark.slow

# Turns round what follows it; the second one ends an isolate that it did not begin, and then does so.
OVERRIDE, BREAKOUT = "\u202ehgih :taef", "\u2069\u202ewol :traeh"
# Whether words run from left to right where they are shown in an element, letter by letter.
RUNS_ON = """(node, words) => {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const place = text.data.indexOf(words);
    if (place < 0) continue;
    const lefts = [...words].map((_, letter) => {
      const range = document.createRange();
      range.setStart(text, place + letter);
      range.setEnd(text, place + letter + 1);
      return range.getBoundingClientRect().left;
    });
    return lefts.every((left, letter) => letter === 0 || left > lefts[letter - 1]);
  }
  return null;
}"""


def runs_on(located, words):
    return located.evaluate(RUNS_ON, words)


@pytest.fixture
def disguised(collector):
    return collector.campaign(
        name=OVERRIDE,
        classes=[OVERRIDE, BREAKOUT],
        num_features=2,
        feature_names=[OVERRIDE, BREAKOUT],
        ranges=[(0, 24), (0, 12)],
        features=hg.MultiBit(1.0),
        labels=hg.RandomizedResponse(1.0),
    )


def test_the_test_sees_what_is_turned_round(visits, disguised):
    page = visits.participant(disguised.link(7))
    page.evaluate(
        "text => document.querySelector('.kicker').append(text + ': high')", f"{OVERRIDE}, the feature"
    )
    assert runs_on(page.locator(".kicker"), ": high") is False


def test_a_participants_page_reads_from_left_to_right(visits, disguised):
    page = visits.participant(disguised.link(7))
    assert page.title() == f"\u2068{OVERRIDE}\u2069 – hushgraph"
    assert page.locator("h1 bdi").inner_text() == OVERRIDE
    assert page.locator(".choice bdi, .number-field label bdi").count() == 4
    for field in page.locator(".number-field input[type=number]").all():
        field.fill("31")
        page.get_by_role("button", name="Randomise my answer").click()
        assert runs_on(page.get_by_role("alert"), ": its range is 0 to ") is True
        field.fill("3")
    page.locator(".classes input").nth(1).check()
    page.get_by_role("button", name="Randomise my answer").click()
    page.locator("#report-bytes").wait_for()
    table = page.locator(".parts")
    assert runs_on(table, "the class that is sent: ") is True
    assert runs_on(table, ": high") is True or runs_on(table, ": low") is True
    assert runs_on(page.locator(".ledger"), " (this one)"[1:]) is True


def test_a_dashboard_reads_from_left_to_right(visits, disguised):
    board = visits.dashboard(disguised)
    assert board.title() == f"\u2068{OVERRIDE}\u2069 – dashboard – hushgraph"
    assert board.locator("h1 bdi").inner_text() == OVERRIDE
    for row in board.locator(".dots tbody th").all():
        assert row.locator("bdi").count() == 1
        assert runs_on(row, "0 to ") is True


def test_ordinary_names_are_shown_letter_by_letter(visits, asked):
    page = visits.participant(asked.link(7))
    assert page.locator("h1").inner_text() == asked.campaign.name
    assert page.locator(".number-field label").all_inner_texts() == list(asked.campaign.feature_names)
    randomise(page)
