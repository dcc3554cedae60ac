"""From reports to what a server learns from."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushgraph import _check
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.collection.export import Export
from hushgraph.collection.report import AnyReport
from hushgraph.collection.reports import Refusal, Reports
from hushgraph.collection.screening import gather, screened
from hushgraph.collection.wire_batch import decode_all
from hushgraph.edges import canonical_edges
from hushgraph.split import Split


def assemble(
    campaign: Campaign,
    reports: Reports | Iterable[AnyReport],
    *,
    edges: ArrayLike | None = None,
    split: Split | float | None = None,
    ids: ArrayLike | None = None,
    num_people: int | None = None,
) -> CollectedGraph:
    """What a server has once reports are in: checked, and put together with the graph.

    A report that does not fit the campaign is refused, with a warning, and the others are kept;
    ``refused`` of the result says which and why.

    Args:
        campaign, reports: what was asked, and a batch of what was sent; or single reports, also as JSON.
        edges: the public graph, (2, E); not given where lists were asked for.
        split: who trains and who validates; those of them who gave no label do neither. Or the share of
            those who gave one that validates, while the others train. Without it nobody does either, and the
            collection can only be scored.
        ids: what people are called, in the order of their numbers.
        num_people: how many there are, unless campaign or ids say so.
    """
    if not isinstance(campaign, Campaign):
        raise TypeError(f"campaign must be a Campaign, got {type(campaign).__name__}")
    names = None if ids is None else _names(ids)
    people = _people(campaign, names, num_people)
    if isinstance(reports, str | bytes):
        raise TypeError("reports must be a batch or several reports, not one text")
    if isinstance(reports, Reports):
        reports, refused = screened(campaign, reports, people)
    else:
        reports, refused = gather(campaign, reports, people)
    _tell(refused)
    if not reports.answers:
        raise ValueError("there is no report to learn from")
    train, val = _parts(reports.levels("label", people) >= 0, split)
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


def assemble_export(
    source: str | Path | BinaryIO, mechanisms: Iterable[type[Any]] = (), **more: Any
) -> CollectedGraph:
    """The same from what a collector exported, a file or a stream, which is read a part at a time.

    Args:
        source: a path, or something to read from.
        mechanisms: classes of one's own that the campaign may name.
        more: edges, split, ids and num_people, as :func:`assemble` takes them.
    """
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            return assemble_export(file, mechanisms, **more)
    export = Export(source, mechanisms)
    reports, refused = decode_all(export.campaign, export.reports())
    _tell(refused)
    collected = assemble(export.campaign, reports, **more)
    return replace(collected, refused=(*refused, *collected.refused))


def _tell(refused: list[Refusal]) -> None:
    if refused:
        warnings.warn(f"{len(refused)} reports were refused; the first: {refused[0]}", stacklevel=3)


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


def _parts(answered: NDArray[np.bool_], split: Split | float | None) -> list[NDArray[np.int64]]:
    """Who trains and who validates, of those who gave a label."""
    if isinstance(split, Split):
        named = {"split.train": split.train, "split.val": split.val}
        parts = [_check.node_ids(people, name, answered.size) for name, people in named.items()]
    elif split is None:
        parts = [np.zeros(0, np.int64)] * 2
    else:
        # Who validates is no secret, and the same for the same people.
        order = np.random.default_rng(0).permutation(np.flatnonzero(answered))
        validate = round(_check.fraction(split, "split") * order.size)
        parts = [np.sort(order[validate:]), np.sort(order[:validate])]
    return [part[answered[part]] for part in parts]


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
