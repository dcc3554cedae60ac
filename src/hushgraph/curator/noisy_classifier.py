"""A perceptron on released rows and released labels: post-processing, so it may look at them as it likes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hushgraph.curator.rows import blocks
from hushgraph.denoise.correction import forward_correction
from hushgraph.mechanisms import RandomizedResponse

# People whose rows are looked at together.
BLOCK = 4096
# After this many epochs τ is tried anew.
TAU_EVERY = 20
# Epochs without a better validation loss after which the learning rate is halved.
PATIENCE = 20


@dataclass(frozen=True, slots=True, eq=False)
class NoisyLabels:
    """Who trains and validates, and the labels that were released of them.

    With a ``response``, losses are about what it would make of the prediction (forward correction).
    """

    train: Tensor
    val: Tensor
    labels: Tensor
    classes: int
    response: RandomizedResponse | None

    def loss(self, logits: Tensor, people: Tensor) -> Tensor:
        """The mean cross-entropy of the released labels."""
        labels = self.labels[people]
        if self.response is None:
            return nn.functional.cross_entropy(logits, labels)
        kept, other = self.response.keep_probability, self.response.other_probability
        answered = forward_correction(logits.softmax(1), kept - other, other)
        return nn.functional.nll_loss(answered.clamp(min=1e-12).log(), labels)

    def frequencies(self) -> Tensor:
        """How frequent each true class is among those who train, estimated."""
        seen = torch.bincount(self.labels[self.train], minlength=self.classes) / self.train.numel()
        if self.response is not None:
            kept, other = self.response.keep_probability, self.response.other_probability
            seen = ((seen - other) / (kept - other)).clamp(min=1e-3)
        return seen / seen.sum()


class Perceptron(nn.Module):
    """Two layers; several inputs are each given their own first weights."""

    def __init__(self, inputs: int, width: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.first = nn.ModuleList(nn.Linear(width, hidden, bias=number == 0) for number in range(inputs))
        self.second = nn.Linear(hidden, classes)

    def forward(self, rows: list[Tensor]) -> Tensor:
        """Logits of rows of every input."""
        hidden = torch.stack([layer(part) for layer, part in zip(self.first, rows, strict=True)]).sum(0)
        logits: Tensor = self.second(nn.functional.selu(hidden))
        return logits


def fit_perceptron(
    inputs_at: Callable[[float], list[Tensor]],
    noisy: NoisyLabels,
    *,
    hidden: int,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    tau: float | None,
    progress: Callable[[float], None],
) -> tuple[NDArray[np.float32], float | None]:
    """Class probabilities of everybody, and the τ that was learned.

    ``inputs_at(τ)`` are the rows of everybody. Every few epochs τ is halved, kept or doubled, whichever has
    the lowest loss on the training labels; None stands for inputs that have no τ. The learning rate is halved
    when the validation loss does not fall, and the predictions with the lowest one are kept; with corrected
    labels, these may be the frequencies of the classes alone.
    """
    inputs = inputs_at(tau or 0.0)
    device = inputs[0].device
    network = Perceptron(len(inputs), inputs[0].shape[1], hidden, noisy.classes).to(device)
    optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate, fused=True)
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=PATIENCE)
    judged = noisy.val if noisy.val.numel() else noisy.train
    best = math.inf, torch.zeros(0), tau
    if noisy.response is not None:
        frequencies = noisy.frequencies().log().expand(len(inputs[0]), -1)
        best = noisy.loss(frequencies[judged], judged).item(), frequencies, tau
    for epoch in range(epochs):
        network.train()
        order = noisy.train[torch.randperm(noisy.train.numel()).to(device)]
        for batch in blocks(order, batch_size):
            optimizer.zero_grad(set_to_none=True)
            noisy.loss(network([part[batch] for part in inputs]), batch).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
        if tau is not None and epoch % TAU_EVERY == 0:
            tau = min((tau / 2, tau, tau * 2), key=lambda t: _loss(network, inputs_at(t), noisy, noisy.train))
            inputs = inputs_at(tau)
        loss = _loss(network, inputs, noisy, judged)
        schedule.step(loss)
        if loss < best[0]:
            best = loss, _logits(network, inputs), tau
        progress((epoch + 1) / epochs)
    return best[1].softmax(1).cpu().numpy(), best[2]


@torch.no_grad()
def _logits(network: Perceptron, inputs: list[Tensor]) -> Tensor:
    network.eval()
    parts = zip(*(blocks(part, BLOCK) for part in inputs), strict=True)
    return torch.cat([network(list(rows)) for rows in parts])


@torch.no_grad()
def _loss(network: Perceptron, inputs: list[Tensor], noisy: NoisyLabels, people: Tensor) -> float:
    network.eval()
    losses = [
        noisy.loss(network([part[some] for part in inputs]), some) * len(some)
        for some in blocks(people, BLOCK)
    ]
    return float(torch.stack(losses).sum() / people.numel())
