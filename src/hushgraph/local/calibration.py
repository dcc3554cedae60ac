"""Structure calibration: the collected graph itself is learned, edge by edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor, nn

from hushgraph.local.adam import Adam
from hushgraph.sparse import Adjacency

Step = Literal["adam", "proximal"]
# How much of the average gradient an epoch's own one makes, in a proximal step; Adam's is the same.
FRESH = 0.1


class Calibration(nn.Module):
    r"""The calibrated adjacency :math:`A^c` of Solitude's eq. 14: a weight in [0, 1] for each collected edge.

    .. math:: \min_{A^c, \theta} L(A^c, \theta) + \lambda_1 ||\tilde A - A^c||_F^2 + \lambda_2 ||A^c||_1

    Its support is that of the collected graph Ã, at whose weights it starts. The paper's problem is
    over all n² entries; one outside the support stays at zero as long as :math:`-\partial L / \partial
    A^c_{uv} \le \lambda_2` there. benchmarks/calibration.py measures how often that fails, and what leaving
    those entries out costs.

    Args:
        collected: the collected graph.
        lambda_1, lambda_2: what it costs to leave Ã, and what every edge costs.
        step: ``"adam"``: Adam on all three terms, as in the paper. ``"proximal"``: the exact minimum of the
            two penalties and the loss as it is sloped here (averaged over epochs); it needs no learning rate
            and sets edges to zero exactly.
        learning_rate: of Adam.
    """

    values: Tensor

    def __init__(
        self, collected: Adjacency, lambda_1: float, lambda_2: float, step: Step, learning_rate: float
    ) -> None:
        super().__init__()
        self.collected = collected
        self.lambda_1, self.lambda_2, self.kind = lambda_1, lambda_2, step
        ones = torch.ones(collected.indices.numel(), device=collected.device)
        self.anchor = ones if collected.values is None else collected.values
        self.register_buffer("values", self.anchor.clone().requires_grad_())
        self.optimizer = Adam([self.values], learning_rate, weight_decay=0.0)
        self.slope = torch.zeros_like(ones)

    def adjacency(self) -> Adjacency:
        """The graph as it is calibrated now, fixed."""
        return self.collected.with_values(self.values.detach())

    def step(self, loss: Callable[[Adjacency], Tensor]) -> Adjacency:
        """One step on :math:`A^c` with the network as it is; the graph after it."""
        loss_now = loss(self.collected.with_values(self.values))
        (gradient,) = torch.autograd.grad(loss_now, self.values, allow_unused=True)
        if gradient is None:
            raise ValueError("the network does not use the weights of edges, so they cannot be learned")
        with torch.no_grad():
            if self.kind == "adam":
                away = self.values - self.anchor
                self.values.grad = gradient + 2 * self.lambda_1 * away + self.lambda_2
                self.optimizer.step()
            else:
                self.slope.lerp_(gradient, FRESH)
                # Where the slope of all three terms together is zero.
                self.values.copy_(self.anchor - (self.slope + self.lambda_2) / (2 * self.lambda_1))
            self.values.clamp_(0, 1)
        return self.adjacency()
