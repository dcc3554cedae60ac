"""Fills report.md with the figures of `make results` and `make bench`: docs/results/README.md."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RESULTS = HERE.parent / "docs" / "results"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(headings).replace("_", " ") + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def short(number: float) -> str:
    """Three digits, and none after the point from a hundred on."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def reproduced(folder: str) -> list[tuple[str, list[dict[str, str]]]]:
    """The tables of one output folder of `hushgraph reproduce`, by name."""
    tables = []
    for path in sorted((RESULTS / folder).glob("*.csv")):
        with path.open(newline="") as file:
            tables.append((path.stem.replace("-", "/", 1), list(csv.DictReader(file))))
    return tables


def counts_table(folders: Sequence[str]) -> str:
    outcomes = ("met", "above", "below")
    rows = []
    for name, cells in [table for folder in folders for table in reproduced(folder)]:
        measured = [cell for cell in cells if cell["mean"]]
        verdicts = [sum(cell["verdict"] == outcome for cell in cells) for outcome in outcomes]
        absent = sum(cell["trouble"] == "data not available" for cell in cells)
        shown = ["–"] * 3 if not any(cell["published"] for cell in cells) else verdicts
        repeats = "–".join(str(n) for n in sorted({int(cell["repeats"]) for cell in measured}))
        rows.append((name, len(measured), repeats, *shown, absent, len(cells) - len(measured) - absent))
    return table(
        ("experiment", "cells measured", "repeats", *outcomes, "data not available", "not run"), rows
    )


def cells_below(group: str) -> str:
    below = [
        (name, cell)
        for name, cells in reproduced(group)
        if name.startswith(f"{group}/")
        for cell in cells
        if cell["verdict"] == "below"
    ]
    return "\n".join(f"- {name}: {described(cell)}" for name, cell in below) or "None."


def described(cell: dict[str, str]) -> str:
    words = itertools.takewhile(lambda item: item[0] != "repeats", cell.items())
    which = ", ".join(value if word == "dataset" else f"{word} = {value}" for word, value in words if value)
    ours, theirs = (
        f"{float(cell[mean]):.1f} ± {float(cell[half_width]):.1f}"
        for mean, half_width in (("mean", "half_width"), ("published", "published_half_width"))
    )
    return f"{which}: {ours}, published {theirs}"


def plain_table(rows: list[dict[str, Any]]) -> str:
    def cells(side: dict[str, float], unit: str = "") -> list[str]:
        names = ("epoch_seconds", "run_seconds", "megabytes_above_imports", "megabytes_allocated")
        return [f"{short(side[name])}{unit}" for name in names]

    return table(
        ("graph", "", "s an epoch", "s a run", "MB above imports", "MB allocated"),
        (
            (
                row["dataset"],
                f"**{side}**" if side == "ratio" else side,
                *cells(row[side], " ×" * (side == "ratio")),
            )
            for row in rows
            for side in ("hushgraph", "plain", "ratio")
        ),
    )


def main() -> None:
    bench = json.loads((RESULTS / "bench.json").read_text())
    floor = table(
        ("graph", "an epoch", "in sparse kernels", "floor of operations", "floor of bytes"),
        (
            (row["dataset"], *(f"{row[name]:.2f}" for name in ("epoch", "kernels", "operations", "bytes")))
            for row in bench["against_the_floor"]
        ),
    )
    growth = table(
        ("people n", "edges", "features d", "K_x", "ε_x", "bits m", "form", "ms an epoch", "MB allocated"),
        (
            (
                *(f"{row[name]:,}" for name in ("n", "edges", "d", "k", "epsilon", "m")),
                row["form"],
                f"{1e3 * row['epoch_seconds']:,.0f}",
                f"{row['megabytes']:,.0f}",
            )
            for row in bench["as_it_grows"]
        ),
    )
    million = table(
        ("", ""),
        (
            (name.replace("_", " "), short(value))
            for name, value in bench["a_million"].items()
            if name != "device"
        ),
    )
    device = json.loads((RESULTS / "gpu.json").read_text())
    gpu = table(
        ("graph", "ms an epoch, GPU", "ms an epoch, CPU"),
        (
            (row["graph"], f"{1e3 * row['gpu_seconds']:.1f}", f"{1e3 * row['cpu_seconds']:.1f}")
            for row in device["epochs"]
        ),
    )
    template = (HERE / "report.md").read_text()
    text = template.format(
        counts=counts_table(("lpgnn", "slides")),
        below_paper=cells_below("lpgnn"),
        below_talk=cells_below("slides"),
        plain_epochs=" and ".join(str(row["plain_epochs"]) for row in bench["against_plain"]),
        plain=plain_table(bench["against_plain"]),
        floor=floor,
        growth=growth,
        million=million,
        device=device,
        gpu=gpu,
    )
    (RESULTS / "README.md").write_text(text)


if __name__ == "__main__":
    main()
