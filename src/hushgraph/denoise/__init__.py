"""Denoising on the server: averaging over the graph what each person randomised on their own."""

from hushgraph.denoise.adjacency import Adjacency, Aggregation
from hushgraph.denoise.features import DenseFeatures, FactoredFeatures, Features, denoised_features
from hushgraph.denoise.propagation import KProp, kprop
from hushgraph.denoise.structure import Structure, collected_adjacency

__all__ = [
    "Adjacency",
    "Aggregation",
    "DenseFeatures",
    "FactoredFeatures",
    "Features",
    "KProp",
    "Structure",
    "collected_adjacency",
    "denoised_features",
    "kprop",
]
