"""The JavaScript client in a browser: tabs that race, storage that outlives them, terms that were changed."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest

import hushgraph as hg

pytestmark = pytest.mark.slow

CLIENT = Path(__file__).parents[2] / "clients" / "js"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
TABS = 4

# What a page does: a campaign, a reporter on this origin's store, and what is made of both.
SCRIPT = """async ([terms, id, label, cap, what]) => {
    const { Campaign, Reporter, openStore, explain } = await import("/src/index.js");
    const campaign = await Campaign.fromTerms(terms, id);
    const reporter = new Reporter({ store: await openStore(), epsilon: cap });
    const digits = (byte) => byte.toString(16).padStart(2, "0");
    const hexadecimal = (bytes) => bytes && Array.from(bytes, digits).join("");
    try {
        if (what === "forget") await reporter.forget(id);
        if (what === "answer") {
            const { bytes } = await reporter.answer(campaign, 0, { label });
            const parts = await explain(campaign, bytes);
            const { epsilon } = await reporter.spent();
            return { bytes: hexadecimal(bytes), explained: parts.at(-1).to, spent: epsilon };
        }
        return (await reporter.records()).map(({ state, bytes }) => [state, hexadecimal(bytes)]);
    } catch (error) {
        return { error: error.name, spent: (await reporter.spent()).epsilon };
    }
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the client, and an empty page of the same origin."""

    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><link rel=icon href='data:,'><title>device</title>")

    def log_message(self, *_):
        pass


def unavailable(reason):
    if os.environ.get("HUSHGRAPH_BROWSER_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def origin():
    handler = functools.partial(Quiet, directory=CLIENT)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium():
    program = shutil.which("chromium")
    if program is None:
        unavailable("chromium is not installed (Debian: apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("playwright is not installed (pip install playwright)")
    with sync_playwright() as playwright:
        yield functools.partial(
            playwright.chromium.launch_persistent_context, executable_path=program, args=FLAGS
        )


@pytest.fixture
def tabs(chromium, origin, tmp_path):
    """Opens tabs of one browser, whose storage is kept when it ends."""
    opened = []

    def open_tabs(count):
        context = chromium(tmp_path / "profile")
        opened.append(context)
        pages = [context.new_page() for _ in range(count)]
        for page in pages:
            page.goto(origin)
        return context, pages

    yield open_tabs
    for context in opened:
        context.close()


def campaign(name):
    return hg.Campaign(name=name, classes=200, labels=hg.RandomizedResponse(1.0))


def does(page, asked, what="answer", label=3, cap=2.0):
    return page.evaluate(SCRIPT, [asked.to_json(), asked.id, label, cap, what])


def started(page, number, asked, label=3, cap=2.0):
    """Begins to answer, and leaves what comes of it in the page."""
    arguments = [asked.to_json(), asked.id, label, cap, "answer"]
    page.evaluate(f"(given) => {{ window.answered{number} = ({SCRIPT})(given); }}", arguments)


def test_of_tabs_that_race_all_give_the_answer_of_the_first(tabs):
    _, pages = tabs(TABS)
    asked = campaign("race")
    for label, page in enumerate(pages):
        started(page, 0, asked, label)
    answers = [page.evaluate("window.answered0") for page in pages]
    assert len({answer["bytes"] for answer in answers}) == 1
    assert all(answer["spent"] == 1.0 for answer in answers)
    assert answers[0]["explained"] * 2 == len(answers[0]["bytes"])


def test_tabs_that_race_for_what_is_left_of_the_cap_do_not_pass_it_together(tabs):
    _, pages = tabs(TABS)
    for number, page in enumerate(pages):
        started(page, 0, campaign(f"race {number}"))
    answers = [page.evaluate("window.answered0") for page in pages]
    assert sorted(answer.get("error", "") for answer in answers) == ["", "", *["BudgetExceededError"] * 2]
    assert does(pages[0], campaign("another"))["spent"] == 2.0


def test_the_answer_survives_the_browser_and_is_gone_when_it_is_forgotten(tabs):
    asked = campaign("spring")
    context, (page,) = tabs(1)
    first = does(page, asked)
    page.reload()
    assert does(page, asked, label=4) == first
    context.close()
    _, (page,) = tabs(1)
    assert does(page, asked, label=5) == first
    assert does(page, asked, "records") == [["answered", first["bytes"]]]
    assert does(page, asked, "forget") == [["forgotten", None]]
    assert does(page, asked) == {"error": "NotAnsweredError", "spent": 1.0}


def test_terms_that_were_changed_under_the_same_id_are_refused(tabs):
    _, (page,) = tabs(1)
    asked, other = campaign("spring"), campaign("summer")
    refused = """async ([terms, id]) => {
        const { Campaign } = await import("/src/index.js");
        return Campaign.fromTerms(terms, id).then(() => "taken", (error) => error.name);
    }"""
    assert page.evaluate(refused, [other.to_json(), asked.id]) == "CampaignError"
    assert page.evaluate(refused, [asked.to_json(), asked.id]) == "taken"
