"""Training a network by DP-SGD: Poisson batches, clipped per-sample gradients and noise, by Opacus."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from hushgraph import _check
from hushgraph.curator.releases import released, watched
from hushgraph.curator.rows import blocks
from hushgraph.mechanisms import SecureRandom

# People whose rows are dense at a time.
CHUNK = 2048
LARGEST_WEIGHT = 1e6

Source = torch.Generator | SecureRandom
"""Where noise comes from: a seeded generator in simulations, else the operating system."""

Inputs = Callable[[Tensor], Tensor]
"""The rows of these people, as the network takes them."""

Progress = Callable[[float], None]
"""Is told which share of the work is done."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long training goes on, and in which batches."""

    people: int
    batch_size: int
    epochs: int

    def __post_init__(self) -> None:
        _check.count(self.epochs, "epochs", minimum=1)
        _check.count(self.batch_size, "batch_size", minimum=1)
        if self.batch_size > self.people:
            raise ValueError(
                f"batch_size must be at most the {self.people} people who train, got {self.batch_size}"
            )

    @property
    def rate(self) -> float:
        """The probability with which each person is in a batch."""
        return self.batch_size / self.people

    @property
    def steps(self) -> int:
        """The number of batches."""
        return math.ceil(self.epochs / self.rate)

    def batches(self, source: Source) -> Iterator[Tensor]:
        """Poisson samples: everybody is in each batch on their own account; a batch may be empty."""
        for _ in range(self.steps):
            if isinstance(source, SecureRandom):
                coins = torch.from_numpy(source.random(self.people))
            else:
                coins = torch.rand(self.people, generator=source, dtype=torch.float64)
            yield (coins < self.rate).nonzero().squeeze(1)


def gaussian_noise(shape: torch.Size, source: Source) -> Tensor:
    """Standard Gaussian noise."""
    if isinstance(source, SecureRandom):
        return torch.from_numpy(source.normal(0.0, 1.0, size=tuple(shape))).float()
    return torch.randn(shape, generator=source)


def train(
    network: nn.Module,
    inputs: Inputs,
    labels: Tensor,
    schedule: Schedule,
    source: Source,
    *,
    learning_rate: float,
    noise_multiplier: float,
    clip: float,
    progress: Progress | None = None,
) -> None:
    """Fits a network to labels; a noise multiplier of 0 stands for plain training, without clipping.

    ``inputs`` and ``labels`` are those of the people who train, numbered from 0; a label of -1 stands for an
    empty place, which is counted and adds nothing. Gradients are averaged over the expected size of a batch,
    which is public, and not over the actual one.
    """
    steps = (
        _private_steps(network, schedule, source, learning_rate, noise_multiplier, clip)
        if noise_multiplier
        else nullcontext(_plain_step(network, schedule, learning_rate))
    )
    network.train()
    with steps as step:
        for number, batch in enumerate(schedule.batches(source)):
            present = batch[labels[batch] >= 0]
            step((inputs(chunk), labels[chunk]) for chunk in blocks(present, CHUNK))
            if progress is not None:
                progress((number + 1) / schedule.steps)
    network.eval()


Step = Callable[[Iterator[tuple[Tensor, Tensor]]], None]
"""One step of the optimiser on a batch that comes in chunks."""


def _plain_step(network: nn.Module, schedule: Schedule, learning_rate: float) -> Step:
    optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate)

    def step(chunks: Iterator[tuple[Tensor, Tensor]]) -> None:
        optimizer.zero_grad()
        for rows, labels in chunks:
            loss = nn.functional.cross_entropy(network(rows), labels, reduction="sum") / schedule.batch_size
            loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return step


@contextmanager
def _private_steps(
    network: nn.Module,
    schedule: Schedule,
    source: Source,
    learning_rate: float,
    noise_multiplier: float,
    clip: float,
) -> Iterator[Step]:
    from opacus.grad_sample import GradSampleHooksFastGradientClipping
    from opacus.optimizers import DPOptimizerFastGradientClipping
    from opacus.utils.fast_gradient_clipping_utils import DPLossFastGradientClipping

    hooks = GradSampleHooksFastGradientClipping(network, max_grad_norm=clip, loss_reduction="mean")

    class SecureOptimizer(DPOptimizerFastGradientClipping):  # type: ignore[misc]
        """Opacus's optimiser with noise from the operating system."""

        def add_noise(self) -> None:
            for parameter in self.params:
                deviation = self.noise_multiplier * self.max_grad_norm
                parameter.grad = parameter.summed_grad + gaussian_noise(parameter.shape, source) * deviation

    secure = isinstance(source, SecureRandom)
    optimizer = (SecureOptimizer if secure else DPOptimizerFastGradientClipping)(
        torch.optim.Adam(network.parameters(), lr=learning_rate),
        noise_multiplier=noise_multiplier,
        max_grad_norm=clip,
        expected_batch_size=schedule.batch_size,
        generator=None if secure else source,
    )
    parameters: list[Any] = list(network.parameters())
    if watched():
        optimizer.attach_step_hook(
            lambda _: released(torch.cat([parameter.grad.ravel() for parameter in parameters]).numpy())
        )
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
