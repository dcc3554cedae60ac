"""The losses, against the paper's formulas written out on dense matrices."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.local.objective import Objective
from hushgraph.sparse import Adjacency


def collection(epsilon: float) -> hg.CollectedGraph:
    """Ten people on a ring with one chord; person 9 is isolated and persons 7, 8 are test people."""
    rng = np.random.default_rng(2)
    ring = np.array([[0, 1, 2, 3, 4, 5, 6, 7, 8, 0], [1, 2, 3, 4, 5, 6, 7, 8, 0, 4]])
    graph = hg.Graph(ring, rng.random((10, 3)), rng.integers(0, 3, 10), num_classes=3)
    split = hg.Split(np.array([0, 1, 2, 3, 9]), np.array([4, 5, 6]), np.array([7, 8]))
    return hg.collect(graph, split, features=hg.MultiBit(1.0), labels=hg.RandomizedResponse(epsilon), rng=rng)


def parts(epsilon: float, steps: int):
    """The dense GCN matrix to the power of K_y, the noise's transition matrix, random logits."""
    collected = collection(epsilon)
    adjacency = Adjacency.from_edges(collected.edges, 10)
    power = adjacency.propagate(torch.eye(10), "gcn", steps)
    noise = collected.label_channel
    transition = torch.full((3, 3), noise.other).fill_diagonal_(noise.keep)
    logits = torch.randn(10, 3, generator=torch.Generator().manual_seed(0))
    return collected, adjacency, power, transition, logits


@pytest.mark.parametrize("epsilon", [0.5, 2.0, math.inf])
def test_drop_is_equation_14(epsilon):
    collected, adjacency, power, transition, logits = parts(epsilon, 3)
    labels = torch.from_numpy(collected.labels)
    one_hot = torch.nn.functional.one_hot(labels.clamp(min=0), 3).float() * (labels >= 0)[:, None]
    targets = (power @ one_hot).argmax(1)
    targets[9] = labels[9]
    smoothed = (power @ (logits.softmax(1) @ transition)).softmax(1)
    train = torch.from_numpy(collected.train)
    expected = -smoothed[train, targets[train]].log().mean()
    loss = Objective(collected, adjacency, "drop", 3, "gcn").training_loss(logits)
    torch.testing.assert_close(loss, expected)


@pytest.mark.parametrize("loss", ["forward", "drop"])
def test_without_steps_drop_is_forward_correction(loss):
    collected, adjacency, _, transition, logits = parts(1.0, 0)
    train, labels = torch.from_numpy(collected.train), torch.from_numpy(collected.labels)
    expected = -(logits.softmax(1) @ transition)[train, labels[train]].log().mean()
    torch.testing.assert_close(
        Objective(collected, adjacency, loss, 0, "gcn").training_loss(logits), expected
    )


def test_cross_entropy_is_blind_to_the_noise():
    collected, adjacency, _, _, logits = parts(1.0, 0)
    train, labels = torch.from_numpy(collected.train), torch.from_numpy(collected.labels)
    expected = torch.nn.functional.cross_entropy(logits[train], labels[train])
    torch.testing.assert_close(
        Objective(collected, adjacency, "cross_entropy", 5, "gcn").training_loss(logits), expected
    )


def test_an_isolated_person_keeps_their_own_noisy_label():
    collected, adjacency, _, _, _ = parts(1.0, 4)
    objective = Objective(collected, adjacency, "drop", 4, "gcn")
    assert objective.targets[-1].item() == collected.labels[9]


def test_the_validation_loss_is_forward_corrected_and_does_not_depend_on_steps():
    collected, adjacency, _, transition, logits = parts(1.0, 0)
    val, labels = torch.from_numpy(collected.val), torch.from_numpy(collected.labels)
    expected = -(logits.softmax(1) @ transition)[val, labels[val]].log().mean().item()
    for steps in (0, 2, 8):
        score = Objective(collected, adjacency, "drop", steps, "gcn").score(logits)
        assert score.val_loss == pytest.approx(expected, rel=1e-5)


def test_accuracies_are_on_noisy_labels():
    collected, adjacency, _, _, _ = parts(1.0, 0)
    labels = torch.from_numpy(collected.labels)
    perfect_on_noise = torch.nn.functional.one_hot(labels.clamp(min=0), 3).float()
    score = Objective(collected, adjacency, "drop", 0, "gcn").score(perfect_on_noise)
    assert (score.train_accuracy, score.val_accuracy) == (1.0, 1.0)


def test_acc_star_is_the_probability_of_keeping_a_label():
    collected, adjacency, *_ = parts(1.0, 0)
    objective = Objective(collected, adjacency, "drop", 0, "gcn")
    assert objective.perfect_accuracy == pytest.approx(math.e / (math.e + 2))


def test_the_floor_bounds_the_loss_and_hopeless_labels_stop_pulling():
    collected, adjacency, *_ = parts(math.inf, 0)
    labels = torch.from_numpy(collected.labels)
    hopeless = torch.full((10, 3), 1e4)
    hopeless[torch.arange(10), labels.clamp(min=0)] = 0.0
    hopeless.requires_grad_()
    floored = Objective(collected, adjacency, "drop", 0, "gcn", floor=1e-20).training_loss(hopeless)
    floored.backward()
    assert floored.item() == pytest.approx(-math.log(1e-20), rel=1e-4)
    assert not hopeless.grad.any()
    plain = Objective(collected, adjacency, "drop", 0, "gcn", floor=0.0).training_loss(hopeless)
    plain.backward()
    assert plain.item() == pytest.approx(1e4, rel=1e-3)
    assert hopeless.grad.any()
