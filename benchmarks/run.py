"""Speed and memory, as ratios in one run: `make bench`.

1. hushgraph against the plain formulation (benchmarks/plain.py) on Cora and Facebook, one thread each.
2. The time of an epoch against the floor of operations and bytes that its kernels must spend.
3. The cost of an epoch as people, features, steps and bits grow, on the built-in graph.
4. A million people with ten thousand features.

    python benchmarks/run.py --output docs/results/bench.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
console = Console(width=130)
EPOCHS = 500
# The plain formulation is slow: fewer epochs, scaled up. Its epochs all cost the same.
PLAIN_EPOCHS = {"cora": 200, "facebook": 12}


def measured(script: str, *words: object) -> dict[str, Any]:
    """What a script prints as JSON, in a process of its own so that its peak memory is its own."""
    console.print(f"  {script} {' '.join(map(str, words))} …", style="dim")
    command = [sys.executable, str(HERE / script), *map(str, words)]
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return result


def against_plain() -> list[dict[str, Any]]:
    rows = []
    table = Table(
        "graph",
        "side",
        "s/epoch",
        f"s/run of {EPOCHS}",
        "MB above imports",
        "of it allocated",
        title="1. Against plain",
    )
    for dataset in ("cora", "facebook"):
        ours = measured("side.py", "hushgraph", dataset, EPOCHS)
        plain = measured("side.py", "plain", dataset, PLAIN_EPOCHS[dataset])
        for side in (ours, plain):
            side["run_seconds"] = side["setup_seconds"] + EPOCHS * side["epoch_seconds"]
        ratio = {name: plain[name] / ours[name] for name in ours}
        for name, side in (("hushgraph", ours), ("plain", plain), ("ratio", ratio)):
            numbers = ("epoch_seconds", "run_seconds", "megabytes_above_imports", "megabytes_allocated")
            unit = " ×" if name == "ratio" else ""
            table.add_row(dataset, name, *(f"{side[number]:.4g}{unit}" for number in numbers))
        rows.append(
            {
                "dataset": dataset,
                "plain_epochs": PLAIN_EPOCHS[dataset],
                "hushgraph": ours,
                "plain": plain,
                "ratio": ratio,
            }
        )
    console.print(table)
    return rows


def against_the_floor() -> list[dict[str, Any]]:
    table = Table(
        "graph",
        "ms/epoch",
        "in sparse kernels",
        "floor of operations",
        "floor of bytes",
        title="2. Against the floor",
    )
    rows = []
    for dataset in ("cora", "facebook"):
        row = measured("floor.py", dataset)
        rows.append(row)
        table.add_row(dataset, *(f"{row[name]:.2f}" for name in ("epoch", "kernels", "operations", "bytes")))
    console.print(table)
    return rows


def as_it_grows() -> list[dict[str, Any]]:
    base = {"n": 100_000, "d": 1_000, "k": 4, "epsilon": 1.0}
    points = [base]
    points += [base | {"n": n} for n in (10_000, 1_000_000)]
    points += [base | {"d": d} for d in (100, 10_000)]
    points += [base | {"k": k} for k in (0, 1, 16)]
    points += [base | {"epsilon": epsilon} for epsilon in (5.0, 20.0)]
    points += [{"n": 1_000_000, "d": 10_000, "k": 2, "epsilon": 1.0}]
    table = Table(
        "people n",
        "features d",
        "steps K",
        "ε_x",
        "bits m",
        "form",
        "ms/epoch",
        "MB allocated",
        title="3. As it grows",
    )
    rows = []
    for point in points:
        row = measured("growth.py", *point.values())
        rows.append(row)
        table.add_row(
            *(f"{row[name]:,}" for name in ("n", "d", "k", "epsilon", "m")),
            row["form"],
            f"{1e3 * row['epoch_seconds']:.1f}",
            f"{row['megabytes']:.0f}",
        )
    console.print(table)
    return rows


def a_million() -> dict[str, Any]:
    row = measured("million.py")
    table = Table(
        title="4. A million people, ten million friendships, ten thousand features, ε_x = ε_y = 1, 20 epochs"
    )
    for name in row:
        table.add_column(name.replace("_", " "))
    table.add_row(*(f"{value:,.4g}" if isinstance(value, float) else str(value) for value in row.values()))
    console.print(table)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--output", type=Path, default=Path("results/bench.json"), help="where to write the figures"
    )
    output = parser.parse_args().output
    figures = {
        "against_plain": against_plain(),
        "against_the_floor": against_the_floor(),
        "as_it_grows": as_it_grows(),
        "a_million": a_million(),
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(figures, indent=1) + "\n")
    console.print(f"written to {output}")


if __name__ == "__main__":
    main()
