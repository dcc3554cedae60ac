"""LPGNN: a GNN learned from locally private features and labels."""

from __future__ import annotations

import dataclasses
import inspect
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from hushgraph import _check
from hushgraph.collected import CollectedGraph
from hushgraph.denoise import Adjacency, Aggregation, Features, denoised_features
from hushgraph.methods import adhoc, machine, storage
from hushgraph.methods.objective import Loss, Objective
from hushgraph.methods.selection import BestEpoch, Selection
from hushgraph.methods.training import Epoch, Progress, train
from hushgraph.nn import BACKBONES, Backbone, make_backbone
from hushgraph.privacy import Guarantee


class LPGNN:
    """Locally private graph neural network (Sajadmanesh & Gatica-Perez, CCS 2021, Algorithm 3).

    Args:
        backbone: ``"sage"``, ``"gcn"``, ``"gat"``, ``"gin"``, or a module ``forward(x, edge_index)`` that
            returns logits; a copy of it is trained.
        k_x, k_y: KProp steps on features and on labels.
        loss: ``"drop"``, ``"forward"`` or ``"cross_entropy"``; see
            :class:`~hushgraph.methods.objective.Objective`.
        features: ``"collected"``, or stand-ins that cost no privacy: ``"ones"``, ``"degree"``, ``"random"``.
        aggregation: KProp's: ``"gcn"``, ``"mean"`` or ``"sum"``.
        hidden: width of the hidden layer.
        dropout: after the hidden activation.
        epochs, learning_rate, weight_decay: of Adam, full batch.
        floor: the least probability that the loss sees; labels that seem less likely stop pulling. 1e-20 as
            in the authors' code, 0 for the plain logarithm.
        selection: how the epoch is chosen, ``"paper"``, ``"reference"`` or ``"last"``; see
            :class:`~hushgraph.methods.selection.BestEpoch`.
        form: ``"factored"``, ``"dense"`` or ``"auto"``: how the first layer is computed.
        random_state: seeds weights and dropout; torch's global state is left alone.
        device: ``"auto"`` takes a GPU where there is one.
        threads: CPU threads of torch during :meth:`fit`. By default one for graphs of up to two million
            edges, whose kernels are too short to share (a second thread on a busy machine makes them several
            times slower), and torch's own number above.

    Everything is chosen and learned from the collection; the clean labels and features are out of
    reach. After :meth:`fit`: ``backbone_``, ``history_``, ``best_epoch_``, ``val_loss_`` and
    ``within_limit_``, whether the chosen epoch's accuracies stay at or below Acc*.
    """

    def __init__(
        self,
        backbone: str | nn.Module = "sage",
        *,
        k_x: int = 4,
        k_y: int = 2,
        loss: Loss = "drop",
        features: str = "collected",
        aggregation: Aggregation = "gcn",
        hidden: int = 16,
        dropout: float = 0.5,
        epochs: int = 500,
        learning_rate: float = 0.01,
        weight_decay: float = 0.001,
        floor: float = 1e-20,
        selection: Selection = "paper",
        form: Literal["auto", "factored", "dense"] = "auto",
        random_state: int = 0,
        device: str = "auto",
        threads: int | None = None,
    ) -> None:
        self.backbone = backbone
        self.k_x = k_x
        self.k_y = k_y
        self.loss = loss
        self.features = features
        self.aggregation = aggregation
        self.hidden = hidden
        self.dropout = dropout
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.floor = floor
        self.selection = selection
        self.form = form
        self.random_state = random_state
        self.device = device
        self.threads = threads

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments; ``deep`` is there because scikit-learn passes it."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **changes: Any) -> LPGNN:
        """Changes some of the constructor's arguments."""
        unknown = set(changes) - set(self.get_params())
        if unknown:
            raise ValueError(f"LPGNN has no argument {', '.join(sorted(unknown))}")
        for name, value in changes.items():
            setattr(self, name, value)
        return self

    def with_params(self, **changes: Any) -> LPGNN:
        """An unfitted copy with some arguments changed."""
        return type(self)(**{**self.get_params(), **changes})

    def __repr__(self) -> str:
        return f"LPGNN({', '.join(f'{name}={value!r}' for name, value in self.get_params().items())})"

    def fit(self, collected: CollectedGraph, *, progress: Progress | None = None) -> LPGNN:
        """Learns from a collection; ``progress(epoch, epochs, score)`` is called after every epoch."""
        self.check_params()
        _check_collected(collected)
        if collected.val.size == 0 and self.selection != "last":
            raise ValueError("no labelled person to validate on: give val people, or use selection='last'")
        device = self._device()
        with _own_randomness(device), machine.tuned_for(collected.edges.shape[1], self.threads):
            torch.manual_seed(self.random_state)
            adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes, device)
            features = self._features(collected, adjacency)
            backbone = make_backbone(
                self.backbone,
                collected.num_features,
                collected.num_classes,
                hidden=self.hidden,
                dropout=self.dropout,
            ).to(device)
            objective = Objective(collected, adjacency, self.loss, self.k_y, self.aggregation, self.floor)
            best = BestEpoch(self.selection, objective.perfect_accuracy, backbone)
            history = train(
                backbone,
                features,
                adjacency,
                objective,
                best,
                epochs=self.epochs,
                learning_rate=self.learning_rate,
                weight_decay=self.weight_decay,
                progress=progress,
            )
            best.restore()
            self.proba_ = _probabilities(backbone, features, adjacency)
        self.backbone_: Backbone = backbone
        self.history_: list[Epoch] = history
        self.best_epoch_, self.within_limit_ = best.epoch or len(history), best.within_limit
        self.val_loss_ = history[self.best_epoch_ - 1].val_loss
        self.guarantee_ = collected.guarantee
        self.num_features_, self.num_classes_ = collected.num_features, collected.num_classes
        return self

    @property
    def guarantee(self) -> Guarantee:
        """What was protected in the collection; learning from it is post-processing and costs no more."""
        self._check_fitted()
        return self.guarantee_

    def predict_proba(self, collected: CollectedGraph | None = None) -> NDArray[np.float32]:
        """Class probabilities (n, c) of the people learned from, or of another collection."""
        self._check_fitted()
        if collected is None:
            return self.proba_
        _check_collected(collected)
        asked = (collected.num_features, collected.num_classes)
        if asked != (self.num_features_, self.num_classes_):
            raise ValueError(
                f"collected has (features, classes) = {asked}, but the model learned from "
                f"{(self.num_features_, self.num_classes_)}"
            )
        adjacency = Adjacency.from_edges(collected.edges, collected.num_nodes, self._device())
        return _probabilities(self.backbone_, self._features(collected, adjacency), adjacency)

    def predict(self, collected: CollectedGraph | None = None) -> NDArray[np.int64]:
        """The most probable class of each person (n,)."""
        classes: NDArray[np.int64] = self.predict_proba(collected).argmax(1)
        return classes

    def save(self, path: str | Path) -> None:
        """Writes weights, settings, guarantee and predictions; no reports."""
        self._check_fitted()
        storage.save(self, path)

    @classmethod
    def load(cls, path: str | Path, *, device: str = "auto") -> LPGNN:
        """Reads what :meth:`save` wrote; no code in the file is run."""
        return storage.load(cls, path, device)

    def _features(self, collected: CollectedGraph, adjacency: Adjacency) -> Features:
        if self.features != "collected":
            made = adhoc.adhoc_features(
                self.features, collected, np.random.default_rng([self.random_state, 2])
            )
            everyone = np.ones(collected.num_nodes, bool)
            collected = dataclasses.replace(collected, features=made, answered=everyone)
        return denoised_features(
            collected,
            adjacency,
            self.k_x,
            self.aggregation,
            form=self.form,
            width=2 * self.hidden,
            epochs=self.epochs,
        )

    def _device(self) -> torch.device:
        if self.device == "auto":
            return torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.device != "cpu" and not (self.device.startswith("cuda") and torch.cuda.is_available()):
            raise ValueError(
                f"device must be 'auto', 'cpu' or, where there is a GPU, 'cuda'; got {self.device!r}"
            )
        return torch.device(self.device)

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        for name in ("k_x", "k_y", "random_state"):
            _check.count(getattr(self, name), name)
        for name in ("hidden", "epochs", *(["threads"] if self.threads is not None else [])):
            _check.count(getattr(self, name), name, minimum=1)
        _check.fraction(self.dropout, "dropout", open_above=True)
        if _check.non_negative(self.learning_rate, "learning_rate") == 0:
            raise ValueError("learning_rate must be above 0, got 0")
        _check.non_negative(self.weight_decay, "weight_decay")
        _check.fraction(self.floor, "floor", open_above=True)
        for name, accepted in (
            ("loss", get_args(Loss)),
            ("selection", get_args(Selection)),
            ("aggregation", get_args(Aggregation)),
            ("features", ("collected", *adhoc.KINDS)),
            ("form", ("auto", "factored", "dense")),
        ):
            _check.choice(getattr(self, name), name, accepted)
        if isinstance(self.backbone, str):
            _check.choice(self.backbone, "backbone", BACKBONES)
        self._device()

    def _check_fitted(self) -> None:
        if not hasattr(self, "backbone_"):
            raise RuntimeError("this LPGNN is not fitted yet: call fit(collected) first")


def _check_collected(collected: CollectedGraph) -> None:
    if not isinstance(collected, CollectedGraph):
        raise TypeError(
            f"this takes a CollectedGraph (see hushgraph.collect), got {type(collected).__name__}"
        )


def _own_randomness(device: torch.device) -> AbstractContextManager[None]:
    """Leaves torch's global generators as they were."""
    return torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])


@torch.no_grad()
def _probabilities(backbone: Backbone, features: Features, adjacency: Adjacency) -> NDArray[np.float32]:
    probabilities: NDArray[np.float32] = backbone.eval()(features, adjacency).softmax(1).cpu().numpy()
    return probabilities
