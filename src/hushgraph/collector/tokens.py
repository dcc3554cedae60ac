"""A person's token: their number, a dot, and a secret. Only a hash of it is kept.

The secret has 128 random bits, so that a plain hash of it cannot be reversed by guessing.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass

SECRET = 16
_PURPOSE = b"hushgraph/token/1"
# A number has one form, and so have 16 bytes: the last of 22 characters carries two bits.
_FORM = re.compile(r"(0|[1-9][0-9]{0,18})\.([A-Za-z0-9_-]{21}[AQgw])")


@dataclass(frozen=True, slots=True)
class Credential:
    """Who somebody says they are, and what they show for it."""

    person: int
    secret: bytes


def digest(campaign: bytes, person: int, secret: bytes) -> bytes:
    """What is stored of a token: SHA-256 of purpose, the campaign's id, the person and the secret."""
    return hashlib.sha256(_PURPOSE + campaign + person.to_bytes(8, "little") + secret).digest()


def parse(token: str) -> Credential | None:
    """Reads a token; None if it is none."""
    found = _FORM.fullmatch(token)
    if found is None:
        return None
    person = int(found[1])
    return Credential(person, base64.urlsafe_b64decode(f"{found[2]}==")) if person < 1 << 63 else None


def written(credential: Credential) -> str:
    """The token as text.

    >>> parse(written(Credential(7, bytes(16)))) == Credential(7, bytes(16))
    True
    """
    return f"{credential.person}.{base64.urlsafe_b64encode(credential.secret).decode()[:22]}"


def issue(person: int) -> Credential:
    """A new token of a person, of the operating system's randomness."""
    return Credential(person, secrets.token_bytes(SECRET))
