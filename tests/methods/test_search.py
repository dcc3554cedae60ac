"""Grid search sees noisy data only."""

from __future__ import annotations

import pytest

import hushgraph as hg


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
    assert search.best_model_.predict().shape == (400,)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"depth": [1]}, "grid names .'depth'., which LPGNN does not have"),
        ({}, "at least one value"),
        ({"k_x": []}, "at least one value"),
        ({"loss": ["drop", "forward"]}, "not comparable"),
    ],
)
def test_a_bad_grid_is_refused(grid, message, camps_collected):
    with pytest.raises(ValueError, match=message):
        hg.GridSearch(hg.LPGNN(), grid).fit(camps_collected)
