"""Backbones by name."""

from __future__ import annotations

import copy

from torch import nn

from hushgraph import _check
from hushgraph.nn.backbone import Backbone, TwoLayer
from hushgraph.nn.gat import GATLayer
from hushgraph.nn.module_adapter import ModuleAdapter
from hushgraph.registry import BACKBONES

# Of attention in the first layer; the second has one.
HEADS = 4


def make_backbone(
    backbone: str | nn.Module, num_features: int, num_classes: int, *, hidden: int, dropout: float
) -> Backbone:
    """A built-in backbone by name, or a copy of the user's own module behind the same two methods."""
    if isinstance(backbone, nn.Module):
        own = copy.deepcopy(backbone)
        return own if isinstance(own, Backbone) else ModuleAdapter(own, num_classes)
    layer = BACKBONES[_check.choice(backbone, "backbone", BACKBONES)].load()
    if layer is GATLayer:
        return TwoLayer(layer(num_features, hidden, HEADS), layer(HEADS * hidden, num_classes, 1), dropout)
    return TwoLayer(layer(num_features, hidden), layer(hidden, num_classes), dropout)
