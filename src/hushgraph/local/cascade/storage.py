"""A fitted cascade on disk."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch import Tensor

from hushgraph import _model_files
from hushgraph.local.cascade.accuracy_estimate import AccuracyEstimate
from hushgraph.local.cascade.calibration import Calibration
from hushgraph.local.cascade.ensemble import Ensemble
from hushgraph.local.cascade.gate import Gate
from hushgraph.local.cascade.layers import Layer, Learned
from hushgraph.local.estimator import as_tuples
from hushgraph.sparse.runtime import resolve_device

if TYPE_CHECKING:
    from hushgraph.local.cascade.method import Cascade

    Method = TypeVar("Method", bound=Cascade)

STORED = ("num_features", "asked", "learned_from")


def save(model: Cascade, path: str | Path) -> None:
    """Writes what was learned, the guarantee and predictions; no reports."""
    ensemble = model.ensemble_
    header = {name: getattr(model, f"{name}_") for name in STORED}
    header |= {
        "calibration": astuple(model.calibration_),
        "feature_evidence": ensemble.z,
        "uses_features": ensemble.with_features,
        "accuracy_estimate": astuple(model.accuracy_estimate_),
        "turns": [one.turn for one in ensemble.cascades],
    }
    tensors = {
        "shares": ensemble.shares.cpu(),
        "degree_units": ensemble.degree_units.cpu(),
        "cascades": [[_plain(layer) for layer in one.layers] for one in ensemble.cascades],
    }
    _model_files.write(path, model, header, tensors)


def load(cls: type[Method], path: str | Path, device: str) -> Method:
    """Reads the model; it computes on a device."""
    header, stored = _model_files.read(path)
    try:
        _model_files.checked(cls, header)
        model = cls(**header["parameters"] | {"device": device})
        place = resolve_device(device)
        cascades = tuple(
            Learned(tuple(_layer(layer, place) for layer in layers), int(turn))
            for layers, turn in zip(stored["cascades"], header["turns"], strict=True)
        )
        model.ensemble_ = Ensemble(
            stored["shares"].to(place),
            bool(header["uses_features"]),
            float(header["feature_evidence"]),
            stored["degree_units"].to(place),
            cascades,
        )
        model._describe(Calibration(*map(float, header["calibration"])))
        model.accuracy_estimate_ = AccuracyEstimate(*map(float, header["accuracy_estimate"]))
        _model_files.restore(model, header, stored)
        for name in STORED:
            setattr(model, f"{name}_", as_tuples(header[name]))
    except Exception as error:
        raise ValueError(f"{path} is not a readable hushgraph model: {error}") from error
    return model


def _plain(layer: Layer) -> dict[str, Tensor]:
    gate = layer.gate
    parts = {"mixing": gate.mixing, "by_degree": gate.by_degree, "bias": gate.bias, "scale": layer.scale}
    return {name: part.cpu() for name, part in parts.items()}


def _layer(parts: dict[str, Any], device: torch.device) -> Layer:
    there = {name: part.to(device) for name, part in parts.items()}
    return Layer(Gate(there["mixing"], there["by_degree"], there["bias"]), there["scale"])
