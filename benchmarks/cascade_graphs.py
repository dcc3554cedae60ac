"""The cascade beside LPGNN and the largest class, where friends are alike or not and features tell or not.

    python benchmarks/cascade_graphs.py --output docs/results/cascade-graphs.json
    python benchmarks/cascade_graphs.py --output docs/results/cascade-graphs.json --show   # docs/cascade.md

On each graph and seed all learn from the same reports. A cell is kept as soon as it is done: a second start
goes on. Beside the file, a picture of how often predictions are right that are so and so sure.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from cascade import assessed, gathered
from numpy.typing import NDArray

import hushgraph as hg
from hushgraph._files import atomic_write
from hushgraph.metrics import student_half_width

FIRST_SEED = 400
BINS = 10
HOMOPHILIES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
# About twenty likes a person: the more there are to like, the less each of them tells of a class.
LIKES, OTHER_LIKES = 50, (10, 1000)
# Graph, how many likes there are and homophily where these are a choice, ε of features (one noisy bit, some,
# as they are), ε of the label.
CELLS = (
    *(("social", LIKES, alike, noise, 1.0) for alike in HOMOPHILIES for noise in (1.0, 8.0, math.inf)),
    *(("social", LIKES, alike, 1.0, 0.5) for alike in HOMOPHILIES),
    *(
        ("social", likes, alike, noise, 1.0)
        for likes in OTHER_LIKES for alike in (0.4, 0.8) for noise in (1.0, 8.0, math.inf)
    ),
    *((name, None, None, 1.0, noise) for name in ("github", "coauthor_physics") for noise in (0.5, 1.0)),
)  # fmt: skip
WHO = ("cascade", "LPGNN")
TITLES = {"social": "built-in", "github": "GitHub", "coauthor_physics": "Coauthor Physics"}
Found = dict[str, dict[str, Any]]


def truth(name: str, likes: int | None, homophily: float | None, seed: int) -> hg.Graph:
    if likes is None or homophily is None:
        return hg.datasets.load(name)
    return hg.datasets.social(n=3000, features=likes, classes=5, homophily=homophily, seed=seed)


def curve(proba: NDArray[np.float32], labels: NDArray[np.int64]) -> list[list[float]]:
    """How many people in each bin of sureness, how sure in all, and how many of them right."""
    sure, right = proba.max(1), proba.argmax(1) == labels
    which = np.minimum((sure * BINS).astype(int), BINS - 1)
    sums = [np.bincount(which, weight, BINS) for weight in (np.ones_like(sure), sure, right)]
    return np.array(sums).T.tolist()  # type: ignore[no-any-return]


def run(graph: hg.Graph, epsilon_x: float, epsilon_y: float, seed: int) -> Found:
    split, collected = gathered(graph, epsilon_y, seed, epsilon_x)
    found: Found = {}
    models: dict[str, Any] = {
        "cascade": hg.Cascade(random_state=seed, threads=1),
        "LPGNN": hg.LPGNN(random_state=seed, threads=1),
    }
    labels = graph.labels[split.test]
    for who, model in models.items():
        found[who] = assessed(model, graph, split, lambda model=model: model.fit(collected))  # type: ignore[misc]
        found[who]["curve"] = curve(model.predict_proba()[split.test], labels)
    counts = np.bincount(labels)
    found["largest class"] = {"accuracy": float(counts.max() / counts.sum())}
    found["cascade"]["uses_features"] = models["cascade"].uses_features_
    return found


def against(runs: list[Found], other: str) -> dict[str, float]:
    """By how many points the cascade is above, paired by seed."""
    more = [100 * (run["cascade"]["accuracy"] - run[other]["accuracy"]) for run in runs]
    return {"points": float(np.mean(more)), "half_width": student_half_width(more)}


def cell(cell: tuple[str, int | None, float | None, float, float], repeats: int) -> dict[str, Any]:
    name, likes, homophily, epsilon_x, epsilon_y = cell
    runs = []
    for seed in range(FIRST_SEED, FIRST_SEED + repeats):
        runs.append(run(truth(name, likes, homophily, seed), epsilon_x, epsilon_y, seed))
        print(f"{cell}, seed {seed}", flush=True)
    row: dict[str, Any] = {
        "graph": name, "likes": likes, "homophily": homophily, "epsilon_x": str(epsilon_x),
        "epsilon_y": epsilon_y, "repeats": repeats,
        "above_lpgnn": against(runs, "LPGNN"), "above_largest_class": against(runs, "largest class"),
        "covered": [one["cascade"]["covered"] for one in runs],
        "uses_features": [one["cascade"]["uses_features"] for one in runs],
        "accuracies": {who: [one[who]["accuracy"] for one in runs] for who in (*WHO, "largest class")},
    }  # fmt: skip
    for who in WHO:
        row[f"calibration_error_{who}"] = [one[who]["calibration_error"] for one in runs]
        row[f"curve_{who}"] = np.sum([one[who]["curve"] for one in runs], axis=0).tolist()
    return row


def picture(rows: list[dict[str, Any]], path: Path) -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot

    panels = {
        "built-in graph": [row for row in rows if row["graph"] == "social"],
        "GitHub": [row for row in rows if row["graph"] == "github"],
        "Coauthor Physics": [row for row in rows if row["graph"] == "coauthor_physics"],
    }
    panels = {title: chosen for title, chosen in panels.items() if chosen}
    figure, axes = pyplot.subplots(1, len(panels), figsize=(3.6 * len(panels), 3.6), squeeze=False)
    for axis, (title, chosen) in zip(axes[0], panels.items(), strict=True):
        axis.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for who, marker in zip(WHO, ("o", "s"), strict=True):
            count, sure, right = np.sum([row[f"curve_{who}"] for row in chosen], axis=0).T
            there = count >= 30
            axis.plot(sure[there] / count[there], right[there] / count[there], marker=marker, label=who)
        axis.set(title=title, xlabel="how sure", ylabel="how often right", xlim=(0, 1), ylim=(0, 1))
        axis.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def shown(rows: list[dict[str, Any]]) -> str:
    """All cells as Markdown; differences are paired by seed, with Student's 95 % interval."""
    lines = [
        "| graph | likes | homophily | ε_x | ε_y | seeds | features used | cascade | LPGNN | largest class"
        " | cascade − LPGNN | seeds won |",
        "|---" * 12 + "|",
    ]
    fields = ("graph", "likes", "homophily", "epsilon_x", "epsilon_y")
    found = {tuple(row[field] for field in fields): row for row in rows}
    for name, *words, noise, label in CELLS:
        row = found.get((name, *words, str(noise), label))
        if row is None:
            continue
        means = [100 * float(np.mean(row["accuracies"][who])) for who in (*WHO, "largest class")]
        won = np.array(row["accuracies"]["cascade"]) > np.array(row["accuracies"]["LPGNN"])
        above = row["above_lpgnn"]
        which = ["–" if word is None else f"{word:g}" for word in words]
        budget = "∞" if math.isinf(noise) else f"{noise:g}"
        used = f"{sum(row['uses_features'])} of {row['repeats']}"
        lines.append(
            f"| {TITLES[name]} | {' | '.join(which)} | {budget} | {label:g} | {row['repeats']} | {used} | "
            + " | ".join(f"{mean:.1f}" for mean in means)
            + f" | {above['points']:+.1f} ± {above['half_width']:.1f} | {won.sum()} |".replace("-", "−")
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--graphs", nargs="+", default=["social", "github", "coauthor_physics"])
    parser.add_argument("--homophily", nargs="+", type=float, default=HOMOPHILIES, metavar="SHARE")
    parser.add_argument(
        "--show", action="store_true", help="print what there is as a table, and measure nothing"
    )
    arguments = parser.parse_args()
    kept: list[dict[str, Any]] = []
    if arguments.output.exists():
        kept = json.loads(arguments.output.read_text())["rows"]
    if arguments.show:
        print(shown(kept))
        return
    fields = ("graph", "likes", "homophily", "epsilon_x", "epsilon_y")
    done = {tuple(row[field] for field in fields): row for row in kept}
    for one in CELLS:
        key = (*one[:3], str(one[3]), one[4])
        asked = one[0] in arguments.graphs and one[2] in (None, *arguments.homophily)
        if asked and done.get(key, {"repeats": 0})["repeats"] < arguments.repeats:
            done[key] = cell(one, arguments.repeats)
            document = {"first_seed": FIRST_SEED, "bins": BINS, "rows": list(done.values())}
            with atomic_write(arguments.output) as file:
                file.write((json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode())
    picture(list(done.values()), arguments.output.with_suffix(".png"))


if __name__ == "__main__":
    main()
