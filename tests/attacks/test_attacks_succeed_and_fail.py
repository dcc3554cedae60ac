"""Each attack works on a network that protects nobody, and is at chance where there is nothing to find.

At chance means that a 95 % interval holds the value of guessing. Seeds are fixed: of other seeds about a
quarter would have one of the six intervals miss it.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import hushgraph as hg
from hushgraph.attacks import Shadow, Shadows, TwoViews, Victim, attributes, membership
from hushgraph.attacks.questions import Attribute, coins
from hushgraph.attacks.stage import Stage
from hushgraph.attacks.suite import Settings, findings

SETTINGS = Settings(shadows=4, queries=(10, 200))


def rng(seed=1):
    return np.random.default_rng(seed)


def found(stage, *names):
    return [finding.measured for finding in findings(stage, names, seed=1, settings=SETTINGS)]


def at_chance(interval, chance=0.5):
    return interval.low <= chance <= interval.high


def test_on_cora_all_work(cora_stage):
    for one in found(cora_stage, "confidence", "tstf", "lira"):
        assert one.auc.value >= 0.65
    for one in found(cora_stage, "link-distance", "link-known"):
        assert one.auc.value >= 0.85
    for one in found(cora_stage, "attribute", "attribute-embeddings"):
        assert one.accuracy.low > one.naive + 0.4


def test_on_the_built_in_graph_all_work(social_stage):
    (ratio,) = found(social_stage, "lira")
    assert ratio.auc.low > 0.6
    for one in found(social_stage, "link-distance", "link-known"):
        assert one.auc.low > 0.6
    for one in found(social_stage, "attribute", "attribute-embeddings"):
        assert one.accuracy.low > one.naive + 0.3
    few, _, many, right = found(social_stage, "extraction")
    assert right.accuracy.value > right.naive + 0.2
    assert many.accuracy.value > few.accuracy.value > many.naive + 0.2
    (withheld,) = found(social_stage, "withheld")
    assert withheld.auc.value > 0.55


def test_an_embedding_tells_an_attribute_that_the_network_was_not_trained_for(sparse_social):
    coarse = replace(sparse_social, labels=sparse_social.labels % 2, num_classes=2, classes=())
    everybody = np.arange(coarse.num_nodes)
    box = Victim.named("gcn-overfitted").learn_from(coarse, everybody[::2], rng()).box
    sensitive = Attribute.of(sparse_social, "label")
    revealed, asked = sensitive.revealed_by(0.2, rng())
    said = attributes.by_embeddings(box, asked, revealed, rng()).judged(sensitive.values[asked])
    assert said.accuracy.low > said.naive + 0.1


def test_people_whom_nobody_trained_on_are_no_members(social_stage):
    """A coin thrown after training tells who is called a member."""
    unseen = np.flatnonzero(~social_stage.members)
    called = coins(unseen.size, rng(2))
    assert at_chance(membership.by_confidence(social_stage.box, unseen).judged(called).auc)
    shadow = Shadow(social_stage.box.proba, social_stage.members)
    assert at_chance(membership.by_shadow(social_stage.box, unseen, shadow, rng()).judged(called).auc)
    models = []
    for seed in range(3):
        members = coins(social_stage.members.size, rng(10 + seed))
        views = TwoViews.of(social_stage.graph, members)
        box = social_stage.victim.learn_views(views, rng(20 + seed)).box
        models.append((box.proba[unseen], members[unseen]))
    shadows = Shadows.of(models, social_stage.graph.labels[unseen])
    for online in (True, False):
        said = membership.by_likelihood_ratio(social_stage.box, unseen, shadows, online=online)
        assert at_chance(said.judged(called).auc)


@pytest.fixture(scope="module")
def on_random_labels(sparse_social):
    """Learned by heart from labels that say nothing, and, in the second, without the graph."""
    shuffled = replace(sparse_social, labels=rng(4).permutation(sparse_social.labels))
    everybody = np.arange(shuffled.num_nodes)
    victims = Victim.named("gcn-overfitted"), Victim("MLP", hg.DPMLP(math.inf, epochs=40))
    learned = [victim.learn_from(shuffled, everybody, rng()) for victim in victims]
    trains = np.ones(shuffled.num_nodes, bool)
    return [Stage("random labels", one.box, sparse_social, trains, one.guarantee) for one in learned]


def test_random_labels_learned_by_heart_tell_no_attribute(on_random_labels):
    for stage in on_random_labels:
        (one,) = found(stage, "attribute")
        assert one.accuracy.value < one.naive + 0.03


def test_without_the_graph_random_labels_learned_by_heart_tell_no_friendship(on_random_labels):
    for one in found(on_random_labels[1], "link-distance", "link-known"):
        assert at_chance(one.auc)


def test_a_gnn_tells_friendships_whatever_its_labels(on_random_labels):
    """What gives friends away is that they are averaged, and no label is needed for that."""
    (by_distance,) = found(on_random_labels[0], "link-distance")
    assert by_distance.auc.low > 0.55
