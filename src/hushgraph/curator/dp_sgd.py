"""DP-SGD: Poisson batches, clipped per-sample gradients and noise, by Opacus."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from hushgraph.curator.rows import blocks
from hushgraph.mechanisms.randomness import Random

# People whose rows are dense at a time.
CHUNK = 2048
LARGEST_WEIGHT = 1e6

OnStep = Callable[[Tensor, Tensor], None]
"""Is told the sum of the clipped gradients of each step, without its noise and with it."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How a network is fitted: for how long, in which batches (None for everybody), by which steps."""

    epochs: int
    batch_size: int | None = None
    learning_rate: float = 0.03
    clip: float = 1.0

    def expected(self, people: int) -> int:
        """The expected size of a batch, which is public."""
        size = people if self.batch_size is None else self.batch_size
        if size > people:
            raise ValueError(f"batch_size must be at most the {people} people who train, got {size}")
        return size

    def rate(self, people: int) -> float:
        """The probability with which each person is in a batch."""
        return self.expected(people) / people

    def steps(self, people: int) -> int:
        """The number of batches."""
        return math.ceil(self.epochs / self.rate(people))

    def batches(self, people: int, source: Random) -> Iterator[Tensor]:
        """Poisson samples: everybody is in each batch on their own account; a batch may be empty."""
        for _ in range(self.steps(people)):
            coins = torch.from_numpy(source.random(people))
            yield (coins < self.rate(people)).nonzero().squeeze(1)


def gaussian_noise(shape: torch.Size, source: Random) -> Tensor:
    """Standard Gaussian noise."""
    return torch.from_numpy(source.normal(0.0, 1.0, size=tuple(shape))).float()


def train(
    network: nn.Module,
    inputs: Callable[[Tensor], Tensor],
    labels: Tensor,
    schedule: Schedule,
    source: Random,
    *,
    noise_multiplier: float,
    on_step: OnStep = lambda *_: None,
    progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Fits a network to labels; a noise multiplier of 0 stands for plain training, without clipping.

    ``inputs(ids)`` and ``labels`` are those of the people who train, numbered from 0; a label of -1 stands
    for a null record, which is counted and adds nothing. Gradients are averaged over the expected size of a
    batch, which is public, and not over the actual one.
    """
    people = labels.numel()
    steps = (
        _private_steps(network, schedule, schedule.expected(people), source, noise_multiplier, on_step)
        if noise_multiplier
        else nullcontext(_plain_step(network, schedule, schedule.expected(people)))
    )
    network.train()
    with steps as step, warnings.catch_warnings():
        # Opacus looks at gradients of outputs where inputs have none, and torch remarks on it.
        warnings.filterwarnings("ignore", message="Full backward hook is firing")
        for number, batch in enumerate(schedule.batches(people, source)):
            present = batch[labels[batch] >= 0]
            step((inputs(chunk), labels[chunk]) for chunk in blocks(present, CHUNK))
            progress((number + 1) / schedule.steps(people))
    network.zero_grad()
    network.eval()


Step = Callable[[Iterator[tuple[Tensor, Tensor]]], None]
"""One step of the optimizer on a batch that comes in chunks."""


def _plain_step(network: nn.Module, schedule: Schedule, batch_size: int) -> Step:
    optimizer = torch.optim.Adam(network.parameters(), lr=schedule.learning_rate)

    def step(chunks: Iterator[tuple[Tensor, Tensor]]) -> None:
        optimizer.zero_grad()
        for rows, labels in chunks:
            loss = nn.functional.cross_entropy(network(rows), labels, reduction="sum") / batch_size
            loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return step


@contextmanager
def _private_steps(
    network: nn.Module,
    schedule: Schedule,
    batch_size: int,
    source: Random,
    noise_multiplier: float,
    on_step: OnStep,
) -> Iterator[Step]:
    from opacus.grad_sample import GradSampleHooksFastGradientClipping
    from opacus.optimizers import DPOptimizerFastGradientClipping
    from opacus.utils.fast_gradient_clipping_utils import DPLossFastGradientClipping

    hooks = GradSampleHooksFastGradientClipping(network, max_grad_norm=schedule.clip, loss_reduction="mean")

    class Optimizer(DPOptimizerFastGradientClipping):  # type: ignore[misc]
        """Opacus's optimizer with noise from our source, which says what it did."""

        def add_noise(self) -> None:
            deviation = self.noise_multiplier * self.max_grad_norm
            for parameter in self.params:
                parameter.grad = parameter.summed_grad + deviation * gaussian_noise(parameter.shape, source)
            on_step(_flat(one.summed_grad for one in self.params), _flat(one.grad for one in self.params))

    optimizer = Optimizer(
        torch.optim.Adam(network.parameters(), lr=schedule.learning_rate),
        noise_multiplier=noise_multiplier,
        max_grad_norm=schedule.clip,
        expected_batch_size=batch_size,
    )
    parameters: list[Any] = list(network.parameters())
    loss_of = DPLossFastGradientClipping(hooks, optimizer, nn.CrossEntropyLoss())

    def step(chunks: Iterator[tuple[Tensor, Tensor]]) -> None:
        # The sum of clipped gradients over all chunks; of an empty batch it is 0, and the noise alone counts.
        sums = [torch.zeros_like(parameter) for parameter in parameters]
        for rows, labels in chunks:
            if labels.numel():
                optimizer.zero_grad()
                loss_of(network(rows), labels).backward()
                torch._foreach_add_(sums, [parameter.grad for parameter in parameters])
        for total, parameter in zip(sums, parameters, strict=True):
            parameter.grad = total
            parameter.summed_grad = None
        optimizer.step()
        # Weights are released, so that this tells nothing; beyond it, numbers might overflow where
        # somebody's data make them, and what is not finite is not hidden by noise.
        if not all(parameter.abs().max() <= LARGEST_WEIGHT for parameter in parameters):
            raise ArithmeticError("training diverged: a smaller learning_rate may help")

    try:
        yield step
    finally:
        hooks.cleanup()
        # The weights are for everyone. What Opacus leaves beside them, the sum without noise, is for nobody.
        for parameter in parameters:
            parameter.grad = None
            vars(parameter).clear()


def _flat(tensors: Iterator[Tensor]) -> Tensor:
    return torch.cat([tensor.detach().ravel() for tensor in tensors])
