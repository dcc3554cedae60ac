"""Old names work for one release, and say what they are called now."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest
import torch

import hushgraph as hg
from hushgraph import _renamed
from hushgraph.experiments.studies import STUDIES
from hushgraph.mechanisms import Factored
from hushgraph.nn import GCNLayer


def imported(old):
    """The module of an old name, imported anew; a package around it may say that it was renamed too."""
    sys.modules.pop(old, None)
    with pytest.warns(FutureWarning) as said:
        module = importlib.import_module(old)
    assert any(str(one.message).startswith(f"{old} is now ") for one in said)
    return module


@pytest.mark.parametrize("old", _renamed.MODULES)
def test_an_old_module_has_what_the_new_one_has(old):
    module, new = imported(old), importlib.import_module(_renamed.MODULES[old])
    public = [name for name in vars(new) if not name.startswith("_")]
    assert all(getattr(module, name) is getattr(new, name) for name in public)


def test_a_module_inside_an_old_package_is_the_new_one():
    assert imported("hushgraph.methods.lpgnn").LPGNN is hg.LPGNN


@pytest.mark.parametrize(
    ("module", "old"),
    [(hg, "NeighbourLists"), (hg.mechanisms, "NeighbourLists"), (hg.mechanisms, "Friendships")],
)
def test_an_old_name_leads_to_the_new_one(module, old):
    with pytest.warns(FutureWarning, match=f"{old} is now hushgraph"):
        assert getattr(module, old).__name__ in ("NeighborLists", "Friendships")


def test_old_arguments_are_taken():
    with pytest.warns(FutureWarning, match=r"GAP\(adjacency=…\) is now relation=…"):
        assert hg.GAP(1.0, adjacency="edge").relation == "edge"
    with pytest.warns(FutureWarning, match="in_channels"):
        assert GCNLayer(inputs=3, out_channels=2).weight.shape == (3, 2)
    with pytest.warns(FutureWarning, match="midpoint"):
        Factored(np.array([0, 0]), np.zeros(0, np.int32), np.zeros(0, np.float32), (1, 2), offset=1.0)
    ones = torch.ones(2, 1)
    with pytest.warns(FutureWarning, match="midpoint"):
        hg.kprop(ones, torch.tensor([[0], [1]]), 1, weights=torch.tensor([True, False]), neutral=0.5)


def test_an_old_field_of_a_cell_is_taken():
    with pytest.warns(FutureWarning, match="eps_x is now epsilon_x"):
        cell = STUDIES["aggregation_error"].read_cell({"dataset": "cora", "eps_x": 1.0}, "own.toml")
    assert cell.epsilon_x == 1.0


def test_an_old_argument_and_the_new_one_are_refused_together():
    with pytest.raises(TypeError, match="adjacency, which is relation now"):
        hg.GAP(1.0, adjacency="edge", relation="node-removal")


def test_old_names_inside_old_modules_lead_to_the_new_ones():
    assert imported("hushgraph.mechanisms.neighbour_lists").NeighbourLists is hg.NeighborLists
