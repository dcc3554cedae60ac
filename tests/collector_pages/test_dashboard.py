"""Whoever runs a campaign sees what everybody's answers say together, and how well it is known."""

from __future__ import annotations

import json

import pytest
from tests.collector_pages.visits import press, randomise, send, sign_in

import hushgraph as hg

pytestmark = pytest.mark.slow

WATCH_SHIFTS = """() => {
  window.shifts = [];
  const seen = list => shifts.push(...list.getEntries().map(entry => entry.value));
  new PerformanceObserver(seen).observe({type: 'layout-shift'});
}"""


def tile(page, name):
    return page.locator(".tile", has_text=name).locator(".figure")


def whiskers(page):
    widths = page.locator(".bars .whisker").evaluate_all(
        "rects => rects.map(r => parseFloat(r.getAttribute('width')))"
    )
    return sum(widths) / len(widths)


def test_the_dashboard_counts_who_answers(visits, asked):
    board = visits.dashboard(asked)
    assert tile(board, "Answers").inner_text() == "0"
    page = visits.participant(asked.link(7))
    randomise(page)
    send(page)
    tile(board, "Answers").filter(has_text="1").wait_for()
    assert "of 60 people, 1.7\xa0%" in board.locator(".tile").first.inner_text()
    assert board.locator(".line-chart desc").text_content().endswith("The table below has all points.")
    press(page, "Withdraw my answer", "Withdraw it")
    tile(board, "Withdrawn").filter(has_text="1").wait_for()
    assert tile(board, "Answers").inner_text() == "0"


def test_error_bars_shrink_on_an_axis_that_stays_and_nothing_jumps(visits, collector):
    asked = collector.campaign(classes=["a", "b", "c"], labels=hg.RandomizedResponse(3.0), num_people=390)
    for label in range(3):
        asked.send_many(range(10 * label, 10 * label + 10), label)
    board = visits.dashboard(asked)
    tile(board, "Gave a label").filter(has_text="30").wait_for()
    before, marks = whiskers(board), board.locator(".bars .marks").inner_html()
    board.evaluate(WATCH_SHIFTS)
    for label in range(3):
        asked.send_many(range(30 + 120 * label, 150 + 120 * label), label)
    tile(board, "Gave a label").filter(has_text="390").wait_for()
    # 13 times as many answers: less than a third of the error, up to what the shares themselves make of it.
    assert whiskers(board) < before / 2.5
    assert board.locator(".bars .marks").inner_html() == marks
    assert sum(board.evaluate("shifts")) < 0.01


def test_figures_are_the_servers(visits, asked):
    asked.send_many(range(40))
    figures = asked.figures()
    board = visits.dashboard(asked)
    rows = board.locator(".bars tbody tr")
    for row, told in zip(rows.all(), figures["classes"], strict=True):
        share, half = 100 * told["share"], 100 * told["half_width"]
        written = f"{share:.1f}".replace("-", "−")
        assert row.inner_text().split() == [told["name"], written, "%", "±", f"{half:.1f}"]
    assert board.locator(".dots tbody tr").count() == 3
    assert board.locator("pre").inner_text() == figures["guarantee"] == str(asked.campaign.guarantee)
    error = board.get_by_role("region", name="Expected error").inner_text()
    assert f"± {100 * figures['expected_error']['classes']:.2f}" in error
    assert "40 (100\xa0%)" in board.get_by_role("region", name="Levels taken").inner_text()


def test_estimates_can_be_sorted(visits, asked):
    asked.send_many(range(40), label=2)
    board = visits.dashboard(asked)
    names = board.locator(".bars tbody th")
    assert names.all_inner_texts() == ["Painting", "Xylophone", "Cycling"]
    board.locator(".bars").get_by_role("button", name="Class").click()
    assert names.all_inner_texts() == ["Cycling", "Painting", "Xylophone"]
    assert board.locator(".bars [aria-sort=ascending]").inner_text() == "Class"


