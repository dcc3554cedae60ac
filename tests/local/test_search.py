"""Grid search sees noisy data only."""

from __future__ import annotations

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.local.search import Trial


def test_it_keeps_the_point_with_the_lowest_noisy_validation_loss(camps_collected):
    seen = []
    search = hg.GridSearch(hg.LPGNN(epochs=15), {"k_x": [0, 2], "learning_rate": [0.01, 0.001]})
    search.fit(camps_collected, progress=lambda trial, total: seen.append((trial, total)))
    assert len(search.trials_) == 4
    assert [trial for trial, _ in seen] == search.trials_
    assert {total for _, total in seen} == {4}
    best = min(search.trials_, key=lambda trial: trial.val_loss)
    assert search.best_params_ == best.params
    assert search.best_model_.val_loss_ == best.val_loss
    np.testing.assert_array_equal(search.predict(), search.best_model_.predict())
    np.testing.assert_array_equal(search.predict_proba(camps_collected), search.best_model_.predict_proba())
    assert search.guarantee == camps_collected.guarantee


def test_a_point_that_knows_the_noise_too_well_loses_to_any_that_does_not():
    honest, overfitted = (
        Trial({}, val_loss=2.0, within_limit=True),
        Trial({}, val_loss=0.1, within_limit=False),
    )
    assert honest.rank < overfitted.rank


def test_it_needs_people_to_validate_on(camps, gather):
    split = hg.random_split(camps, train=0.5, val=0.0, seed=0)
    collected = gather(camps, split)
    with pytest.raises(ValueError, match="a grid search needs val people"):
        hg.GridSearch(hg.LPGNN(selection="last"), {"k_x": [1]}).fit(collected)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"depth": [1]}, "grid names .'depth'., which LPGNN does not have"),
        ({}, "at least one value"),
        ({"k_x": []}, "at least one value"),
        ({"loss": ["drop", "forward"]}, "cannot vary 'loss'"),
    ],
)
def test_a_bad_grid_is_refused(grid, message, camps_collected):
    with pytest.raises(ValueError, match=message):
        hg.GridSearch(hg.LPGNN(), grid).fit(camps_collected)
