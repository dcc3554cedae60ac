"""Fetching one file: whole or not at all."""

from __future__ import annotations

import http.client
import shutil
import urllib.error
import urllib.request
from pathlib import Path

UNREACHABLE = (OSError, http.client.HTTPException)
"""What :func:`download` raises when the address cannot be reached or the answer breaks off."""


def download(url: str, path: Path, *, timeout: float = 30.0) -> Path:
    """Fetch ``url`` into ``path``, which appears only once every announced byte has arrived.

    The ``timeout``, in seconds, is of the start and between any two packets. A server that cannot be reached,
    answers with an error or closes too early is an OSError.
    """
    part = path.with_name(path.name + ".part")
    try:
        with urllib.request.urlopen(url, timeout=timeout) as response, part.open("wb") as file:
            shutil.copyfileobj(response, file)
            announced, received = response.headers["Content-Length"], file.tell()
    except urllib.error.HTTPError as error:
        # It is the server's answer too, and would hold the connection as long as somebody keeps it.
        error.close()
        raise
    if announced is not None and received != int(announced):
        part.unlink()
        raise OSError(f"{url} broke off after {received:,} of {int(announced):,} bytes")
    return part.replace(path)