def test_without_the_right_token_it_says_so_and_shows_nothing(visits, asked):
    page = visits.device().new_page()
    page.goto(asked.dashboard)
    page.get_by_role("heading", name="Who is asking?").wait_for()
    told = page.locator("main").inner_text()
    assert "needs the administrator token" in told
    assert "a browser also writes to its disk" in told
    sign_in(page, "wrong")
    page.get_by_text("does not accept this administrator token").wait_for()
    assert page.locator(".board").count() == 0
    field = page.get_by_label("Administrator token")
    assert [field.get_attribute(name) for name in ("type", "autocomplete")] == ["password", "off"]
    sign_in(page, asked.collector.admin)
    page.locator(".board").wait_for()
    assert asked.campaign.name in page.title()
    page.reload()
    page.locator(".board").wait_for()


def test_a_token_in_the_address_is_not_used_and_to_be_replaced(visits, asked):
    page = visits.device().new_page()
    exposed = f"{asked.dashboard}#token={asked.collector.admin}"
    page.goto(exposed)
    page.get_by_role("heading", name="Who is asking?").wait_for()
    assert page.url == asked.dashboard
    assert "replace that administrator token" in page.get_by_role("alert").inner_text()
    assert {sent.headers.get("authorization") for sent in visits.requests} == {None}
    assert page.evaluate("JSON.stringify({...sessionStorage})") == "{}"
    sign_in(page, asked.collector.admin)
    page.locator(".board").wait_for()
    # Over a dashboard that is open, too.
    page.goto(exposed)
    page.get_by_role("alert").filter(has_text="replace that administrator token").wait_for()
    assert page.url == asked.dashboard


def test_a_campaign_is_opened_and_closed_for_good(visits, collector):
    asked = collector.campaign(classes=["a", "b"], labels=hg.RandomizedResponse(1.0), opened=False)
    board = visits.dashboard(asked)
    assert board.locator(".pill").inner_text() == "not started"
    board.get_by_role("button", name="Open").click()
    board.locator(".pill", has_text="open").wait_for()
    press(board, "Close", "Close it")
    board.locator(".pill", has_text="closed").wait_for()
    assert asked.figures()["state"] == "closed"
    assert board.get_by_role("button", name="Open").count() == 0
    assert board.locator(".controls").get_by_role("button", name="Close").count() == 0


def test_the_export_is_what_the_server_exports(visits, asked, tmp_path):
    asked.send_many(range(5))
    board = visits.dashboard(asked)
    with board.expect_download() as download:
        board.get_by_role("button", name="Export answers").click()
    path = tmp_path / "export"
    download.value.save_as(path)
    assert path.read_bytes() == asked.collector.ask("GET", f"{asked.path}/export")
    assert download.value.suggested_filename.startswith(f"campaign-{asked.campaign.id[:12]}")


def test_nothing_is_asked_while_nobody_looks_or_while_paused(visits, asked):
    board = visits.dashboard(asked)

    def asked_for(during_ms):
        before = len([url for url in visits.urls if url.endswith("/statistics")])
        board.wait_for_timeout(during_ms)
        return len([url for url in visits.urls if url.endswith("/statistics")]) - before

    assert asked_for(6000) >= 1
    board.get_by_role("button", name="Pause updates").click()
    assert asked_for(6000) == 0
    board.get_by_role("button", name="Pause updates").click()
    hide = "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
    board.evaluate(hide + " document.dispatchEvent(new Event('visibilitychange')); }", True)
    board.wait_for_timeout(500)
    assert asked_for(6000) == 0
    board.evaluate(hide + " document.dispatchEvent(new Event('visibilitychange')); }", False)
    assert asked_for(2000) >= 1


def test_figures_stay_while_the_server_is_away(visits, asked):
    asked.send_many(range(5))
    board = visits.dashboard(asked)
    board.route("**/statistics", lambda route: route.abort())
    board.get_by_text("These figures are old").wait_for()
    assert tile(board, "Answers").inner_text() == "5"
    board.unroute("**/statistics")
    board.get_by_text("as of").wait_for()


def test_what_a_server_says_is_text_and_never_markup(visits, asked):
    device = visits.device()
    told = asked.figures() | {"name": "<img src=x onerror=alert(1)>", "guarantee": "<b>bold</b>"}
    device.route("**/statistics", lambda route: route.fulfill(status=200, body=json.dumps(told)))
    board = visits.dashboard(asked, device)
    assert board.locator("h1").inner_text() == told["name"]
    assert board.locator("main img, main b").count() == 0
