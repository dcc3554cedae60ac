"""Whatever a person holds is answered: silence would tell something about it."""

import itertools
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

import hushgraph as hg

CLASSES = ["cat", "dog", "eel"]
NO_CLASS = [-1, 3, 10**400, 0.5, math.nan, math.inf, "", "fish", b"cat", 1j, Decimal("NaN"), object(), np.nan]
ODD = [-math.inf, -1e308, -1.0, 1.5, 1e308, math.inf, math.nan, None, "x", 10**400, -(10**400), 1j, 5e-324]
KEPT = {"features": hg.OneBit, "label": hg.RandomizedResponse, "lists": hg.AdjacencyRandomizedResponse}


def campaign(epsilon=math.inf, **changed):
    usual = {
        "classes": CLASSES,
        "num_features": 1,
        "features": hg.OneBit(epsilon),
        "labels": hg.RandomizedResponse(epsilon),
        "lists": hg.AdjacencyRandomizedResponse(epsilon),
        "num_people": 6,
    }
    return hg.Campaign(**usual | changed)


def part(asked, question, name, **held):
    return hg.answer(asked, 2, **held).answers[question].parts[name]


@dataclass
class Scripted(hg.SecureRandom):
    """The word that it was told to give, and the class where a class is drawn."""

    word: int = 0
    drawn: int = 0

    def integers(self, low, high, size=None, **_):
        whole = high - low == 1 << 64
        return np.full(
            () if size is None else size, self.word if whole else self.drawn, "u8" if whole else "i8"
        )


def label_chances(asked, label):
    """The exact probability of each answer: all classes that may be drawn, all words between two borders."""
    step = int(asked.labels[0].probability(1, 0) * 2**64)
    borders = [*(step * number for number in range(len(CLASSES))), 2**64]
    chances = dict.fromkeys(range(len(CLASSES)), Fraction(0))
    for drawn in range(len(CLASSES)):
        for first, after in itertools.pairwise(borders):
            answers = {
                int(
                    hg.answer(asked, 2, label=label, rng=Scripted(word, drawn))
                    .answers["label"]
                    .parts["label"]
                )
                for word in (first, after - 1)
            }
            assert len(answers) == 1
            chances[answers.pop()] += Fraction(after - first, 2**64 * len(CLASSES))
    return chances


@pytest.mark.parametrize("epsilon", [1e-3, 1.0, 8.0])
def test_a_label_that_is_no_class_is_answered_by_any_and_within_epsilon_of_every_class(epsilon, privacy_loss):
    asked = campaign(epsilon)
    chances = [label_chances(asked, label) for label in (*CLASSES, *NO_CLASS)]
    loss = privacy_loss(chances)
    assert loss.is_at_most(epsilon)
    assert float(loss) == pytest.approx(epsilon, abs=1e-9)
    assert all(set(nobodys.values()) == {Fraction(1, 3)} for nobodys in chances[len(CLASSES) :])


@pytest.mark.parametrize("label", ["dog", 1, 1.0, np.int8(1), np.float32(1.0), np.str_("dog"), True])
def test_a_class_is_known_by_its_number_or_name_whatever_type_holds_it(label):
    assert part(campaign(), "label", "label", label=label) == 1


def chance_of_plus(asked, feature):
    """How many of the 2⁶⁴ words answer +1, by bisection."""
    low, high = 0, 1 << 64
    while low < high:
        middle = (low + high) // 2
        report = hg.answer(asked, 2, features=[feature], rng=Scripted(middle))
        low, high = (middle + 1, high) if report.answers["features"].parts["values"][0] > 0 else (low, middle)
    return Fraction(low, 1 << 64)


RANGES = {"the mechanism's": None, "its own": [(-0.25, 0.75)]}


@pytest.mark.parametrize("ranges", RANGES.values(), ids=RANGES)
@pytest.mark.parametrize("epsilon", [0.1, 3.0])
def test_any_feature_is_answered_within_epsilon_of_every_other(epsilon, ranges, privacy_loss):
    asked = campaign(epsilon, ranges=ranges)
    plus = [chance_of_plus(asked, feature) for feature in (0.0, 0.25, 0.75, 1.0, *ODD)]
    assert privacy_loss({1: chance, -1: 1 - chance} for chance in plus).is_at_most(epsilon)


