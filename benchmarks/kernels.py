"""What the kernels cost here: nanoseconds per multiply-add, sparse and dense, by width and threads.

The cost model in hushgraph.denoise.features and the default number of threads rest on these figures.

    python benchmarks/kernels.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
from rich.console import Console
from rich.table import Table

from hushgraph import datasets
from hushgraph.denoise import Adjacency


def best_seconds(function: Callable[[], object], repeats: int = 15) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def copy_bandwidth() -> float:
    """Bytes a second, read and written, of a plain copy that does not fit the cache."""
    source, target = torch.ones(64 * 2**20 // 4), torch.empty(64 * 2**20 // 4)
    return 2 * source.numel() * 4 / best_seconds(lambda: target.copy_(source))


def main() -> None:
    graph = datasets.load("social", n=20_000, features=100, mean_degree=15)
    adjacency = Adjacency.from_edges(graph.edges, graph.num_nodes)
    table = Table("threads", "width", "sparse ns/multiply-add", "dense ns/multiply-add", "copy GB/s")
    default = torch.get_num_threads()
    for threads in sorted({1, default}):
        torch.set_num_threads(threads)
        bandwidth = copy_bandwidth()
        for width in (4, 16, 32, 64):
            x, dense, weight = (
                torch.ones(graph.num_nodes, width),
                torch.ones(4_000, 1_000),
                torch.ones(1_000, width),
            )
            sparse = best_seconds(lambda x=x: adjacency.propagate(x, "gcn"))
            product = best_seconds(lambda dense=dense, weight=weight: dense @ weight)
            table.add_row(
                str(threads),
                str(width),
                f"{1e9 * sparse / adjacency.indices.numel() / width:.3f}",
                f"{1e9 * product / dense.numel() / width:.3f}",
                f"{bandwidth / 1e9:.1f}",
            )
    torch.set_num_threads(default)
    Console().print(table)


if __name__ == "__main__":
    main()
