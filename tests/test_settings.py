"""Estimators as scikit-learn has them: the constructor's arguments are the settings."""

from __future__ import annotations

from dataclasses import field

import pytest

from hushgraph._settings import Settings


class Smoother(Settings):
    steps: int = field(default=2, kw_only=False)
    kind: str = "mean"

    def fit(self):
        self.fitted_ = True
        return self


class Named(Smoother):
    name: str


def test_the_constructor_only_stores_its_arguments():
    assert vars(Smoother(3)) == {"steps": 3, "kind": "mean"}
    assert vars(Named(name="one", kind="sum")) == {"steps": 2, "kind": "sum", "name": "one"}


def test_settings_can_be_read_and_changed_in_place():
    model = Smoother()
    assert model.get_params() == model.get_params(deep=False) == {"steps": 2, "kind": "mean"}
    assert model.set_params(steps=5) is model
    assert model.get_params() == {"steps": 5, "kind": "mean"}


def test_a_setting_that_there_is_not_is_refused_and_nothing_changes():
    model = Smoother()
    with pytest.raises(ValueError, match="Smoother has no argument depth, width"):
        model.set_params(steps=5, width=1, depth=2)
    assert model.steps == 2


def test_a_copy_with_other_settings_is_unfitted_and_leaves_the_first_alone():
    model = Smoother().fit()
    other = model.with_params(kind="sum")
    assert other.get_params() == {"steps": 2, "kind": "sum"}
    assert not hasattr(other, "fitted_")
    assert (model.kind, model.fitted_) == ("mean", True)


def test_it_shows_how_to_make_it_again():
    model = Named(4, name="one")
    assert repr(model) == "Named(steps=4, kind='mean', name='one')"
    assert eval(repr(model)).get_params() == model.get_params()
