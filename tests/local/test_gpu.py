"""A GPU computes what the CPU computes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph.denoise import collected_adjacency, denoised_features
from hushgraph.registry import BACKBONES
from hushgraph.sparse import Adjacency

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU on this machine")


@pytest.mark.parametrize("aggregation", ["gcn", "mean", "sum"])
@pytest.mark.parametrize("form", ["factored", "dense"])
def test_features_and_gradients_agree(camps_collected, aggregation, form):
    results = []
    for device in ("cpu", "cuda"):
        adjacency = Adjacency.from_edges(camps_collected.edges, camps_collected.num_nodes, device)
        weights = torch.from_numpy(np.linspace(0, 1, camps_collected.num_nodes)).to(device)
        features = denoised_features(
            camps_collected.features, adjacency, 3, aggregation, weights=weights, midpoint=0.5, form=form
        )
        weight = torch.linspace(-1, 1, 10 * 4).view(10, 4).to(device).requires_grad_()
        output = features @ weight
        output.square().sum().backward()
        results.append((output.detach().cpu(), weight.grad.cpu()))
    for cpu, gpu in zip(*results, strict=True):
        torch.testing.assert_close(gpu, cpu, rtol=1e-4, atol=1e-4 * cpu.abs().max().item())


@pytest.mark.parametrize("backbone", BACKBONES)
def test_every_backbone_learns_there(camps, camps_split, camps_collected, backbone, tmp_path):
    model = hg.LPGNN(backbone, k_x=2, k_y=2, epochs=60, device="cuda").fit(camps_collected)
    assert hg.accuracy(model, camps, camps_split.test) > 0.9
    model.save(tmp_path / "model.pt")
    assert (hg.LPGNN.load(tmp_path / "model.pt").predict() == model.predict()).all()


@pytest.fixture
def camps_with_lists(camps, camps_split):
    return hg.collect(
        camps,
        camps_split,
        features=hg.MultiBit(4.0),
        labels=hg.RandomizedResponse(4.0),
        edges=hg.AdjacencyRandomizedResponse(6.0),
        rng=np.random.default_rng(0),
    )


@pytest.mark.parametrize("aggregation", ["gcn", "mean", "sum"])
def test_learned_weights_get_the_same_gradients(camps_with_lists, aggregation):
    results = []
    for device in ("cpu", "cuda"):
        graph = collected_adjacency(camps_with_lists, "directed", device)
        values = torch.linspace(0, 1, graph.indices.numel()).to(device).requires_grad_()
        x = torch.linspace(-1, 1, 4 * graph.num_nodes).view(-1, 4).to(device).requires_grad_()
        output = graph.with_values(values).propagate(x, aggregation, 2)
        output.square().sum().backward()
        results.append((output.detach().cpu(), values.grad.cpu(), x.grad.cpu()))
    for cpu, gpu in zip(*results, strict=True):
        torch.testing.assert_close(gpu, cpu, rtol=1e-4, atol=1e-4 * cpu.abs().max().item())


@pytest.mark.parametrize("method", [hg.Solitude, hg.LPGNN])
@pytest.mark.parametrize("backbone", BACKBONES)
def test_private_lists_are_learned_from_there(camps, camps_split, camps_with_lists, method, backbone):
    model = method(backbone, k_x=2, k_y=2, epochs=60, selection="last", device="cuda").fit(camps_with_lists)
    assert hg.accuracy(model, camps, camps_split.test) > 0.8


@pytest.mark.parametrize("loss", ["drop", "smoothed", "forward"])
def test_levels_of_privacy_are_learned_from_there(camps, camps_split, loss):
    choice = np.random.default_rng(1).integers(0, 2, camps.num_nodes)
    collected = hg.collect(
        camps,
        camps_split,
        features=[hg.MultiBit(2.0), hg.MultiBit(4.0)],
        labels=[hg.RandomizedResponse(1.0), hg.RandomizedResponse(3.0)],
        levels={"features": choice, "label": choice},
        rng=np.random.default_rng(0),
    )
    model = hg.LPGNN(loss=loss, epochs=100, selection="last", device="cuda").fit(collected)
    assert hg.accuracy(model, camps, camps_split.test) > 0.9


@pytest.mark.parametrize("private_lists", [False, True])
def test_a_cascade_thinks_the_same_there(
    camps, camps_split, camps_collected, camps_with_lists, private_lists
):
    collected = camps_with_lists if private_lists else camps_collected
    cpu, gpu = (hg.Cascade(device=device).fit(collected) for device in ("cpu", "cuda"))
    assert hg.accuracy(gpu, camps, camps_split.test) > 0.8
    np.testing.assert_allclose(gpu.predict_proba(), cpu.predict_proba(), atol=0.02)
