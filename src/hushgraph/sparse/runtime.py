"""How torch uses the machine while a model is fitted: devices, threads and memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch

try:
    import threadpoolctl
except ImportError:  # a GPU image where nothing can be installed
    threadpoolctl = None

# Below this many edges a kernel takes about a millisecond, and waiting for another thread costs more
# than it brings as soon as the machine has other work; benchmarks/kernels.py measures it.
LARGE_FROM_EDGES = 2_000_000


def resolve_device(name: str) -> torch.device:
    """The device that a setting names; ``"auto"`` takes a GPU where there is one.

    >>> resolve_device("cpu")
    device(type='cpu')
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if name != "cpu" and not (name.startswith("cuda") and torch.cuda.is_available()):
        raise ValueError(f"device must be 'auto', 'cpu' or, where there is a GPU, 'cuda'; got {name!r}")
    return torch.device(name)


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Torch computes with this many threads for the time of a block, and numpy and scipy with one.

    Their BLAS has threads of its own, which wait for work by spinning: beside torch's, on as many cores,
    they made a search of scipy's take ten times as long.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        with _one_thread_of_blas():
            yield
    finally:
        torch.set_num_threads(before)


def _one_thread_of_blas() -> AbstractContextManager[object]:
    if threadpoolctl is None:
        return nullcontext()
    limited: AbstractContextManager[object] = threadpoolctl.threadpool_limits(1, user_api="blas")
    return limited


@contextmanager
def tuned_for(edges: int, num_threads: int | None = None) -> Iterator[None]:
    """Settings for a graph of this size, for the time of a block.

    One thread for a small graph and torch's own number for a large one, unless ``num_threads`` says else.
    """
    large = edges >= LARGE_FROM_EDGES
    if large:
        # Buffers of a hundred megabytes in huge pages; torch reads this at its first large allocation.
        os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
    _keep_freed_memory()
    with threads(num_threads or (torch.get_num_threads() if large else 1)):
        yield


def _keep_freed_memory() -> None:
    """Lets the C library keep buffers of a few megabytes for the next epoch instead of returning them.

    glibc gives freed memory back to the system beyond a threshold that grows with the largest block freed
    so far, up to 32 MiB. Freeing one such block, never touched, spares an epoch thousands of page faults.
    """
    torch.empty(31 << 20, dtype=torch.uint8)
