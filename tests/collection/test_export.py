"""An export is a campaign and its reports: learned from, or refused if a part of it is missing."""

import io

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.collection.export import Export, export
from hushgraph.collection.wire import Wire

EDGES = [[0, 1, 2, 3], [1, 2, 3, 4]]


def asked(**more):
    return hg.Campaign(
        classes=["calm", "merry"], num_features=4, features=hg.MultiBit(1.0),
        labels=[hg.RandomizedResponse(1.0), hg.RandomizedResponse(3.0)], num_people=6, **more,
    )  # fmt: skip


def reports(campaign, people=range(5)):
    """What some people answer; every second one gives no label."""
    return [
        hg.answer(
            campaign, person, features=np.full(4, 0.5), label=None if person % 2 else "calm",
            levels={"label": person % 4 // 2}, public_columns=True,
        )
        for person in people
    ]  # fmt: skip


def exported(campaign, bodies):
    return b"".join(export(campaign, bodies))


def assert_same(collected, there):
    assert collected.num_nodes == there.num_nodes
    for one, other in zip(collected.reports.arrays().items(), there.reports.arrays().items(), strict=True):
        assert one[0] == other[0]
        np.testing.assert_array_equal(one[1], other[1])
    np.testing.assert_array_equal(collected.edges, there.edges)


def test_a_collection_is_what_was_exported(tmp_path):
    campaign = asked()
    answered = reports(campaign)
    stream = exported(campaign, map(Wire(campaign).encode, answered))
    (tmp_path / "campaign.export").write_bytes(stream)
    collected = hg.CollectedGraph.from_campaign(tmp_path / "campaign.export", edges=EDGES, split=0.5)
    there = hg.assemble(campaign, answered, edges=EDGES, split=0.5)
    assert not collected.refused
    assert collected.guarantee == there.guarantee
    assert_same(collected, there)
    assert collected.answered.tolist() == [True] * 5 + [False]
    assert hg.CollectedGraph.from_campaign(io.BytesIO(stream), edges=EDGES, ids=list("abcdef")).ids[2] == "c"


def test_what_does_not_fit_is_refused_and_named():
    campaign = asked()
    bodies = [*map(Wire(campaign).encode, reports(campaign)), b"no report"]
    with pytest.warns(UserWarning, match="1 reports were refused"):
        collected = hg.CollectedGraph.from_campaign(io.BytesIO(exported(campaign, bodies)), edges=EDGES)
    assert [one.report for one in collected.refused] == [5]


def test_a_part_of_an_export_is_refused():
    campaign = asked()
    stream = exported(campaign, map(Wire(campaign).encode, reports(campaign)))
    for end in range(len(stream)):
        with pytest.raises(ValueError, match=r"early|export"):
            list(Export(io.BytesIO(stream[:end])).reports())
    with pytest.raises(ValueError, match="as many"):
        list(Export(io.BytesIO(stream[:-1] + b"\x07")).reports())
    with pytest.raises(ValueError, match="no export"):
        Export(io.BytesIO(b"PK" + stream))


def test_a_stream_that_comes_in_pieces_is_read_whole():
    class Slow(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 3))

    campaign = asked()
    bodies = list(map(Wire(campaign).encode, reports(campaign)))
    assert list(Export(Slow(exported(campaign, bodies))).reports()) == bodies


def test_lists_are_the_graph():
    campaign = hg.Campaign(
        classes=2, labels=hg.RandomizedResponse(2.0), lists=hg.AdjacencyRandomizedResponse(8.0), num_people=5
    )
    answered = [
        hg.answer(campaign, person, label=0, friends=[(person + 1) % 5], public_columns=True)
        for person in range(4)
    ]
    stream = exported(campaign, map(Wire(campaign).encode, answered))
    assert_same(hg.CollectedGraph.from_campaign(io.BytesIO(stream)), hg.assemble(campaign, answered))


def test_nobody_has_answered_yet():
    with pytest.raises(ValueError, match="no report"):
        hg.CollectedGraph.from_campaign(io.BytesIO(exported(asked(), [])), edges=EDGES)
