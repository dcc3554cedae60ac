"""The planner's forecasts against what the cascade then measures, on graphs whose labels are known.

    python benchmarks/planner.py --output docs/results/planner.json

The planner is given a graph's friendships, its published homophily and its class shares, and no label. What
is measured and forecast is kept as soon as it is done: a second start goes on. Beside the file, a picture.

Where friendships are private, a plan is made of the graph's real ones, and every split of it is measured.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import scipy.sparse as sp

import hushgraph as hg
from hushgraph._files import atomic_write
from hushgraph.datasets.loading import data_folder

FIRST_SEED = 800
BUDGETS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
# How often each is measured; on which graphs the recipe for labels was chosen.
GRAPHS = {
    "cora": 5, "social, homophily 0.6": 4, "social, homophily 0.9": 3, "lastfm_structure": 2, "github": 2,
    "citeseer": 4, "citeseer_lcc": 3, "pubmed": 2, "facebook": 2, "coauthor_physics": 2,
}  # fmt: skip
CHOSEN_ON = ("cora", "social, homophily 0.6", "social, homophily 0.9", "lastfm_structure", "github")
WRONG = (-0.1, 0.1)
# Total budgets that are divided over label and lists, and campaigns of each split.
WITH_LISTS, TOTALS, LIST_CAMPAIGNS = ("cora",), (4.0, 6.0, 8.0), 1
ZEROS_AND_ONES = ("cora", "github", "social, homophily 0.6")
Kept = dict[str, dict[str, Any]]


def truth(name: str) -> hg.Graph:
    if name.startswith("social"):
        alike = float(name.rsplit(maxsplit=1)[1])
        return hg.datasets.social(n=3000, features=50, classes=5, homophily=alike, seed=0)
    if name == "lastfm_structure":
        arrays = np.load(data_folder() / f"{name}.npz")
        labels = arrays["y"].astype(np.int64)
        return hg.Graph(
            arrays["edge_index"],
            np.zeros((labels.size, 1)),
            labels,
            num_classes=int(labels.max()) + 1,
            name=name,
        )
    return hg.datasets.load(name)


def statistics(graph: hg.Graph) -> tuple[float, list[float]]:
    """What is published of a graph: edge homophily and class shares, among people with a label."""
    labels = graph.labels
    ends = labels[graph.edges]
    both = (ends >= 0).all(axis=0)
    counts = np.bincount(labels[labels >= 0], minlength=graph.num_classes)
    return float((ends[0] == ends[1])[both].mean()), (counts / counts.sum()).tolist()


def informativeness(graph: hg.Graph) -> dict[str, float]:
    """Which share of the largest variance of zeros and ones the true class explains, less chance."""
    matrix, labels = sp.csr_array(graph.features), graph.labels
    counts = np.bincount(labels, minlength=graph.num_classes)
    one_hot = sp.csr_array((np.ones(labels.size), (labels, np.arange(labels.size))))
    sums = (one_hot @ matrix).toarray()
    middle = sums.sum(0) / labels.size
    between = counts / labels.size @ (sums / counts[:, None] - middle) ** 2
    explained = 4 * (between - (graph.num_classes - 1) / labels.size * middle * (1 - middle))
    return {"all": float(explained.mean()), "ten best": float(np.sort(explained)[-10:].mean())}


def measured(graph: hg.Graph, epsilon: float, seed: int, epsilon_a: float = 0.0) -> float:
    split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
    rng = np.random.default_rng([seed, 1])
    labels = hg.RandomizedResponse(epsilon)
    lists = hg.AdjacencyRandomizedResponse(epsilon_a) if epsilon_a else None
    collected = hg.collect(graph, split, features=None, labels=labels, edges=lists, rng=rng)
    model = hg.Cascade(random_state=seed, threads=1).fit(collected)
    return hg.accuracy(model, graph, split.test)


def forecast(graph: hg.Graph, off: float, draws: int | None) -> dict[str, Any]:
    """Of every budget, all of it for the label; and what is recommended."""
    homophily, shares = statistics(graph)
    start = time.process_time()
    plan = hg.plan(
        graph,
        epsilons=BUDGETS,
        num_features=0 if off or graph.num_features == 1 else graph.num_features,
        homophily=min(max(homophily + off, 0.0), 0.99),
        class_shares=shares,
        draws=draws,
    )
    labels_alone = [one for one in plan.splits if not one.epsilon_x]
    recommended = [plan.recommended(epsilon) for epsilon in BUDGETS]
    return {
        "homophily": homophily + off,
        "reached": plan.reached,
        "forecast": [one.accuracy for one in labels_alone],
        "low": [one.low for one in labels_alone],
        "high": [one.high for one in labels_alone],
        "recommended_epsilon_x": [one.epsilon_x for one in recommended],
        "simulated": plan.simulated,
        "cpu_seconds": time.process_time() - start,
    }


def fill(kept: Kept, names: list[str], *, measure: bool) -> Iterator[None]:
    """What is not kept yet: of every graph a forecast and a campaign, then wrong homophilies, and more."""
    for repeat in range(max(GRAPHS.values())):
        for name in names:
            graph, here = truth(name), kept.setdefault(name, {"measured": {}, "forecasts": {}})
            for off in ((0.0,), WRONG, ())[min(repeat, 2)]:
                if f"{off:g}" not in here["forecasts"]:
                    found = forecast(graph, off, 2 if off else None)
                    here["forecasts"][f"{off:g}"] = found
                    print(name, f"off by {off:g}", np.round(found["forecast"], 3), flush=True)
                    yield
            for epsilon in BUDGETS if measure and repeat < GRAPHS[name] else ():
                runs = here["measured"].setdefault(f"{epsilon:g}", [])
                if len(runs) <= repeat:
                    runs.append(measured(graph, epsilon, FIRST_SEED + repeat))
                    print(name, epsilon, runs, flush=True)
                    yield


def fill_lists(kept: dict[str, list[dict[str, Any]]]) -> Iterator[None]:
    """What is not kept yet of plans with private lists: of every split the forecast and campaigns."""
    for name in WITH_LISTS:
        graph = truth(name)
        homophily, shares = statistics(graph)
        if name not in kept:
            plan = hg.plan(
                graph, epsilons=TOTALS, num_features=0, homophily=homophily, class_shares=shares, lists=True
            )
            taken = [plan.recommended(epsilon) for epsilon in TOTALS]
            kept[name] = [
                {
                    "epsilon_y": one.epsilon_y, "epsilon_a": one.epsilon_a, "recommended": one in taken,
                    "forecast": one.accuracy, "low": one.low, "high": one.high, "measured": [],
                }
                for one in plan.splits
            ]  # fmt: skip
            yield
        for seed in range(FIRST_SEED, FIRST_SEED + LIST_CAMPAIGNS):
            for one in kept[name]:
                if len(one["measured"]) <= seed - FIRST_SEED:
                    one["measured"].append(measured(graph, one["epsilon_y"], seed, one["epsilon_a"]))
                    print(name, one, flush=True)
                    yield


def assessed_lists(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The errors of the mean in points, and how many campaigns the intervals held."""
    errors = [100 * (row["forecast"] - np.mean(row["measured"])) for row in rows]
    inside = [row["low"] <= one <= row["high"] for row in rows for one in row["measured"]]
    return {
        "splits": len(rows),
        "mean_absolute_error": float(np.abs(errors).mean()),
        "mean_error": float(np.mean(errors)),
        "coverage": float(np.mean(inside)),
    }


