"""An export has everything that is kept at one moment, in the order of persons."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
from tests.collector.playing import Admin, batch, campaign, report, running

import hushgraph as hg
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.export import Export, export
from hushgraph.collection.varint import varint
from hushgraph.collector.campaigns import Shelf
from hushgraph.collector.exporting import exported
from hushgraph.collector.stores import open_store


def test_an_export_is_what_the_format_says(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    people = [17, 3, 150, 199, 0, 42]
    for person in people:
        admin.send(asked, tokens[person], report(asked, person))
    admin.withdraw(asked, tokens[42])
    answer = admin.get(asked, "/export")
    assert answer.headers["content-type"] == "application/octet-stream"
    expected = [report(asked, person) for person in sorted(people) if person != 42]
    assert answer.content == b"".join(export(asked, expected))


def test_an_export_of_nothing_is_one(admin: Admin, asked: hg.Campaign) -> None:
    admin.create(asked)
    assert list(Export(io.BytesIO(admin.get(asked, "/export").content)).reports()) == []


def test_what_arrives_meanwhile_is_not_in_it(database: str) -> None:
    """Larger than one part, so that it is still being read when others write."""
    asked = campaign(
        num_features=9_000,
        features=None,
        labels=None,
        people=2_000,
        lists=hg.AdjacencyRandomizedResponse(3.0),
    )
    with running(database) as admin:
        tokens = admin.started(asked)
        sent = {person: _named(asked, person) for person in range(2_000)}
        for first in range(0, 1_000, 100):
            entries = [(tokens[person], sent[person]) for person in range(first, first + 100)]
            assert admin.send_batch(asked, batch(entries)).json()["kept"] == 100
        store = open_store(database)
        ready = Shelf(store.engine).read(asked.id)
        assert ready is not None
        parts = exported(store.engine, ready)
        first_part = next(parts)
        entries = [(tokens[person], sent[person]) for person in range(1_000, 2_000)]
        for at in range(0, 1_000, 100):
            assert admin.send_batch(asked, batch(entries[at : at + 100])).json()["kept"] == 100
        admin.withdraw(asked, tokens[999])
        seen = list(Export(io.BytesIO(first_part + b"".join(parts))).reports())
        assert seen == [sent[person] for person in range(1_000)]
        store.engine.dispose()


def _named(asked: hg.Campaign, person: int) -> bytes:
    """A long list, so that not all of them fit into one part."""
    head = bytes([0b10100]) + bytes.fromhex(asked.id[:8])
    names = [other for other in range(0, 2_000, 5) if other != person]
    gaps = [names[0], *(later - earlier - 1 for earlier, later in pairwise(names))]
    return head + varint(person) + varint(len(names)) + b"".join(map(varint, gaps))


def test_a_model_can_learn_from_it_while_the_campaign_is_open(admin: Admin, asked: hg.Campaign) -> None:
    tokens = admin.started(asked)
    entries = [(tokens[person], report(asked, person)) for person in range(0, 200, 2)]
    admin.send_batch(asked, batch(entries))
    edges = np.random.default_rng(0).integers(0, 200, (2, 400))
    stream = io.BytesIO(admin.get(asked, "/export").content)
    collected = CollectedGraph.from_campaign(stream, edges=edges)
    assert collected.num_nodes == 200
    assert collected.reports.people.tolist() == list(range(0, 200, 2))
