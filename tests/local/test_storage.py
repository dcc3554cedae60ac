"""A fitted model on disk: the same after reading, and nothing of the reports in it."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

import hushgraph as hg


def small(**options) -> hg.LPGNN:
    return hg.LPGNN(**{"epochs": 2, "k_x": 2, "k_y": 2} | options)


def test_a_saved_model_predicts_as_before(tmp_path, camps_collected):
    model = small(epochs=5, backbone="gat").fit(camps_collected)
    model.save(tmp_path / "model.pt")
    loaded = hg.LPGNN.load(tmp_path / "model.pt")
    assert loaded.get_params() == model.get_params()
    assert loaded.guarantee == model.guarantee
    assert loaded.history_ == model.history_
    np.testing.assert_array_equal(loaded.predict_proba(), model.predict_proba())
    np.testing.assert_allclose(loaded.predict_proba(camps_collected), model.predict_proba(), atol=1e-6)


def test_numpy_numbers_among_the_settings_are_saved(tmp_path, camps_collected):
    small(epochs=np.int64(1), k_x=np.int64(1)).fit(camps_collected).save(tmp_path / "model.pt")
    assert hg.LPGNN.load(tmp_path / "model.pt", device="cpu").k_x == 1


def test_no_report_is_in_the_file(tmp_path, camps_collected):
    model = small(epochs=1).fit(camps_collected)
    model.save(tmp_path / "model.pt")
    stored = torch.load(tmp_path / "model.pt", weights_only=True)
    assert set(stored) == {"hushgraph", "weights", "proba", "history"}


def test_a_truncated_file_is_refused(tmp_path, camps_collected):
    path = tmp_path / "model.pt"
    small(epochs=1).fit(camps_collected).save(path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(ValueError, match=r"model\.pt is not a readable hushgraph model"):
        hg.LPGNN.load(path)


def test_a_module_of_ones_own_is_not_saved(tmp_path, camps_collected):
    class First(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.ones(()))

        def forward(self, x, edge_index):
            return self.scale * x[:, :2]

    model = small(backbone=First(), epochs=1).fit(camps_collected)
    with pytest.raises(ValueError, match="only built-in backbones are saved"):
        model.save(tmp_path / "model.pt")


def test_a_file_of_another_format_or_method_says_which(tmp_path, camps_collected):
    path = tmp_path / "model.pt"
    small(epochs=1).fit(camps_collected).save(path)
    with pytest.raises(ValueError, match=r"it holds a LPGNN: read it with hushgraph\.load"):
        hg.Solitude.load(path)
    stored = torch.load(path, weights_only=True)
    header = json.loads(stored["hushgraph"]) | {"format": 1}
    torch.save(stored | {"hushgraph": json.dumps(header)}, path)
    with pytest.raises(ValueError, match="format 1, but this version reads format 3"):
        hg.LPGNN.load(path)


def test_a_file_that_is_not_there_is_told_from_one_that_is_damaged(tmp_path):
    with pytest.raises(FileNotFoundError):
        hg.LPGNN.load(tmp_path / "model.pt")


def test_a_device_that_is_not_there_is_refused(tmp_path, camps_collected):
    small(epochs=1).fit(camps_collected).save(tmp_path / "model.pt")
    with pytest.raises(ValueError, match="device must be 'auto', 'cpu'"):
        hg.LPGNN.load(tmp_path / "model.pt", device="abacus")
