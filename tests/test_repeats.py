"""Repeated simulations."""

from __future__ import annotations

import hushgraph as hg
from hushgraph.repeats import Setting, repeat


def test_each_seed_redraws_everything_and_is_reproducible(graph):
    setting = Setting(hg.MultiBit(1.0), hg.RandomizedResponse(1.0), hg.LPGNN(epochs=2))
    epochs = []
    first = list(repeat(graph, setting, [0, 1], on_epoch=lambda *done: epochs.append(done[:2])))
    again = list(repeat(graph, setting, [0, 1]))
    assert [run.accuracy for run in first] == [run.accuracy for run in again]
    assert epochs == [(1, 2), (2, 2), (1, 2), (2, 2)]
    assert (first[0].collected.labels != first[1].collected.labels).any()
    assert [run.model.random_state for run in first] == [0, 1]
