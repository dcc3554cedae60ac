"""What a method gives to its run is compared before noise: no statistics, and no luck."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hushgraph.audit import audit_method, neighbors
from hushgraph.audit.given import Given, audit_given
from hushgraph.curator import DPDGC, DPMLP, DPSAGE, GAP, Ballots, dp_sage, gap, sums
from hushgraph.curator.parts import noised, trained

METHODS = [
    (method, relation)
    for method in (GAP, DPDGC, DPSAGE, DPMLP, Ballots)
    for relation in method.RELATIONS
    # What friendships change in ballots is a mechanism's.
    if (method, relation) != (Ballots, "edge")
]
# Messages as long as they may be, and nobody above the cap.
TIGHT = {DPSAGE: {"message_clip": 1e-6, "max_degree": 4, "bounded": True}}


def given(method, relation, **settings):
    model = method(3.0, relation=relation, delta=0.01, epochs=1, random_state=0, **settings)
    return audit_given(
        model, *neighbors(relation, min(4, settings.get("max_degree", 4)), tested=method is Ballots)
    )


def share(found):
    return float(found.measured.split("at most ")[1].split()[0])


@pytest.mark.parametrize(("method", "relation"), METHODS)
def test_a_method_changes_what_was_accounted_and_no_more(method, relation):
    found = given(method, relation, **TIGHT.get(method, {}))
    assert found.passed, str(found)
    assert 0.5 < share(found) <= 1


@pytest.mark.parametrize(
    ("relation", "times"), [("edge", 2), ("node-removal", 1000), ("node-replacement", 1000)]
)
def test_sums_that_are_too_long_are_found(relation, times, monkeypatch):
    """After a training whose noisy gradients differ: what they were is given."""
    monkeypatch.setattr(
        gap, "clipped_sums", lambda one, *rest: sums.clipped_sums(times * one, *rest[:2], None)
    )
    found = given(GAP, relation, hops=2)
    assert not found.passed, str(found)
    assert found.measured.startswith("in aggregation, at most")


def test_more_samples_than_were_accounted_are_found():
    """A person's row reaches the samples of friends."""

    class OneSample(DPSAGE):
        def parts(self):
            return trained("training", 3.0, 1), noised("inference", 1.0, "")

    found = given(OneSample, "node-removal", max_degree=4, bounded=True)
    assert not found.passed
    assert found.measured == "in training, at most 5 of what was accounted is changed"


def test_a_part_that_is_free_and_reads_friendships_is_found(monkeypatch):
    monkeypatch.setattr(GAP, "learn", lambda _, run: run.train("encoder", None, _degrees(run)))
    assert given(GAP, "edge").measured == "in encoder, at most inf of what was accounted is changed"


def _degrees(run):
    degrees = np.bincount(run.edges.ravel(), minlength=run.graph.num_nodes)
    return gap.Rows(degrees[:, None].astype(np.float32))


def test_messages_that_are_no_number_are_found(monkeypatch):
    def broken(messages, edges, *_):
        return messages * (np.nan if edges.shape[1] > 5 else 0.0)

    monkeypatch.setattr(dp_sage, "clipped_sums", broken)
    assert not given(DPSAGE, "edge").passed


def test_other_shapes_are_another_release():
    one, other = (Given("sums", np.zeros((people, 1)), 1.0) for people in (3, 4))
    assert one.share(one) == 0
    assert one.share(other) == float("inf")


def test_a_fit_that_cannot_be_is_no_audit(monkeypatch):
    """The method itself is run, and not its run alone."""
    monkeypatch.setattr(GAP, "fit", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        audit_method(GAP(3.0, relation="edge", delta=0.1, hops=1, epochs=1), trials=100)


def test_a_canary_sees_in_real_fits_what_is_gross(monkeypatch):
    monkeypatch.setattr(
        gap, "clipped_sums", lambda one, *rest: sums.clipped_sums(1000 * one, *rest[:2], None)
    )
    torch.set_num_threads(1)
    model = GAP(1.0, relation="edge", delta=0.1, hops=1, epochs=1)
    broken = [one.subject for one in audit_method(model, trials=150) if not one.passed]
    assert broken == ["all that fits release, a canary", "what the method gives to its run"]
