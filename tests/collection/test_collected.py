import json
import math
import os
from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.mechanisms import Factored

FEATURES = {
    "factored": hg.MultiBit(2.0, low=-1.0),
    "dense": hg.Laplace(2.0),
    "gaussian": hg.AnalyticGaussian(2.0, 1e-5),
    "none": None,
    "unprotected": hg.OneBit(math.inf),
}


@pytest.fixture(params=FEATURES)
def collected(request, graph, split, rng):
    labels = hg.RandomizedResponse(math.inf if request.param == "unprotected" else 1.0)
    features = FEATURES[request.param]
    return hg.collect(graph, split, features=features, labels=labels, rng=rng, answered=np.arange(2, 38))


@pytest.fixture
def simple(graph, split, rng):
    return hg.collect(graph, split, features=hg.MultiBit(2.0), labels=hg.RandomizedResponse(1.0), rng=rng)


def test_a_saved_collection_is_the_same_when_loaded(collected, tmp_path):
    collected.save(tmp_path / "new folder" / "reports.bin")
    loaded = hg.CollectedGraph.load(tmp_path / "new folder" / "reports.bin")
    for name in ("edges", "labels", "train", "val", "answered"):
        np.testing.assert_array_equal(getattr(loaded, name), getattr(collected, name))
        assert getattr(loaded, name).dtype == getattr(collected, name).dtype
    for name in ("campaign", "midpoint", "num_classes", "num_features", "classes", "guarantee", "digest"):
        assert getattr(loaded, name) == getattr(collected, name)
    assert type(loaded.features) is type(collected.features)
    if isinstance(collected.features, Factored):
        assert (loaded.features.shape, loaded.features.midpoint) == (
            collected.features.shape,
            collected.features.midpoint,
        )
        for part in ("indptr", "indices", "data"):
            np.testing.assert_array_equal(getattr(loaded.features, part), getattr(collected.features, part))
    else:
        np.testing.assert_array_equal(loaded.features, collected.features)
    assert repr(loaded) == repr(collected)


@pytest.mark.parametrize(
    "number", [np.int64(1), np.float32(1.0), np.float64(1.0)], ids=lambda n: type(n).__name__
)
def test_numpys_numbers_can_be_saved_too(graph, split, rng, number, tmp_path):
    mechanism = hg.MultiBit(number, low=number - number, high=number)
    collected = hg.collect(graph, split, features=mechanism, labels=hg.RandomizedResponse(number), rng=rng)
    collected.save(tmp_path / "reports")
    assert hg.CollectedGraph.load(tmp_path / "reports").guarantee == collected.guarantee


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(simple, tmp_path, kept):
    path = tmp_path / "reports"
    simple.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(ValueError, match="is not a readable collection"):
        hg.CollectedGraph.load(path)


def test_something_else_is_refused(tmp_path):
    (tmp_path / "text").write_text("not a collection")
    np.save(tmp_path / "array.npy", np.zeros(3))
    np.savez(tmp_path / "other.npz", labels=np.zeros(3))
    for name in ("text", "array.npy", "other.npz", "."):
        with pytest.raises(ValueError, match="is not a readable collection"):
            hg.CollectedGraph.load(tmp_path / name)


def test_a_missing_file_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        hg.CollectedGraph.load(tmp_path / "reports")


def test_a_format_from_the_future_is_refused_by_name(simple, tmp_path):
    path = tmp_path / "reports.npz"
    simple.save(path)
    with np.load(path) as stored:
        arrays = dict(stored)
    header = json.loads(str(arrays.pop("header"))) | {"format": 99}
    np.savez(path, header=np.array(json.dumps(header)), **arrays)
    with pytest.raises(ValueError, match="format 99, but this version reads 3"):
        hg.CollectedGraph.load(path)


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(simple, tmp_path, monkeypatch):
    path = tmp_path / "reports"
    simple.save(path)
    before = path.read_bytes()

    def fail(file, **_):
        file.write(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="no space left"):
        simple.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def test_loading_never_runs_code_from_the_file(simple, tmp_path):
    path, trace = tmp_path / "reports.npz", tmp_path / "trace"
    simple.save(path)
    with np.load(path) as stored:
        arrays = dict(stored)
    np.savez(path, **arrays | {"label.0.label": np.array([Trap(str(trace))], object)})
    with pytest.raises(ValueError, match="is not a readable collection"):
        hg.CollectedGraph.load(path)
    assert not trace.exists()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda c: {"val": c.train[:1]}, "must not share people"),
        (lambda c: {"train": np.array([0])}, "train names people who gave no label"),
        (lambda c: {"val": np.array([40])}, "val names node 40"),
        (lambda c: {"train": np.repeat(c.train[:1], 2)}, "train names a node more than once"),
        (lambda c: {"edges": c.edges.T}, "edges must be whole numbers of shape"),
        (lambda c: {"edges": np.array([[0], [40]], np.int32)}, "edges name nodes outside"),
        (lambda c: {"edges": np.array([[-1], [4]], np.int32)}, "edges name nodes outside"),
        (lambda c: {"ids": np.array(["a", "b"])}, "ids must be 40, one for each person"),
    ],
)
def test_a_collection_that_contradicts_itself_is_refused(simple, change, complaint):
    with pytest.raises(ValueError, match=complaint):
        replace(simple, **change(simple))


def test_a_guarantee_cannot_be_put_into_a_collection(simple):
    with pytest.raises(TypeError):
        replace(simple, guarantee=hg.Guarantee("everything", 0.0001))
    with pytest.raises(AttributeError):
        simple.guarantee = hg.Guarantee("everything", 0.0001)


def test_a_saved_file_whose_reports_were_spoilt_is_refused(simple, tmp_path):
    path = tmp_path / "reports.npz"
    simple.save(path)
    with np.load(path) as stored:
        arrays = dict(stored)
    arrays["label.0.label"][3] = 99
    np.savez(path, **arrays)
    with pytest.raises(ValueError, match=r"the report of person \d+: label must lie in 0 … 2"):
        hg.CollectedGraph.load(path)


def test_a_collection_says_its_sizes_and_its_privacy(simple):
    text = repr(simple)
    for said in ("40 nodes", "7 features", "from 40 people", "28 labels", "ε = 3, simulated (else proven)"):
        assert said in text


def test_what_was_refused_is_kept_in_the_file(simple, tmp_path):
    given = [*(one.to_json() for one in simple.reports), "no JSON", '{"person": 7}']
    with pytest.warns(UserWarning, match="2 reports were refused"):
        collected = hg.assemble(simple.campaign, given, edges=simple.edges)
    collected.save(tmp_path / "reports.npz")
    assert hg.CollectedGraph.load(tmp_path / "reports.npz").refused == collected.refused
    assert [(one.report, one.person) for one in collected.refused] == [(40, None), (41, 7)]
