"""Fills report.md with the figures of `make results` and `make bench`: docs/results/README.md."""

from __future__ import annotations

import csv
import itertools
import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from report_curator import curator_bench, curator_counts, curator_table
from report_seam import exact_counts, exact_noise, levels, noise_cost
from report_tables import RESULTS, reproduced, short, table

from hushgraph.metrics import mean_and_interval

HERE = Path(__file__).parent
NOT_NUMBERS = ("side", "graph")


def counts_table(folders: Sequence[str]) -> str:
    outcomes = ("met", "above", "below")
    rows = []
    for name, cells in [found for folder in folders for found in reproduced(folder)]:
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


def cells_of(experiment: str) -> dict[tuple[str, str, str, float], dict[str, str]]:
    """The cells of a Solitude experiment with one ε_x, by graph, network, method and ε_a."""
    folder = "solitude" if experiment == "table3" else "solitude-figures"
    path = RESULTS / folder / f"solitude-{experiment}.csv"
    with path.open(newline="") as file:
        return {
            (cell["dataset"], cell["backbone"], cell["method"], float(cell["epsilon_a"])): cell
            for cell in csv.DictReader(file)
            if cell["mean"]
        }


def lists_table(experiment: str, published: bool = True) -> str:
    """Ours with the published figure in parentheses, one column for each ε_a."""
    cells = cells_of(experiment)
    budgets = sorted({key[3] for key in cells})

    def shown(key: tuple[str, str, str, float]) -> str:
        if key not in cells:
            return "–"
        theirs = f" ({float(cells[key]['published']):.1f})" if published and cells[key]["published"] else ""
        return f"{float(cells[key]['mean']):.1f}{theirs}"

    rows = dict.fromkeys(key[:3] for key in cells)
    return table(
        ("graph", "network", "method", *(f"ε_a = {budget:g}" for budget in budgets)),
        ((*row, *(shown((*row, budget)) for budget in budgets)) for row in rows),
    )


def ordering(which: str) -> str:
    """In how many columns of Table 3 Base < LPGNN < Solitude."""
    cells = cells_of("table3")
    columns = dict.fromkeys((dataset, backbone, budget) for dataset, backbone, _, budget in cells)

    def value(column: tuple[str, str, float], method: str) -> float:
        dataset, backbone, budget = column
        return float(cells[dataset, backbone, method, budget][which])

    held = [
        column
        for column in columns
        if value(column, "base") < value(column, "lpgnn") < value(column, "solitude")
    ]
    broken = [f"{d} {b} at {e:g}" for d, b, e in columns if (d, b, e) not in held]
    return f"{len(held)} of {len(columns)}" + (f" (not {', '.join(broken)})" if broken else "")


def against(experiment: str, one: str, other: str) -> str:
    """How one method compares with another over the cells that both have."""
    cells = cells_of(experiment)
    keys = [key for key in cells if key[2] == one and (*key[:2], other, key[3]) in cells]
    gains = []
    apart = 0
    for key in keys:
        mine, theirs = cells[key], cells[*key[:2], other, key[3]]
        gains.append(float(mine["mean"]) - float(theirs["mean"]))
        apart += gains[-1] > float(mine["half_width"]) + float(theirs["half_width"])
    above = sum(gain > 0 for gain in gains)
    return (
        f"above in {above} of {len(gains)} cells ({apart} with disjoint intervals),"
        f" by {sum(gains) / len(gains):+.1f} points on average ({min(gains):+.1f} to {max(gains):+.1f})"
    )


def within_spreads(method: str) -> str:
    """Of how many cells the mean is at most both standard deviations below the published one."""
    cells = [cell for key, cell in cells_of("table3").items() if key[2] == method and cell["published"]]
    inside = [
        cell
        for cell in cells
        if float(cell["mean"])
        >= float(cell["published"])
        - float(cell["published_half_width"])
        - statistics.stdev(map(float, cell["values"].split()))
    ]
    return f"{len(inside)} of {len(cells)}"


def first_five(method: str) -> str:
    """How many cells would be below with five repeats, as many as the paper has, and by how much."""
    gaps = []
    for key, cell in cells_of("table3").items():
        if key[2] == method and cell["published"]:
            mean, half_width = mean_and_interval(list(map(float, cell["values"].split()))[:5])
            gap = float(cell["published"]) - mean
            gaps += [gap] if gap > half_width + float(cell["published_half_width"]) else []
    return f"{len(gaps)} cells, by up to {max(gaps):.1f} points" if gaps else "no cell"


