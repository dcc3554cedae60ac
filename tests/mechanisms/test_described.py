"""Mechanisms as plain values, and back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.mechanisms.described import _registered, describe, is_known, name_of, restore

EACH = [
    hg.MultiBit(1.5, low=-1.0, high=2.0, m="paper"),
    hg.OneBit(math.inf, clip=True),
    hg.Laplace(0.1),
    hg.AnalyticGaussian(1.0, delta=1e-6),
    hg.RandomizedResponse(2.0, 4),
    hg.AdjacencyRandomizedResponse(3.0),
]


@dataclass(frozen=True)
class Own:
    epsilon: float
    word: str = "mine"


@dataclass(frozen=True)
class Kin(hg.Laplace):
    """A kind of Laplace mechanism."""


def test_every_mechanism_of_hushgraph_has_a_name():
    assert {type(one) for one in EACH} == set(_registered().values())


@pytest.mark.parametrize("mechanism", EACH, ids=lambda one: type(one).__name__)
def test_it_comes_back_from_json_as_it_was(mechanism):
    text = json.dumps(describe(mechanism), allow_nan=False)
    assert restore(json.loads(text)) == mechanism


def test_equal_mechanisms_are_written_alike():
    assert describe(hg.Laplace(1, low=-0.0)) == describe(hg.Laplace(np.float64(1.0), low=0.0))


def test_ones_own_is_named_by_where_it_is_and_must_be_given_to_be_restored():
    written = describe(Own(2.0))
    assert written == {"mechanism": f"{__name__}:Own", "epsilon": 2, "word": "mine"}
    assert restore(written, own=[Own]) == Own(2.0)
    with pytest.raises(ValueError, match=r"there is no mechanism .*:Own'; known are multi-bit, one-bit"):
        restore(written)


def test_a_kind_of_a_known_one_is_not_known():
    assert is_known(hg.Laplace(1.0))
    assert not is_known(Kin(1.0))
    assert name_of(Kin) == f"{__name__}:Kin"


def test_what_could_change_or_is_no_plain_value_cannot_be_written_down():
    @dataclass
    class Thawed:
        epsilon: float = 1.0

    for mechanism in (Thawed(), object()):
        with pytest.raises(TypeError, match="must be a frozen dataclass to be written down"):
            describe(mechanism)
    for value in (math.nan, -math.inf, [1.0]):
        with pytest.raises(TypeError, match="the settings of Own must be finite numbers or text"):
            describe(Own(value))


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ({}, "there is no mechanism None"),
        ({"mechanism": "laplace", "epsilon": math.inf}, "a number that JSON does not have"),
        ({"mechanism": "laplace", "depth": 2}, "does not take these settings"),
        ({"mechanism": "laplace", "epsilon": -1}, "epsilon must be above 0"),
    ],
)
def test_what_describes_no_mechanism_is_refused(description, message):
    with pytest.raises(ValueError, match=message):
        restore(description)
