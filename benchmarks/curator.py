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
from pathlib import Path

import torch
from memory import resident

import hushgraph as hg

METHODS = {
    "DP-MLP": lambda epsilon: hg.DPMLP(epsilon, random_state=0),
    "DP-SAGE": lambda epsilon: hg.DPSAGE(epsilon, random_state=0),
    "DPDGC": lambda epsilon: hg.DPDGC(epsilon, random_state=0),
    "GAP": lambda epsilon: hg.GAP(epsilon, random_state=0),
    "NIP-GNN (sound)": lambda epsilon: hg.NIPGNN(epsilon, random_state=0),
    "NIP-GNN (published)": lambda epsilon: hg.NIPGNN(epsilon, variant="published", random_state=0),
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
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(asked.one[0], float(asked.one[1]))))
        return
    found = {}
    for name in METHODS:
        for epsilon in (4.0, math.inf):
            words = [sys.executable, __file__, "--one", name, str(epsilon)]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            key = "private" if math.isfinite(epsilon) else "ceiling"
            found.setdefault(name, {})[key] = json.loads(done.stdout.splitlines()[-1])
            print(name, key, found[name][key], flush=True)
    document = {
        "graph": "facebook",
        "epsilon": 4.0,
        "machine": f"{platform.machine()}, 2 threads, torch {torch.__version__}",
        "methods": found,
    }
    asked.output.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
