"""Stand-ins for features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.local.public_features import public_features


def test_ones_are_ones(camps_collected):
    ones = public_features("ones", camps_collected, np.random.default_rng(0))
    assert (ones.toarray() == 1).all()
    assert ones.shape == (400, 10)


def test_degrees_are_one_hot_and_large_ones_share_the_last_column(camps_collected):
    degree = np.bincount(camps_collected.edges.ravel(), minlength=400)
    one_hot = public_features("degree", camps_collected, np.random.default_rng(0)).toarray()
    assert (one_hot.sum(1) == 1).all()
    np.testing.assert_array_equal(one_hot.argmax(1), np.minimum(degree, 9))


def test_noise_follows_the_generator(camps_collected):
    first, second = (public_features("random", camps_collected, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert 0 <= first.min() < 0.1
    assert 0.9 < first.max() < 1


def test_an_unknown_kind_is_refused(camps_collected):
    with pytest.raises(ValueError, match="features must be one of"):
        public_features("pagerank", camps_collected, np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["ones", "degree", "random"])
def test_stand_ins_need_no_features(kind, camps, camps_split, gather, tmp_path):
    bare = gather(replace(camps, features=None), camps_split, features=None)
    model = hg.LPGNN(features=kind, epochs=2).fit(bare)
    model.save(tmp_path / "model.pt")
    assert np.array_equal(hg.load(tmp_path / "model.pt").predict_proba(bare), model.proba_)
    with pytest.raises(ValueError, match="nobody in this collection sent features: use Cascade"):
        hg.LPGNN(epochs=2).fit(bare)


def test_a_model_of_stand_ins_does_not_mind_which_features_were_asked_for(
    camps, camps_split, camps_collected, gather
):
    model = hg.LPGNN(features="ones", epochs=2).fit(camps_collected)
    labels = gather(camps, camps_split, features=None)
    assert model.predict_proba(labels).shape == (400, 2)


@pytest.mark.parametrize("held", [True, False])
def test_a_model_that_uses_features_says_that_they_were_not_asked_for(
    held, camps, camps_split, camps_collected, gather
):
    graph = camps if held else replace(camps, features=None)
    others = gather(graph, camps_split, features=None)
    # Where friends tell nothing, features help.
    torn = replace(camps, edges=np.random.default_rng(1).integers(0, 400, (2, 2000)))
    cascade = hg.Cascade().fit(gather(torn, camps_split, features=hg.MultiBit(np.inf)))
    assert cascade.uses_features_
    for model in (cascade, hg.LPGNN(epochs=2).fit(camps_collected)):
        with pytest.raises(ValueError, match="did not ask for features, which the model uses"):
            model.predict_proba(others)
