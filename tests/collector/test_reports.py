"""One person's report: kept once, acknowledged again, never replaced, withdrawn for good."""

from __future__ import annotations

import time

import httpx
import pytest
from tests.collector.playing import ADMIN, Admin, campaign, other_report, report, running

import hushgraph as hg
from hushgraph.collection.wire import Wire


def test_a_report_is_kept_and_read_back(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    answer = admin.send(asked, tokens[3], report(asked, 3))
    assert (answer.status_code, answer.json()) == (201, {"state": "kept"})
    stored = admin.stored(asked, tokens[3])
    assert (stored.status_code, stored.content) == (200, report(asked, 3))
    assert admin.get(asked).json()["reports"] == 1


def test_the_same_report_is_acknowledged_again(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    admin.send(asked, tokens[3], report(asked, 3))
    answer = admin.send(asked, tokens[3], report(asked, 3))
    assert (answer.status_code, answer.json()) == (200, {"state": "again"})
    assert admin.get(asked).json()["reports"] == 1


def test_a_different_second_report_is_refused_and_the_first_is_kept(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    admin.send(asked, tokens[3], report(asked, 3))
    assert admin.send(asked, tokens[3], other_report(asked, 3)).status_code == 409
    assert admin.stored(asked, tokens[3]).content == report(asked, 3)


def test_nothing_is_taken_before_opening_or_after_closing(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    tokens = admin.tokens(asked)
    assert admin.send(asked, tokens[0], report(asked, 0)).status_code == 403
    admin.post(asked, "open")
    assert admin.send(asked, tokens[0], report(asked, 0)).status_code == 201
    admin.post(asked, "close")
    assert admin.send(asked, tokens[1], report(asked, 1)).status_code == 403
    assert admin.get(asked).json()["reports"] == 1


@pytest.mark.parametrize("closed", [False, True])
def test_what_was_withdrawn_is_gone_for_good(admin: Admin, closed: bool, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    admin.send(asked, tokens[3], report(asked, 3))
    if closed:
        admin.post(asked, "close")
    assert admin.withdraw(asked, tokens[3]).status_code == 204
    assert admin.withdraw(asked, tokens[3]).status_code == 204
    assert admin.stored(asked, tokens[3]).status_code == 410
    for replayed in (report(asked, 3), other_report(asked, 3)):
        assert admin.send(asked, tokens[3], replayed).status_code == (403 if closed else 410)
    told = admin.get(asked).json()
    assert (told["reports"], told["withdrawn"]) == (0, 1)


def test_who_withdraws_before_sending_is_not_taken_later(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    assert admin.stored(asked, tokens[3]).status_code == 404
    assert admin.withdraw(asked, tokens[3]).status_code == 204
    assert admin.send(asked, tokens[3], report(asked, 3)).status_code == 410


def test_wrong_tokens_of_all_kinds_are_refused_alike(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    other = campaign(name="another campaign")
    of_another_campaign = admin.started(other)[3]
    # Issued anew, the earlier one ends; and one that ends by itself.
    replaced = tokens[3]
    tokens |= admin.tokens(asked, 1, first=3)
    short = admin.tokens(asked, 1, first=4, days=1e-7)[4]
    time.sleep(1.1)
    unknown = f"150.{tokens[3].partition('.')[2]}"
    wrong = [
        of_another_campaign,
        replaced,
        unknown,
        "3",
        "3.",
        f"0{tokens[3]}",
        f"-{tokens[3]}",
        "é.é",
        ADMIN,
    ]
    expected: set[str] = set()
    for token in wrong:
        for answer in _everything(admin, asked, token, report(asked, 3)):
            assert answer.status_code == 401, token
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            expected.add(answer.text)
    for answer in _everything(admin, asked, short, report(asked, 4)):
        assert answer.status_code == 401
        expected.add(answer.text)
    assert len(expected) == 1
    assert admin.get(asked).json()["reports"] == 0


def _everything(admin: Admin, asked: hg.Campaign, token: str, body: bytes) -> list[httpx.Response]:
    headers = {"Authorization": f"Bearer {token}".encode()}
    place = f"/{asked.id}/report"
    return [
        admin.http.put(place, content=body, headers=headers),
        admin.http.put(place, content=b"malformed", headers=headers),
        admin.http.get(place, headers=headers),
        admin.http.delete(place, headers=headers),
    ]


def test_a_token_is_for_one_person(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    answer = admin.send(asked, tokens[4], report(asked, 3))
    assert answer.status_code == 403
    assert admin.get(asked).json()["reports"] == 0
    assert admin.stored(asked, tokens[3]).status_code == 404


def test_a_token_is_no_administrators(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    for method, place in (
        ("GET", ""),
        ("GET", "/export"),
        ("GET", "/statistics"),
        ("POST", "/close"),
        ("POST", "/tokens"),
    ):
        headers = {"Authorization": f"Bearer {tokens[0]}"}
        assert admin.http.request(method, f"/{asked.id}{place}", headers=headers).status_code == 401
        assert admin.http.request(method, f"/{asked.id}{place}").status_code == 401


def test_malformed_reports_are_refused_with_a_reason_that_repeats_nothing(
    admin: Admin, asked: hg.Campaign
) -> None:
    tokens = admin.started(asked)
    good = report(asked, 3)
    for bad in (
        b"",
        b"SECRET",
        good[:-1],
        good + b"SECRET",
        bytes([good[0] ^ 0x20]) + good[1:],
        good[:1] + bytes(4) + good[5:],
    ):
        answer = admin.send(asked, tokens[3], bad)
        assert answer.status_code == 422
        assert answer.json()["why"]
        assert "SECRET" not in answer.text
    assert admin.get(asked).json()["reports"] == 0


def test_ids_with_odd_characters_are_no_campaigns(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    odd = (
        "x",
        "%00",
        "..",
        "%2e%2e%2f",
        "é",
        "🎈",
        "'; DROP TABLE reports; --",
        asked.id.upper(),
        asked.id[:-1],
        f"{asked.id}%0a",
        "%ff",
    )
    for name in odd:
        answer = admin.http.put(
            f"/{name}/report", content=report(asked, 3), headers={"Authorization": f"Bearer {tokens[3]}"}
        )
        assert answer.status_code in (400, 404), name
        assert admin.http.get(f"/{name}/terms").status_code in (400, 404), name


def test_one_who_asks_too_often_waits_and_others_do_not(database: str, asked: hg.Campaign) -> None:
    with running(database, requests=5, requests_a_second=0.001) as admin:
        tokens = admin.started(asked)
        answers = [admin.send(asked, tokens[3], report(asked, 3)).status_code for _ in range(7)]
        assert answers == [201, 200, 200, 200, 200, 429, 429]
        assert admin.send(asked, tokens[4], report(asked, 4)).status_code == 201
        # Somebody else's guesses do not use up what is the person's.
        guess = f"5.{'A' * 22}"
        assert {admin.send(asked, guess, report(asked, 5)).status_code for _ in range(7)} == {401, 429}
        assert admin.send(asked, tokens[5], report(asked, 5)).status_code == 201


def test_an_address_with_too_many_wrong_tokens_waits(on_sqlite: str, asked: hg.Campaign) -> None:
    with running(on_sqlite, failures=5, failures_a_second=2.0) as admin:
        tokens = admin.started(asked)
        answers = [
            admin.send(asked, f"{person}.{'A' * 22}", report(asked, person)).status_code
            for person in range(8)
        ]
        assert answers[:5] == [401] * 5
        assert answers[-1] == 429
        refused = admin.send(asked, tokens[3], report(asked, 3))
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
        time.sleep(0.6)
        assert admin.send(asked, tokens[3], report(asked, 3)).status_code == 201


def test_a_real_report_arrives_as_it_was_made(admin: Admin, asked: hg.Campaign) -> None:
    """With the operating system's randomness, through the device's own interface."""
    tokens = admin.started(asked)
    sent = hg.answer(asked, 7, features=[0.5] * 20, label="dog", public_columns=True)
    assert admin.send(asked, tokens[7], Wire(asked).encode(sent)).status_code == 201
    arrived = Wire(asked).decode(admin.stored(asked, tokens[7]).content)
    assert not arrived.simulated
    assert Wire(asked).encode(arrived) == Wire(asked).encode(sent)
