"""Which epoch is kept."""

from __future__ import annotations

import pytest
import torch

from hushgraph.local.objective import Score
from hushgraph.local.selection import BestEpoch


def chosen(rule: str, epochs: list[tuple[float, float, float]], limit: float = 0.5, before=None) -> BestEpoch:
    """Offers epochs (val loss, train accuracy, val accuracy), the weight being the epoch's number."""
    module = torch.nn.Linear(1, 1, bias=False)
    best = BestEpoch(rule, limit, module)
    for number, values in enumerate(epochs, start=1):
        module.weight.data.fill_(number)
        best.offer(number, Score(*values), values[1] if before is None else before[number - 1])
    best.restore()
    assert module.weight.item() == (best.epoch or len(epochs))
    return best


def test_the_papers_rule_takes_the_lowest_loss_within_the_limit():
    epochs = [(1.0, 0.3, 0.3), (0.5, 0.4, 0.4), (0.1, 0.6, 0.4), (0.2, 0.4, 0.6), (0.7, 0.2, 0.2)]
    assert chosen("paper", epochs).epoch == 2


def test_the_limit_itself_is_allowed():
    assert chosen("paper", [(1.0, 0.3, 0.3), (0.5, 0.5, 0.5)]).epoch == 2


def test_if_no_epoch_stays_within_the_limit_the_one_that_exceeds_it_least_is_kept():
    best = chosen("paper", [(0.1, 0.9, 0.6), (0.9, 0.55, 0.55), (0.5, 0.7, 0.5)])
    assert best.epoch == 2
    assert not best.within_limit


def test_an_epoch_within_the_limit_beats_any_that_is_not():
    best = chosen("paper", [(0.1, 0.9, 0.9), (5.0, 0.2, 0.2)])
    assert best.epoch == 2
    assert best.within_limit


def test_the_last_rule_takes_the_last():
    assert chosen("last", [(0.1, 0.3, 0.3), (9.0, 0.9, 0.9)]).epoch == 2


class TestTheReferencesRule:
    def test_loss_and_both_accuracies_must_improve_together(self):
        epochs = [(1.0, 0.2, 0.2), (0.9, 0.3, 0.2), (0.8, 0.3, 0.3), (0.7, 0.3, 0.4), (0.6, 0.4, 0.4)]
        assert chosen("reference", epochs).epoch == 5
        assert chosen("reference", epochs[:4]).epoch == 3

    def test_training_accuracy_may_exceed_the_limit_by_a_twentieth(self):
        assert chosen("reference", [(1.0, 0.2, 0.2), (0.5, 0.52, 0.4)]).epoch == 2
        assert chosen("reference", [(1.0, 0.2, 0.2), (0.5, 0.53, 0.4)]).epoch == 1

    def test_validation_accuracy_may_not(self):
        assert chosen("reference", [(1.0, 0.2, 0.2), (0.5, 0.4, 0.51)]).epoch == 1

    def test_training_accuracy_is_that_of_the_step_before(self):
        epochs = [(1.0, 0.2, 0.2), (0.5, 0.9, 0.4)]
        assert chosen("reference", epochs, before=[0.2, 0.3]).epoch == 2

    def test_if_no_epoch_qualifies_the_last_weights_stay(self):
        assert chosen("reference", [(1.0, 0.9, 0.9), (0.5, 0.9, 0.9)]).epoch == 0


@pytest.mark.parametrize("rule", ["paper", "reference", "last"])
def test_kept_weights_are_a_copy(rule):
    module = torch.nn.Linear(1, 1, bias=False)
    module.weight.data.fill_(1.0)
    best = BestEpoch(rule, 0.5, module)
    best.offer(1, Score(1.0, 0.1, 0.1), 0.1)
    module.weight.data.fill_(2.0)
    best.restore()
    assert module.weight.item() == 1.0
