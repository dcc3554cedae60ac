"""One side of a comparison in a process of its own: prints seconds and memory as JSON.

python benchmarks/side.py hushgraph facebook 500
python benchmarks/side.py plain facebook 20
"""

from __future__ import annotations

import importlib
import json
import sys
import time

import numpy as np
import torch
from memory import resident
from settings import published_graph, published_settings

from hushgraph import LPGNN, MultiBit, RandomizedResponse, collect, random_split


def main(side: str, dataset: str, epochs: int) -> None:
    torch.set_num_threads(1)
    settings = published_settings(dataset, 1.0, 1.0)
    if side == "plain":
        import plain

        # torch's optimisers load it at first use: it counts as an import, not as the method's memory.
        importlib.import_module("torch._dynamo")
    imports = resident()
    start = time.perf_counter()
    ends: list[float] = []
    graph = published_graph(dataset)
    split = random_split(graph, train=0.5, val=0.25, seed=0)

    def on_epoch(*_: object) -> None:
        ends.append(time.perf_counter())

    if side == "plain":
        plain.train(graph, split, epsilon_x=1.0, epsilon_y=1.0, **settings, epochs=epochs, on_epoch=on_epoch)
    else:
        collected = collect(
            graph,
            split,
            features=MultiBit(1.0),
            labels=RandomizedResponse(1.0),
            rng=np.random.default_rng(0),
        )
        LPGNN("sage", **settings, epochs=epochs).fit(collected, progress=on_epoch)
    epoch = float(np.mean(np.diff(ends)))
    now = resident()
    result = {
        "epoch_seconds": epoch,
        "setup_seconds": ends[0] - epoch - start,
        "megabytes_above_imports": now.peak - imports.peak,
        "megabytes_allocated": now.allocated_since(imports),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
