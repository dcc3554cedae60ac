"""Methods with a trusted curator on Facebook: time and memory on two cores, each in its own process.

The yardstick of a method is itself without noise and clipping (ε = ∞), in the same run.

    python benchmarks/curator.py --output docs/results/curator.json
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from memory import resident

import hushgraph as hg
from hushgraph.curator import CuratorMethod, PublishedNIPGNN

METHODS: dict[str, Callable[[float], CuratorMethod]] = {
    "DP-MLP": lambda epsilon: hg.DPMLP(epsilon, random_state=0),
    "DP-SAGE": lambda epsilon: hg.DPSAGE(epsilon, random_state=0),
    "DPDGC": lambda epsilon: hg.DPDGC(epsilon, random_state=0),
    "GAP": lambda epsilon: hg.GAP(epsilon, random_state=0),
    "NIP-GNN (sound)": lambda epsilon: hg.NIPGNN(epsilon, random_state=0),
    "NIP-GNN (published)": lambda epsilon: PublishedNIPGNN(epsilon, random_state=0),
}


def measure(name: str, epsilon: float) -> dict[str, float]:
    torch.set_num_threads(2)
    graph = hg.datasets.load("facebook")
    split = hg.random_split(graph, train=0.75, val=0.1, seed=0)
    start = time.perf_counter()
    model = METHODS[name](epsilon).fit(graph, split)
    seconds = time.perf_counter() - start
    return {
        "seconds": round(seconds, 1),
        "peak_megabytes": round(resident().peak),
        "accuracy": round(hg.accuracy(model, graph, split.test), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("curator.json"))
    parser.add_argument("--one", nargs=2, metavar=("METHOD", "EPSILON"), help="measure here and print")
    parser.add_argument("--go-on", action="store_true", help="keep the methods that the output already has")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(asked.one[0], float(asked.one[1]))))
        return
    document: dict[str, Any] = {
        "graph": "facebook",
        "epsilon": 4.0,
        "machine": f"{platform.machine()}, 2 threads, torch {torch.__version__}",
        "methods": {},
    }
    if asked.go_on and asked.output.exists():
        document["methods"] = json.loads(asked.output.read_text(encoding="utf-8"))["methods"]
    for name in METHODS:
        if name in document["methods"]:
            continue
        sides = {}
        for side, epsilon in (("private", 4.0), ("ceiling", math.inf)):
            words = [sys.executable, __file__, "--one", name, str(epsilon)]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            sides[side] = json.loads(done.stdout.splitlines()[-1])
            print(name, side, sides[side], flush=True)
        document["methods"][name] = sides
        asked.output.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
