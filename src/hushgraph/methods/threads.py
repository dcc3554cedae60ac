"""How many CPU threads torch uses while a model is fitted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

# Below this many edges a kernel takes about a millisecond, and waiting for another thread costs more
# than it brings as soon as the machine has other work; benchmarks/kernels.py measures it.
SHARED_FROM_EDGES = 2_000_000


def default_threads(edges: int) -> int:
    """One thread for small graphs, torch's own number for large ones."""
    return 1 if edges < SHARED_FROM_EDGES else torch.get_num_threads()


@contextmanager
def use_threads(count: int) -> Iterator[None]:
    """Sets torch's number of threads for the time of a block."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
