"""What people really sent, as a command reads it: a collection, or a campaign that a collector has."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from hushgraph import _http
from hushgraph.cli import console, options
from hushgraph.cli.simulating import SIMULATION

if TYPE_CHECKING:
    from hushgraph.collection.collected import CollectedGraph

TOKEN_VARIABLE = "HUSHGRAPH_ADMIN_TOKEN"
# Options that have a meaning for a campaign alone.
OPTIONS = ("people", "val", "admin_token_file")
AN_ADDRESS = re.compile(r"(https?://.+)/v1/campaigns/([0-9a-f]{64})/?")

Source = Annotated[
    str | None,
    options.data_option(
        help="Learn from this campaign, which may still be open: a file of 'hushgraph collector export', or"
        " its address on a collector, …/v1/campaigns/ID."
    ),
]
People = Annotated[
    Path | None,
    options.data_option(
        help="With --campaign: a table that names everybody by number, as 'hushgraph assemble' takes it."
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(help=f"A file with the collector's administrator token; otherwise {TOKEN_VARIABLE} has it."),
]


def really_collected(
    context: typer.Context, collected: Path | None, campaign: str | None, edges: Path | None,
    people: Path | None, val: float, own_mechanism: list[str] | None, token_file: Path | None,
) -> tuple[CollectedGraph, str]:  # fmt: skip
    """What people really sent, and what to call it."""
    from hushgraph.collection.collected import CollectedGraph

    if collected is not None and campaign is not None:
        raise ValueError("give --collected or --campaign, not both")
    given = "--collected" if campaign is None else "--campaign"
    options.refuse(
        context, ["ledger"], f"is not for {given}: what was sent is paid for, and learning is free"
    )
    why = f"is for simulations, and {given} learns from what people sent"
    if campaign is None:
        assert collected is not None
        options.refuse(context, SIMULATION, why)
        return CollectedGraph.load(collected, map(options.imported, own_mechanism or ())), str(collected)
    options.refuse(context, [name for name in SIMULATION if name not in ("edges", "save_collected")], why)
    real = collect_from(campaign, edges, people, val, own_mechanism, token_file)
    return real, repr(real)


def administrator_token(file: Path | None) -> str:
    """The token of whoever runs a collector; never an option, which others on the machine could read."""
    token = file.read_text(encoding="utf-8").strip() if file else os.environ.get(TOKEN_VARIABLE, "")
    if not token:
        raise ValueError(f"an admin token is needed: --admin-token-file, or {TOKEN_VARIABLE}")
    return token


def collect_from(
    source: str, edges: Path | None, people: Path | None, val: float, own_mechanism: list[str] | None,
    token_file: Path | None,
) -> CollectedGraph:  # fmt: skip
    """The collection of a campaign, put together with the graph; refused reports are told."""
    from hushgraph.datasets.reading import read_edges, read_ids

    ids = None if people is None else read_ids(people)
    more: dict[str, Any] = {
        "ids": ids,
        "split": val,
        "mechanisms": list(map(options.imported, own_mechanism or ())),
    }
    if edges is not None:
        more["edges"] = read_edges(edges, ids, people or "")
    return collected_at(source, token_file, **more)


def collected_at(source: str, token_file: Path | None, **more: Any) -> CollectedGraph:
    """The same, of what was read already."""
    from hushgraph.collection.collected import CollectedGraph

    with _opened(source, token_file) as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # refusals are told here
        collected = CollectedGraph.from_campaign(stream, **more)
    if collected.refused:
        console.warn(f"{len(collected.refused):,} reports were refused; the first: {collected.refused[0]}")
    return collected


@contextmanager
def _opened(source: str, token_file: Path | None) -> Iterator[BinaryIO]:
    """A file, or what a collector answers."""
    if "://" not in source:
        with Path(source).open("rb") as file:
            yield file
        return
    found = AN_ADDRESS.fullmatch(source)
    if found is None:
        raise ValueError(
            "--campaign must be a file or an address such as https://example.org/v1/campaigns/ID"
        )
    server, campaign_id = found.groups()
    where = _http.address(server, "v1", "campaigns", campaign_id, "export")
    with _http.opened("GET", where, administrator_token(token_file)) as (_, stream):
        yield stream
