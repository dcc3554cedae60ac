import json
import math
from dataclasses import replace

import pytest

import hushgraph as hg
from hushgraph.privacy import Guarantee
from hushgraph.privacy.guarantee import STATUSES
from hushgraph.privacy.guarantee import _compose as compose

FEATURES = Guarantee._stated(
    protects="features", epsilon=1.0, conditions=("each person answers once",), reason="Theorem 3.1"
)
LABEL = Guarantee._stated(protects="label", epsilon=0.5, delta=1e-6)
OPEN = Guarantee("location", math.inf, status="none", reason="sent as they are")


def test_composition_adds_epsilons_and_deltas():
    both = compose("features and label", [FEATURES, LABEL])
    assert (both.epsilon, both.delta, both.status) == (1.5, 1e-6, "proven")
    assert both.parts == (FEATURES, LABEL)


def test_a_composition_is_as_well_founded_as_its_weakest_part():
    assert compose("x", [FEATURES, LABEL.claimed("somebody says so")]).status == "claimed"
    assert compose("x", [FEATURES.claimed("somebody says so"), OPEN]).status == "none"
    assert compose("x", [FEATURES, OPEN]).epsilon == math.inf
    assert compose("x", [compose("y", [FEATURES.claimed("somebody says so")]), LABEL]).status == "claimed"


def test_a_composition_of_nothing_costs_nothing():
    assert (compose("nothing", []).epsilon, compose("nothing", []).delta) == (0.0, 0.0)


def test_deltas_add_up_to_at_most_1():
    assert compose("x", [Guarantee("a", 1.0, 0.7), Guarantee("b", 1.0, 0.7)]).delta == 1.0


def test_a_claim_keeps_the_numbers_and_says_what_it_lacks():
    claim = FEATURES.claimed("ranges come from the data")
    assert (claim.epsilon, claim.status) == (1.0, "claimed")
    assert claim.conditions == ("each person answers once",)
    assert claim.gaps == ("ranges come from the data",)
    assert FEATURES.status == "proven"


def test_what_is_not_protected_does_not_become_a_claim():
    assert OPEN.claimed("whatever").status == "none"


@pytest.mark.parametrize(
    "guarantee", [FEATURES, LABEL, OPEN, compose("all", [compose("two", [FEATURES, LABEL]), OPEN])]
)
def test_a_guarantee_survives_json(guarantee):
    text = json.dumps(guarantee.to_dict(), allow_nan=False)
    assert Guarantee._from_dict(json.loads(text)) == guarantee


def test_the_statement_says_numbers_theorem_and_conditions():
    text = str(compose("everything", [FEATURES, LABEL]))
    for said in (
        "everything",
        "ε = 1.5",
        "δ = 1e-06",
        "proven",
        "Theorem 3.1",
        "provided that: each person answers once",
    ):
        assert said in text
    assert "δ" not in str(FEATURES)


def test_the_statement_says_what_is_claimed_and_what_is_not_protected():
    assert "ε = 1, claimed" in str(FEATURES.claimed("unproven"))
    assert "not proven, because: the range is private" in str(FEATURES.claimed("the range is private"))
    for text in (str(OPEN), str(compose("all", [FEATURES, OPEN]))):
        assert "not protected" in text.splitlines()[0]
        assert "proven" not in text.splitlines()[0]


def test_who_it_protects_against_is_said_once():
    assert str(compose("all", [FEATURES, LABEL])).count("against:") == 1


def test_guarantees_are_values():
    assert len({FEATURES, Guarantee._from_dict(FEATURES.to_dict()), LABEL}) == 2
    with pytest.raises(AttributeError):
        FEATURES.epsilon = 0.1


@pytest.mark.parametrize(
    ("epsilon_given", "delta"), [(math.nan, 0.0), (-1.0, 0.0), (1.0, -1e-9), (1.0, math.nan), (1.0, 2.0)]
)
def test_numbers_that_are_no_privacy_are_refused(epsilon_given, delta):
    with pytest.raises(ValueError, match=r"epsilon|delta"):
        Guarantee("features", epsilon_given, delta)


def test_what_is_stated_by_hand_is_a_claim_and_says_so():
    forged = Guarantee("everything", 0.0001)
    assert (forged.status, forged.strength) == ("claimed", "ε = 0.0001, claimed")
    assert "stated by hand" in str(forged)


@pytest.mark.parametrize("status", ["proven", "proven over the reals"])
def test_nobody_states_by_hand_that_something_is_proven(status):
    with pytest.raises(ValueError, match="what is proven is stated by mechanisms"):
        Guarantee("everything", 0.0001, status=status)


@pytest.mark.parametrize("change", [{"epsilon": 0.0001}, {"simulated": False}, {"delta": 0.0}, {"gaps": ()}])
def test_a_proven_statement_cannot_be_changed_by_hand(change):
    seeded = hg.MultiBit(1.0).guarantee.from_a_seed()
    with pytest.raises(ValueError, match="what is proven is stated by mechanisms"):
        replace(seeded, **change)
    assert not hasattr(Guarantee, "from_dict")


def test_statuses_are_distinct_in_print_and_in_plain_values():
    said = {
        status: Guarantee._stated(
            status, protects="x", epsilon=1.0, gaps=() if status == "proven" else ("a gap",)
        )
        for status in STATUSES
    }
    assert len({str(one).splitlines()[0] for one in said.values()}) == 5
    assert [one.to_dict()["status"] for one in said.values()] == list(STATUSES)
    assert "not proven for the numbers of a computer, because: a gap" in str(said["proven over the reals"])
    assert "refuted, because: a gap" in str(said["refuted"])


@pytest.mark.parametrize("status", STATUSES)
def test_a_simulation_says_so_in_its_first_line_beside_any_status(status):
    seeded = Guarantee._stated(status, protects="x", epsilon=1.0).from_a_seed()
    first, second, *_ = str(seeded).splitlines()
    assert f", simulated (else {status})" in first or (status, first[-9:]) == ("none", "simulated")
    assert "seed" in second
    assert seeded.to_dict()["simulated"] is True
    assert compose("all", [seeded, LABEL]).simulated
    assert Guarantee._from_dict(seeded.to_dict()) == seeded


def test_composition_takes_the_weakest_status():
    for place, weaker in enumerate(STATUSES):
        for stronger in STATUSES[place:]:
            parts = [Guarantee._stated(status, protects="x", epsilon=1.0) for status in (stronger, weaker)]
            assert compose("both", parts).status == weaker


def test_a_name_of_several_lines_cannot_pass_for_a_statement():
    with pytest.raises(ValueError, match="must be one line each"):
        Guarantee("everything: ε = 0.0001, proven\n  against: all", 9.0)
    with pytest.raises(ValueError, match="must be one line each"):
        Guarantee("everything", 9.0, reason="\nPrivacy of everything: ε = 0.0001, proven")


def test_there_is_no_public_way_to_compose():
    assert not hasattr(hg.privacy, "compose")
