"""A fitted model on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch

from hushgraph._files import atomic_write
from hushgraph.local.training import Epoch
from hushgraph.nn import make_backbone
from hushgraph.privacy import Guarantee
from hushgraph.sparse.runtime import resolve_device

if TYPE_CHECKING:
    from hushgraph.local.local_method import LocalMethod

    Method = TypeVar("Method", bound=LocalMethod)

FORMAT = 2


def save(model: LocalMethod, path: str | Path) -> None:
    """Writes the model; a kill at any moment leaves the old file or the new one."""
    parameters = model.get_params()
    if not isinstance(parameters["backbone"], str):
        raise ValueError("only built-in backbones are saved: save your own module's state_dict yourself")
    header = {
        "format": FORMAT,
        "method": type(model).__name__,
        "parameters": parameters,
        "guarantee": model.guarantee.to_dict(),
        "num_features": model.num_features_,
        "classes": model.classes_,
        "asked": model.asked_,
        "ids": None if model.ids_ is None else model.ids_.tolist(),
        "best_epoch": model.best_epoch_,
        "val_loss": model.val_loss_,
        "within_limit": model.within_limit_,
    }
    with atomic_write(path) as file:
        torch.save(
            {
                "hushgraph": json.dumps(header, default=_plain),
                "weights": {name: value.cpu() for name, value in model.backbone_.state_dict().items()},
                "proba": torch.from_numpy(model.proba_),
                "history": torch.tensor([list(_row(epoch)) for epoch in model.history_], dtype=torch.float64),
            },
            file,
        )


def load(cls: type[Method], path: str | Path, device: str) -> Method:
    """Reads the model onto a device; no code in the file is run."""
    try:
        stored: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        header = json.loads(stored["hushgraph"])
        if header["format"] != FORMAT:
            raise ValueError(f"format {header['format']}, but this version reads format {FORMAT}")
        method = header.get("method", "LPGNN")
        if method != cls.__name__:
            raise ValueError(f"it holds a {method}; read it with hushgraph.{method}.load")
        model = cls(**header["parameters"] | {"device": device})
        model.backbone_ = make_backbone(
            model.backbone,
            header["num_features"],
            len(header["classes"]),
            hidden=model.hidden,
            dropout=model.dropout,
        )
        model.backbone_.load_state_dict(stored["weights"])
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ValueError(f"{path} is not a readable hushgraph model: {error}") from error
    model.backbone_.to(resolve_device(device))
    model.guarantee_ = Guarantee._from_dict(header["guarantee"])
    model.num_features_, model.classes_ = header["num_features"], tuple(header["classes"])
    model.asked_ = _tuples(header["asked"])
    model.ids_ = None if header["ids"] is None else np.array(header["ids"], str)
    model.best_epoch_, model.val_loss_ = header["best_epoch"], header["val_loss"]
    model.within_limit_ = header["within_limit"]
    model.proba_ = stored["proba"].numpy()
    model.history_ = [Epoch(int(row[0]), *row[1:]) for row in stored["history"].tolist()]
    model.val_accuracy_ = model.history_[model.best_epoch_ - 1].val_accuracy
    return model


def _tuples(value: Any) -> Any:
    """Lists as tuples, as they were before JSON."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """A numpy number among the settings, as JSON has it."""
    return value.item()


def _row(epoch: Epoch) -> tuple[float, ...]:
    return epoch.epoch, epoch.train_loss, epoch.val_loss, epoch.train_accuracy, epoch.val_accuracy
