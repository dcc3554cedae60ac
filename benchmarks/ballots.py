"""Noisy ballots: on the graphs that settings were chosen on, and then on those that they were not.

Beside each accuracy stands what features alone give with all of ε, and what the graph alone gives (everybody
has the same features, at the same ε). Figures are appended as they come, so that it can be interrupted.

    python benchmarks/ballots.py --output docs/results/ballots.json
    python benchmarks/ballots.py --output docs/results/ballots.json --only chosen   # or tables
    python benchmarks/ballots.py --output docs/results/ballots.json --show   # the tables of docs/ballots.md
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

import hushgraph as hg
from hushgraph.curator import CuratorMethod
from hushgraph.graph import Graph
from hushgraph.metrics import student_half_width

# Settings were chosen on these graphs, by seeds from 100 on; the tables have others.
HOMOPHILIES = (0.2, 0.4, 0.6, 0.9)
CHOSEN_ON: dict[str, Callable[[], Graph]] = {
    **{
        f"social, 3,000 people, homophily {one:g}": partial(
            hg.datasets.social, 3000, 50, 5, 8.0, seed=101, homophily=one
        )
        for one in HOMOPHILIES
    },
    "social, 10,000 people, homophily 0.5": partial(
        hg.datasets.social, 10_000, 200, 5, 10.0, seed=102, homophily=0.5
    ),
    "social, 2,500 people, 1,500 likes, homophily 0.9": partial(
        hg.datasets.social, 2500, 1500, 7, 8.0, seed=103, homophily=0.9
    ),
    "pubmed": partial(hg.datasets.load, "pubmed"),
    "physics": partial(hg.datasets.load, "coauthor_physics"),
    "github": partial(hg.datasets.load, "github"),
}
CHOSEN_EPSILONS, TABLE_EPSILONS = (1.0, 2.0, 4.0, 8.0), (1.0, 2.0, 4.0, 7.0, 12.0)
TABLES = {"cora": 30, "citeseer": 30, "facebook": 10}
# Seeds on the graphs that settings were chosen on: fewer on those that take longer.
SEEDS = ((3_000, 10), (12_000, 4), (100_000, 3))

Ways = dict[str, Callable[[Graph, float, int], tuple[CuratorMethod, Graph]]]


def ballots(graph: Graph, epsilon: float, seed: int, **settings: Any) -> tuple[CuratorMethod, Graph]:
    return hg.Ballots(epsilon, random_state=seed, **settings), graph


def voted(graph: Graph, epsilon: float, seed: int) -> tuple[CuratorMethod, Graph]:
    shares = {"homophily": 0.04, "features": 0.48, "ballots": 0.48}
    return ballots(graph, epsilon, seed, budget={name: epsilon * one for name, one in shares.items()})


def features(graph: Graph, epsilon: float, seed: int) -> tuple[CuratorMethod, Graph]:
    """Friends that tell nothing, as everybody knows, get no budget."""
    return ballots(graph, epsilon, seed, homophily=1 / graph.num_classes)


def structure(graph: Graph, epsilon: float, seed: int) -> tuple[CuratorMethod, Graph]:
    return ballots(replace(graph, features=np.ones((graph.num_nodes, 1), np.float32)), epsilon, seed)


def measured(ways: Ways, graph: Graph, epsilon: float, seeds: range) -> dict[str, Any]:
    """Accuracy in percent of each way, by seed."""
    found: dict[str, Any] = {name: [] for name in ways}
    for seed in seeds:
        split = hg.random_split(graph, train=0.75, val=0.1, seed=seed, everyone=True)
        tested = split.test[graph.labels[split.test] >= 0]
        for name, way in ways.items():
            model, seen = way(graph, epsilon, seed)
            model.fit(seen, split)
            found[name].append(round(100 * hg.accuracy(model, graph, tested), 2))
    return {
        "accuracy": found,
        "mean": {name: round(float(np.mean(values)), 1) for name, values in found.items()},
    }


def alike(graph: Graph) -> float:
    one, two = graph.labels[graph.edges]
    return round(float((one == two)[(one >= 0) & (two >= 0)].mean()), 2)


load = cache(hg.datasets.load)


def plan() -> Iterator[tuple[str, str, Graph, float, range, Ways]]:
    """What is measured: the part, the name of the graph, the graph, ε, the seeds and the ways."""
    for name, make in CHOSEN_ON.items():
        graph = make()
        seeds = range(100, 100 + next(count for people, count in SEEDS if graph.num_nodes <= people))
        for epsilon in CHOSEN_EPSILONS:
            yield "chosen", name, graph, epsilon, seeds, {
                "ballots": ballots, "always voted": voted, "features alone": features,
            }  # fmt: skip
    for name, count in TABLES.items():
        for epsilon in TABLE_EPSILONS:
            yield "tables", name, load(name), epsilon, range(count), {
                "ballots": ballots, "features alone": features, "graph alone": structure,
            }  # fmt: skip


def shown(rows: list[dict[str, Any]], part: str) -> str:
    """The rows of a part as Markdown; differences are paired by seed, with Student's 95 % interval."""
    chosen = [row for row in rows if row["part"] == part]
    if not chosen:
        return f"{part}: not measured"
    ways = list(chosen[0]["mean"])
    lines = [
        f"| graph | h | ε | seeds | {' | '.join(ways)} | ballots − features alone |",
        "|---" * (5 + len(ways)) + "|",
    ]
    for row in chosen:
        found = row["accuracy"]
        apart = np.array(found["ballots"]) - np.array(found["features alone"])
        means = " | ".join(f"{row['mean'][way]:.1f}" for way in ways)
        start = f"| {row['graph']} | {row['friends of one class']} | {row['epsilon']:g} | {apart.size} |"
        between = f"{apart.mean():+.1f}".replace("-", "−")
        if apart.size > 1:
            between += f" ± {student_half_width(apart):.1f}"
        lines.append(f"{start} {means} | {between} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("ballots.json"))
    parser.add_argument("--only", action="append", help="a part: chosen or tables")
    parser.add_argument("--show", action="store_true", help="measure nothing, and show what there is")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[dict[str, Any]] = []
    if asked.output.exists():
        rows = json.loads(asked.output.read_text(encoding="utf-8"))["rows"]
    if asked.show:
        print(shown(rows, "tables"), shown(rows, "chosen"), sep="\n\n")
        return
    done = {(row["part"], row["graph"], row["epsilon"]) for row in rows}
    for part, name, graph, epsilon, seeds, ways in plan():
        if (part, name, epsilon) in done or (asked.only and part not in asked.only):
            continue
        known = {
            "part": part, "graph": name, "friends of one class": alike(graph), "epsilon": epsilon,
            "seeds": [seeds.start, seeds.stop - 1],
        }  # fmt: skip
        rows.append(known | measured(ways, graph, epsilon, seeds))
        print(part, name, epsilon, rows[-1]["mean"], flush=True)
        text = json.dumps({"split": "75/10/15", "rows": rows}, indent=1, ensure_ascii=False)
        asked.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
