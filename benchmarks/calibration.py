"""Structure calibration on sparse lists: speed and memory, and what the dense problem would do otherwise.

1. GitHub at ε_a = 8: collect, calibrate and train in one process.
2. Time and memory against the number of names in the lists, and against the dense formulation where it fits.
3. How many entries outside the lists the dense problem would open, and what leaving them out costs.

    python benchmarks/calibration.py --output docs/results/calibration.json
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from memory import resident

from hushgraph import (
    AdjacencyRandomizedResponse,
    CollectedGraph,
    Graph,
    MultiBit,
    RandomizedResponse,
    Solitude,
    Split,
    accuracy,
    collect,
    datasets,
    random_split,
)
from hushgraph.metrics import mean_and_interval

SETTINGS: dict[str, Any] = {
    "k_x": 2,
    "k_y": 4,
    "learning_rate": 0.001,
    "weight_decay": 0.1,
    "lambda_1": 1e-5,
    "lambda_2": 1e-5,
}
PENALTIES = [1e-5, 1e-4, 1e-3, 1e-2]
SEEDS = range(5)
# Dense epochs are slow: the comparison on Cora makes fewer than the tables, on either side.
EPOCHS = 200


def collection(graph: Graph, epsilon_a: float, seed: int = 0) -> tuple[Split, CollectedGraph]:
    split = random_split(graph, train=0.5, val=0.25, seed=seed)
    return split, collect(
        graph,
        split,
        features=MultiBit(1.0),
        labels=RandomizedResponse(math.inf),
        edges=AdjacencyRandomizedResponse(epsilon_a),
        rng=np.random.default_rng([seed, 1]),
    )


def loaded(name: str) -> Graph:
    """A named graph; ``social-N`` is the built-in one of N people."""
    if name.startswith("social-"):
        return datasets.load("social", n=int(name.removeprefix("social-")), features=500, classes=5, seed=0)
    return datasets.load(name)


def one_side(side: str, name: str, epsilon_a: float, epochs: int) -> dict[str, Any]:
    """One fit in this process: seconds, memory, accuracy."""
    torch.set_num_threads(1)
    if side == "dense":
        import dense_solitude

        torch.optim.Adam([torch.zeros(1)])  # loads torch's compiler, which counts as an import
    graph = loaded(name)
    imports = resident()
    start = time.perf_counter()
    split, collected = collection(graph, epsilon_a)
    asked = time.perf_counter()
    ends: list[float] = []
    settings = Solitude(**SETTINGS, epochs=epochs, threads=1, device="cpu")
    if side == "dense":
        predicted, *_ = dense_solitude.fit(collected, settings, lambda _: ends.append(time.perf_counter()))
        guessed = float(np.mean(predicted.numpy()[split.test] == graph.labels[split.test]))
    else:
        model = settings.fit(collected, progress=lambda *_: ends.append(time.perf_counter()))
        guessed = accuracy(model, graph, split.test)
    now = resident()
    return {
        "side": side,
        "graph": name,
        "people": graph.num_nodes,
        "epsilon_a": epsilon_a,
        "friendships": graph.num_edges,
        "names": int(collected.edges.shape[1]),
        "seconds_to_collect": asked - start,
        "seconds_an_epoch": float(np.median(np.diff(ends))),
        "seconds_to_fit": ends[-1] - asked,
        "epochs": epochs,
        "test_accuracy": guessed,
        "megabytes_above_imports": now.peak - imports.peak,
        "peak_megabytes_in_all": now.peak,
    }


def outside(epsilon_a: float) -> dict[str, Any]:
    """Cora: entries outside the lists that the dense problem would open, and what it makes of them."""
    import dense_solitude

    graph = loaded("cora")
    shares: dict[int, list[list[float]]] = {}
    found: dict[str, list[float]] = {"sparse": [], "dense": [], "opened": [], "mean_weight": []}
    for seed in SEEDS:
        split, collected = collection(graph, epsilon_a, seed)
        model = Solitude(**SETTINGS, epochs=EPOCHS, random_state=seed, device="cpu")
        for epochs in (1, 10, 50, EPOCHS):
            early = Solitude(**model.get_params() | {"epochs": epochs, "selection": "last"}).fit(collected)
            shares.setdefault(epochs, []).append(dense_solitude.opening_share(early, collected, PENALTIES))
        found["sparse"].append(100 * accuracy(model.fit(collected), graph, split.test))
        predicted, opened, weight = dense_solitude.fit(collected, model)
        found["dense"].append(100 * float(np.mean(predicted.numpy()[split.test] == graph.labels[split.test])))
        found["opened"].append(opened)
        found["mean_weight"].append(weight)
        print(
            f"seed {seed}: sparse {found['sparse'][-1]:.1f}, dense {found['dense'][-1]:.1f}", file=sys.stderr
        )
    return {
        "epsilon_a": epsilon_a,
        "entries": graph.num_nodes * (graph.num_nodes - 1),
        "penalties": PENALTIES,
        "opening_share": {epochs: np.mean(each, axis=0).tolist() for epochs, each in shares.items()},
        "sparse": mean_and_interval(found["sparse"]),
        "dense": mean_and_interval(found["dense"]),
        "opened": float(np.mean(found["opened"])),
        "mean_weight": float(np.mean(found["mean_weight"])),
        "seeds": len(SEEDS),
        "epochs": EPOCHS,
        "settings": SETTINGS,
    }


def in_own_process(*words: object) -> dict[str, Any]:
    """What one measurement prints, so that its peak memory is its own."""
    print("  " + " ".join(map(str, words)), file=sys.stderr)
    command = [sys.executable, __file__, *map(str, words)]
    finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return result


def everything() -> dict[str, Any]:
    return {
        "github": in_own_process("sparse", "github", 8.0, 100),
        "names": [
            in_own_process("sparse", "github", epsilon_a, 12) for epsilon_a in (7.0, 7.5, 8.0, 9.0, 10.0)
        ],
        "dense": [
            in_own_process(side, name, 7.0, epochs)
            for name in ("social-1000", "cora", "social-5000", "social-10000")
            for side, epochs in (("sparse", 50), ("dense", 5))
        ],
        "outside": in_own_process("outside", 7.0),
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["outside"]:
        print(json.dumps(outside(float(sys.argv[2]))))
    elif sys.argv[1:2] in (["sparse"], ["dense"]):
        print(json.dumps(one_side(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))))
    else:
        parser = argparse.ArgumentParser(
            description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("--output", type=Path, required=True)
        output = parser.parse_args().output
        output.write_text(json.dumps(everything(), indent=1) + "\n")
