"""Denoising on the server: averaging over the graph what each person randomised on their own."""

from hushgraph import _renamed
from hushgraph.denoise.denoised import denoised_features
from hushgraph.denoise.propagation import KProp, kprop
from hushgraph.denoise.structure import collected_adjacency

__all__ = ["KProp", "collected_adjacency", "denoised_features", "kprop"]

__getattr__ = _renamed.attributes(
    __name__,
    {
        name: f"hushgraph.sparse.{name}"
        for name in ("Adjacency", "DenseFeatures", "FactoredFeatures", "Features")
    }
    | {name: f"hushgraph.choices.{name}" for name in ("Aggregation", "Structure")},
)
