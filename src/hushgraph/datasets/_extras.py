"""Libraries that only some functions need, asked for where they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def require(module: str, *, extra: str, purpose: str) -> Any:
    """Import ``module``, or say which extra of hushgraph installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{purpose} needs {package}: pip install 'hushgraph[{extra}]'") from error
