"""From reports to what a server learns from."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.door import screened
from hushgraph.collection.report import Report
from hushgraph.collection.reports import Refusal, Reports
from hushgraph.edges import canonical_edges
from hushgraph.split import Split


def assemble(
    campaign: Campaign,
    reports: Reports | Iterable[Report | str | bytes | Mapping[str, Any]],
    *,
    edges: ArrayLike | None = None,
    split: Split | None = None,
    ids: ArrayLike | None = None,
    num_people: int | None = None,
) -> CollectedGraph:
    """What a server has once reports are in: checked, and put together with the graph.

    A report that does not fit the campaign is refused, with a warning, and the others are kept;
    ``refused`` of the result says which and why.

    Args:
        campaign: what was asked.
        reports: a batch; or single ones, also as JSON.
        edges: the public graph, (2, E); not given where lists were asked for.
        split: who trains and who validates, of those who sent a label; without it nobody does, and the
            collection can only be scored. ``hg.random_split(reports.labelled, …)`` makes one.
        ids: what people are called, in the order of their numbers.
        num_people: how many there are, unless campaign or ids say so.
    """
    if not isinstance(campaign, Campaign):
        raise TypeError(f"campaign must be a Campaign, got {type(campaign).__name__}")
    names = None if ids is None else _names(ids)
    people = _people(campaign, names, num_people)
    refused: list[Refusal] = []
    if not isinstance(reports, Reports):
        reports, refused = Reports.gather(campaign, reports)
    reports, more = screened(campaign, reports, people)
    refused += more
    if refused:
        warnings.warn(f"{len(refused)} reports were refused; the first: {refused[0]}", stacklevel=2)
    if not reports.answers:
        raise ValueError("there is no report to learn from")
    gave = reports.levels("label", people) >= 0
    train, val = (_labelled(gave, split, part) for part in ("train", "val"))
    return CollectedGraph(
        campaign=campaign,
        reports=reports,
        num_nodes=people,
        edges=_graph(campaign, reports, edges, people),
        train=train,
        val=val,
        ids=names,
        refused=tuple(refused),
    )


def _names(ids: ArrayLike) -> NDArray[np.str_]:
    names = np.asarray(ids).astype(str)
    if names.ndim != 1 or np.unique(names).size < names.size:
        raise ValueError("ids must be a list that names everybody once")
    return names


def _people(campaign: Campaign, ids: NDArray[np.str_] | None, num_people: int | None) -> int:
    stated = {
        "campaign.num_people": campaign.num_people,
        "ids": None if ids is None else ids.size,
        "num_people": num_people,
    }
    known = {name: number for name, number in stated.items() if number is not None}
    if not known:
        raise ValueError("num_people is needed: neither the campaign nor ids say how many people there are")
    if len(set(known.values())) > 1:
        said = ", ".join(f"{name} says {number}" for name, number in known.items())
        raise ValueError(f"how many people are there? {said}")
    return _check.count(next(iter(known.values())), "num_people", minimum=1)


def _labelled(gave: NDArray[np.bool_], split: Split | None, part: str) -> NDArray[np.int64]:
    """Those of a part of the split who gave a label."""
    if split is None:
        return np.zeros(0, np.int64)
    wanted = _check.node_ids(getattr(split, part), f"split.{part}", gave.size)
    return wanted[gave[wanted]]


def _graph(campaign: Campaign, reports: Reports, edges: ArrayLike | None, people: int) -> NDArray[np.int32]:
    """The public graph, or who names whom in the lists."""
    if not campaign.lists:
        if edges is None:
            raise ValueError("edges are needed: the campaign asks for no lists, so the graph is public")
        return canonical_edges(edges, people)[0]
    if edges is not None:
        raise ValueError("edges must not be given where people report their lists")
    pairs = [
        np.stack([np.repeat(one.people, np.diff(one.parts["starts"])), one.parts["names"]])
        for one in reports.of_question("lists")
    ]
    named = np.concatenate([np.zeros((2, 0), np.int64), *pairs], axis=1)
    if (np.diff(named[0]) < 0).any():
        named = named[:, np.lexsort((named[1], named[0]))]
    return named.astype(np.int32)