@pytest.mark.parametrize("form", [list, np.asarray, lambda values: np.asarray(values, object)])
@pytest.mark.parametrize("ranges", [None, [(-10.0, 30.0), (0.0, 1.0), (0.0, 1e308)]])
def test_a_feature_outside_its_range_counts_as_the_nearest_end_and_no_number_as_the_middle(form, ranges):
    asked = campaign(num_features=3, ranges=ranges, features=hg.Laplace(math.inf, low=-0.1, high=0.2))
    for ends, expected in (
        ([-math.inf, -1e300, -math.inf], [-0.1, -0.1, -0.1]),
        ([math.inf, 1e300, math.inf], [0.2, 0.2, 0.2]),
        ([math.nan, -math.nan, math.nan], [0.05, 0.05, 0.05]),
    ):
        assert part(asked, "features", "values", features=form(ends)) == pytest.approx(expected)
    if form is not np.asarray:
        mixed = form([None, 10**400, "no number"])
        assert part(asked, "features", "values", features=mixed) == pytest.approx([0.05, 0.2, 0.05])


def test_sparse_features_are_read_like_dense_ones():
    asked = campaign(num_features=3, features=hg.MultiBit(math.inf, low=0.5, high=1.0))
    row = sp.csr_array(np.array([[0.0, math.nan, 9.0]]))
    assert part(asked, "features", "values", features=row).tolist() == [0.5, 0.75, 1.0]


@pytest.mark.parametrize(
    "mechanism", [hg.MultiBit(2.0), hg.OneBit(2.0), hg.Laplace(2.0), hg.AnalyticGaussian(2.0, 1e-5)]
)
@pytest.mark.filterwarnings("error")
def test_no_mechanism_refuses_or_warns_of_what_a_device_read(mechanism):
    asked = campaign(features=mechanism)
    for feature in ODD:
        report = hg.answer(asked, 2, features=[feature])
        assert hg.Reports.gather(asked, [report.to_json()])[1] == []


@dataclass(frozen=True)
class Witness(hg.OneBit):
    """Somebody's own mechanism, which can do with numbers in its range alone."""

    def randomize(self, values, rng):
        assert ((values >= self.low) & (values <= self.high)).all()
        return super().randomize(values, rng)


def test_a_mechanism_of_ones_own_never_sees_what_is_out_of_range():
    for feature in ODD:
        hg.answer(campaign(features=Witness(1.0)), 2, features=[feature])


@pytest.mark.parametrize(
    "friends",
    [[4, 0], [0, 4, 4, 0], [0, 2, 4], [0, 4, 6], [-1, 0, 4], [0.0, 4.0, math.nan, 1.5], [0, 4, None, 10**400],
     np.array([1, 0, 0, 0, 1, 0], bool), np.array([1, 0, 1, 0, 1, 0], bool), ["0", "4", "nobody"]],
)  # fmt: skip
def test_friends_who_do_not_exist_are_left_out_and_each_counts_once(friends):
    assert part(campaign(), "lists", "names", friends=friends).tolist() == [0, 4]


def test_no_friend_at_all_is_a_list_too():
    for friends in ([], [2], [math.nan], np.zeros(0, object)):
        assert part(campaign(), "lists", "names", friends=friends).size == 0


ANYTHING = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
)


@given(ANYTHING.filter(lambda label: label is not None), ANYTHING, st.lists(ANYTHING))
def test_whatever_there_is_is_answered(label, feature, friends):
    if friends and all(isinstance(friend, bool) for friend in friends):
        friends = [int(friend) for friend in friends]
    report = hg.answer(campaign(1.0), 2, label=label, features=[feature], friends=friends)
    assert hg.Reports.gather(campaign(1.0), [report.to_json()])[1] == []


def test_the_terms_say_what_counts_as_what_and_mechanisms_do_not():
    promised = campaign(1.0)
    everything = (
        "devices count a value outside its range as the nearest end, what is no number as the middle,"
        " an unknown class as any, unknown friends as none"
    )
    assert everything in promised.guarantee.conditions
    assert "devices count an unknown class as any" in promised.guarantee_of({"label": 0}).conditions
    assert "devices" not in str([kind(1.0).guarantee for kind in KEPT.values()])


