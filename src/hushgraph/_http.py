"""Requests to a collector, with the standard library alone; a token goes only to the address it is for."""

from __future__ import annotations

import http.client
import ipaddress
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

TIMEOUT = 30.0
# What a server answers beyond this is not read.
LONGEST = 1 << 26
BUSY = (408, 429, 500, 502, 503, 504)


class RefusedError(OSError):
    """The server did not take a request, and says why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"the server answered {status}: {why}")
        self.status, self.why = status, why


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Goes nowhere else: a token is for the address that it was given for."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def address(server: str, *places: str, insecure: bool = False) -> str:
    """The address of something on a server; without TLS only on this machine, unless ``insecure``."""
    parts = urllib.parse.urlsplit(server)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"server must be an address such as https://example.org, got {server!r}")
    if parts.scheme == "http" and not (insecure or _is_here(parts.hostname)):
        raise ValueError(
            f"{server} is not protected by TLS: use https, or insecure=True in a network of your own"
        )
    return "/".join([server.rstrip("/"), *(urllib.parse.quote(place, safe="") for place in places)])


def request(
    method: str,
    url: str,
    token: str | None = None,
    body: bytes | None = None,
    kind: str = "application/octet-stream",
    *,
    tries: int = 1,
) -> tuple[int, bytes]:
    """Status and body of the answer; what is not well is :class:`RefusedError`.

    Where there is no answer, or a busy one, it is tried again after a second, two, four, ….
    """
    for left in reversed(range(tries)):
        try:
            with opened(method, url, token, body, kind) as (status, stream):
                return status, stream.read(LONGEST)
        except RefusedError as error:
            if error.status not in BUSY or not left:
                raise
        except (OSError, http.client.HTTPException) as error:
            if not left:
                raise OSError(f"no answer from the server: {error}") from error
        time.sleep(2 ** (tries - left - 1))
    raise AssertionError("at least one try")


@contextmanager
def opened(
    method: str,
    url: str,
    token: str | None = None,
    body: bytes | None = None,
    kind: str = "application/octet-stream",
) -> Iterator[tuple[int, BinaryIO]]:
    """Status and body of the answer, which is read as it comes."""
    headers: Mapping[str, str] = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        headers = {**headers, "Content-Type": kind}
    asked = urllib.request.Request(url, body, dict(headers), method=method)
    try:
        with _OPENER.open(asked, timeout=TIMEOUT) as answer:
            yield answer.status, cast(BinaryIO, answer)
    except urllib.error.HTTPError as error:
        with error:
            raise RefusedError(error.code, _why(error)) from None


def _why(error: urllib.error.HTTPError) -> str:
    try:
        said = json.loads(error.read(LONGEST))
        return str(said["why"])
    except (ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        return str(error.reason)


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
