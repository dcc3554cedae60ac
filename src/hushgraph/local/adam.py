"""Adam, without the compiler that torch's own optimisers load."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor


class Adam:
    """Adam (Kingma & Ba, ICLR 2015) with L2 weight decay; the same steps as :class:`torch.optim.Adam`.

    Making a torch optimiser imports torch's compiler, which takes as long as a whole training run on a small
    graph and more memory than one on a large graph (benchmarks/kernels.py).
    """

    def __init__(self, parameters: Iterable[Tensor], learning_rate: float, weight_decay: float) -> None:
        self.parameters = [parameter for parameter in parameters if parameter.requires_grad]
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        self.means = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.squares = [torch.zeros_like(parameter) for parameter in self.parameters]
        self.steps = 0

    @torch.no_grad()
    def step(self, beta1: float = 0.9, beta2: float = 0.999, tiny: float = 1e-8) -> None:
        """One step along the gradients, which are then forgotten."""
        self.steps += 1
        rate = self.learning_rate / (1 - beta1**self.steps)
        correction = (1 - beta2**self.steps) ** 0.5
        for parameter, mean, square in zip(self.parameters, self.means, self.squares, strict=True):
            if parameter.grad is None:
                continue
            gradient = parameter.grad
            if self.weight_decay:
                gradient = gradient.add_(parameter, alpha=self.weight_decay)
            mean.lerp_(gradient, 1 - beta1)
            square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
            parameter.addcdiv_(mean, square.sqrt().div_(correction).add_(tiny), value=-rate)
            parameter.grad = None
