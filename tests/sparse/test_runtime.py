"""Devices and threads."""

from __future__ import annotations

import pytest
import threadpoolctl
import torch

from hushgraph.sparse import runtime
from hushgraph.sparse.runtime import LARGE_FROM_EDGES, resolve_device, threads, tuned_for


@pytest.fixture
def three_threads():
    """Torch as somebody left it who wants three threads."""
    with threads(3):
        yield


@pytest.mark.parametrize(("has_gpu", "device"), [(True, "cuda"), (False, "cpu")])
def test_auto_takes_a_gpu_where_there_is_one(monkeypatch, has_gpu, device):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: has_gpu)
    assert resolve_device("auto") == torch.device(device)
    assert resolve_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "tpu", "mps", ""])
def test_a_device_that_is_not_there_is_refused_by_name(monkeypatch, name):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match=f"device must be 'auto', 'cpu' or,.* 'cuda'; got '{name}'"):
        resolve_device(name)


def test_one_gpu_of_several_can_be_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert resolve_device("cuda:1") == torch.device("cuda", 1)


@pytest.mark.usefixtures("three_threads")
def test_threads_are_as_before_after_the_block_even_if_it_fails():
    def fail():
        with threads(1):
            assert torch.get_num_threads() == 1
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        fail()
    assert torch.get_num_threads() == 3


@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize(
    ("edges", "wanted", "got"),
    [(0, None, 1), (LARGE_FROM_EDGES - 1, None, 1), (LARGE_FROM_EDGES, None, 3), (0, 2, 2), (1 << 30, 2, 2)],
)
def test_a_small_graph_gets_one_thread_and_a_large_one_all_unless_told(monkeypatch, edges, wanted, got):
    monkeypatch.setattr(runtime.os, "environ", {})
    with tuned_for(edges, wanted):
        assert torch.get_num_threads() == got
    assert torch.get_num_threads() == 3


def test_huge_pages_are_asked_for_large_graphs_alone_and_a_users_own_word_stays(monkeypatch):
    environment = {}
    monkeypatch.setattr(runtime.os, "environ", environment)
    with tuned_for(10):
        assert not environment
    with tuned_for(LARGE_FROM_EDGES):
        assert environment == {"THP_MEM_ALLOC_ENABLE": "1"}
    environment["THP_MEM_ALLOC_ENABLE"] = "0"
    with tuned_for(LARGE_FROM_EDGES):
        assert environment == {"THP_MEM_ALLOC_ENABLE": "0"}


def test_while_torch_computes_no_other_threads_wait_beside_it():
    with threads(2):
        pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
        assert pools
        assert {pool["num_threads"] for pool in pools} == {1}
