"""The cascade without each of its ideas, beside LPGNN and the largest class, and the time that it takes.

    python benchmarks/cascade.py --output docs/results/cascade.json

On each graph and seed all methods learn from the same reports. A cell is kept as soon as it is done: a second
start goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from numpy.typing import NDArray

import hushgraph as hg
from hushgraph._files import atomic_write
from hushgraph.local.cascade import calibration, effort, ensemble, layers, method, spectra
from hushgraph.local.cascade.calibration import Calibration, fit_calibration
from hushgraph.local.cascade.surroundings import Surroundings
from hushgraph.metrics import student_half_width

FIRST_SEED = 300
EPSILONS = (0.5, 1.0)
SOCIAL: dict[str, dict[str, Any]] = {
    f"social, homophily {homophily}": {"n": 3000, "features": 50, "classes": 5, "homophily": homophily}
    for homophily in (0.2, 0.4, 0.6, 0.9)
}
GRAPHS = (*(f"social, homophily {homophily}" for homophily in (0.2, 0.6, 0.9)), "cora", "citeseer")
# No part of the recipe was chosen on these. They are large: fewer seeds.
APART = {"pubmed": 3, "coauthor_physics": 2}
TIMED = {"cora": 2.0, "facebook": 10.0}


def equal_shares(reports: Any) -> torch.Tensor:
    return torch.full((reports.num_classes,), 1 / reports.num_classes)


def without(**settings: Any) -> Any:
    """An effort with other cascades."""
    return lambda _: effort.Effort(**settings)


def not_calibrated(*_: Any) -> Calibration:
    return Calibration(1.0, 0.0)


def power_alone(*words: Any) -> Calibration:
    with mock.patch.object(calibration, "DOUBT", (-20.0, 1e-3)):
        return fit_calibration(*words)


# What is put where for each ablation.
ABLATIONS: Mapping[str, tuple[tuple[Any, str, Any], ...]] = {
    "the whole": (),
    "1 layer": ((layers, "LAYERS", 1),),
    "3 layers": ((layers, "LAYERS", 3),),
    "one cascade": ((effort.Effort, "worth", without(turns=(2,))),),
    "64 and 128 eigenvectors alone": ((spectra, "widths_for", lambda _: (64, 128)),),
    "spectra of small components too": ((spectra, "SMALLEST", 0.0),),
    "no spectra": ((Surroundings, "spectra_of", lambda *_: []),),
    "equal class shares": ((ensemble, "class_shares", equal_shares),),
    "not calibrated": ((method, "fit_calibration", not_calibrated),),
    "calibrated by a power alone": ((method, "fit_calibration", power_alone),),
}


@contextmanager
def ablated(name: str) -> Iterator[None]:
    with ExitStack() as stack:
        for place, attribute, value in ABLATIONS[name]:
            stack.enter_context(mock.patch.object(place, attribute, value))
        yield


def calibration_error(proba: NDArray[np.float32], labels: NDArray[np.int64], bins: int = 10) -> float:
    """The expected difference of how sure and how often right, over bins of how sure (ECE)."""
    sure, correct = proba.max(1), proba.argmax(1) == labels
    which = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        (which == number).mean() * abs(sure[which == number].mean() - correct[which == number].mean())
        for number in np.unique(which)
    ]
    return float(sum(gaps))


def gathered(
    graph: hg.Graph, epsilon: float, seed: int, epsilon_x: float = 1.0
) -> tuple[hg.Split, hg.CollectedGraph]:
    split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
    features, labels = hg.MultiBit(epsilon_x, clip=True), hg.RandomizedResponse(epsilon)
    rng = np.random.default_rng([seed, 1])
    return split, hg.collect(graph, split, features=features, labels=labels, rng=rng)


def assessed(model: Any, graph: hg.Graph, split: hg.Split, fit: Callable[[], Any]) -> dict[str, float | bool]:
    start = time.process_time()
    fit()
    seconds = time.process_time() - start
    proba, labels = model.predict_proba()[split.test], graph.labels[split.test]
    found: dict[str, float | bool] = {
        "accuracy": float((proba.argmax(1) == labels).mean()),
        "log_loss": float(-np.log(np.maximum(proba[np.arange(labels.size), labels], 1e-9)).mean()),
        "calibration_error": calibration_error(proba, labels),
        "cpu_seconds": seconds,
    }
    if isinstance(model, hg.Cascade):
        estimate = model.accuracy_estimate_
        found["estimate"] = estimate.value
        found["covered"] = estimate.low <= found["accuracy"] <= estimate.high
    return found


def compared(graph: hg.Graph, epsilon: float, seed: int, ablations: list[str]) -> dict[str, dict[str, Any]]:
    """Of one seed: every ablation, LPGNN as it is by default, and the largest class."""
    split, collected = gathered(graph, epsilon, seed)
    _ = collected.features, collected.labels
    found: dict[str, dict[str, Any]] = {}
    for name in ablations:
        with ablated(name):
            model = hg.Cascade(random_state=seed)
            found[name] = assessed(model, graph, split, lambda model=model: model.fit(collected))  # type: ignore[misc]
    lpgnn = hg.LPGNN(random_state=seed)
    found["LPGNN"] = assessed(lpgnn, graph, split, lambda: lpgnn.fit(collected))
    counts = np.bincount(graph.labels[split.test])
    found["largest class"] = {"accuracy": float(counts.max() / counts.sum())}
    return found


def rows_of(name: str, epsilon: float, runs: list[dict[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    rows = []
    for who in runs[0]:
        row: dict[str, Any] = {"graph": name, "epsilon_y": epsilon, "who": who}
        for quantity in runs[0][who]:
            row[quantity] = float(np.mean([run[who][quantity] for run in runs]))
        less = [100 * (run[who]["accuracy"] - run["the whole"]["accuracy"]) for run in runs]
        row |= {"points_above_the_whole": float(np.mean(less)), "half_width": student_half_width(less)}
        row["accuracies"] = [run[who]["accuracy"] for run in runs]
        rows.append(row)
        print(
            f"{name:24} {epsilon:<4g} {who:32} {100 * row['accuracy']:5.1f} %"
            f"  {row['points_above_the_whole']:+5.1f} ± {row['half_width']:4.1f}",
            flush=True,
        )
    return rows


def timed(name: str, limit: float) -> dict[str, Any]:
    """CPU seconds at (1, 1) with one thread."""
    graph = hg.datasets.load(name)
    split, collected = gathered(graph, 1.0, FIRST_SEED)
    _ = collected.features, collected.labels
    model = hg.Cascade(threads=1)
    found = assessed(model, graph, split, lambda: model.fit(collected))
    print(f"{name}: {found['cpu_seconds']:.1f} s, at most {limit:g}", flush=True)
    return {"graph": name, "limit": limit, **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--graphs", nargs="+", default=[*GRAPHS, *APART])
    parser.add_argument("--epsilons", nargs="+", type=float, default=list(EPSILONS))
    parser.add_argument("--ablations", nargs="+", default=list(ABLATIONS), choices=list(ABLATIONS))
    arguments = parser.parse_args()
    about = {"first_seed": FIRST_SEED, "repeats": arguments.repeats}
    document: dict[str, Any] = {**about, "rows": [], "times": []}
    if arguments.output.exists():
        document = json.loads(arguments.output.read_text())
    done = {(row["graph"], row["epsilon_y"]) for row in document["rows"]}
    for name in arguments.graphs:
        for epsilon in arguments.epsilons:
            if (name, epsilon) in done:
                continue
            runs = []
            for seed in range(FIRST_SEED, FIRST_SEED + min(arguments.repeats, APART.get(name, math.inf))):
                known = SOCIAL.get(name)
                graph = hg.datasets.social(**known, seed=seed) if known else hg.datasets.load(name)
                runs.append(compared(graph, epsilon, seed, ["the whole", *arguments.ablations[1:]]))
            document["rows"] += rows_of(name, epsilon, runs)
            keep(document, arguments.output)
    if not document["times"]:
        document["times"] = [timed(name, limit) for name, limit in TIMED.items()]
        keep(document, arguments.output)


def keep(document: dict[str, Any], path: Path) -> None:
    with atomic_write(path) as file:
        file.write((json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main()
