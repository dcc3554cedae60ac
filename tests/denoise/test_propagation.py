"""KProp, and what it does about people who sent nothing."""

from __future__ import annotations

import pytest
import torch

from hushgraph.denoise import KProp, kprop
from hushgraph.edges import both_directions
from hushgraph.sparse import Adjacency

# A star: 0 is the friend of 1, 2, 3; person 4 is isolated.
STAR = torch.tensor([[0, 0, 0], [1, 2, 3]])


@pytest.fixture
def star() -> Adjacency:
    return Adjacency.from_edges(STAR.numpy(), 5)


def test_no_steps_change_nothing(star):
    x = torch.arange(10.0).view(5, 2)
    assert kprop(x, star, 0) is x


def test_a_missing_report_is_left_out_of_the_mean(star):
    x = torch.tensor([[0.0], [2.0], [4.0], [999.0], [0.0]])
    answered = torch.tensor([True, True, True, False, True])
    assert kprop(x, star, 1, "mean", weights=answered)[0].item() == pytest.approx(3.0)


def test_a_missing_report_is_not_a_zero_for_any_aggregation(star):
    """Everyone who answers says 5, so the average over those who answer is what all saying 5 gives."""
    five = torch.full((5, 1), 5.0)
    answered = torch.tensor([True, True, False, True, True])
    for aggregation in ("gcn", "mean", "sum"):
        for steps in (1, 2, 3):
            everyone = kprop(five, star, steps, aggregation)
            torch.testing.assert_close(kprop(five, star, steps, aggregation, weights=answered), everyone)


def test_a_node_that_no_report_reaches_gets_the_neutral_value(star):
    x = torch.zeros(5, 1)
    answered = torch.tensor([False, True, True, True, True])
    smoothed = kprop(x, star, 1, "mean", weights=answered, midpoint=0.5)
    assert smoothed[1:4].ravel().tolist() == [0.5, 0.5, 0.5]
    assert smoothed[0].item() == 0.0


def test_without_steps_a_missing_report_is_the_neutral_value(star):
    answered = torch.tensor([True, False, True, True, True])
    assert kprop(torch.ones(5, 1), star, 0, weights=answered, midpoint=0.5).ravel().tolist() == [
        1,
        0.5,
        1,
        1,
        1,
    ]


def test_the_layer_takes_an_edge_index_in_one_or_both_directions(star):
    x = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    layer = KProp(steps=2)
    both = torch.from_numpy(both_directions(STAR))
    torch.testing.assert_close(layer(x, STAR), kprop(x, star, 2))
    torch.testing.assert_close(layer(x, both), layer(x, star))
    torch.testing.assert_close(kprop(x, both, 2), kprop(x, star, 2))


@pytest.mark.parametrize(
    "weights", [[1.0, 1.0], [1.0, -1.0, 1.0, 1.0, 1.0], [1.0, float("nan"), 1.0, 1.0, 1.0]]
)
def test_weights_are_one_number_for_each_person(star, weights):
    with pytest.raises(ValueError, match="weights must be 5 numbers ≥ 0"):
        kprop(torch.ones(5, 1), star, 1, weights=torch.tensor(weights))


def test_the_layer_agrees_with_pyg(star):
    """SGConv without self-loops and without its weight is KProp."""
    nn = pytest.importorskip("torch_geometric.nn")
    x = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    convolution = nn.SGConv(3, 3, K=4, add_self_loops=False, bias=False)
    convolution.lin.weight.data = torch.eye(3)
    torch.testing.assert_close(KProp(steps=4)(x, star), convolution(x, star.edge_index).detach())


@pytest.mark.parametrize("steps", [-1, 1.5, True])
def test_steps_must_count(steps):
    with pytest.raises((ValueError, TypeError), match="steps must be a whole number ≥ 0"):
        KProp(steps)
