"""Writing files so that a kill leaves the old one or the new one, never half of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic_write(path: str | Path, *, secret: bool = False) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of ``path`` only once it is complete and on disk.

    A ``secret`` one only its owner may read, from its first byte on.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        temporary.touch(0o600 if secret else 0o666, exist_ok=False)
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
