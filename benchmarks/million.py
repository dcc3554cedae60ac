"""A million people, ten million friendships, ten thousand features, ε_x = ε_y = 1: prints JSON.

python benchmarks/million.py [--device cuda]
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
import torch
from memory import resident

from hushgraph import LPGNN, MultiBit, RandomizedResponse, accuracy, collect, datasets, random_split

EPOCHS = 20


def main(device: str) -> None:
    start = time.perf_counter()
    graph = datasets.load("social", n=1_000_000, features=10_000, classes=10, mean_degree=20, seed=0)
    made = time.perf_counter()
    split = random_split(graph, train=0.5, val=0.25, seed=0)
    collected = collect(
        graph, split, features=MultiBit(1.0), labels=RandomizedResponse(1.0), rng=np.random.default_rng(0)
    )
    asked = time.perf_counter()
    ends: list[float] = []
    model = LPGNN("sage", k_x=2, k_y=2, epochs=EPOCHS, device=device)
    model.fit(collected, progress=lambda *_: ends.append(time.perf_counter()))
    print(
        json.dumps({
            "edges": graph.num_edges,
            "seconds_to_make_the_graph": made - start,
            "seconds_to_collect": asked - made,
            "seconds_to_fit": time.perf_counter() - asked,
            "seconds_an_epoch": float(np.median(np.diff(ends))),
            "peak_megabytes_in_all": resident().peak,
            "test_accuracy": accuracy(model, graph, split.test),
            "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        })
    )  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cpu")
    main(parser.parse_args().device)
