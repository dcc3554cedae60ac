"""Fitted models on disk: a header of plain values, and tensors; no code in a file is ever run."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hushgraph._files import atomic_write
from hushgraph.privacy import Guarantee
from hushgraph.registry import CURATOR_METHODS, METHODS, Entry

FORMAT = 3
KNOWN = ChainMap[str, Entry](METHODS, CURATOR_METHODS)  # type: ignore[arg-type]
# What format 2 called methods.
OLD_NAMES = {"LPGNN": "lpgnn", "Solitude": "solitude"}


def write(path: str | Path, model: Any, header: Mapping[str, Any], tensors: Mapping[str, Any]) -> None:
    """Writes the model; a kill at any moment leaves the old file or the new one.

    Seeds are left out: whoever knows the seed of a simulation can take its noise off again.
    """
    parameters = {name: value for name, value in model.get_params().items() if name != "random_state"}
    text = json.dumps(
        {
            "format": FORMAT,
            "method": _name_of(type(model)),
            "parameters": parameters,
            "guarantee": model.guarantee.to_dict(),
            "classes": model.classes_,
            "ids": None if model.ids_ is None else model.ids_.tolist(),
            **header,
        },
        default=_plain,
    )
    with atomic_write(path) as file:
        torch.save({"hushgraph": text, "proba": torch.from_numpy(model.proba_), **tensors}, file)


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the tensors; the method by its name in the registry."""
    try:
        stored: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        header = json.loads(stored.pop("hushgraph"))
        written, method = header["format"], header["method"]
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ValueError(f"{path} is not a readable hushgraph model: {error}") from error
    except Exception:
        # PyTorch's own words are left out: they advise to run whatever code such a file has.
        raise ValueError(f"{path} is not a readable hushgraph model, as model.save() writes them") from None
    if written not in (2, FORMAT):
        why = f"format {written}, but this version reads format {FORMAT}"
        raise ValueError(f"{path} is not a readable hushgraph model: {why}")
    return header | {"method": OLD_NAMES.get(method, method)}, stored


def restore(model: Any, header: Mapping[str, Any], stored: Mapping[str, Any]) -> None:
    """Gives a model what every fitted one has, if it fits together."""
    proba = stored["proba"].numpy()
    model.classes_ = tuple(map(str, header["classes"]))
    model.ids_ = None if header["ids"] is None else np.array(header["ids"], str)
    if proba.ndim != 2 or proba.shape[1] != len(model.classes_) or not np.isfinite(proba).all():
        raise ValueError("its predictions are not one number for each person and class")
    if model.ids_ is not None and model.ids_.shape != proba.shape[:1]:
        raise ValueError("it has not one id for each person")
    model.proba_, model.guarantee_ = proba, Guarantee._from_dict(header["guarantee"])


def checked(kind: type[Any], header: Mapping[str, Any]) -> None:
    """Refuses a file of another method."""
    entry = KNOWN.get(header["method"])
    if entry is None or entry.load() is not kind:
        raise ValueError(
            f"it holds a {entry.title if entry else header['method']}: read it with hushgraph.load"
        )


def load(path: str | Path, *, device: str = "auto") -> Any:
    """A saved model of any method.

    Args:
        path: what ``model.save`` wrote.
        device: where it computes: ``"auto"``, ``"cpu"`` or ``"cuda"``.
    """
    name = read(path)[0]["method"]
    if name not in KNOWN:
        raise ValueError(f"{path} holds a model of {name!r}, which nobody registered")
    return KNOWN[name].load().load(path, device=device)


def _name_of(kind: type[Any]) -> str:
    for name, entry in KNOWN.items():
        if not entry.settings and entry.load() is kind:
            return name
    raise ValueError(f"{kind.__name__} is not registered: add it to hushgraph.registry to save it")


def _plain(value: Any) -> Any:
    """A numpy number or array among the settings, or a range, as JSON has it."""
    return np.asarray(value).tolist()
