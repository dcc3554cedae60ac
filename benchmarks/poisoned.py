"""Fake people in a graph: what they cost, and which screens notice them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hushgraph as hg
from hushgraph.attacks.local import (
    LabelKnowledge,
    against_friends,
    equal_choices,
    impossible_shares,
    impossible_signs,
    label_knowledge,
    lying,
    surprising_groups,
    thinned,
    uneven_columns,
    unexpected_shares,
    with_fakes,
    without_reports,
)

EPSILON, FALSE_ALARM = 1.0, 0.01
# People join in so many weeks, fakes in the last few of them.
WEEKS, OF_FAKES = 20, 3
GROUPINGS = 50
# KProp's steps of LPGNN, of features and of labels.
STEPS = {"cora": (16, 8), "facebook": (4, 2)}
METHODS = ("cascade", "lpgnn")


def method_of(name: str, graph: hg.Graph, seed: int) -> Any:
    """Unfitted; weights follow from the seed, too."""
    k_x, k_y = STEPS[graph.name]
    lpgnn = hg.LPGNN(k_x=k_x, k_y=k_y, epochs=150, random_state=seed)
    return lpgnn if name == "lpgnn" else hg.Cascade(random_state=seed)


def poisoned(
    graph: hg.Graph, seed: int, share: float, lie: str, features: Any = None, befriends: Any = "anybody"
) -> tuple[hg.CollectedGraph, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """A collection that fakes have joined, who they are, real test people, and the true shares of classes."""
    split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
    larger, fakes = with_fakes(graph, share, np.random.default_rng([seed, 3]), befriends)
    thirds = np.arange(fakes.size) % 3 == 2
    joined = hg.Split(
        np.concatenate([split.train, fakes[~thirds]]), np.concatenate([split.val, fakes[thirds]]), split.test
    )
    collected = hg.collect(
        larger, joined, features=features, labels=hg.RandomizedResponse(EPSILON),
        rng=np.random.default_rng([seed, 1]),
    )  # fmt: skip
    shares = np.bincount(graph.labels, minlength=graph.num_classes) / graph.num_nodes
    if lie == "against friends":
        said = against_friends(larger, fakes)
    else:
        said = np.full(fakes.size, shares.argmin() if lie == "rarest class" else shares.argmax())
    claimed = None if features is None else np.arange(features.sampled(graph.num_features), dtype=np.int32)
    return lying(collected, fakes, said, claimed), fakes, split.test, shares


def poisoning(graph: hg.Graph, seed: int) -> Iterator[dict[str, Any]]:
    """Accuracy on real test people, by the share of fakes and what they say."""
    cora = graph.name == "cora"
    cells = [(0.0, "rarest class")]
    cells += [(share, "rarest class") for share in ((0.02, 0.05, 0.1, 0.2) if cora else (0.05, 0.1, 0.2))]
    if cora:
        cells += [(0.1, "most common class"), (0.05, "against friends"), (0.1, "against friends")]
    by_both = (0.0, 0.05, 0.1) if cora else (0.0, 0.1)
    for share, lie in cells:
        for name in METHODS if share in by_both else ("cascade",):
            asked = None if name == "cascade" else hg.MultiBit(EPSILON)
            sent, _, test, shares = poisoned(graph, seed, share, lie, asked)
            tries = {"as it came": sent, "thinned": thinned(sent, shares, np.random.default_rng([seed, 6]))}
            if name == "cascade":
                alike = np.full(shares.size, 1 / shares.size)
                tries["thinned to equal shares"] = thinned(sent, alike, np.random.default_rng([seed, 6]))
            accuracies = {}
            for how, one in tries.items():
                predicted = method_of(name, graph, seed).fit(one).predict()
                accuracies[how] = float((predicted[test] == graph.labels[test]).mean())
            yield {"share": share, "lie": lie, "method": name, "epsilon": EPSILON, "accuracy": accuracies}


def screens(graph: hg.Graph, seed: int) -> Iterator[dict[str, Any]]:
    """Which screens notice which fakes, at a false-alarm rate of one in a hundred."""
    rng, cora = np.random.default_rng([seed, 8]), graph.name == "cora"
    lies = ("rarest class", "against friends") if cora else ("rarest class",)
    cells = [(0.0, "rarest class"), *((share, lie) for lie in lies for share in (0.01, 0.02, 0.05, 0.1))]
    for share, lie in cells:
        sent, fakes, test, shares = poisoned(graph, seed, share, lie, hg.MultiBit(EPSILON))
        labels_only = without_reports(sent, np.arange(sent.num_nodes), ["features"])
        p_values = without_groups(sent, shares, rng)
        row: dict[str, Any] = {"share": share, "lie": lie, "epsilon": EPSILON}
        if cora:
            known = label_knowledge(hg.Cascade(), labels_only, np.random.default_rng([seed, 2]))
            weeks = rng.integers(0, WEEKS, sent.num_nodes)
            weeks[fakes] = WEEKS - 1 - rng.integers(0, OF_FAKES, fakes.size)
            groups = surprising_groups(known, weeks, rng)
            p_values["surprising groups"] = groups.p_value
            noticed = groups.noticed(FALSE_ALARM)
            row["weeks of fakes noticed"] = int((noticed >= WEEKS - OF_FAKES).sum())
            row["other weeks noticed"] = int((noticed < WEEKS - OF_FAKES).sum())
            left = without_reports(labels_only, np.flatnonzero(np.isin(weeks, noticed)), ["label"])
            row["accuracy without them"] = float(
                (hg.Cascade().fit(left).predict()[test] == graph.labels[test]).mean()
            )
            if share == 0:
                row["false alarms at 5 %"] = float((surprises(known, sent.num_nodes, rng) <= 0.05).mean())
        yield row | {"p_values": p_values}


def honest_people(graph: hg.Graph, seed: int) -> Iterator[dict[str, Any]]:
    """What the screens say of a collection without fakes; on Cora also of people put into weeks at random.

    Of one seed there is one p-value of each screen, so that seeds are independent of each other; groupings of
    one collection are not.
    """
    rng = np.random.default_rng([seed, 9])
    sent, _, _, shares = poisoned(graph, seed, 0.0, "rarest class", hg.MultiBit(EPSILON))
    p_values, alarms = without_groups(sent, shares, rng), {}
    for name in METHODS if graph.name == "cora" else ():
        asked = sent if name == "lpgnn" else without_reports(sent, np.arange(sent.num_nodes), ["features"])
        known = label_knowledge(method_of(name, graph, seed), asked, np.random.default_rng([seed, 2]))
        found = surprises(known, sent.num_nodes, rng)
        p_values[f"surprising groups, {name}"] = float(found[0])
        alarms[name] = float((found <= 0.05).mean())
    yield {"epsilon": EPSILON, "p_values": p_values, "false alarms at 5 %": alarms}


def without_groups(
    sent: hg.CollectedGraph, shares: NDArray[np.float64], rng: np.random.Generator
) -> dict[str, float]:
    """The p-values of screens that know no groups of people."""
    return {
        "impossible shares": impossible_shares(sent).p_value,
        "unexpected shares": unexpected_shares(sent, shares, rng).p_value,
        "uneven columns": uneven_columns(sent, rng).p_value,
        "impossible signs": impossible_signs(sent).p_value,
        "equal choices": equal_choices(sent).p_value,
    }


def surprises(known: LabelKnowledge, people: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """p-values of groups, people put into weeks at random again and again."""
    weeks = (rng.integers(0, WEEKS, people) for _ in range(GROUPINGS))
    return np.array([surprising_groups(known, each, rng, draws=199).p_value for each in weeks])
