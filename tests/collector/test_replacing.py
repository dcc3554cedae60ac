"""A token that was replaced is good for nothing once that has returned, however many collectors there are."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from sqlalchemy import Connection
from tests.collector.playing import campaign, report

from hushgraph.collector import campaigns, people, rounds, tokens
from hushgraph.collector.stores import Store, open_store
from hushgraph.collector.submissions import KEPT, WRONG_TOKEN, Submission
from hushgraph.collector.tokens import Credential

ASKED = campaign()
KEY = bytes.fromhex(ASKED.id)
OLD, NEW = bytes(16), bytes([1]) * 16
EVERYBODY = range(200)


@pytest.fixture
def stores(new_postgresql: str) -> Iterator[tuple[Store, Store]]:
    """Of two collectors on one database, with an open campaign, number 1."""
    one, other = open_store(new_postgresql), open_store(new_postgresql)
    with one.engine.begin() as connection:
        campaigns.create(connection, ASKED)
        campaigns.move(connection, ASKED.id, "open")
        _issue(one, connection, OLD)
    yield one, other
    one.engine.dispose()
    other.engine.dispose()


def _issue(store: Store, connection: Connection, secret: bytes) -> None:
    digests = [tokens.digest(KEY, person, secret) for person in EVERYBODY]
    store.statements.issue(connection, 1, list(EVERYBODY), digests, None)


def _issued(store: Store, secret: bytes) -> None:
    with store.engine.begin() as connection:
        _issue(store, connection, secret)


def _submission(secret: bytes, *of: int) -> Submission:
    digests = [tokens.digest(KEY, person, secret) for person in of]
    return Submission(1, of, digests, [report(ASKED, person) for person in of])


def test_replacing_waits_for_a_round_that_has_read_the_tokens(stores: tuple[Store, Store]) -> None:
    one, other = stores
    with ThreadPoolExecutor(1) as pool:
        with one.engine.begin() as connection:
            assert rounds.decide(connection, one.statements, [_submission(OLD, 5, 3)]) == [[KEPT, KEPT]]
            replaced = pool.submit(_issued, other, NEW)
            assert not wait([replaced], 1).done
        replaced.result(10)
    with one.engine.begin() as connection:
        told = rounds.decide(connection, one.statements, [_submission(OLD, 3), _submission(NEW, 4)])
    assert told == [[WRONG_TOKEN], [KEPT]]


def test_a_round_that_comes_while_tokens_are_replaced_sees_the_new_ones(stores: tuple[Store, Store]) -> None:
    one, other = stores

    def round_() -> rounds.Outcomes:
        with one.engine.begin() as connection:
            return rounds.decide(connection, one.statements, [_submission(OLD, 9, 7), _submission(NEW, 8)])

    with ThreadPoolExecutor(1) as pool:
        with other.engine.begin() as connection:
            _issue(other, connection, NEW)
            decided = pool.submit(round_)
            assert not wait([decided], 1).done
        assert decided.result(10) == [[WRONG_TOKEN, WRONG_TOKEN], [KEPT]]


def test_rounds_and_replacing_do_not_wait_in_a_circle(stores: tuple[Store, Store]) -> None:
    one, other = stores

    def rounds_of(at: int) -> None:
        store = stores[at % 2]
        for start in range(20):
            with store.engine.begin() as connection:
                of = [(start * 7 + step * 13 * (at + 1)) % 200 for step in range(30)]
                rounds.decide(connection, store.statements, [_submission(OLD, *of)])

    with ThreadPoolExecutor(6) as pool:
        done = [pool.submit(rounds_of, at) for at in range(4)]
        done += [pool.submit(_issued, store, OLD) for store in (one, other) for _ in range(10)]
        for future in done:
            future.result(60)


def test_a_withdrawal_looks_at_the_token_where_it_is_written(database: str) -> None:
    store = open_store(database)
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        campaigns.create(connection, ASKED)
        campaigns.move(connection, ASKED.id, "open")
        _issue(store, connection, NEW)
        assert not people.withdraw(connection, 1, KEY, Credential(5, OLD))
        assert people.report_of(connection, 1, 5) is None
        assert people.withdraw(connection, 1, KEY, Credential(5, NEW))
        assert people.report_of(connection, 1, 5) == (None,)
    store.engine.dispose()
