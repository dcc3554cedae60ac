"""What is minimised, and what is looked at to choose an epoch: noisy labels only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import torch
from torch import Tensor
from torch.nn import functional

from hushgraph import _check
from hushgraph.choices import Aggregation, Loss
from hushgraph.collection.collected import CollectedGraph
from hushgraph.denoise import kprop
from hushgraph.local.label_noise import LabelNoise
from hushgraph.sparse import Adjacency


@dataclass(frozen=True, slots=True)
class Score:
    """How an epoch looks on noisy labels."""

    val_loss: float
    train_accuracy: float
    val_accuracy: float


class Objective:
    r"""The losses of LPGNN and Solitude on noisy labels y'.

    - ``"drop"`` (eq. 14): :math:`\ell(\tilde y, softmax(KProp(\hat p(y' | x), K_y)))` with
      :math:`\tilde y = argmax KProp(y', K_y)` over training and validation labels. A node that no label
      reaches keeps its own. For K_y = 0 there is nothing to smooth and this is ``"forward"``.
    - ``"smoothed"`` (Solitude, eq. 12 and 13): :math:`\ell(y', KProp(\hat p(y' | x), K_y))`, shares of a
      sum: the predictions are smoothed and the labels are not. A node that nothing reaches keeps its own.
    - ``"forward"`` correction (eq. 13): :math:`\ell(y', \hat p(y' | x))`.
    - ``"cross_entropy"``: :math:`\ell(y', \hat p(y | x))`, blind to the noise.

    ``steps`` is K_y. The ``floor`` is added to every probability before its logarithm, as the authors' code
    does. A label that the model thinks less likely than that stops pulling, which bounds the loss and keeps
    training sane when very noisy features are very large.
    """

    def __init__(
        self,
        collected: CollectedGraph,
        adjacency: Adjacency,
        loss: Loss,
        steps: int,
        aggregation: Aggregation,
        floor: float = 1e-20,
    ) -> None:
        _check.choice(loss, "loss", get_args(Loss))
        self.loss, self.floor = loss, floor
        self.adjacency, self.aggregation = adjacency, aggregation
        self.steps = steps if loss in ("drop", "smoothed") else 0
        device = adjacency.device
        self.noise = LabelNoise(collected, device)
        self.perfect_accuracy = self.noise.perfect_accuracy
        labels = torch.from_numpy(collected.labels).to(device)
        self.train, val = (torch.from_numpy(part).to(device) for part in (collected.train, collected.val))
        self.val = val if val.numel() else self.train
        self.train_labels, self.val_labels = labels[self.train], labels[self.val]
        self.targets = self.train_labels
        if self.steps and loss == "drop":
            self.targets = self._smoothed(labels, collected.num_classes)[self.train]
        self.blind = loss == "cross_entropy" or self.noise.is_none

    def training_loss(self, logits: Tensor) -> Tensor:
        """The loss over training nodes."""
        if self.steps == 0:
            return self._noisy_nll(logits.index_select(0, self.train), self.targets, self.train)
        noisy = self.noise.of(_softmax(logits))
        smoothed = self.adjacency.propagate(noisy, self.aggregation, self.steps).index_select(0, self.train)
        if self.loss == "smoothed":
            total = smoothed.sum(1, keepdim=True)
            own = noisy.index_select(0, self.train)
            share = torch.where(total > 0, smoothed / torch.where(total > 0, total, 1.0), own)
            share = self.noise.of_levels(share, self.train)
            return _nll((share + self.floor).log().t(), self.targets)
        return _nll(smoothed.t().log_softmax(0), self.targets)

    @torch.no_grad()
    def score(self, logits: Tensor) -> Score:
        """The validation loss, and accuracies on noisy labels; on training people if none validate."""
        val_logits = logits.index_select(0, self.val)
        numbers = torch.stack([
            self._noisy_nll(val_logits, self.val_labels, self.val),
            self.train_accuracy(logits),
            _share_correct(val_logits, self.val_labels),
        ])  # fmt: skip
        return Score(*numbers.tolist())

    @torch.no_grad()
    def train_accuracy(self, logits: Tensor) -> Tensor:
        """The share of training nodes whose noisy label is predicted."""
        return _share_correct(logits.index_select(0, self.train), self.train_labels)

    def _noisy_nll(self, logits: Tensor, labels: Tensor, people: Tensor) -> Tensor:
        """-log p(y' | x) on average; without label noise, or blind to it, -log p(y | x)."""
        if self.blind and self.floor == 0:
            return _nll(logits.t().log_softmax(0), labels)
        probability = logits.t().softmax(0)
        noisy = probability if self.blind else self.noise.of(probability, people)
        return _nll((noisy + self.floor).log(), labels)

    def _smoothed(self, labels: Tensor, num_classes: int) -> Tensor:
        one_hot = functional.one_hot(labels.clamp(min=0), num_classes).float()
        votes, weights = self.noise.votes(one_hot, labels >= 0)
        frequencies = kprop(votes, self.adjacency, self.steps, self.aggregation, weights=weights)
        return torch.where(frequencies.amax(1) > 0, frequencies.argmax(1), labels)


# Softmax over a few classes is several times as fast with the classes as rows: it then runs along people.


def _softmax(logits: Tensor) -> Tensor:
    return logits.t().softmax(0).t()


def _nll(log_probability: Tensor, labels: Tensor) -> Tensor:
    """The mean of minus ``log_probability`` (classes, people) at the labels."""
    return -log_probability.gather(0, labels.unsqueeze(0)).mean()


def _share_correct(logits: Tensor, labels: Tensor) -> Tensor:
    at_label = logits.gather(1, labels.unsqueeze(1)).squeeze(1)
    return (at_label == logits.amax(1)).float().mean()
