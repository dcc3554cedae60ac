"""What somebody enters leaves their device as a randomised report only, and is kept nowhere."""

from __future__ import annotations

import json

import pytest
from tests.collector_pages.visits import press, send, shown_bytes

pytestmark = pytest.mark.slow

NUMBERS = {"hours outside": "17.90173", "cups of coffee": "3.30211", "likes dogs": "0.73519"}
LABEL = "Xylophone"
# Everything that a page can write down, in one text.
KEPT = """async () => {
  const told = [sessionStorage, localStorage, history.state].map(kept => JSON.stringify({...kept}));
  told.push(document.cookie, location.href, (await caches.keys()).join());
  for (const {name, version} of await indexedDB.databases()) {
    const opening = indexedDB.open(name, version);
    await new Promise(done => { opening.onsuccess = done; });
    const database = opening.result;
    for (const table of database.objectStoreNames) {
      const all = database.transaction(table).objectStore(table).getAll();
      await new Promise(done => { all.onsuccess = done; });
      told.push(JSON.stringify(all.result, (_, value) => ArrayBuffer.isView(value) ? [...value] : value));
    }
    database.close();
  }
  return told;
}"""


def answered(visits, asked):
    page = visits.participant(asked.link(7))
    for name, value in NUMBERS.items():
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_label(LABEL, exact=True).check()
    page.get_by_role("button", name="Randomise my answer").click()
    return page, shown_bytes(page)


def test_the_network_sees_the_report_and_never_what_was_entered(visits, asked):
    page, shown = answered(visits, asked)
    send(page)
    press(page, "Withdraw my answer", "Withdraw it")
    page.get_by_role("heading", name="Your answer is withdrawn").wait_for()
    page.reload()
    page.locator("#stage-title").wait_for()
    assert [sent.body for sent in visits.requests if sent.body] == [shown]
    for value in [*NUMBERS.values(), LABEL]:
        assert [sent.url for sent in visits.requests if sent.holds(value)] == []
    assert [sent.method for sent in visits.requests if sent.method not in ("GET", "PUT", "DELETE")] == []


def test_tokens_are_in_headers_and_never_in_an_address(visits, asked):
    page, _ = answered(visits, asked)
    send(page)
    token = asked.tokens[7]
    assert [sent.url for sent in visits.requests if token in sent.url] == []
    bearers = {sent.headers.get("authorization") for sent in visits.requests} - {None}
    assert bearers == {f"Bearer {token}"}
    assert {sent.headers.get("cookie") for sent in visits.requests} == {None}


def test_nothing_that_was_entered_is_kept_on_the_device(visits, asked):
    page, shown = answered(visits, asked)
    told = page.evaluate(KEPT)
    # It looks at the right places: the bytes of the report are there.
    assert any(json.dumps(list(shown), separators=(",", ":")) in text for text in told)
    for value in [*NUMBERS.values(), LABEL]:
        assert [text for text in told if value in text] == []
    page.go_back()
    page.go_forward()
    page.locator("#stage-title").wait_for()
    assert page.locator("input").count() == 0


def test_nothing_is_asked_of_another_server_and_no_page_of_another_may_frame_it(visits, asked):
    page, _ = answered(visits, asked)
    policy = page.evaluate(
        "async () => (await fetch(location.pathname)).headers.get('content-security-policy')"
    )
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.locator("[style], style, script:not([src])").count() == 0
    assert {url.split("/")[2] for url in visits.urls} == {asked.collector.address.split("/")[2]}
