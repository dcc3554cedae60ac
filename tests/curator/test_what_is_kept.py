"""What a model keeps is what left: nothing of it is the value before the noise."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP
from hushgraph.curator.networks import mlp

GAUSSIAN = [(method, relation) for method in (DPMLP, DPSAGE, DPDGC, GAP) for relation in method.RELATIONS]


def fitted(method, graph, split, **settings):
    seen = []
    model = method(4.0, **{"epochs": 3, "hidden": 8} | settings)
    return model.fit(graph, split, observe=seen.append, first_weights=5), seen


@pytest.mark.parametrize(("method", "relation"), GAUSSIAN)
def test_nothing_that_is_kept_holds_a_value_without_its_noise(method, relation, graph, split):
    """Opacus leaves the last sum of gradients beside the weights, which are for everyone."""
    model, seen = fitted(method, graph, split, relation=relation)
    kept = pickle.dumps(model)
    assert seen
    assert not any(release.clean.tobytes() in kept for release in seen)
    for module in (value for value in vars(model).values() if isinstance(value, nn.Module)):
        for parameter in module.parameters():
            assert parameter.grad is None
            assert vars(parameter) == {}


@pytest.mark.parametrize("batch_size", [None, 7])
def test_weights_are_made_of_the_noisy_gradients_that_left_and_of_public_numbers(batch_size, graph, split):
    """Adam again, on what left: who has no label counts in the size of a batch like everybody."""
    labels = graph.labels.copy()
    labels[split.train[:3]] = -1
    graph = replace(graph, labels=labels)
    model, seen = fitted(DPMLP, graph, split, batch_size=batch_size)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        network = mlp(graph.num_features, 8, graph.num_classes)
    assert len(seen) == math.ceil(3 * split.train.size / (batch_size or split.train.size))
    optimizer = torch.optim.Adam(network.parameters(), lr=model.learning_rate)
    for release in seen:
        gradient = torch.from_numpy(release.values) / (batch_size or split.train.size)
        for parameter in network.parameters():
            mine, gradient = gradient.split([parameter.numel(), gradient.numel() - parameter.numel()])
            parameter.grad = mine.reshape(parameter.shape)
        optimizer.step()
    for ours, theirs in zip(network.parameters(), model.network_.parameters(), strict=True):
        # To the last bit: Adam hardly sees what a gradient is divided by.
        assert (ours == theirs).all()


@pytest.mark.parametrize("relation", GAP.RELATIONS)
def test_sums_terms_and_embeddings_are_those_that_left(relation, graph, split):
    def normalized(values):
        return nn.functional.normalize(torch.from_numpy(values), dim=1)

    model, seen = fitted(GAP, graph, split, relation=relation, hops=3)
    left = [release.values for release in seen if release.part == "aggregation"]
    assert all((kept == normalized(one)).all() for kept, one in zip(model.sums_, left, strict=True))
    model, seen = fitted(DPSAGE, graph, split, relation=relation)
    (terms,) = (release.values for release in seen if release.part == "inference")
    np.testing.assert_allclose(model.terms_, model.message_clip / model.max_degree * terms)
    model, seen = fitted(DPDGC, graph, split, relation=relation)
    (embeddings,) = (release.values for release in seen if release.part == "embeddings")
    assert (model.embeddings_ == normalized(embeddings)).all()
