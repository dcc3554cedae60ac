"""Noisy ballots on the page of the NIP-GNN paper: beside its claim, and beside every other method here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from docs.pages.kept import rows, tables_or_none
from docs.pages.markdown import signed, table

import hushgraph as hg
from hushgraph.experiments.formatting import graph_alone, name_of, number, ours
from hushgraph.experiments.tables import Row
from hushgraph.metrics import student_half_width

FOLDER = "nip-gnn-ballots"
PERSONS, EDGES = "nip-gnn/ballots", "nip-gnn/ballots-edges"
METHODS = ("dp-mlp", "dp-sage", "dpdgc", "gap", "nip-gnn-published", "nip-gnn")
# Splits of CiteSeer were drawn before people without a label could be tested.
OTHER_SPLITS = "citeseer"

Key = tuple[str, float, str]


def figures() -> dict[str, Any]:
    """What the template asks for about ballots."""
    there = tables_or_none(FOLDER, (PERSONS, EDGES))
    found = {_key(row): row for row in there[PERSONS].rows if row.values}
    before = {_key(row): row for row in _before()}
    told = {_key(row): row for row in _paper()}
    cells = [key for key in map(_key, there[PERSONS].rows) if key[2] == "ballots"]
    edges = {_key(row): row for row in there[EDGES].rows if row.values}
    kept = {_key(row): row for row in rows("nip-gnn-figures", "nip-gnn/edges") if _key(row) not in edges}
    return {
        "ballots": _beside(cells, before | found, told),
        "ballots_apart": _apart(cells, before | found, set(before) - set(found)),
        "ballots_edges": _edges(edges, kept),
        "ballots_least": _least(cells, before | found, set(before) - set(found)),
        "ballots_claims": _claims(cells, found, told),
        "ballots_statement": _statement(),
    }


def _key(row: Row) -> Key:
    return row.cell.dataset, row.cell.epsilon, row.cell.method


def _before() -> Iterable[Row]:
    """Of other methods, what was measured before; where that was done again under a proven cap, that."""
    for name in ("table1", "table2", "table3"):
        yield from (row for row in rows("nip-gnn", f"nip-gnn/{name}") if row.cell.method in METHODS)
    yield from rows("nip-gnn-cap", "nip-gnn/table1", epsilon=4.0)


def _paper() -> Iterable[Row]:
    for name in ("table1", "table2", "table3"):
        yield from rows("nip-gnn", f"nip-gnn/{name}", method="nip-gnn-published")


def _beside(cells: list[Key], found: dict[Key, Row], told: dict[Key, Row]) -> str:
    lines = []
    for graph, epsilon, _ in cells:
        row = found.get((graph, epsilon, "ballots"))
        claim = told[graph, epsilon, "nip-gnn-published"].published
        others = (found.get((graph, epsilon, method)) for method in METHODS)
        shown = (f"{number(one.mean or 0.0, one.study)}{_repeats(one)}" if one else "–" for one in others)
        first = (name_of(graph), f"{epsilon:g}", f"{claim.mean:.1f}" if claim else "–")
        own = (ours(row), graph_alone(row)) if row else ("not run", "not run")
        lines.append((*first, *own, *shown))
    return table(
        ("graph", "ε", "NIP-GNN, as claimed", "noisy ballots", "graph alone", *map(name_of, METHODS)), lines
    )


def _repeats(row: Row) -> str:
    return "" if len(row.values) >= 10 else f" ({len(row.values)})"


def _apart(cells: list[Key], found: dict[Key, Row], old: set[Key]) -> str:
    lines = [
        (
            name_of(graph),
            f"{epsilon:g}",
            *(_difference(found, (graph, epsilon, method), old) for method in METHODS),
        )
        for graph, epsilon, _ in cells
    ]
    return table(("graph", "ε", *map(name_of, METHODS)), lines)


def _paired(found: dict[Key, Row], other: Key, old: set[Key]) -> np.ndarray[Any, Any] | None:
    """Ballots minus another method, seed by seed; None without a seed of both on the same splits."""
    one, two = found.get((*other[:2], "ballots")), found.get(other)
    if one is None or two is None or (other in old and _splits_differ(two)):
        return None
    both = min(len(one.values), len(two.values))
    return np.array(one.values[:both]) - np.array(two.values[:both]) if both else None


def _splits_differ(row: Row) -> bool:
    """Of what was measured before; under the proven cap CiteSeer has the splits of today."""
    return row.cell.dataset == OTHER_SPLITS and (row.cell.relation == "edge" or row.cell.epsilon != 4.0)


def _difference(found: dict[Key, Row], other: Key, old: set[Key]) -> str:
    apart = _paired(found, other, old)
    if apart is None:
        return "–"
    return signed(apart.mean()) + (f" ± {student_half_width(apart):.1f}" if apart.size > 1 else "")


def _least(cells: list[Key], found: dict[Key, Row], old: set[Key]) -> str:
    """The least of the paired differences, and of what, in words."""
    apart = {
        (graph, epsilon, method): paired.mean()
        for graph, epsilon, _ in cells
        for method in METHODS
        if (paired := _paired(found, (graph, epsilon, method), old)) is not None
    }
    if not apart:
        return "not run"
    graph, epsilon, method = min(apart, key=lambda key: apart[key])
    least = signed(apart[graph, epsilon, method])
    return f"{least} points, against {name_of(method)} on {name_of(graph)} at ε = {epsilon:g}"


def _claims(cells: list[Key], found: dict[Key, Row], told: dict[Key, Row]) -> str:
    """In how many cells the mean is at least what the paper claims."""
    met = [
        (found[key].mean or 0.0) >= claim.mean
        for key in cells
        if key in found and (claim := told[*key[:2], "nip-gnn-published"].published)
    ]
    return f"{sum(met)} of {len(met)}"


def _edges(measured: dict[Key, Row], kept: dict[Key, Row]) -> str:
    lines, found = [], kept | measured
    for graph, epsilon in dict.fromkeys(key[:2] for key in measured):
        others = [
            text
            for method in ("gap", "dpdgc")
            for row in [found.get((graph, epsilon, method))]
            for text in (ours(row) if row else "–", _difference(found, (graph, epsilon, method), set(kept)))
        ]
        own = found.get((graph, epsilon, "ballots"))
        first = (name_of(graph), f"{epsilon:g}", len(own.values) if own else 0, ours(own) if own else "–")
        lines.append((*first, *others))
    headings = ("noisy ballots", "GAP", "ballots − GAP", "DPDGC", "ballots − DPDGC")
    return table(("graph", "ε", "repeats", *headings), lines)


def _statement() -> str:
    """For as many people as Cora has; nothing else of a graph is in it."""
    graph = hg.datasets.social(2708, 10, 7, 4.0)
    split = hg.random_split(graph, train=0.75, val=0.1, seed=0, everyone=True)
    return str(hg.Ballots(4.0).promise(graph, split))