def assessed(name: str, here: dict[str, Any]) -> dict[str, Any]:
    """The errors of the mean in points, and how many campaigns the intervals held."""
    runs = [np.array(here["measured"][f"{epsilon:g}"]) for epsilon in BUDGETS]
    means = np.array([one.mean() for one in runs])
    known = here["forecasts"]["0"]
    inside = [
        (low <= one) & (one <= high) for one, low, high in zip(runs, known["low"], known["high"], strict=True)
    ]
    errors = {off: 100 * (np.array(found["forecast"]) - means) for off, found in here["forecasts"].items()}
    return {
        "graph": name,
        "chosen_on": name in CHOSEN_ON,
        "mean_absolute_error": float(np.abs(errors["0"]).mean()),
        "errors": errors["0"].tolist(),
        "coverage": float(np.concatenate(inside).mean()),
        "mean_absolute_error_if_homophily_is_off": {
            off: float(np.abs(one).mean()) for off, one in errors.items() if off != "0"
        },
        "asks_for_features": any(known["recommended_epsilon_x"]),
        "measured_mean": means.tolist(),
    }


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    groups = {
        "all": rows,
        "chosen on": [row for row in rows if row["chosen_on"]],
        "not chosen on": [row for row in rows if not row["chosen_on"]],
    }
    return {
        name: {
            "graphs": len(group),
            "mean_absolute_error": float(np.mean([row["mean_absolute_error"] for row in group])),
            "coverage": float(np.mean([row["coverage"] for row in group])),
        }
        for name, group in groups.items()
        if group
    }


