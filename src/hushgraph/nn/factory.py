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

# Each makes the two layers for (in_channels, hidden, out_channels).
BACKBONES: dict[str, Callable[[int, int, int], tuple[nn.Module, nn.Module]]] = {
    "gcn": lambda in_channels, hidden, out_channels: (
        GCNLayer(in_channels, hidden),
        GCNLayer(hidden, out_channels),
    ),
    "sage": lambda in_channels, hidden, out_channels: (
        SAGELayer(in_channels, hidden),
        SAGELayer(hidden, out_channels),
    ),
    "gat": lambda in_channels, hidden, out_channels: (
        GATLayer(in_channels, hidden, HEADS),
        GATLayer(HEADS * hidden, out_channels, 1),
    ),
    "gin": lambda in_channels, hidden, out_channels: (
        GINLayer(in_channels, hidden),
        GINLayer(hidden, out_channels),
    ),
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
