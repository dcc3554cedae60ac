"""What the kernels cost here, and what they would cost otherwise.

The cost model in hushgraph.denoise.features, the default number of threads and the figures in docs/design.md
rest on this.

    python benchmarks/kernels.py
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torch.nn import functional

from hushgraph import LPGNN, MultiBit, RandomizedResponse, collect, datasets, random_split
from hushgraph.graph import Graph
from hushgraph.nn.dropout import Dropout
from hushgraph.sparse import Adjacency

console = Console()
WIDTHS = (4, 16, 32, 64)
MAKE_AN_OPTIMIZER = """
import time, torch
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20
before, start = resident(), time.perf_counter()
torch.optim.Adam([torch.ones(1, requires_grad=True)])
print(time.perf_counter() - start, resident() - before)
"""


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


def operations(adjacency: Adjacency) -> None:
    table = Table(
        "width", "sparse", "torch's CSR", "dense", title="Nanoseconds for a multiply-add, one thread"
    )
    edges, weights = adjacency.indices.numel(), adjacency.weights("gcn")
    assert weights is not None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR", category=UserWarning)
        csr = torch.sparse_csr_tensor(adjacency.indptr, adjacency.indices, weights, check_invariants=False)
    for width in WIDTHS:
        x, dense, weight = (
            torch.ones(adjacency.num_nodes, width),
            torch.ones(4_000, 1_000),
            torch.ones(1_000, width),
        )
        seconds = (
            best_seconds(partial(adjacency.propagate, x, "gcn")) / edges,
            best_seconds(partial(torch.matmul, csr, x)) / edges,
            best_seconds(partial(torch.matmul, dense, weight)) / dense.numel(),
        )
        table.add_row(str(width), *(f"{1e9 * each / width:.3f}" for each in seconds))
    console.print(table)


def small_things(nodes: int) -> None:
    hidden, logits = torch.randn(nodes, 16), torch.randn(nodes, 4)
    dropout = Dropout(0.5)
    table = Table("", "torch's, ms", "ours, ms", title=f"Small things, {nodes:,} people, one thread")
    for name, theirs, ours in (
        ("dropout of 16 columns", lambda: functional.dropout(hidden), lambda: dropout(hidden)),
        ("softmax over 4 classes", lambda: logits.softmax(1), lambda: logits.t().softmax(0).t().contiguous()),
    ):
        table.add_row(name, *(f"{1e3 * best_seconds(function):.2f}" for function in (theirs, ours)))
    console.print(table)
    made = subprocess.run(
        [sys.executable, "-c", MAKE_AN_OPTIMIZER], capture_output=True, text=True, check=True
    )
    seconds, megabytes = map(float, made.stdout.split())
    console.print(f"Making torch's first optimiser: {seconds:.1f} s and {megabytes:.0f} MB.")


def threads(graph: Graph) -> None:
    """An epoch with one thread and with torch's number, on a quiet machine and with one core busy."""
    table = Table("threads", "quiet, ms", "one core busy, ms", title="An epoch")
    split = random_split(graph, train=0.5, val=0.25, seed=0)
    collected = collect(
        graph, split, features=MultiBit(1.0), labels=RandomizedResponse(1.0), rng=np.random.default_rng(0)
    )
    counts = (1, torch.get_num_threads())
    columns: list[list[float]] = []
    for busy in (0, 1):
        workers = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
        columns.append([])
        for count in counts:
            ends: list[float] = []
            model = LPGNN(threads=count, epochs=40)
            model.fit(collected, progress=lambda *_, ends=ends: ends.append(time.perf_counter()))
            columns[-1].append((ends[-1] - ends[0]) / (len(ends) - 1))
        for worker in workers:
            worker.kill()
            worker.wait()
    for count, quiet, beside in zip(counts, *columns, strict=True):
        table.add_row(str(count), f"{1e3 * quiet:.1f}", f"{1e3 * beside:.1f}")
    console.print(table)


def main() -> None:
    graph = datasets.load("social", n=22_000, features=100, mean_degree=15)
    adjacency = Adjacency.from_edges(graph.edges, graph.num_nodes)
    threads(graph)
    torch.set_num_threads(1)
    operations(adjacency)
    small_things(graph.num_nodes)
    console.print(f"A plain copy moves {copy_bandwidth() / 1e9:.1f} GB/s with one thread.")


if __name__ == "__main__":
    main()
