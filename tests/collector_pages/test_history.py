"""What a browser writes to its disk, where the next person at the machine finds it."""

from __future__ import annotations

import shutil

import pytest
from tests.collector_pages.conftest import FLAGS
from tests.collector_pages.visits import sign_in

pytestmark = pytest.mark.slow

# What Chromium keeps of addresses, when it is closed too.
ADDRESSES = (
    "History",
    "Favicons",
    "Sessions",
    "Top Sites",
    "Visited Links",
    "Preferences",
    "Login Data",
    "Web Data",
)


@pytest.fixture
def kept_browser(browser, tmp_path):
    """A browser that keeps a history; called, it ends and says what is in these files of its profile."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=shutil.which("chromium"), args=FLAGS
    )

    def written():
        context.pages[0].wait_for_timeout(1000)
        context.close()
        files = [path for path in (tmp_path / "profile").rglob("*") if path.is_file()]
        named = [path for path in files if any(path.match(f"*{name}*") for name in ADDRESSES)]
        named += [path for path in files if path.parent.name == "Sessions"]
        return {path.name: path.read_bytes() for path in named}

    yield context, written
    context.close()


def holds(files, text):
    return [
        name
        for name, content in files.items()
        if text.encode() in content or text.encode("utf-16-le") in content
    ]


def test_the_administrators_token_gets_into_no_history(kept_browser, asked):
    context, written = kept_browser
    page = context.new_page()
    page.goto(asked.dashboard)
    sign_in(page, asked.collector.admin)
    page.locator(".board").wait_for()
    files = written()
    assert "History" in holds(files, f"/dashboard/{asked.campaign.id}")
    assert holds(files, asked.collector.admin) == []


def test_a_persons_token_gets_into_history_only_by_a_link(kept_browser, asked):
    context, written = kept_browser
    page = context.new_page()
    page.goto(asked.link(7).partition("#")[0])
    page.get_by_label("Your token").fill(asked.tokens[7])
    page.get_by_role("button", name="Use this token").click()
    page.get_by_role("heading", name="Your answer", exact=True).wait_for()
    page.goto(asked.link(8))
    page.get_by_role("heading", name="Your answer", exact=True).wait_for()
    files = written()
    assert holds(files, asked.tokens[7]) == []
    # Which is what the page says.
    assert "History" in holds(files, asked.tokens[8])
