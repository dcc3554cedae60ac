"""Backbones by name."""

from __future__ import annotations

import copy
from collections.abc import Callable

from torch import nn

from hushgraph import _check
from hushgraph.nn.backbone import Backbone, TwoLayer
from hushgraph.nn.gat import GATLayer
from hushgraph.nn.gcn import GCNLayer
from hushgraph.nn.gin import GINLayer
from hushgraph.nn.module_adapter import ModuleAdapter
from hushgraph.nn.sage import SAGELayer

HEADS = 4

# Each makes the two layers for (inputs, hidden, outputs).
BACKBONES: dict[str, Callable[[int, int, int], tuple[nn.Module, nn.Module]]] = {
    "gcn": lambda inputs, hidden, outputs: (GCNLayer(inputs, hidden), GCNLayer(hidden, outputs)),
    "sage": lambda inputs, hidden, outputs: (SAGELayer(inputs, hidden), SAGELayer(hidden, outputs)),
    "gat": lambda inputs, hidden, outputs: (
        GATLayer(inputs, hidden, HEADS),
        GATLayer(HEADS * hidden, outputs, 1),
    ),
    "gin": lambda inputs, hidden, outputs: (GINLayer(inputs, hidden), GINLayer(hidden, outputs)),
}


def make_backbone(
    backbone: str | nn.Module, num_features: int, num_classes: int, *, hidden: int, dropout: float
) -> Backbone:
    """A built-in backbone by name, or a copy of the user's own module behind the same two methods."""
    if isinstance(backbone, nn.Module):
        own = copy.deepcopy(backbone)
        return own if isinstance(own, Backbone) else ModuleAdapter(own, num_classes)
    _check.choice(backbone, "backbone", BACKBONES)
    return TwoLayer(*BACKBONES[backbone](num_features, hidden, num_classes), dropout)
