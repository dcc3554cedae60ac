"""A million people, ten million friendships, ten classes, ε = 1 for each answer: prints JSON.

python benchmarks/million.py [--method cascade] [--device cuda] [--people 1000000] [--threads 1]

LPGNN asks for ten thousand features of each person too, of which the cascade would make nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
import torch
from memory import resident

from hushgraph import LPGNN, Cascade, MultiBit, RandomizedResponse, accuracy, collect, datasets, random_split

EPOCHS = 20


def main(method: str, device: str, people: int, threads: int | None) -> None:
    cascade = method == "cascade"
    start = time.perf_counter()
    features = 20 if cascade else 10_000
    graph = datasets.load("social", n=people, features=features, classes=10, mean_degree=20, seed=0)
    made = time.perf_counter()
    split = random_split(graph, train=0.5, val=0.25, seed=0)
    asked = None if cascade else MultiBit(1.0)
    labels, rng = RandomizedResponse(1.0), np.random.default_rng(0)
    collected = collect(graph, split, features=asked, labels=labels, rng=rng)
    gathered, before, processor = time.perf_counter(), resident(), time.process_time()
    ends: list[float] = []
    model: Any = Cascade(device=device, threads=threads)
    if not cascade:
        model = LPGNN("sage", k_x=2, k_y=2, epochs=EPOCHS, device=device, threads=threads)
    model.fit(collected, progress=lambda *_: ends.append(time.perf_counter()))
    step = "a_cascade" if cascade else "an_epoch"
    found = {
        "edges": graph.num_edges,
        "seconds_to_make_the_graph": made - start,
        "seconds_to_collect": gathered - made,
        "seconds_to_fit": time.perf_counter() - gathered,
        f"seconds_{step}": float(np.median(np.diff(ends))),
        "cpu_seconds_to_fit": time.process_time() - processor,
        "peak_megabytes_in_all": resident().peak,
        "megabytes_before_the_fit": before.peak,
        "test_accuracy": accuracy(model, graph, split.test),
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
    }
    if cascade:
        estimate = model.accuracy_estimate_
        found["accuracy_estimate"] = [estimate.value, estimate.low, estimate.high]
    print(json.dumps(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--method", choices=("lpgnn", "cascade"), default="lpgnn")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int)
    words = parser.parse_args()
    main(words.method, words.device, words.people, words.threads)
