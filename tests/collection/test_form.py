"""The form of a batch, before anything in it is looked at."""

from __future__ import annotations

import numpy as np
import pytest
from tests.collection.asked import ASKED, PLAIN, VALUES, batch

from hushgraph.collection import Answers
from hushgraph.collection.form import check_form


def label(people, labels, level=1):
    return Answers("label", level, np.array(people), {"label": np.array(labels)})


def test_good_answers_pass_as_they_are():
    for one in batch().answers:
        checked = check_form(one, ASKED)
        np.testing.assert_array_equal(checked.people, one.people)
        for name, part in one.parts.items():
            np.testing.assert_array_equal(checked.parts[name], part)


def test_unsigned_numbers_become_signed_and_values_single_precision():
    checked = check_form(label(np.uint8([3, 4]), np.uint16([0, 2])), ASKED)
    assert checked.people.dtype == checked.parts["label"].dtype == np.int64
    values = Answers("features", 0, np.array([1]), {"values": np.ones((1, 4), np.float64)})
    assert check_form(values, VALUES).parts["values"].dtype == np.float32


def test_values_that_were_not_randomised_may_leave_out_zeros():
    parts = {"starts": [0, 1, 1], "columns": [3], "values": [0.5]}
    arrays = {name: np.array(part) for name, part in parts.items()}
    assert set(check_form(Answers("features", 0, np.array([0, 1]), arrays), PLAIN).parts) == set(parts)
    with pytest.raises(ValueError, match="features at level 0: the arrays must be values"):
        check_form(Answers("features", 0, np.array([0, 1]), arrays), VALUES)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (label([0], [1], level=2), "reports answer label at level 2, which is not asked"),
        (label([[0], [1]], [1, 2]), "people must be a list of whole numbers"),
        (label([0.0], [1]), "people must hold whole numbers, got float64"),
        (label([0, 1], [1]), r"label must have shape \(2,\), got \(1,\)"),
        (label([0], [1.0]), "label must hold whole numbers, got float64"),
        (label([0], np.uint64([1 << 63])), "label must hold whole numbers below 2⁶³"),
        (Answers("label", 0, np.array([0]), {}), "label at level 0: the arrays must be label"),
        (
            Answers("lists", 0, np.array([0]), {"starts": np.array([1, 2]), "names": np.array([3, 4])}),
            "lists at level 0: starts must rise from 0 over 2 entries",
        ),
    ],
)
def test_another_form_is_refused_by_question_and_level(answers, message):
    with pytest.raises(ValueError, match=message):
        check_form(answers, ASKED)


def test_text_is_no_number():
    parts = {"values": np.array([["a", "b", "c", "d"]])}
    with pytest.raises(ValueError, match="values must hold numbers, got <U1"):
        check_form(Answers("features", 0, np.array([0]), parts), VALUES)