def names_table(rows: list[dict[str, Any]]) -> str:
    return table(
        ("ε_a", "names in lists", "s to collect", "s an epoch", "MB above imports", "MB in all"),
        (
            (
                f"{row['epsilon_a']:g}",
                f"{row['names']:,}",
                *(short(row[name]) for name in ("seconds_to_collect", "seconds_an_epoch")),
                *(short(row[name]) for name in ("megabytes_above_imports", "peak_megabytes_in_all")),
            )
            for row in rows
        ),
    )


def dense_table(rows: list[dict[str, Any]]) -> str:
    def cells(sparse: dict[str, Any], dense: dict[str, Any], name: str) -> list[str]:
        return [short(sparse[name]), short(dense[name]), f"**{short(dense[name] / sparse[name])} ×**"]

    return table(
        ("graph", "people", "names", "s an epoch", "dense", "ratio", "MB above imports", "dense", "ratio"),
        (
            (
                sparse["graph"],
                f"{sparse['people']:,}",
                f"{sparse['names']:,}",
                *cells(sparse, dense, "seconds_an_epoch"),
                *cells(sparse, dense, "megabytes_above_imports"),
            )
            for sparse, dense in zip(rows[::2], rows[1::2], strict=True)
        ),
    )


def outside_table(outside: dict[str, Any]) -> str:
    return table(
        ("after epoch", *(f"λ_2 = {penalty:g}" for penalty in outside["penalties"])),
        (
            (epochs, *(f"{100 * share:.3g} %" for share in shares))
            for epochs, shares in outside["opening_share"].items()
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
    calibration = json.loads((RESULTS / "calibration.json").read_text())
    outside = calibration["outside"]
    template = (HERE / "report.md").read_text()
    text = template.format(
        counts=counts_table(
            ("lpgnn", "slides", "solitude", "solitude-figures", "nip-gnn", "nip-gnn-figures")
        ),
        exact_counts=exact_counts(),
        exact_noise=exact_noise(),
        noise_cost=noise_cost(),
        **levels(),
        curator_private=curator_table("table1", "4"),
        curator_ceilings=curator_table("table1", "inf"),
        ablations_7=curator_table("table2"),
        ablations_12=curator_table("table3"),
        nip_counts=curator_counts("nip_gnn"),
        baseline_counts=", ".join(
            f"{name}: {curator_counts(prefix)}"
            for name, prefix in (
                ("DP-MLP", "dp_mlp"),
                ("DP-SAGE", "dp_sage"),
                ("DPDGC", "dpdgc"),
                ("GAP", "gap"),
            )
        ),
        curator_bench=curator_bench(json.loads((RESULTS / "curator.json").read_text())),
        lists=lists_table("table3"),
        below_solitude=cells_below("solitude"),
        published_order=ordering("published"),
        our_order=ordering("mean"),
        within=within_spreads("solitude"),
        first_five=first_five("solitude"),
        over_lpgnn=against("table3", "solitude", "lpgnn"),
        blocks=against("table3", "blocks", "solitude"),
        calibrated=against("calibration", "solitude", "smoothing"),
        proximal=against("calibration", "solitude_proximal", "solitude"),
        small_budgets=lists_table("small-budgets", published=False),
        degrees=against("small-budgets", "degrees", "posterior"),
        classes=against("small-budgets", "blocks", "posterior"),
        github={
            name: short(value) for name, value in calibration["github"].items() if name not in NOT_NUMBERS
        },
        names=names_table(calibration["names"]),
        dense=dense_table(calibration["dense"]),
        outside=outside_table(outside),
        opened=f"{outside['opened']:,.0f}",
        entries=f"{outside['entries']:,}",
        mean_weight=short(outside["mean_weight"]),
        sparse_accuracy="{:.1f} ± {:.1f}".format(*outside["sparse"]),
        dense_accuracy="{:.1f} ± {:.1f}".format(*outside["dense"]),
        outside_seeds=outside["seeds"],
        outside_epochs=outside["epochs"],
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
