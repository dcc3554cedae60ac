"""Who is one and the same client, whichever way an address is written."""

from __future__ import annotations

import httpx
import pytest
from tests.collector.playing import ADMIN, serving

from hushgraph.collector.addresses import network, plain
from hushgraph.collector.serving import listen
from hushgraph.collector.settings import Settings


def test_ipv4_on_a_socket_for_both_kinds_is_ipv4() -> None:
    assert plain("::ffff:192.0.2.7") == plain("::ffff:c000:207") == plain("192.0.2.7") == "192.0.2.7"
    assert network("::ffff:192.0.2.7") == network("192.0.2.7")
    assert network("::ffff:192.0.2.7") != network("::ffff:192.0.2.8")


def test_of_ipv6_the_network_counts() -> None:
    assert network("2001:db8:0:1::1") == network("2001:db8:0:1:ffff::2")
    assert network("2001:db8:0:1::1") != network("2001:db8:0:2::1")
    for odd in ("", "testclient", "not:an:address"):
        assert (plain(odd), network(odd)) == (odd, odd)


def test_wrong_tokens_of_one_address_do_not_count_for_others(on_sqlite: str) -> None:
    settings = Settings(database=on_sqlite, admin_token=ADMIN, failures=2, failures_a_second=0.001)
    try:
        collector = listen(settings, "::", 0)
    except OSError:
        pytest.skip("there is no IPv6 here")
    with serving(collector) as admin:
        port = admin.address.rpartition(":")[2]
        place = f"http://127.0.0.1:{port}/v1/campaigns"
        wrong = {"Authorization": "Bearer wrong"}
        assert [httpx.get(place, headers=wrong).status_code for _ in range(3)] == [401, 401, 429]
        with httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as other:
            assert other.get(place, headers=admin.headers).status_code == 200
