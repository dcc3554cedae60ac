"""A GPU computes what the CPU computes."""

from __future__ import annotations

import pytest
import torch

import hushgraph as hg
from hushgraph.denoise import Adjacency, denoised_features
from hushgraph.nn import BACKBONES

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU on this machine")


@pytest.mark.parametrize("aggregation", ["gcn", "mean", "sum"])
@pytest.mark.parametrize("form", ["factored", "dense"])
def test_features_and_gradients_agree(camps_collected, aggregation, form):
    results = []
    for device in ("cpu", "cuda"):
        adjacency = Adjacency.from_edges(camps_collected.edges, camps_collected.num_nodes, device)
        features = denoised_features(camps_collected, adjacency, 3, aggregation, form=form)
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
