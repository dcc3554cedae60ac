"""What somebody sends who means harm, or whose client is broken; over plain sockets where it must be."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import httpx
import pytest
from tests.collector.playing import ADMIN, Admin, campaign, report, running, serving

import hushgraph as hg
from hushgraph.collector.serving import listen
from hushgraph.collector.settings import Settings

ASKED = campaign()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admin]:
    """A collector that waits for a second at most."""
    folder = tmp_path_factory.mktemp("impatient")
    given = {"header_seconds": 0.5, "body_seconds": 0.5, "connections": 20, "largest_report": 1_000}
    with running(f"sqlite:///{folder}/collector.db", **given) as one:
        one.started(ASKED)
        yield one


def _connected(admin: Admin) -> socket.socket:
    host, _, port = admin.address.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), timeout=10)


def _answer(one: socket.socket) -> tuple[int, dict[str, str]]:
    """The first answer, once the other side has hung up."""
    read = b""
    while part := one.recv(1 << 16):
        read += part
    assert read, "there was no answer"
    status = int(read[9:12])
    length = re.search(rb"content-length: (\d+)", read.lower())
    assert length is not None
    body = read.partition(b"\r\n\r\n")[2][: int(length[1])]
    return status, json.loads(body)


def _exchange(admin: Admin, *parts: bytes, pause: float = 0.0) -> tuple[int, dict[str, str]]:
    with closing(_connected(admin)) as one:
        for part in parts:
            one.sendall(part)
            time.sleep(pause)
        return _answer(one)


def _head(admin: Admin, token: str, *headers: str) -> bytes:
    lines = [
        f"PUT /v1/campaigns/{ASKED.id}/report HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {token}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.fixture(scope="module")
def token(impatient: Admin) -> str:
    return impatient.tokens(ASKED, 1, first=9)[9]


def test_a_body_shorter_than_it_says_is_not_waited_for(impatient: Admin, token: str) -> None:
    body = report(ASKED, 9)
    began = time.monotonic()
    status, told = _exchange(impatient, _head(impatient, token, "Content-Length: 90") + body)
    assert (status, told["why"]) == (408, "the body did not arrive within 0.5 s")
    assert time.monotonic() - began < 3
    assert impatient.stored(ASKED, token).status_code == 404


def test_a_body_that_says_it_is_too_long_is_not_read(impatient: Admin, token: str) -> None:
    assert _exchange(impatient, _head(impatient, token, f"Content-Length: {10**12}"))[0] == 413


def test_a_body_that_does_not_say_how_long_it_is_is_read_up_to_the_limit(
    impatient: Admin, token: str
) -> None:
    chunk = b"64\r\n" + b"x" * 100 + b"\r\n"
    assert _exchange(impatient, _head(impatient, token, "Transfer-Encoding: chunked") + chunk * 11)[0] == 413


def test_what_follows_a_body_is_another_request(impatient: Admin, token: str) -> None:
    """And none that can be read: the report before it is refused or kept by itself alone."""
    body = report(ASKED, 9)
    status, _ = _exchange(
        impatient, _head(impatient, token, f"Content-Length: {len(body) - 1}", "Connection: close") + body
    )
    assert status == 422


@pytest.mark.parametrize(
    "header",
    [
        "Content-Length: -1",
        "Content-Length: x",
        "Content-Length: 1\r\nContent-Length: 2",
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
    ],
)
def test_contradictory_lengths_are_not_http(impatient: Admin, token: str, header: str) -> None:
    assert _exchange(impatient, _head(impatient, token, header) + b"hello")[0] == 400


def test_a_body_that_trickles_is_given_up(impatient: Admin, token: str) -> None:
    body = report(ASKED, 9)
    head = _head(impatient, token, f"Content-Length: {len(body)}")
    began = time.monotonic()
    with closing(_connected(impatient)) as one:
        one.sendall(head)
        with pytest.raises(OSError):  # noqa: PT012
            for byte in body * 100:
                one.sendall(bytes([byte]))
                time.sleep(0.1)
        assert time.monotonic() - began < 5


def test_a_head_that_trickles_is_given_up(impatient: Admin) -> None:
    assert _exchange(impatient, b"GET /healthz HTTP/1.1\r\nHost: x\r\n", b"X-", b"a", pause=0.1)[0] == 408
    # Also the head of a second request on a connection.
    first = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    began = time.monotonic()
    with closing(_connected(impatient)) as one:
        one.sendall(first)
        assert one.recv(1 << 16).startswith(b"HTTP/1.1 200")
        one.sendall(first[:-4])
        assert _answer(one)[0] == 408
    assert time.monotonic() - began < 3


def test_who_says_nothing_is_left(impatient: Admin) -> None:
    began = time.monotonic()
    assert _exchange(impatient)[0] == 408
    assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"x" * 20_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5_000,
        b"GET / HTTP/1.1\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
    ],
)  # fmt: skip
def test_heads_have_an_end(impatient: Admin, sent: bytes) -> None:
    with closing(_connected(impatient)) as one:
        try:
            for at in range(0, len(sent), 4_000):
                one.sendall(sent[at : at + 4_000])
                time.sleep(0.01)
            status, _ = _answer(one)
        except OSError:
            return  # it hung up while we were still talking
        assert status in (400, 404, 431)


@pytest.mark.parametrize(
    "sent",
    [
        b"\0\r\n\r\n", b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n", b"G\xffT / HTTP/1.1\r\n\r\n", b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_http_is_answered_with_a_reason(impatient: Admin, sent: bytes) -> None:
    status, told = _exchange(impatient, sent)
    assert status in (400, 404, 405, 408)
    assert told["why"]


def test_there_are_only_so_many_connections(impatient: Admin) -> None:
    others = [_connected(impatient) for _ in range(30)]
    try:
        time.sleep(0.1)
        with closing(_connected(impatient)) as one:
            status, told = _answer(one)
        assert (status, told["why"]) == (503, "there are too many connections")
    finally:
        for other in others:
            other.close()
    time.sleep(0.2)
    assert impatient.http.get(f"{impatient.address}/healthz").status_code == 200


def test_who_hangs_up_in_the_middle_does_no_harm(impatient: Admin, token: str) -> None:
    body = report(ASKED, 9)
    whole = _head(impatient, token, f"Content-Length: {len(body)}") + body
    in_body = len(whole) - len(body) + 1
    for end in (*range(1, len(whole), 37), in_body, len(whole) - 1):
        with closing(_connected(impatient)) as one:
            one.sendall(whole[:end])
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    assert impatient.http.get(f"{impatient.address}/readyz").status_code == 200
    assert 'status="500"' not in _metrics(impatient)


@pytest.mark.parametrize(
    ("method", "place"),
    [("PUT", "/{id}/report"), ("POST", "/{id}/reports"), ("POST", "/{id}/tokens"), ("POST", "")],
)
@pytest.mark.parametrize("length", [100, 20_000])
def test_who_hangs_up_inside_a_body_is_no_failure_of_ours(
    impatient: Admin, token: str, method: str, place: str, length: int
) -> None:
    shown = token if method == "PUT" else ADMIN
    route = f"/v1/campaigns{place}"
    line = f'method="{method}",route="{route}",status="499"'
    asked_for = route.replace("{id}", ASKED.id)
    head = f"{method} {asked_for} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {shown}\r\n"
    with closing(_connected(impatient)) as one:
        one.sendall(f"{head}Content-Length: {length}\r\n\r\nabc".encode())
        time.sleep(0.1)
    time.sleep(0.1)
    after = _metrics(impatient)
    assert 'status="500"' not in after
    # What says that it is too long is refused before it comes.
    assert length > 1_000 or line in after


def _metrics(admin: Admin) -> str:
    return admin.http.get(f"{admin.address}/metrics").text


def test_bodies_that_nobody_asked_for_are_not_kept(impatient: Admin) -> None:
    """An endless one to a route that reads none ends with the connection."""
    began = time.monotonic()
    with closing(_connected(impatient)) as one, pytest.raises(OSError):  # noqa: PT012
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        while time.monotonic() - began < 8:
            one.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
            time.sleep(0.01)
    assert time.monotonic() - began < 5


def _never_reading(admin: Admin) -> socket.socket:
    """Connected, with room for hardly anything."""
    host, _, port = admin.address.removeprefix("http://").rpartition(":")
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
    one.connect((host, int(port)))
    return one


def _alive_within(admin: Admin, seconds: float) -> bool:
    """Whether others come through."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with suppress(httpx.HTTPError):
            if httpx.get(f"{admin.address}/healthz", timeout=5).status_code == 200:
                return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("last", [b"", b"Connection: close\r\n"])