class Odd:
    """Fails at everything with an error of its own."""

    def __float__(self):
        raise RuntimeError("no number")


class OddNumber(int):
    """A number that cannot be compared."""

    def __ge__(self, other):
        raise RuntimeError("no order")

    __lt__ = __le__ = __gt__ = __ge__


class OddSize(OddNumber):
    """Too large, and it cannot say in which direction."""

    def __float__(self):
        raise OverflowError


TOO_ODD = [torch.tensor(1j), Odd(), OddSize(1)]
MISSING = [
    *TOO_ODD,
    None,
    math.nan,
    np.ma.masked,
    1j,
    np.complex128(1),
    np.datetime64("2026-01-01"),
    [1, 2],
    "x",
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("odd", MISSING, ids=lambda odd: type(odd).__name__)
def test_what_is_no_number_is_the_middle_wherever_it_stands(odd):
    """In one place, in two or everywhere: whether there is an answer depends on no value."""
    asked = hg.Campaign(classes=2, num_features=3, features=hg.OneBit(math.inf))
    for held in ([0.25, odd, 0.75], [odd, odd, 0.75], [odd] * 3):
        expected = [0.5 if value is odd else value for value in held]
        report = hg.answer(asked, 0, features=held)
        np.testing.assert_allclose(list(report.answers["features"].parts["values"]), expected)


@pytest.mark.parametrize(
    "odd", [*TOO_ODD, OddNumber(1), np.ma.array(1, mask=True)], ids=lambda odd: type(odd).__name__
)
def test_a_label_that_fails_at_being_one_is_any_class(odd):
    drawn = {int(part(campaign(), "label", "label", label=odd)) for _ in range(200)}
    assert drawn == {0, 1, 2}


@pytest.mark.parametrize("label", [torch.tensor(1), torch.tensor(1.0), np.array("dog"), np.ma.array(1)])
def test_a_label_without_dimensions_is_read(label):
    assert part(campaign(), "label", "label", label=label) == 1


@pytest.mark.parametrize("label", ["dog", "fish", 1, math.nan])
def test_a_list_around_a_label_is_an_error_whatever_is_in_it(label):
    """What everybody knows of the argument's form: it tells nothing of the person."""
    for wrapped in ([label], (label,), np.array([label]), np.ma.array([label], mask=True)):
        with pytest.raises(TypeError, match="label must be one class, got a"):
            hg.answer(campaign(), 2, label=wrapped)


def test_tensors_are_read_like_arrays():
    asked = campaign(num_features=3)
    held = torch.tensor([0.0, math.nan, 9.0])
    assert part(asked, "features", "values", features=held).tolist() == [0.0, 0.5, 1.0]
    assert part(asked, "lists", "names", friends=torch.tensor([0, 4])).tolist() == [0, 4]
    mask = torch.tensor([True, False, False, False, True, False])
    assert part(asked, "lists", "names", friends=mask).tolist() == [0, 4]


def test_masked_values_are_missing_and_not_what_is_behind_the_mask():
    asked = hg.Campaign(
        classes=3, num_features=2, features=hg.OneBit(math.inf), labels=hg.RandomizedResponse(math.inf)
    )
    held = np.ma.array([0.25, 0.75], mask=[False, True])
    report = hg.answer(asked, 0, features=held)
    np.testing.assert_allclose(list(report.answers["features"].parts["values"]), [0.25, 0.5])
    labels = np.ma.array([1, 2], mask=[False, True])
    drawn = [int(hg.answer(asked, 0, label=labels[1]).answers["label"].parts["label"]) for _ in range(200)]
    # A class that is drawn with 1/3 is missing from 200 draws once in 10³⁵ tests.
    assert set(drawn) == {0, 1, 2}
    assert int(hg.answer(asked, 0, label=np.array(1)).answers["label"].parts["label"]) == 1


@pytest.mark.parametrize("missing", [None, math.nan, np.ma.masked], ids=repr)
def test_a_mask_of_friends_with_a_gap_is_still_a_mask(missing):
    asked = hg.Campaign(classes=2, lists=hg.AdjacencyRandomizedResponse(math.inf), num_people=6)
    mask = [False, False, False, True, missing, True]
    assert hg.answer(asked, 0, friends=mask).answers["lists"].parts["names"].tolist() == [3, 5]
