"""The cost of an epoch on the built-in graph: prints JSON.

python benchmarks/growth.py PEOPLE FEATURES STEPS EPSILON
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import torch
from memory import resident

from hushgraph import LPGNN, MultiBit, RandomizedResponse, collect, datasets, random_split
from hushgraph.denoise.denoised import dense_is_cheaper
from hushgraph.mechanisms import Factored
from hushgraph.sparse import Adjacency

EPOCHS = 12


def main(n: int, d: int, k: int, epsilon: float) -> None:
    torch.set_num_threads(1)
    imports = resident()
    graph = datasets.load("social", n=n, features=d, classes=10, mean_degree=20)
    split = random_split(graph, train=0.5, val=0.25, seed=0)
    mechanism = MultiBit(epsilon)
    collected = collect(
        graph, split, features=mechanism, labels=RandomizedResponse(1.0), rng=np.random.default_rng(0)
    )
    adjacency = Adjacency.from_edges(graph.edges, n)
    assert isinstance(collected.features, Factored)
    dense = dense_is_cheaper(collected.features, adjacency, k, 32, 500)
    del adjacency
    ends: list[float] = []
    model = LPGNN("sage", k_x=k, k_y=2, epochs=EPOCHS, threads=1, form="dense" if dense else "factored")
    model.fit(collected, progress=lambda *_: ends.append(time.perf_counter()))
    print(
        json.dumps({
            "n": n,
            "d": d,
            "k": k,
            "epsilon": epsilon,
            "m": mechanism.sampled(d),
            "edges": graph.num_edges,
            "form": model.form,
            "epoch_seconds": float(np.median(np.diff(ends))),
            "megabytes": resident().allocated_since(imports),
        })
    )  # fmt: skip


if __name__ == "__main__":
    people, features, steps, budget = sys.argv[1:]
    main(int(people), int(features), int(steps), float(budget))
