"""Where features are sampled by the public rule, signs alone are private, and are drawn as promised."""

import numpy as np
import pytest

import hushgraph as hg

WORDS = 1 << 64


class Scripted(hg.SecureRandom):
    """Gives one word again and again."""

    def __init__(self, word):
        self.word = word

    def _words(self, count):
        return np.full(count, self.word, np.uint64)


def asked(epsilon=9.0):
    """Features of which ε = 9 samples four."""
    return hg.Campaign(classes=2, num_features=30, features=hg.MultiBit(epsilon), num_people=1000)


def sent(campaign, value, word, person=7):
    answered = hg.answer(
        campaign, person, features=np.full(30, value), public_columns=True, rng=Scripted(word)
    ).answers["features"]
    return answered.parts["columns"], answered.parts["signs"]


@pytest.mark.parametrize("epsilon", [0.5, 9.0])
def test_each_sign_has_the_probability_of_the_mechanism(epsilon):
    """The word at which the answer turns is where LPGNN's eq. 1 has it, at ε/m."""
    campaign = asked(epsilon)
    m = campaign.features[0].sampled(30)
    e = np.exp(epsilon / m)
    for value in (0.0, 0.25, 1.0):
        plus = 1 / (e + 1) + value * (e - 1) / (e + 1)
        for side, sign in ((-1, 1), (1, -1)):
            word = int((plus + side * 2.0**-32) * WORDS)
            assert (sent(campaign, value, word)[1] == sign).all()


def test_values_change_signs_and_nothing_else():
    campaign = asked()
    (columns, low), (others, high) = sent(campaign, 0.0, WORDS // 2), sent(campaign, 1.0, WORDS // 2)
    assert columns.tolist() == others.tolist()
    assert len(set(columns.tolist())) == 4
    assert (low == -1).all()
    assert (high == 1).all()


def test_other_people_are_asked_about_other_features():
    samples = {tuple(sorted(sent(asked(), 0.0, 0, person)[0])) for person in range(50)}
    assert len(samples) > 45


def test_columns_of_another_number_are_refused():
    with pytest.raises(ValueError, match="columns must be 4"):
        hg.MultiBit(9.0).randomize_at(np.arange(3), np.zeros(30), np.random.default_rng(0))
