"""``hushgraph assemble``."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushgraph.cli import console, options
from hushgraph.collection import Campaign, Reports
from hushgraph.collection.prices import prices
from hushgraph.privacy.ledger import Price

if TYPE_CHECKING:
    from hushgraph.collection.collected import CollectedGraph


def assemble(
    campaign: Annotated[Path, typer.Argument(help="The campaign, as JSON.")],
    reports: Annotated[
        list[Path],
        typer.Argument(help="Reports: .npz, .json or .jsonl files, or folders of .json files."),
    ],
    output: Annotated[Path, typer.Option(help="Write the collection here, for 'train --collected'.")],
    edges: Annotated[
        Path | None, typer.Option(help="The public graph; not where lists were asked for.")
    ] = None,
    people: Annotated[
        Path | None,
        typer.Option(
            help="A table whose column 'id', or first one, names everybody in the order of their numbers."
        ),
    ] = None,
    num_people: Annotated[
        int | None, typer.Option(help="How many there are, where neither campaign nor --people say so.")
    ] = None,
    val: Annotated[
        float, typer.Option(min=0, max=1, help="Which share of those who sent a label validates.")
    ] = 1 / 3,
    own_mechanism: options.OwnMechanisms = None,
    ledger: options.LedgerPath = None,
    as_json: options.AsJson = False,
) -> None:
    """Put reports together with the graph, as a server does that never saw what people hold.

    Reports that do not fit the campaign are refused and named; the others are kept. With --ledger those whose
    reports are kept pay, each time that reports are assembled, before anything is written.

    Example: hushgraph assemble campaign.json reports/ --edges edges.csv --output collected.npz
    """
    from hushgraph.collection.assemble import assemble as put_together
    from hushgraph.datasets.reading import read_edges, read_ids

    with console.clear_errors():
        asked = Campaign.load(campaign, map(options.imported, own_mechanism or ()))
        ids = None if people is None else read_ids(people)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # refusals are told below
            collected = put_together(
                asked,
                _read(reports),
                edges=None if edges is None else read_edges(edges, ids, people or ""),
                split=val,
                ids=ids,
                num_people=num_people,
            )
        charged = options.open_ledger(ledger, simulated=collected.reports.simulated)
        if charged is not None:
            charged.spend_all(_prices(collected))
        collected.save(output)
    refused = collected.refused
    if as_json:
        told = {"collection": repr(collected), "refused": [str(one) for one in refused]}
        console.print_json({**told, "guarantee": collected.guarantee.to_dict()})
        return
    facts = {"collection": repr(collected), "written to": str(output), "reports refused": f"{len(refused):,}"}
    console.print_facts("Collected", facts)
    for one in refused[:20]:
        console.warn(f"refused: {one}")
    if len(refused) > 20:
        console.warn(f"… and {len(refused) - 20:,} more")
    console.say(collected.guarantee)


def _prices(collected: CollectedGraph) -> Iterator[Price]:
    """What those pay whose reports were taken."""
    groups = ((one.question, one.level, one.people) for one in collected.reports.answers)
    return prices(collected.campaign, groups, collected.num_nodes, collected.ids)


def _read(paths: list[Path]) -> Reports | Iterator[Any]:
    """One npz file as it is; everything else one report after the other."""
    if len(paths) == 1 and paths[0].suffix == ".npz":
        return Reports.load(paths[0])
    if any(path.suffix == ".npz" for path in paths):
        raise ValueError("one .npz file of reports is taken alone, not with others")
    return _each(paths)


def _each(paths: list[Path]) -> Iterator[Any]:
    """Every line of a .jsonl file, every report of a batch; another file is one, to be read at the door."""
    for path in paths:
        for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
            if file.suffix == ".jsonl":
                with file.open("rb") as lines:
                    yield from (line for line in lines if line.strip())
            elif file.is_file() or not path.is_dir():
                text = file.read_bytes()
                try:
                    yield from list(json.loads(text)["reports"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    yield text
