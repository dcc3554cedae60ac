"""The layers are those of PyTorch Geometric, in another order of operations."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from hushgraph.nn import GATLayer, GCNLayer, GINLayer, SAGELayer
from hushgraph.sparse import Adjacency

pyg = pytest.importorskip("torch_geometric.nn")


@pytest.fixture
def adjacency() -> Adjacency:
    return Adjacency.from_edges(np.random.default_rng(0).integers(0, 29, (2, 80)), 30)


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(30, 6, generator=torch.Generator().manual_seed(0))


def same(ours: nn.Module, theirs: nn.Module, x: torch.Tensor, adjacency: Adjacency) -> None:
    torch.testing.assert_close(ours(x, adjacency), theirs(x, adjacency.edge_index), rtol=1e-5, atol=1e-5)


def test_sage_is_pygs(x, adjacency):
    ours, theirs = SAGELayer(6, 4), pyg.SAGEConv(6, 4)
    theirs.lin_l.weight.data = ours.weight.data[:, :4].T
    theirs.lin_r.weight.data = ours.weight.data[:, 4:].T
    theirs.lin_l.bias.data = ours.bias.data
    same(ours, theirs, x, adjacency)


def test_gcn_is_pygs(x, adjacency):
    ours, theirs = GCNLayer(6, 4), pyg.GCNConv(6, 4)
    theirs.lin.weight.data = ours.weight.data.T
    same(ours, theirs, x, adjacency)


def test_gat_is_pygs(x, adjacency):
    ours, theirs = GATLayer(6, 4, heads=4), pyg.GATConv(6, 4, heads=4)
    theirs.lin.weight.data = ours.weight.data.T
    theirs.att_src.data, theirs.att_dst.data = ours.source.data[None], ours.target.data[None]
    same(ours, theirs, x, adjacency)


def test_gin_is_pygs(x, adjacency):
    ours = GINLayer(6, 4)
    first, second = nn.Linear(6, 4), nn.Linear(4, 4)
    first.weight.data, first.bias.data = ours.weight.data.T, ours.bias.data
    second.weight.data, second.bias.data = ours.second_weight.data.T, ours.second_bias.data
    ours.own.data.fill_(0.3)
    theirs = pyg.GINConv(nn.Sequential(first, nn.SELU(), second), eps=0.3)
    same(ours, theirs, x, adjacency)


@pytest.mark.parametrize("layer", [SAGELayer(6, 4), GCNLayer(6, 4), GATLayer(6, 4, 4), GINLayer(6, 4)])
def test_every_parameter_learns(layer, x, adjacency):
    layer(x, adjacency).square().sum().backward()
    for name, parameter in layer.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().sum() > 0, name


def test_attention_survives_large_scores(adjacency):
    layer = GATLayer(6, 4, heads=2)
    assert layer(torch.full((30, 6), 1e4), adjacency).isfinite().all()
