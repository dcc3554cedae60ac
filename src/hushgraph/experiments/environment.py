"""On what a run ran, for the record."""

from __future__ import annotations

import platform
from functools import lru_cache

import numpy as np
import torch

import hushgraph
from hushgraph.sparse.runtime import resolve_device


@lru_cache(maxsize=1)
def environment(device: str) -> dict[str, str]:
    """Versions and the kind of processor; nothing that names a machine or a person."""
    where = resolve_device(device)
    processor = f"CPU ({platform.machine()})" if where.type == "cpu" else torch.cuda.get_device_name(where)
    return {
        "hushgraph": hushgraph.__version__,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "numpy": np.__version__,
        "device": processor,
    }
