"""The page of the Solitude paper."""

from __future__ import annotations

import statistics
from typing import Any

from docs.pages.kept import measured, rows, tables
from docs.pages.markdown import (
    alone,
    counts,
    counts_table,
    grid,
    listed,
    means,
    repeats_of,
    short,
    signed,
    table,
)

from hushgraph.experiments.formatting import name_of
from hushgraph.experiments.tables import Row
from hushgraph.metrics import mean_and_interval

LINES = ("dataset", "backbone", "method")


def figures() -> dict[str, Any]:
    """What the template asks for."""
    found = tables("solitude", "solitude-figures", "solitude-noisy-labels")
    table3 = rows("solitude", "solitude/table3")
    theirs = [row for row in table3 if row.cell.method == "solitude" and row.published]
    small = rows("solitude-figures", "solitude/small-budgets")
    calibration = rows("solitude-figures", "solitude/calibration")
    noisy = found["solitude/noisy-labels"].rows
    return {
        "cells": sum(row.published is not None for row in table3),
        "repeats": len(table3[0].values),
        "counts": counts(table3),
        "held": sum(row.verdict in ("met", "above") for row in table3),
        "all_counts": counts_table(found.values()),
        "lists": grid(table3, LINES, "epsilon_a", means),
        "below": listed(found["solitude/table3"], [row for row in table3 if row.verdict == "below"]),
        "published_order": ordering(table3, "published"),
        "our_order": ordering(table3, "ours"),
        "within": f"{sum(map(within_spreads, theirs))} of {len(theirs)}",
        "first_five": first_five(theirs),
        "over_lpgnn": against(table3, "solitude", "lpgnn"),
        "blocks": against(table3, "blocks", "solitude"),
        "calibrated": against(calibration, "solitude", "smoothing"),
        "proximal": against(calibration, "solitude-proximal", "solitude"),
        "alone": alone([found["solitude/table3"], found["solitude/small-budgets"]]),
        "small_repeats": repeats_of(small),
        "small_budgets": grid(small, LINES, "epsilon_a", means),
        "noisy_repeats": repeats_of(noisy),
        "noisy_labels": grid(noisy, ("dataset", "method", "k_y"), "epsilon_a", means),
        "degrees": against(small, "degrees", "posterior"),
        "classes": against(small, "blocks", "posterior"),
        **outside(),
    }


def by_column(found: list[Row], method: str) -> dict[tuple[str, str, float], Row]:
    """The rows of a method by graph, network and ε_a."""
    return {
        (row.cell.dataset, row.cell.backbone, row.cell.epsilon_a): row
        for row in found
        if row.cell.method == method
    }


def ordering(found: list[Row], whose: str) -> str:
    """In how many columns Base < LPGNN < Solitude."""
    base, lpgnn, solitude = (by_column(found, method) for method in ("base", "lpgnn", "solitude"))

    def mean(row: Row) -> float:
        return row.mean if whose == "ours" else row.published.mean

    held = [column for column in base if mean(base[column]) < mean(lpgnn[column]) < mean(solitude[column])]
    broken = ", ".join(f"{name_of(d)} {name_of(b)} at {e:g}" for d, b, e in base if (d, b, e) not in held)
    return f"{len(held)} of {len(base)}" + (f" (not {broken})" if broken else "")


def against(found: list[Row], one: str, other: str) -> str:
    """How one method compares with another over the cells that both have."""
    mine, theirs = by_column(found, one), by_column(found, other)
    pairs = [(mine[column], theirs[column]) for column in mine if column in theirs]
    gains = [a.mean - b.mean for a, b in pairs]
    apart = sum(gain > a.half_width + b.half_width for gain, (a, b) in zip(gains, pairs, strict=True))
    return (
        f"above in {sum(gain > 0 for gain in gains)} of {len(gains)} cells ({apart} with disjoint intervals),"
        f" by {signed(statistics.fmean(gains))} points on average"
        f" ({signed(min(gains))} to {signed(max(gains))})"
    )


def within_spreads(row: Row) -> bool:
    """Whether the mean is at most both standard deviations below the published one."""
    return row.mean >= row.published.mean - row.published.half_width - statistics.stdev(row.values)


def first_five(found: list[Row]) -> str:
    """How many cells would be below with five repeats, as many as the paper has, and by how much."""
    gaps = []
    for row in found:
        mean, half_width = mean_and_interval(row.values[:5])
        gap = row.published.mean - mean
        gaps += [gap] if gap > half_width + row.published.half_width else []
    return f"{len(gaps)} cells (by up to {max(gaps):.1f} points)" if gaps else "no cell"


def outside() -> dict[str, Any]:
    """What the sparse problem leaves out."""
    found = measured("calibration")["outside"]
    return {
        "outside_seeds": found["seeds"],
        "outside_epochs": found["epochs"],
        "opened": f"{found['opened']:,.0f}",
        "entries": f"{found['entries']:,}",
        "mean_weight": short(found["mean_weight"]),
        "sparse_accuracy": "{:.1f} ± {:.1f}".format(*found["sparse"]),
        "dense_accuracy": "{:.1f} ± {:.1f}".format(*found["dense"]),
        "outside": table(
            ("after epoch", *(f"λ_2 = {penalty:g}" for penalty in found["penalties"])),
            (
                (epochs, *(f"{100 * share:.3g} %" for share in shares))
                for epochs, shares in found["opening_share"].items()
            ),
        ),
    }
