"""Where somebody comes from, as far as it matters for who is one and the same client."""

from __future__ import annotations

from collections.abc import Hashable
from ipaddress import IPv6Address


def plain(host: str) -> str:
    """IPv4 in the form that a socket for both kinds gives it, ``::ffff:a.b.c.d``, as IPv4."""
    if ":" not in host:
        return host
    try:
        mapped = IPv6Address(host).ipv4_mapped
    except ValueError:
        return host
    return host if mapped is None else str(mapped)


def network(host: str) -> Hashable:
    """The address; of IPv6 the network, because one client has as many addresses as it likes."""
    host = plain(host)
    if ":" not in host:
        return host
    try:
        return int(IPv6Address(host)) >> 64
    except ValueError:
        return host
