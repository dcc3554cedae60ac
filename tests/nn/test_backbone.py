"""Backbones: two layers by name, or anybody's module."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from hushgraph.nn import ModuleAdapter, make_backbone
from hushgraph.nn.dropout import Dropout
from hushgraph.registry import BACKBONES
from hushgraph.sparse import Adjacency, DenseFeatures


@pytest.fixture
def adjacency() -> Adjacency:
    return Adjacency.from_edges(np.random.default_rng(0).integers(0, 19, (2, 50)), 20)


@pytest.mark.parametrize("name", BACKBONES)
def test_a_backbone_has_two_layers_of_sixteen_and_gives_logits(name, adjacency):
    backbone = make_backbone(name, 7, 3, hidden=16, dropout=0.5)
    hidden = backbone.encode(torch.randn(20, 7), adjacency)
    assert hidden.shape == (20, 64 if name == "gat" else 16)
    assert backbone.classify(hidden, adjacency).shape == (20, 3)


def test_evaluation_shares_the_first_layer_with_training(adjacency):
    backbone = make_backbone("sage", 7, 3, hidden=16, dropout=0.5)
    x = torch.randn(20, 7)
    backbone.train()
    shared = backbone.encode(x, adjacency)
    backbone.eval()
    torch.testing.assert_close(backbone.classify(shared, adjacency), backbone(x, adjacency))


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match="backbone must be one of 'sage', 'gcn', 'gat', 'gin'; got 'mlp'"):
        make_backbone("mlp", 7, 3, hidden=16, dropout=0.0)


def test_a_module_of_ones_own_gets_a_dense_tensor_and_an_edge_index(adjacency):
    class Recorder(nn.Module):
        def forward(self, x, edge_index):
            assert isinstance(x, torch.Tensor)
            self.seen = x.shape, edge_index.shape
            return x[:, :3]

    adapter = make_backbone(Recorder(), 7, 3, hidden=16, dropout=0.0)
    assert isinstance(adapter, ModuleAdapter)
    adapter(DenseFeatures(torch.randn(20, 7)), adjacency)
    assert adapter.module.seen == ((20, 7), adjacency.edge_index.shape)


def test_a_module_of_another_width_is_refused(adjacency):
    class Wide(nn.Module):
        def forward(self, x, edge_index):
            return x

    adapter = make_backbone(Wide(), 7, 3, hidden=16, dropout=0.0)
    with pytest.raises(ValueError, match=r"logits of shape \(20, 3\), got \(20, 7\)"):
        adapter(torch.randn(20, 7), adjacency)


class TestDropout:
    def test_it_drops_its_share_and_keeps_the_mean(self):
        """Over 10⁶ numbers a standard deviation is at most 0.0005; five are exceeded once in a million."""
        torch.manual_seed(0)
        for p in (0.25, 0.5, 0.75, 0.1):
            dropped = Dropout(p)(torch.ones(1000, 1000))
            assert abs((dropped == 0).float().mean().item() - p) < 5 * 0.0005
            kept = dropped[dropped > 0]
            torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - p)), rtol=1e-4, atol=0)

    def test_neighbouring_numbers_are_dropped_independently(self):
        """The four numbers of one random word: pairwise correlation below five standard deviations."""
        torch.manual_seed(1)
        kept = (Dropout(0.5)(torch.ones(250_000, 4)) > 0).double()
        correlation = torch.corrcoef(kept.T) - torch.eye(4)
        assert correlation.abs().max() < 5 / 250_000**0.5

    def test_it_is_off_in_evaluation_and_at_zero(self):
        x = torch.randn(3, 3)
        assert Dropout(0.5).eval()(x) is x
        assert Dropout(0.0)(x) is x

    @pytest.mark.parametrize("p", [-0.1, 1.0, float("nan")])
    def test_a_share_outside_0_to_1_is_refused(self, p):
        with pytest.raises(ValueError, match="dropout must lie in"):
            Dropout(p)
