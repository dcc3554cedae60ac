"""The page of the LPGNN paper."""

from __future__ import annotations

from typing import Any

from docs.pages.kept import measured, rows, tables
from docs.pages.markdown import alone, counts, counts_table, grid, listed, signed, table

from hushgraph.experiments.formatting import name_of, ours, published
from hushgraph.experiments.tables import Row

TABLES = ("lpgnn/table2", "lpgnn/table3", "lpgnn/table4")


def figures() -> dict[str, Any]:
    """What the template asks for."""
    found = tables("lpgnn", "exact-noise")
    compared = [row for name in TABLES for row in rows("lpgnn", name)]
    exact = rows("exact-noise", "choices/exact-noise")
    floors = {floor: rows("lpgnn", "choices/loss-floor", floor=floor) for floor in (0.0, 1e-20)}
    return {
        "cells": len(compared),
        "repeats": len(compared[0].values),
        "counts": counts(compared),
        "exact_counts": counts(exact),
        "without_floor": counts(floors[0.0]),
        "with_floor": counts(floors[1e-20]),
        "rules": epoch_rules(),
        "ranges": declared_range(),
        "all_counts": counts_table(found.values()),
        "below": "\n".join(
            listed(found[name], below)
            for name in TABLES
            if (below := [row for row in rows("lpgnn", name) if row.verdict == "below"])
        )
        or "None.",
        "alone": alone(found[name] for name in TABLES),
        "exact": grid(exact, ("dataset", "features"), "epsilon_x", whole),
        **levels(),
    }


def whole(row: Row) -> str:
    """Ours, in parentheses the published figure, both with their intervals."""
    return f"{ours(row)} ({published(row)})"


def epoch_rules() -> str:
    """How far apart the two rules are at most."""
    apart = [
        abs(one.mean - other.mean)
        for one in rows("lpgnn", "choices/epoch-rule", selection="paper")
        for other in rows("lpgnn", "choices/epoch-rule", selection="reference")
        if (one.cell.dataset, one.cell.epsilon_y) == (other.cell.dataset, other.cell.epsilon_y)
    ]
    return f"{max(apart):.1f}"


def declared_range() -> str:
    """What a declared range changes on PubMed, at each ε_y."""
    return " and ".join(
        signed(declared.mean - extremes.mean)
        for declared in rows("lpgnn", "choices/declared-range")
        for extremes in rows(
            "lpgnn",
            "choices/epoch-rule",
            dataset="pubmed",
            selection="reference",
            epsilon_y=declared.cell.epsilon_y,
        )
    )


def levels() -> dict[str, Any]:
    """What people's own budgets come to."""
    document = measured("levels")
    found = {(row["who"], row["graph"]): row for row in document["rows"]}
    whos, graphs = (list(dict.fromkeys(key[place] for key in found)) for place in (0, 1))
    known, ignored = whos[1], whos[2]
    gains = (100 * (found[known, graph]["mean"] - found[ignored, graph]["mean"]) for graph in graphs)
    return {
        "levels_epochs": document["epochs"],
        "levels_repeats": document["repeats"],
        "levels_gain": " and ".join(
            f"{signed(gain)} points on {name_of(graph)}" for gain, graph in zip(gains, graphs, strict=True)
        ),
        "levels": table(
            ("who", *map(name_of, graphs)),
            ((who, *(percent(found[who, graph]) for graph in graphs)) for who in whos),
        ),
    }


def percent(row: dict[str, Any]) -> str:
    """A fraction with its interval."""
    return f"{100 * row['mean']:.1f} ± {100 * row['half_width']:.1f}"