def test_who_never_reads_does_not_hold_a_connection_for_ever(on_sqlite: str, last: bytes) -> None:
    """Without a token: they send requests ahead, and take none of the answers."""
    document = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n"
    with running(on_sqlite, connections=20, send_seconds=0.5) as admin:
        others = [_never_reading(admin) for _ in range(20)]
        try:
            for other in others:
                other.sendall((document + b"\r\n") * 90 + document + last + b"\r\n")
            time.sleep(0.3)
            assert _alive_within(admin, 10)
        finally:
            for other in others:
                other.close()


def test_a_client_that_does_not_read_its_tokens_is_left(on_sqlite: str) -> None:
    """Its socket stays open: the other side hangs up."""
    asked = campaign(people=10_000)
    with running(on_sqlite, send_seconds=0.5, connections=2) as admin:
        admin.create(asked)
        admin.http.close()
        body = b'{"count": 10000}'
        request = (
            f"POST /v1/campaigns/{asked.id}/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
            f"Authorization: {admin.headers['Authorization']}\r\n\r\n"
        ).encode() + body
        with closing(_never_reading(admin)) as one, closing(_never_reading(admin)) as two:
            one.sendall(request * 30)
            two.sendall(request * 30)
            time.sleep(0.3)
            assert _alive_within(admin, 20)


