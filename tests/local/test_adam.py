"""Adam takes torch's steps."""

from __future__ import annotations

import pytest
import torch

from hushgraph.local.adam import Adam


@pytest.mark.parametrize("weight_decay", [0.0, 0.01])
def test_it_makes_the_same_steps_as_torch(weight_decay):
    generator = torch.Generator().manual_seed(0)
    start = [torch.randn(5, 3, generator=generator), torch.randn(4, generator=generator)]
    gradients = [[torch.randn(value.shape, generator=generator) for value in start] for _ in range(30)]
    ours, theirs = ([value.clone().requires_grad_() for value in start] for _ in range(2))
    adam = Adam(ours, 0.01, weight_decay)
    reference = torch.optim.Adam(theirs, lr=0.01, weight_decay=weight_decay)
    for step in gradients:
        for optimizer, parameters in ((adam, ours), (reference, theirs)):
            for parameter, gradient in zip(parameters, step, strict=True):
                parameter.grad = gradient.clone()
            optimizer.step()
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)


def test_a_parameter_without_a_gradient_stays():
    used, unused = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    used.grad = torch.ones(2)
    Adam([used, unused], 0.1, 0.0).step()
    assert unused.tolist() == [1.0, 1.0]
    assert used.tolist() != [1.0, 1.0]
