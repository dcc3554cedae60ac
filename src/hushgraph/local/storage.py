"""A fitted local method on disk."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import torch

from hushgraph import _model_files
from hushgraph.local.estimator import as_tuples
from hushgraph.local.training import Epoch
from hushgraph.sparse.runtime import resolve_device

if TYPE_CHECKING:
    from hushgraph.local.local_method import LocalMethod

    Method = TypeVar("Method", bound=LocalMethod)

# What a fitted model knows, by its names less the underscore, that is plain values.
STORED = ("num_features", "asked", "best_epoch", "val_loss", "within_limit", "learned_from")


def save(model: LocalMethod, path: str | Path) -> None:
    """Writes weights, settings, guarantee and predictions; no reports."""
    if not isinstance(model.backbone, str):
        raise ValueError("only built-in backbones are saved: save your own module's state_dict yourself")
    header = {name: getattr(model, f"{name}_") for name in STORED}
    tensors = {
        "weights": {name: value.cpu() for name, value in model.backbone_.state_dict().items()},
        "history": torch.tensor([astuple(epoch) for epoch in model.history_], dtype=torch.float64),
    }
    _model_files.write(path, model, header, tensors)


def load(cls: type[Method], path: str | Path, device: str) -> Method:
    """Reads the model onto a device."""
    header, stored = _model_files.read(path)
    try:
        _model_files.checked(cls, header)
        model = cls(**header["parameters"] | {"device": device})
        model.backbone_ = model._new_backbone(header["num_features"], len(header["classes"]))
        model.backbone_.load_state_dict(stored["weights"])
        _model_files.restore(model, header, stored)
        header.setdefault("learned_from", None)  # files of before did not say so
        for name in STORED:
            setattr(model, f"{name}_", as_tuples(header[name]))
        model.history_ = [Epoch(int(row[0]), *row[1:]) for row in stored["history"].tolist()]
        model.val_accuracy_ = model.history_[model.best_epoch_ - 1].val_accuracy
    except Exception as error:
        raise ValueError(f"{path} is not a readable hushgraph model: {error}") from error
    model.backbone_.to(resolve_device(device))
    return model
