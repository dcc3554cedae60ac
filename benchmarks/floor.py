"""How far an epoch is from what its sparse kernels must spend: prints JSON, in milliseconds.

The floor of operations takes every stored edge at the price of the same kernel on data in cache, as measured
here; the floor of bytes takes what must be read and written once, at the speed of a plain copy.

    python benchmarks/floor.py facebook
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import torch
from kernels import best_seconds, copy_bandwidth
from settings import published_graph, published_settings
from torch import Tensor

from hushgraph import LPGNN, MultiBit, RandomizedResponse, collect, random_split
from hushgraph.sparse import Adjacency, kernels

EPOCHS = 100
HIDDEN = 16


def seconds_for_a_hop(adjacency: Adjacency, width: int) -> float:
    x = torch.ones(adjacency.num_nodes, width)
    return best_seconds(lambda: adjacency.propagate(x, "gcn"))


def main(dataset: str) -> None:
    torch.set_num_threads(1)
    settings = published_settings(dataset, 1.0, 1.0)
    graph = published_graph(dataset)
    split = random_split(graph, train=0.5, val=0.25, seed=0)
    collected = collect(
        graph, split, features=MultiBit(1.0), labels=RandomizedResponse(1.0), rng=np.random.default_rng(0)
    )
    adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes)

    # Forward and backward: K_x hops of both halves of the first weight, its mean, the second layer's mean
    # (once more for evaluation), K_y hops of the classes.
    classes = graph.num_classes
    hops = (
        [2 * HIDDEN] * (2 * settings["k_x"])
        + [HIDDEN] * 2
        + [classes] * 3
        + [classes] * (2 * settings["k_y"])
    )
    operations = sum(seconds_for_a_hop(adjacency, width) for width in hops)
    stored = adjacency.indices.numel()
    floor_bytes = sum(8 * stored + 2 * 4 * graph.num_nodes * width for width in hops) / copy_bandwidth()

    spent, kernel = [0.0], kernels.sparse_matmul

    def timed(indptr: Tensor, indices: Tensor, data: Tensor | None, dense: Tensor) -> Tensor:
        start = time.perf_counter()
        result = kernel(indptr, indices, data, dense)
        spent[0] += time.perf_counter() - start
        return result

    kernels.sparse_matmul = timed
    ends: list[float] = []
    LPGNN("sage", **settings, epochs=EPOCHS).fit(
        collected, progress=lambda *_: ends.append(time.perf_counter())
    )
    milliseconds = {
        "epoch": float(np.median(np.diff(ends))),
        "kernels": spent[0] / EPOCHS,
        "operations": operations,
        "bytes": floor_bytes,
    }
    print(json.dumps({"dataset": dataset} | {name: 1e3 * value for name, value in milliseconds.items()}))


if __name__ == "__main__":
    main(sys.argv[1])