def test_requests_sent_ahead_have_an_end(impatient: Admin) -> None:
    with closing(_connected(impatient)) as one:
        one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 1_000)
        read = b""
        with suppress(ConnectionResetError):
            while part := one.recv(1 << 16):
                read += part
    assert read.count(b"HTTP/1.1 200") <= 101


def test_one_address_has_only_so_many_connections(on_sqlite: str) -> None:
    with running(on_sqlite, connections_of_one=3) as admin, ExitStack() as stack:
        mine = [stack.enter_context(closing(_connected(admin))) for _ in range(3)]
        time.sleep(0.1)
        with closing(_connected(admin)) as one:
            assert _answer(one) == (503, {"why": "there are too many connections from this address"})
        # Another address of this machine.
        host, _, port = admin.address.removeprefix("http://").rpartition(":")
        with closing(socket.create_connection((host, int(port)), 10, ("127.0.0.2", 0))) as other:
            other.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert _answer(other)[0] == 200
        mine[0].close()
        assert _alive_within(admin, 5)


def test_a_trusted_proxy_has_as_many_connections_as_there_are(on_sqlite: str) -> None:
    settings = Settings(database=on_sqlite, admin_token=ADMIN, connections_of_one=1)
    for trusted, status in (("127.0.0.1", 200), ("10.0.0.2", 503), (None, 503)):
        with serving(listen(settings, port=0, trusted_proxies=trusted)) as admin, closing(_connected(admin)):
            time.sleep(0.1)
            assert httpx.get(f"{admin.address}/healthz").status_code == status


def _long_report(asked: hg.Campaign, token: str, *headers: str, sent: int = 0) -> bytes:
    """The beginning of a report whose rest does not come."""
    lines = [
        f"PUT /v1/campaigns/{asked.id}/report HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {token}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + b"x" * sent


@pytest.mark.parametrize("length", ["Content-Length: 900000", "Transfer-Encoding: chunked"])
def test_a_long_body_is_not_read_for_an_invented_token(on_sqlite: str, length: str) -> None:
    """Nor one that does not say how long it is: memory would be for whoever comes along."""
    asked = campaign(people=1_000_000, lists=hg.AdjacencyRandomizedResponse(14.0))
    with running(on_sqlite) as admin:
        admin.create(asked)
        admin.post(asked, "open")
        began = time.monotonic()
        with closing(_connected(admin)) as one:
            one.sendall(_long_report(asked, f"7.{'A' * 22}", length))
            assert one.recv(1 << 16).startswith(b"HTTP/1.1 401")
        assert time.monotonic() - began < 5


def test_long_bodies_have_a_budget_and_one_token_a_part_of_it(on_sqlite: str) -> None:
    asked = campaign(people=1_000_000, lists=hg.AdjacencyRandomizedResponse(14.0))
    length = "Content-Length: 90000"
    with running(on_sqlite, largest_report=100_000, body_bytes=140_000) as admin, ExitStack() as stack:
        admin.create(asked)
        admin.post(asked, "open")
        tokens = admin.tokens(asked, 3)
        first = stack.enter_context(closing(_connected(admin)))
        first.sendall(_long_report(asked, tokens[0], length, sent=60_000))
        time.sleep(0.2)
        for person in (0, 1):
            # The token's part is used up; then, with another one's, the budget.
            one = stack.enter_context(closing(_connected(admin)))
            one.sendall(_long_report(asked, tokens[person], length, sent=89_000 if person else 60_000))
            assert _answer(one) == (503, {"why": "too many bodies are arriving at a time"})
        # Short ones need none of it.
        assert admin.send(asked, tokens[2], b"x" * 100).status_code == 422
        first.close()
        time.sleep(0.2)
        again = stack.enter_context(closing(_connected(admin)))
        again.sendall(_long_report(asked, tokens[0], length, sent=90_000))
        assert again.recv(1 << 16).startswith(b"HTTP/1.1 422")
