"""The pages are for everybody: on a phone, by keyboard, with a screen reader, in the dark, on paper."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.collector_pages.visits import press, randomise, send, shown_bytes

pytestmark = pytest.mark.slow

SEEN = """() => [...document.querySelectorAll('body *')].filter(e => {
  const box = e.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1 && !e.closest('.scrolls, .hex, .unseen, .skip, svg');
}).map(e => e.outerHTML.slice(0, 120))"""
FOCUSED = """(e => e.labels?.[0]?.innerText || e.getAttribute('aria-label') || e.innerText || '')(
  document.activeElement)"""
OUTLINED = """[document.activeElement, document.activeElement.parentElement].some(
  e => getComputedStyle(e).outlineStyle !== 'none')"""
BRIGHTNESS = """getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).slice(0, 3).reduce(
  (sum, part) => sum + Number(part), 0)"""
LOOKS = [("light", 1280), ("dark", 320)]


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look[0]} {look[1]}")
def look(request):
    scheme, width = request.param
    return {"color_scheme": scheme, "width": width, "reduced_motion": "reduce"}


@pytest.fixture
def fine(axe, look, request):
    """Nothing to stumble over in the page as it is now, and nothing wider than the screen.

    With HUSHGRAPH_SCREENSHOTS, a folder, each state is left there as a picture, for people to look at.
    """

    def check(page, state):
        if folder := os.environ.get("HUSHGRAPH_SCREENSHOTS"):
            way = request.node.originalname.removeprefix("test_").split("_")[1]
            name = f"{way}-{state}-{look['color_scheme']}-{look['width']}.png".replace(" ", "-")
            page.screenshot(path=Path(folder) / name, full_page="dialog" not in state)
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        told = [
            (one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"]) for one in found
        ]
        assert told == [], state
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), state
        assert page.evaluate(SEEN) == [], state

    return check


def test_a_participants_way_has_no_stumbling_block(visits, asked, look, fine):
    page = visits.participant(asked.link(7), **look)
    fine(page, "asked")
    page.get_by_role("button", name="Randomise my answer").click()
    fine(page, "something is missing")
    randomise(page)
    fine(page, "answered")
    send(page)
    fine(page, "sent")
    page.get_by_role("button", name="Withdraw my answer").click()
    fine(page, "a dialog is open")
    page.get_by_role("dialog").get_by_role("button", name="No, go back").click()
    press(page, "Withdraw my answer", "Withdraw it")
    page.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    fine(page, "withdrawn")


def test_a_long_form_has_no_stumbling_block(visits, large, look, fine):
    page = visits.participant(large.link(7), **look)
    fine(page, "asked")
    page.get_by_label("Your limit").fill("20")
    page.get_by_label("Which one is yours?").select_option("class 3")
    page.get_by_label("Numbers of your friends").fill("1,2,3")
    page.get_by_role("button", name="Randomise my answer").click()
    assert shown_bytes(page)
    fine(page, "answered")
    press(page, "Delete what this device keeps", "Delete it")
    page.get_by_role("heading", name="Your answer is deleted here").wait_for()
    fine(page, "deleted")


def test_pages_that_lead_nowhere_have_no_stumbling_block(visits, asked, look, fine):
    fine(visits.participant(asked.link(7).partition("#")[0], **look), "no link")
    page = visits.participant(asked.link(7), **look)
    press(page, "Do not take part", "Do not take part")
    page.get_by_role("heading", name="You do not take part").wait_for()
    fine(page, "opted out")


def test_the_dashboard_has_no_stumbling_block(visits, asked, collector, look, fine):
    empty = visits.dashboard(asked, **look)
    fine(empty, "no answers")
    asked.send_many(range(30))
    page = visits.dashboard(asked, **look)
    page.get_by_text("As a table").click()
    page.locator(".tile", has_text="Gave a label").get_by_text("30").wait_for()
    fine(page, "answers")
    page.locator(".controls").get_by_role("button", name="Close").click()
    fine(page, "a dialog is open")
    locked = visits.device(**look).new_page()
    locked.goto(asked.dashboard)
    locked.get_by_role("heading", name="Who is asking?").wait_for()
    fine(locked, "no token")
    front = visits.device(**look).new_page()
    front.goto(collector.address)
    fine(front, "front")


def tab_to(page, name):
    """Presses the tabulator until something with this name has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if name in page.evaluate(FOCUSED):
            assert page.evaluate(OUTLINED)
            return
    raise AssertionError(f"the keyboard does not reach {name}")


def test_the_keyboard_is_enough(visits, asked):
    page = visits.participant(asked.link(7))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    tab_to(page, "ε = 0.5")
    page.keyboard.press("ArrowDown")
    tab_to(page, "likes dogs")
    page.keyboard.type("0.4")
    tab_to(page, "Painting")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    tab_to(page, "Your limit")
    tab_to(page, "Randomise my answer")
    page.keyboard.press("Enter")
    first = shown_bytes(page)
    # Reading goes on where the new part begins.
    assert page.evaluate("document.activeElement.id") == "stage-title"
    tab_to(page, "Send")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your answer is sent").wait_for()
    assert asked.kept(7) == first
    tab_to(page, "Withdraw my answer")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.innerText") == "No, go back"
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    assert page.evaluate("document.activeElement.innerText") == "Withdraw my answer"
    page.keyboard.press("Enter")
    tab_to(page, "Withdraw it")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    assert asked.kept(7) is None


def test_what_happens_is_said_aloud(visits, asked):
    page = visits.participant(asked.link(7))
    page.get_by_role("button", name="Randomise my answer").click()
    assert "Choose one of them" in page.get_by_role("alert").inner_text()
    described = page.get_by_label("Painting").get_attribute("aria-describedby")
    assert "Choose one of them" in page.locator(f"#{described}").inner_text()
    randomise(page)
    assert page.get_by_role("status").filter(has_text="Drawn").count() == 1
    page.route("**/report", lambda route: route.fulfill(status=422, body='{"why": "no"}'))
    page.get_by_role("button", name="Send").click()
    page.get_by_role("alert").filter(has_text="does not fit the campaign").wait_for()
    page.get_by_role("button", name="Close").click()
    assert page.get_by_role("alert").inner_text() == ""


def test_pictures_have_words(visits, asked):
    asked.send_many(range(9))
    page = visits.dashboard(asked)
    chart = page.get_by_role("img", name="Answers over time")
    assert "9" in chart.locator("desc").text_content()
    page.get_by_text("As a table").click()
    assert page.get_by_role("table", name="Answers over time").get_by_role("row").count() >= 2
    assert page.get_by_role("table", name="Estimated share of each class").get_by_role("row").count() == 4


def test_dark_is_dark_and_paper_is_white(visits, asked):
    page = visits.participant(asked.link(7), color_scheme="dark")
    assert page.evaluate(BRIGHTNESS) < 120
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(BRIGHTNESS) == 765
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert page.get_by_role("button", name="Randomise").is_hidden()
