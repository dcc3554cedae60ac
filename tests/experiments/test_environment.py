"""What a result says about where it was computed."""

from __future__ import annotations

import platform

import pytest
import torch

import hushgraph
from hushgraph.experiments.environment import environment


@pytest.fixture(autouse=True)
def _nothing_remembered():
    environment.cache_clear()
    yield
    environment.cache_clear()


def test_versions_and_the_kind_of_processor_are_recorded():
    assert environment("cpu") == {
        "hushgraph": hushgraph.__version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": environment("cpu")["numpy"],
        "device": f"CPU ({platform.machine()})",
    }


def test_nothing_names_the_machine_or_its_user():
    said = " ".join(environment("cpu").values())
    assert platform.node() not in said


@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_a_gpu_is_named_where_a_model_would_run_on_one(monkeypatch, device):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda where: f"GPU of {where}")
    assert environment(device)["device"] == "GPU of cuda"


def test_auto_is_the_cpu_where_there_is_no_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert environment("auto") == environment("cpu")


def test_a_device_that_is_not_there_is_not_recorded(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="got 'cuda'"):
        environment("cuda")
