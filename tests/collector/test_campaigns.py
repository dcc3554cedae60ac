"""Campaigns are created, opened and closed by an administrator, and their terms are public."""

from __future__ import annotations

import hashlib
import json

from tests.collector.playing import ADMIN, Admin, campaign

import hushgraph as hg


def test_a_campaign_begins_as_a_draft_and_is_there_once(admin: Admin, asked: hg.Campaign) -> None:
    first, second = admin.create(asked), admin.create(asked)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    told = admin.get(asked).json()
    times = {name: told.pop(name) for name in ("created", "opened", "closed")}
    assert times["created"] > 0
    assert (times["opened"], times["closed"]) == (None, None)
    assert told == {
        "id": asked.id, "name": asked.name, "state": "draft", "num_people": 200, "reports": 0, "withdrawn": 0,
        "tokens": 0,
    }  # fmt: skip


def test_the_terms_are_exactly_what_the_id_is_the_hash_of(admin: Admin, asked: hg.Campaign) -> None:
    # However they were written when they came.
    text = json.dumps(json.loads(asked.to_json()), indent=4)
    admin.http.post(f"{admin.address}/v1/campaigns", content=text.encode(), headers=admin.headers)
    terms = admin.http.get(f"/{asked.id}/terms")
    assert hashlib.sha256(terms.content).hexdigest() == asked.id
    assert terms.headers["Hushgraph-State"] == "draft"
    assert hg.Campaign.from_json(terms.text).id == asked.id


def test_a_closed_campaign_stays_closed(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    assert admin.post(asked, "open").json()["state"] == "open"
    assert admin.post(asked, "open").json()["state"] == "open"
    told = admin.post(asked, "close").json()
    assert told["state"] == "closed"
    assert admin.post(asked, "close").json() == told
    assert admin.post(asked, "open").status_code == 409
    assert admin.http.get(f"/{asked.id}/terms").headers["Hushgraph-State"] == "closed"


def test_campaigns_are_listed_for_the_administrator(admin: Admin) -> None:
    others = [campaign(name=name) for name in ("one", "two")]
    for other in others:
        admin.create(other)
    listed = admin.http.get(f"{admin.address}/v1/campaigns", headers=admin.headers).json()
    assert [one["id"] for one in listed][-2:] == [other.id for other in others]


def test_only_the_admin_token_administers(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    for token in ("x", ADMIN[:-1], f"{ADMIN}x", ADMIN.upper(), f"{ADMIN}é"):
        headers = {"Authorization": f"Bearer {token}".encode()}
        for method, place in (
            ("POST", ""), ("GET", ""), ("GET", f"/{asked.id}"), ("POST", f"/{asked.id}/open"),
            ("POST", f"/{asked.id}/close"), ("POST", f"/{asked.id}/tokens"), ("GET", f"/{asked.id}/export"),
            ("GET", f"/{asked.id}/statistics"), ("GET", f"/{'0' * 64}"),
        ):  # fmt: skip
            answer = admin.http.request(method, f"{admin.address}/v1/campaigns{place}", headers=headers)
            assert (answer.status_code, answer.json()) == (
                401,
                {"why": "the token is missing, wrong or expired"},
            )
    assert admin.get(asked).json()["state"] == "draft"


def test_what_is_no_campaign_is_refused_with_a_reason(admin: Admin, asked: hg.Campaign) -> None:
    text = asked.to_json()
    changes = {
        '"num_features":20': '"num_features":1000000000000',
        '"num_people":200': '"num_people":1e400',
        '["cat","dog","bird"]': "1000000000000",
        '"multi-bit"': '"os.system"',
        '"name":"pets ': '"name":"\\ud800',
    }
    assert all(change in text for change in changes)
    changed = [text.replace(*change).encode() for change in changes.items()]
    plain = [b"", b"\xff", b"null", b"[]", b"{}", b"1e999", b"[" * 100_000, text.encode()[:-1]]
    for body in plain + changed:
        answer = admin.http.post(f"{admin.address}/v1/campaigns", content=body, headers=admin.headers)
        assert answer.status_code == 422, body[:100]
        assert answer.json()["why"].startswith("the campaign is not accepted: ")


def test_a_name_may_be_anything_that_is_text(admin: Admin) -> None:
    odd = campaign(name="\0 🎈 '); DROP TABLE campaigns; --")
    assert admin.create(odd).status_code == 201
    assert admin.get(odd).json()["name"] == odd.name


def test_unknown_campaigns_are_not_there(admin: Admin) -> None:
    for method, place in (("GET", ""), ("GET", "/terms"), ("POST", "/open"), ("GET", "/export")):
        answer = admin.http.request(method, f"/{'0' * 64}{place}", headers=admin.headers)
        assert answer.status_code == 404
