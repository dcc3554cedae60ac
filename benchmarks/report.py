"""Fills report.md with the figures of `make results` and `make bench`: docs/results/README.md."""

from __future__ import annotations

import csv
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


def accuracy_table(rows: list[dict[str, str]]) -> str:
    setting = ("dataset", "eps_x", "eps_y", "selection", "range", "feature_guarantee")
    outcome = ("difference", "verdict")
    return table(
        (*setting, "hushgraph", "paper", *outcome),
        (
            (
                *(row[name] for name in setting),
                f"{float(row['mean']):.1f} ± {float(row['ci']):.1f}",
                f"{row['paper']} ± {row['paper_ci']}",
                *(row[name] for name in outcome),
            )
            for row in rows
        ),
    )


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
    with (RESULTS / "lpgnn-core.csv").open(newline="") as file:
        accuracy = list(csv.DictReader(file))
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
        repeats=accuracy[0]["repeats"],
        accuracy=accuracy_table(accuracy),
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
