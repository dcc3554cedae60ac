"""Answers as named arrays: what goes in comes out, whole and row by row."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from hushgraph.collection.columns import feature_answers, row, select, stack, to_columns
from hushgraph.mechanisms import MultiBit, MultiBitReports, NeighborLists

FEATURES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.0, 1.0], [0.0, 1.0, 1.0]])
LISTS = NeighborLists.from_lists([[1, 2, 3], [0], [], [0, 1]])
ANSWERS = {
    "signs": MultiBit(9.0).randomize(FEATURES, np.random.default_rng(0)),
    "sparse": sp.csr_array(FEATURES),
    "dense": FEATURES,
    "lists": LISTS,
}


@pytest.fixture(params=ANSWERS)
def columns(request):
    return to_columns(ANSWERS[request.param])


@pytest.mark.parametrize(
    "rows", [np.array([2, 0, 3]), np.array([True, False, True, True]), np.array([], int)]
)
def test_selected_rows_are_those_rows_one_by_one(columns, rows):
    chosen = select(columns, rows)
    numbers = np.flatnonzero(rows) if rows.dtype == bool else rows
    for place, number in enumerate(numbers):
        expected = row(columns, int(number))
        for name, part in row(chosen, place).items():
            np.testing.assert_array_equal(part, expected[name])
    if "starts" in chosen:
        assert chosen["starts"].size == numbers.size + 1


def test_rows_one_behind_the_other_are_the_columns_again(columns):
    rows = [row(columns, place) for place in range(4)]
    again = stack(rows, ragged="starts" in columns)
    assert again.keys() == columns.keys()
    for name, part in columns.items():
        np.testing.assert_array_equal(again[name], part)


def test_what_mechanisms_estimate_from_is_restored():
    signs = feature_answers(to_columns(ANSWERS["signs"]), 3)
    assert isinstance(signs, MultiBitReports)
    np.testing.assert_array_equal(signs.signs, ANSWERS["signs"].signs)
    for kind in ("sparse", "dense"):
        answers = feature_answers(to_columns(ANSWERS[kind]), 3)
        held = answers.toarray() if kind == "sparse" else answers
        np.testing.assert_array_equal(held, FEATURES)


def test_numbers_are_held_in_single_precision_and_signs_as_they_are():
    assert to_columns(FEATURES)["values"].dtype == np.float32
    assert to_columns(np.ones((2, 3), np.int8))["values"].dtype == np.int8
