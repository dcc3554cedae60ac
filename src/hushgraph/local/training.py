"""Full-batch training: one expensive pass an epoch, shared by training and evaluation."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import astuple, dataclass

import torch

from hushgraph.local.adam import Adam
from hushgraph.local.calibration import Calibration
from hushgraph.local.objective import Objective, Score
from hushgraph.local.selection import BestEpoch
from hushgraph.nn import Backbone
from hushgraph.sparse import Adjacency, Features

OnEpoch = Callable[[int, int, Score], None]


@dataclass(frozen=True, slots=True)
class Epoch:
    """One line of the training history; all of it is on noisy labels."""

    epoch: int
    train_loss: float
    val_loss: float
    train_accuracy: float
    val_accuracy: float


def train(
    backbone: Backbone,
    features: Features,
    adjacency: Adjacency,
    objective: Objective,
    best: BestEpoch,
    optimizer: Adam,
    epochs: int,
    calibration: Calibration | None = None,
    progress: OnEpoch | None = None,
) -> list[Epoch]:
    """Minimises the objective with Adam and offers every epoch's weights to ``best``.

    With a ``calibration``, every step on the weights is followed by one on the graph.

    The weights after step t are evaluated with the hidden layer of step t + 1, which is the same one. If the
    loss stops being a number, training ends early with the best epoch before.
    """
    history: list[Epoch] = []
    train_loss, accuracy_before = torch.zeros(()), 0.0
    for epoch in range(epochs + 1):
        last = epoch == epochs
        with torch.set_grad_enabled(not last):
            hidden = backbone.encode(features, adjacency)
        logits = None if last else backbone.train().classify(hidden, adjacency)
        if epoch:
            evaluated = logits
            if evaluated is None or not backbone.is_deterministic:
                with torch.no_grad():
                    evaluated = backbone.eval().classify(hidden, adjacency)
            score = objective.score(evaluated)
            if not math.isfinite(score.val_loss):
                _stop_early(epoch, best, optimizer.learning_rate)
                break
            best.offer(epoch, score, accuracy_before)
            history.append(Epoch(epoch, train_loss.item(), *astuple(score)))
            if progress is not None:
                progress(epoch, epochs, score)
        if logits is None:
            break
        if best.rule == "reference":
            accuracy_before = objective.train_accuracy(logits).item()
        train_loss = objective.training_loss(logits)
        train_loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if calibration is not None:
            adjacency = calibration.step(
                lambda graph: objective.training_loss(backbone.train()(features, graph))
            )
    return history


def _stop_early(epoch: int, best: BestEpoch, learning_rate: float) -> None:
    hint = f"a learning_rate below {learning_rate:g} may help"
    message = f"the loss is not a number after epoch {epoch}; {hint}"
    if best.epoch == 0:
        raise ArithmeticError(message)
    warnings.warn(f"{message}. Keeping epoch {best.epoch}", RuntimeWarning, stacklevel=4)
