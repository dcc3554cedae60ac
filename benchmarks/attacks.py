"""All attacks on GAP at ε = 4 and on two networks that protect nobody: time and memory of each.

Each target has a process of its own.

    python benchmarks/attacks.py --output docs/results/attacks.json

Seconds are of the processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from memory import resident

import hushgraph as hg
from hushgraph.attacks import Victim
from hushgraph.attacks.stage import Roles, Stage
from hushgraph.attacks.suite import WITH_TRAINING, findings
from hushgraph.sparse.runtime import threads

GRAPHS = ("cora", "facebook")
TARGETS = ("GAP", "gcn-overfitted", "gcn-structure")


def measure(dataset: str, name: str) -> dict[str, Any]:
    graph = hg.datasets.load(dataset)
    victim = Victim("GAP", hg.GAP(4.0)) if name == "GAP" else Victim.named(name)
    before = resident()
    with threads(1):
        start = time.process_time()
        stage = Stage.set(victim, Roles.drawn(graph, np.random.default_rng([0, 3])), np.random.default_rng(0))
        seconds = {"training": time.process_time() - start}
        for attack in WITH_TRAINING:
            start = time.process_time()
            if list(findings(stage, [attack], seed=0)):
                seconds[attack] = time.process_time() - start
    return {
        "seconds": {name: round(value, 2) for name, value in seconds.items()},
        "total_seconds": round(sum(seconds.values()), 1),
        "peak_megabytes": round(resident().peak),
        "allocated_megabytes": round(resident().allocated_since(before)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, default=Path("attacks.json"))
    parser.add_argument("--one", nargs=2, metavar=("GRAPH", "TARGET"), help="measure here and print")
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(*asked.one)))
        return
    document: dict[str, Any] = {
        "machine": f"{platform.machine()}, 1 thread, torch {torch.__version__}",
        "graphs": {dataset: {} for dataset in GRAPHS},
    }
    for dataset in GRAPHS:
        for target in TARGETS:
            words = [sys.executable, __file__, "--one", dataset, target]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            document["graphs"][dataset][target] = json.loads(done.stdout.splitlines()[-1])
            print(dataset, target, document["graphs"][dataset][target], flush=True)
            asked.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
