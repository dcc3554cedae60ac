"""What people hold is nowhere at the server: raw values are planted in devices and then searched for.

So are tokens, which are at the server for as long as a request lasts, and a withdrawn report, which must be
gone.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psycopg
import pytest
from tests.collector import playing, postgresql
from tests.collector.playing import ADMIN, Admin, batch, campaign, other_report, secret
from tests.collector.processes import Process

import hushgraph as hg
from hushgraph.collection.wire import Wire

# Numbers that no noise makes by chance: as text, as single and as double precision they can be searched for.
PLANTED = 0.718281828
FRIENDS = (70_001, 70_003, 70_007)
PEOPLE = 100_000
pytestmark = pytest.mark.slow


def _traces() -> list[bytes]:
    return [
        b"718281828", b"7182818", struct.pack("<d", PLANTED), struct.pack(">d", PLANTED),
        struct.pack("<f", PLANTED), struct.pack(">f", PLANTED),
        json.dumps(list(FRIENDS)).encode(),
        np.array(FRIENDS).tobytes(), np.array(FRIENDS, np.int32).tobytes(),
    ]  # fmt: skip


@pytest.fixture
def asked() -> hg.Campaign:
    return campaign(
        people=PEOPLE,
        num_features=8,
        features=hg.Laplace(2.0),
        labels=hg.RandomizedResponse(0.5),
        lists=hg.AdjacencyRandomizedResponse(9.0),
    )


@pytest.fixture
def collector(database: str, tmp_path: Path) -> Iterator[Process]:
    process = Process(database, postgresql.free_port(), tmp_path / "log", "--setting", "failures=1000000")
    process.start()
    yield process
    process.end()


def _everything_at_the_server(database: str, tmp_path: Path) -> bytes:
    """The files of SQLite with its journal and our log; of PostgreSQL all rows beside."""
    found = b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()) if path.is_file())
    if database.startswith("sqlite"):
        assert (tmp_path / "collector.db-wal").exists()
        return found
    with psycopg.connect(database) as connection:
        for table in ("campaigns", "tokens", "reports"):
            with connection.cursor().copy(f"COPY {table} TO STDOUT (FORMAT binary)".encode()) as rows:
                found += b"".join(bytes(part) for part in rows)
    return found


def test_raw_values_tokens_and_secrets_are_nowhere_at_the_server(
    collector: Process, database: str, tmp_path: Path, asked: hg.Campaign
) -> None:
    admin = Admin(collector.address)
    admin.create(asked)
    admin.post(asked, "open")
    tokens = admin.tokens(asked, 20)
    wire = Wire(asked)
    seen = b""
    for person in range(20):
        values = {"features": [PLANTED] * 8, "label": 1, "friends": FRIENDS}
        body = wire.encode(hg.answer(asked, person, public_columns=True, **values))
        if person < 10:
            answer = admin.send(asked, tokens[person], body)
        else:
            answer = admin.send_batch(asked, batch([(tokens[person], body)]))
        assert answer.status_code in (200, 201)
        seen += answer.content
        # What goes wrong must not say more.
        wrong = b"MARKED_BODY" + struct.pack("<f", PLANTED)
        for token in (tokens[person], f"{person}.{'M' * 21}A", "MARKED_TOKEN"):
            for malformed in (wrong, body + wrong, body[:-1]):
                seen += admin.send(asked, token, malformed).content
        seen += admin.http.get(f"/MARKED_ID/terms?MARKED_QUERY={PLANTED}").content
        seen += admin.http.post(
            f"{admin.address}/v1/campaigns", content=b'{"classes": "MARKED_BODY"}', headers=admin.headers
        ).content
    for place in ("/export", "/statistics", ""):
        answer = admin.get(asked, place)
        assert answer.status_code == 200
        seen += answer.content
    for place in ("/metrics", "/healthz", "/readyz", "/openapi.json", "/MARKED_PATH"):
        seen += admin.http.get(f"{admin.address}{place}").content
    admin.http.close()
    at_rest = _everything_at_the_server(database, tmp_path)
    log = (tmp_path / "log").read_bytes()
    for trace in _traces():
        assert trace not in seen
        assert trace not in at_rest
    for person, token in tokens.items():
        assert secret(token) not in at_rest, person
        assert token.partition(".")[2].encode() not in at_rest + seen
    assert re.search(b"MARKED_", log + seen) is None
    assert ADMIN.encode() not in at_rest + seen
    # No address of a client, and no id of a person: numbers in the log are times and statuses.
    for line in log.splitlines()[1:]:
        facts = json.loads(line)
        assert set(facts) <= {
            "time", "level", "what", "method", "route", "status", "ms", "campaign", "count", "version",
            "database",
        }  # fmt: skip
        assert "127.0.0.1" not in line.decode()


def test_what_the_server_has_is_what_the_device_sent(
    collector: Process, database: str, tmp_path: Path, asked: hg.Campaign
) -> None:
    """The search above would find it: the randomised bytes are found in the same places."""
    admin = Admin(collector.address)
    admin.create(asked)
    admin.post(asked, "open")
    token = admin.tokens(asked, 1)[0]
    body = Wire(asked).encode(hg.answer(asked, 0, features=[PLANTED] * 8, public_columns=True))
    admin.send(asked, token, body)
    assert body in _everything_at_the_server(database, tmp_path)
    assert body in admin.get(asked, "/export").content
    admin.http.close()


def test_a_withdrawn_report_is_in_no_file(tmp_path: Path) -> None:
    """Of many people who came in no order, with bodies of many lengths: nor are copies left behind."""
    asked = campaign(people=2_000, num_features=0, features=None, lists=hg.AdjacencyRandomizedResponse(4.0))
    wire = Wire(asked)
    rng = np.random.default_rng(0)
    bodies = {}
    for person in rng.permutation(2_000).tolist():
        names = rng.choice(2_000, rng.integers(20, 60), replace=False)
        answered = hg.answer(
            asked, person, friends=[name for name in names.tolist() if name != person], rng=rng
        )
        bodies[person] = wire.encode(answered)
    with playing.running(f"sqlite:///{tmp_path}/collector.db") as admin:
        tokens = admin.started(asked)
        people = list(bodies)
        for at in range(0, 2_000, 250):
            some = [(tokens[person], bodies[person]) for person in people[at : at + 250]]
            assert admin.send_batch(asked, batch(some)).json()["kept"] == 250
        gone = rng.choice(2_000, 100, replace=False).tolist()
        for person in gone:
            assert admin.withdraw(asked, tokens[person]).status_code == 204
        files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        stay = set(people) - set(gone)
        # Middles of bodies: a page may hold a part of a long one.
        assert all(bodies[person][20:60] in files for person in stay)
        assert not any(bodies[person][20:60] in files for person in gone)


def test_two_reports_of_one_person_leave_one_in_the_files(tmp_path: Path) -> None:
    asked = campaign(num_features=400, features=hg.OneBit(4.0))
    with playing.running(f"sqlite:///{tmp_path}/collector.db") as admin:
        tokens = admin.started(asked)
        first, second = playing.report(asked, 3), other_report(asked, 3)
        admin.send(asked, tokens[3], first)
        assert admin.send(asked, tokens[3], second).status_code == 409
        files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert first in files
        assert second not in files
