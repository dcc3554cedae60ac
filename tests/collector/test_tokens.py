"""Tokens: issued in bulk, replaced, ended; only hashes are kept; a hook may vouch for people."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import types
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from tests.collector.playing import Admin, bearer, report, running, secret

import hushgraph as hg
from hushgraph.collector import tokens as written
from hushgraph.collector.hook import load


def test_tokens_are_numbers_and_secrets_none_twice(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    tokens = admin.tokens(asked, 200)
    assert list(tokens) == list(range(200))
    assert all(token.startswith(f"{person}.") for person, token in tokens.items())
    assert len({secret(token) for token in tokens.values()}) == 200
    assert admin.get(asked).json()["tokens"] == 200


def test_issued_again_the_earlier_one_ends_and_others_stay(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    again = admin.tokens(asked, 10, first=5)
    assert admin.send(asked, tokens[5], report(asked, 5)).status_code == 401
    assert admin.send(asked, again[5], report(asked, 5)).status_code == 201
    assert admin.send(asked, tokens[4], report(asked, 4)).status_code == 201
    assert admin.get(asked).json()["tokens"] == 200


def test_odd_wishes_are_refused(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    for wish in (
        {}, {"count": 0}, {"count": -1}, {"count": 201}, {"count": 1.5}, {"count": "1"}, {"count": True},
        {"first": 200, "count": 1}, {"first": -1, "count": 1}, {"first": 2**63, "count": 1},
        {"count": 1, "days": 0}, {"count": 1, "days": -1}, {"count": 1, "days": 1e300},
        {"count": 1, "SECRET": "SECRET"}, [], None, "x",
    ):  # fmt: skip
        answer = admin.http.post(f"/{asked.id}/tokens", json=wish, headers=admin.headers)
        assert answer.status_code == 422, wish
        assert answer.json()["why"]
        assert "SECRET" not in answer.text
    assert admin.get(asked).json()["tokens"] == 0


def test_only_a_hash_of_a_token_is_kept(tmp_path: Path, asked: hg.Campaign) -> None:
    file = tmp_path / "collector.db"
    with running(f"sqlite:///{file}") as admin:
        admin.create(asked)
        token = admin.tokens(asked, 1)[0]
    with sqlite3.connect(file) as connection:
        ((digest,),) = connection.execute("SELECT digest FROM tokens")
    text = b"hushgraph/token/1" + bytes.fromhex(asked.id) + bytes(8) + secret(token)
    assert digest == hashlib.sha256(text).digest()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert secret(token) not in content
    assert token.partition(".")[2].encode() not in content


def test_a_token_has_one_form() -> None:
    token = written.written(written.issue(12))
    assert written.parse(token) is not None
    last = "".join(chr(one) for one in range(33, 127) if chr(one) != token[-1])
    # The last of 22 characters carries two bits; others would be the same 16 bytes.
    assert sum(written.parse(token[:-1] + other) is not None for other in last) == 3
    for odd in (
        f" {token}",
        f"{token}\n",
        f"{token}=",
        f"+{token}",
        f"0{token}",
        f"{2**63}.{token[3:]}",
        token.replace("12", "１２"),
    ):
        assert written.parse(odd) is None


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch, asked: hg.Campaign) -> str:
    module = types.ModuleType("a_teams_own")

    def who(campaign_id: str, headers: Mapping[str, str]) -> int | None:
        assert campaign_id == asked.id
        if headers.get("cookie") == "session=broken":
            raise RuntimeError("SECRET")
        name = headers.get("cookie", "").removeprefix("session=")
        return int(name) if name else None

    module.who = who  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_teams_own", module)
    return "a_teams_own:who"


def test_a_hook_vouches_for_people(database: str, hook: str, asked: hg.Campaign) -> None:
    with running(database, token_hook=hook) as admin:
        admin.create(asked)
        admin.post(asked, "open")
        ask = f"/{asked.id}/token"
        given = admin.http.post(ask, headers={"cookie": "session=7"})
        assert (given.status_code, given.json()["person"]) == (200, 7)
        assert admin.send(asked, given.json()["token"], report(asked, 7)).status_code == 201
        assert admin.http.post(ask).status_code == 403
        assert admin.http.post(ask, headers={"cookie": "session=200"}).status_code == 422
        broken = admin.http.post(ask, headers={"cookie": "session=broken"})
        assert (broken.status_code, broken.json()) == (500, {"why": "something went wrong here"})
        again = admin.http.post(ask, headers={"cookie": "session=7"}).json()["token"]
        place = f"/{asked.id}/report"
        assert admin.http.get(place, headers=bearer(given.json()["token"])).status_code == 401
        assert admin.http.get(place, headers=bearer(again)).status_code == 200


ODD: dict[str, object] = {
    "true": True, "numpy-true": np.True_, "text": "3", "float": 3.0, "list": [3], "empty": "",
}  # fmt: skip


def test_what_a_hook_returns_must_be_a_whole_number(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, on_sqlite: str, asked: hg.Campaign
) -> None:
    """Anything else is a mistake of the server's, which issues nothing and ends nobody's token."""
    module = types.ModuleType("a_teams_own")
    returned = {**ODD, "one": 1, "numpy-one": np.int64(1), "nobody": None}
    module.who = lambda _, headers: returned[headers["cookie"]]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_teams_own", module)
    with running(on_sqlite, token_hook="a_teams_own:who") as admin:
        tokens = admin.started(asked)
        for name in ODD:
            caplog.clear()
            answer = admin.http.post(f"/{asked.id}/token", headers={"cookie": name})
            assert (answer.status_code, answer.json()) == (500, {"why": "something went wrong here"}), name
            told = [getattr(record, "facts", {}) for record in caplog.records]
            assert {"what": "the token hook must return a whole number or None", "error": "TypeError"} in [
                {key: facts[key] for key in ("what", "error") if key in facts} for facts in told
            ]
        for person in (0, 1, 3):
            assert admin.send(asked, tokens[person], report(asked, person)).status_code == 201
        for name in ("one", "numpy-one"):
            given = admin.http.post(f"/{asked.id}/token", headers={"cookie": name}).json()
            assert given["person"] == 1
            assert admin.stored(asked, given["token"]).status_code == 200
        assert admin.http.post(f"/{asked.id}/token", headers={"cookie": "nobody"}).status_code == 403


def test_without_a_hook_nobody_is_vouched_for(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    assert admin.http.post(f"/{asked.id}/token").status_code == 404


@pytest.mark.parametrize("place", ["", "os", "os:nothing", "no.such.module:f", "os:sep", ":", "os:path"])
def test_a_hook_that_is_none_is_refused_at_the_start(place: str) -> None:
    with pytest.raises(ValueError, match="the token hook"):
        load(place)
