"""hushgraph: learn graph neural networks from people's data without ever receiving it.

The device side (mechanisms, guarantees, the ledger) needs numpy alone. Everything else is imported when
it is first used, so that a phone never loads torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from hushgraph import _renamed
from hushgraph.collection import Campaign, Report, Reports
from hushgraph.device import Reporter, answer
from hushgraph.mechanisms import (
    AdjacencyRandomizedResponse,
    AnalyticGaussian,
    Laplace,
    MultiBit,
    NeighborLists,
    OneBit,
    RandomizedResponse,
    SecureRandom,
)
from hushgraph.privacy import BudgetExceededError, Guarantee, Ledger

if TYPE_CHECKING:
    from hushgraph import datasets, planning
    from hushgraph._model_files import load
    from hushgraph.collection.assemble import assemble
    from hushgraph.collection.collected import CollectedGraph
    from hushgraph.collection.simulate import collect
    from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, NIPGNN, Ballots, PublishedNIPGNN
    from hushgraph.denoise import KProp, kprop
    from hushgraph.graph import Graph
    from hushgraph.local import LPGNN, Cascade, GridSearch, Solitude
    from hushgraph.metrics import accuracy
    from hushgraph.planning.planner import plan
    from hushgraph.split import Split, random_split

__version__ = "0.2.0"

__all__ = [
    "DPDGC",
    "DPMLP",
    "DPSAGE",
    "GAP",
    "LPGNN",
    "NIPGNN",
    "AdjacencyRandomizedResponse",
    "AnalyticGaussian",
    "Ballots",
    "BudgetExceededError",
    "Campaign",
    "Cascade",
    "CollectedGraph",
    "Graph",
    "GridSearch",
    "Guarantee",
    "KProp",
    "Laplace",
    "Ledger",
    "MultiBit",
    "NeighborLists",
    "OneBit",
    "PublishedNIPGNN",
    "RandomizedResponse",
    "Report",
    "Reporter",
    "Reports",
    "SecureRandom",
    "Solitude",
    "Split",
    "accuracy",
    "answer",
    "assemble",
    "collect",
    "datasets",
    "kprop",
    "load",
    "plan",
    "planning",
    "random_split",
]

_WHERE = {
    "Ballots": "curator",
    "DPDGC": "curator",
    "DPMLP": "curator",
    "DPSAGE": "curator",
    "GAP": "curator",
    "NIPGNN": "curator",
    "PublishedNIPGNN": "curator",
    "Cascade": "local",
    "CollectedGraph": "collection.collected",
    "Graph": "graph",
    "GridSearch": "local",
    "KProp": "denoise",
    "LPGNN": "local",
    "Solitude": "local",
    "Split": "split",
    "accuracy": "metrics",
    "assemble": "collection.assemble",
    "collect": "collection.simulate",
    "kprop": "denoise",
    "load": "_model_files",
    "plan": "planning",
    "random_split": "split",
}
_ROOMS = ("datasets", "planning")
_OLD = _renamed.attributes("hushgraph", {"NeighbourLists": "hushgraph.NeighborLists"}, level=4)


def __getattr__(name: str) -> Any:
    if name not in _WHERE and name not in _ROOMS:
        return _OLD(name)
    try:
        module = importlib.import_module(f"hushgraph.{_WHERE.get(name, name)}")
    except ModuleNotFoundError as error:
        if error.name in ("torch", "scipy"):
            raise ImportError(
                f"hushgraph.{name} needs {error.name}: pip install 'hushgraph[train]'"
            ) from error
        raise
    return module if name in _ROOMS else getattr(module, name)


def __dir__() -> list[str]:
    return sorted(__all__)
