"""Backbones: two-layer GNNs whose layers multiply before they propagate, and an adapter for any other."""

from hushgraph import _renamed
from hushgraph.nn.backbone import Backbone, TwoLayer
from hushgraph.nn.factory import make_backbone
from hushgraph.nn.gat import GATLayer
from hushgraph.nn.gcn import GCNLayer
from hushgraph.nn.gin import GINLayer
from hushgraph.nn.module_adapter import ModuleAdapter
from hushgraph.nn.sage import SAGELayer

__all__ = [
    "Backbone",
    "GATLayer",
    "GCNLayer",
    "GINLayer",
    "ModuleAdapter",
    "SAGELayer",
    "TwoLayer",
    "make_backbone",
]

__getattr__ = _renamed.attributes(__name__, {"BACKBONES": "hushgraph.registry.BACKBONES"})
