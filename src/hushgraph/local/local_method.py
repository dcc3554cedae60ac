"""What the methods that train a network on a collection share: settings, fitting, predicting, saving."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any, Self, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from hushgraph import _check
from hushgraph.choices import Aggregation, Loss, Selection, Structure
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.denoise import collected_adjacency, denoised_features
from hushgraph.denoise.denoised import Form
from hushgraph.local import public_features, storage
from hushgraph.local.adam import Adam
from hushgraph.local.calibration import Calibration
from hushgraph.local.estimator import LocalEstimator, check_collected
from hushgraph.local.objective import Objective
from hushgraph.local.selection import BestEpoch
from hushgraph.local.training import Epoch, OnEpoch, train
from hushgraph.nn import Backbone, make_backbone
from hushgraph.registry import BACKBONES
from hushgraph.sparse import Adjacency, Features, runtime


class LocalMethod(LocalEstimator):
    """A method that trains a graph neural network on reports."""

    backbone: str | nn.Module = field(default="sage", kw_only=False)
    k_x: int = 4
    k_y: int = 2
    loss: Loss = "drop"
    structure: Structure = "blocks"
    aggregation: Aggregation = "gcn"
    hidden: int = 16
    dropout: float = 0.5
    epochs: int = 500
    learning_rate: float = 0.01
    weight_decay: float = 0.001
    floor: float = 1e-20
    selection: Selection = "paper"
    form: Form = "auto"
    random_state: int = 0
    device: str = "auto"
    threads: int | None = None

    def fit(self, collected: CollectedGraph, *, progress: OnEpoch | None = None) -> Self:
        """Learns from a collection; ``progress(epoch, epochs, score)`` is called after every epoch."""
        self.check_params()
        check_collected(collected)
        if collected.train.size == 0:
            raise ValueError("no labelled person to train on: this collection can only be scored")
        if collected.val.size == 0 and self.selection != "last":
            raise ValueError("no labelled person to validate on: give val people, or use selection='last'")
        device = runtime.resolve_device(self.device)
        # Torch's global generators stay as they were.
        own_randomness = torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])
        with own_randomness, runtime.tuned_for(collected.edges.shape[1], self.threads):
            torch.manual_seed(self.random_state)
            adjacency = collected_adjacency(collected, self.structure, device)
            features = self._features(collected, adjacency)
            backbone = self._new_backbone(collected.num_features, collected.num_classes).to(device)
            objective = Objective(collected, adjacency, self.loss, self.k_y, self.aggregation, self.floor)
            calibration = self._calibration(adjacency)
            kept: nn.Module = backbone
            if calibration is not None:
                kept, adjacency = nn.ModuleList([backbone, calibration]), calibration.adjacency()
            best = BestEpoch(self.selection, objective.perfect_accuracy, kept)
            optimizer = Adam(backbone.parameters(), self.learning_rate, self.weight_decay)
            history = train(
                backbone, features, adjacency, objective, best, optimizer, self.epochs, calibration, progress
            )
            best.restore()
            if calibration is not None:
                adjacency = calibration.adjacency()
                self._keep_graph(adjacency)
            proba = _probabilities(backbone, features, adjacency)
        self.backbone_: Backbone = backbone
        self.history_: list[Epoch] = history
        self.best_epoch_, self.within_limit_ = best.epoch or len(history), best.within_limit
        chosen = history[self.best_epoch_ - 1]
        self.val_loss_, self.val_accuracy_ = chosen.val_loss, chosen.val_accuracy
        self._remember(collected, proba)
        return self

    def embed(self, collected: CollectedGraph) -> NDArray[np.float32]:
        """What the network has of each person of a collection before its last layer (n, width)."""
        self._check_fitted()
        check_collected(collected)
        adjacency = collected_adjacency(collected, self.structure, runtime.resolve_device(self.device))
        with torch.no_grad():
            hidden = self.backbone_.eval().encode(self._features(collected, adjacency), adjacency)
        return np.asarray(hidden.cpu())

    @property
    def steps(self) -> int:
        """The number of epochs."""
        return self.epochs

    @property
    def needs_features(self) -> bool:
        """A network has something to compute with: what people sent, or a stand-in."""
        return self._model_features == "collected"

    def details(self) -> dict[str, Any]:
        """Which epoch was chosen, and how it did on noisy validation labels."""
        return {
            "best_epoch": self.best_epoch_,
            "epochs": len(self.history_),
            "noisy_validation_accuracy": self.val_accuracy_,
        }

    def save(self, path: str | Path) -> None:
        """Writes weights, settings, guarantee and predictions; no reports."""
        self._check_fitted()
        storage.save(self, path)

    @classmethod
    def load(cls, path: str | Path, *, device: str = "auto") -> Self:
        """Reads what :meth:`save` wrote; no code in the file is run."""
        return storage.load(cls, path, device)

    def _probabilities_of(self, collected: CollectedGraph) -> NDArray[np.float32]:
        adjacency = collected_adjacency(collected, self.structure, runtime.resolve_device(self.device))
        return _probabilities(self.backbone_, self._features(collected, adjacency), adjacency)

    @property
    def _model_features(self) -> str:
        return getattr(self, "features", "collected")

    def _new_backbone(self, num_features: int, num_classes: int) -> Backbone:
        width = num_features or public_features.WIDTH
        return make_backbone(self.backbone, width, num_classes, hidden=self.hidden, dropout=self.dropout)

    def _fits(self, campaign: Campaign) -> bool:
        """With stand-ins it does not matter which features were asked for, only how wide they are."""
        if self.needs_features:
            return super()._fits(campaign)
        return (campaign.num_features, campaign.classes) == (self.num_features_, self.classes_)

    def _calibration(self, adjacency: Adjacency) -> Calibration | None:
        """How the graph itself is learned; None if it stays as it is."""
        return None

    def _keep_graph(self, adjacency: Adjacency) -> None:
        """Is given the graph that was learned."""

    def _features(self, collected: CollectedGraph, adjacency: Adjacency) -> Features:
        weights: NDArray[Any] | None = None
        if self._model_features != "collected":
            rng = np.random.default_rng([self.random_state, 2])
            estimated = public_features.public_features(self._model_features, collected, rng)
        elif collected.features is None:
            raise ValueError(
                "nobody in this collection sent features: use Cascade, or LPGNN(features='ones'), 'degree' or"
                " 'random'"
            )
        else:
            estimated, weights = collected.features, collected.feature_weights
            if weights is None and not collected.answered.all():
                weights = collected.answered
        return denoised_features(
            estimated,
            adjacency,
            self.k_x,
            self.aggregation,
            weights=None if weights is None else torch.from_numpy(weights).to(adjacency.device),
            midpoint=collected.midpoint,
            form=self.form,
            width=2 * self.hidden,
            epochs=self.epochs,
        )

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
        words = {"loss": Loss, "selection": Selection, "structure": Structure, "aggregation": Aggregation}
        for name, accepted in (words | {"form": Form}).items():
            _check.choice(getattr(self, name), name, get_args(accepted))
        _check.choice(self._model_features, "features", ("collected", *public_features.KINDS))
        if isinstance(self.backbone, str):
            _check.choice(self.backbone, "backbone", BACKBONES)
        runtime.resolve_device(self.device)


@torch.no_grad()
def _probabilities(backbone: Backbone, features: Features, adjacency: Adjacency) -> NDArray[np.float32]:
    return np.asarray(backbone.eval()(features, adjacency).softmax(1).cpu())