def picture(rows: list[dict[str, Any]], kept: Kept, path: Path) -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = 5
    lines = -(-len(rows) // columns)
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(2.7 * columns, 2.6 * lines), squeeze=False, sharex=True, sharey=True
    )
    for axis in axes.ravel()[len(rows) :]:
        axis.set_visible(False)
    for axis, row in zip(axes.ravel(), rows, strict=False):
        here = kept[row["graph"]]
        known = here["forecasts"]["0"]
        low, middle, high = (100 * np.array(known[end]) for end in ("low", "forecast", "high"))
        axis.fill_between(BUDGETS, low, high, color="#0072b2", alpha=0.18, linewidth=0)
        axis.plot(BUDGETS, middle, color="#0072b2", label="forecast, 90 %")
        for number, epsilon in enumerate(BUDGETS):
            runs = 100 * np.array(here["measured"][f"{epsilon:g}"])
            axis.plot(
                [epsilon] * runs.size,
                runs,
                "o",
                color="#d55e00",
                markersize=2.5,
                label=None if number else "measured",
            )
        marked = "" if row["chosen_on"] else " *"
        axis.set_title(f"{row['graph']}{marked}: {row['mean_absolute_error']:.1f} points", fontsize=9)
        axis.set(xscale="log", ylim=(0, 100))
        axis.set_xticks([0.25, 0.5, 1, 2, 4, 8], ["¼", "½", "1", "2", "4", "8"], minor=False)
        axis.minorticks_off()
        axis.grid(axis="y", color="#dddddd", linewidth=0.6)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0, 0].legend(frameon=False, fontsize=8, loc="lower right")
    figure.supxlabel("privacy budget ε of the label (* no setting was chosen on this graph)", fontsize=10)
    figure.supylabel("test accuracy (%)", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=130)


def write(path: Path, **document: Any) -> None:
    with atomic_write(path) as file:
        file.write((json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--graphs", nargs="+", default=list(GRAPHS), choices=list(GRAPHS))
    parser.add_argument("--forecasts-only", action="store_true", help="leave measuring for another time")
    arguments = parser.parse_args()
    before = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    kept: Kept = before.get("kept", {})
    lists = before.get("kept_with_lists", {})
    for _ in fill(kept, arguments.graphs, measure=not arguments.forecasts_only):
        write(arguments.output, kept=kept, kept_with_lists=lists)
    for _ in () if arguments.forecasts_only else fill_lists(lists):
        write(arguments.output, kept=kept, kept_with_lists=lists)
    rows = [
        assessed(name, here)
        for name, here in kept.items()
        if "0" in here["forecasts"] and all(here["measured"].get(f"{epsilon:g}") for epsilon in BUDGETS)
    ]
    write(
        arguments.output,
        first_seed=FIRST_SEED,
        budgets=BUDGETS,
        summary=summary(rows),
        graphs=rows,
        informativeness={name: informativeness(truth(name)) for name in ZEROS_AND_ONES},
        with_lists={name: assessed_lists(found) for name, found in lists.items()},
        kept=kept,
        kept_with_lists=lists,
    )
    picture(rows, kept, arguments.output.with_suffix(".png"))
    for row in rows:
        print(f"{row['graph']:24} {row['mean_absolute_error']:4.1f} points, coverage {row['coverage']:.2f}")


if __name__ == "__main__":
    main()
