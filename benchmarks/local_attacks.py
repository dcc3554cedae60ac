"""Attacks on reports: what friends give away, what lists do, what fake people cost, and what notices them.

python benchmarks/local_attacks.py --output docs/results/local-attacks.json
python benchmarks/local_attacks.py --parts poisoning --graphs cora --output …     (the rest of the file stays)
python benchmarks/local_attacks.py --resume --output …              (seeds that the file has stay as they are)

The file has a row for each seed and cell. Of fake people, means with Student's 95 % intervals are printed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from poisoned import STEPS, honest_people, method_of, poisoning, screens

import hushgraph as hg
from hushgraph._files import atomic_write
from hushgraph.attacks import Decisions
from hushgraph.attacks.local import (
    FriendshipGuess,
    feature_after,
    friendship_attack,
    friendship_given_others,
    label_after,
    label_knowledge,
)
from hushgraph.attacks.local.one_friendship import pairs_to_attack
from hushgraph.metrics import student_half_width

Rows = Iterator[dict[str, Any]]


def several_answers(graph: hg.Graph, seed: int) -> Rows:
    """Fresh answers of every person, the best guess, and its closed form; then one answer, repeated."""
    mechanism = hg.RandomizedResponse(1.0, num_classes=graph.num_classes)
    rng, labels = np.random.default_rng([seed, 7]), graph.labels
    votes = np.zeros((labels.size, graph.num_classes))
    first = mechanism.randomize(labels, rng)
    for answers in range(1, 101):
        given = first if answers == 1 else mechanism.randomize(labels, rng)
        votes[np.arange(labels.size), given] += 1
        if answers in (1, 2, 5, 10, 20, 50, 100):
            right = (votes + 1e-9 * rng.random(votes.shape)).argmax(1) == labels
            yield {
                "answers": answers, "epsilon": 1.0, "measured": float(right.mean()),
                "closed_form": label_after(mechanism, answers),
                "remembered": float((first == labels).mean()),
                "one_feature_of_ten": feature_after(hg.MultiBit(1.0), 10, answers),
            }  # fmt: skip


def friends_tell(graph: hg.Graph, seed: int) -> Rows:
    """A label from the shares of classes, the report, everything but the report, and everything."""
    split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
    shares = np.bincount(graph.labels, minlength=graph.num_classes) / graph.num_nodes
    budgets = (0.5, 1.0, 2.0) if graph.name == "cora" else (1.0,)
    methods: list[tuple[str, float, Any]] = [("cascade", epsilon, None) for epsilon in budgets]
    if graph.name == "cora":
        methods.append(("lpgnn", 1.0, hg.MultiBit(1.0)))
    for name, epsilon, features in methods:
        collected = hg.collect(
            graph, split, features=features, labels=hg.RandomizedResponse(epsilon),
            rng=np.random.default_rng([seed, 1]),
        )  # fmt: skip
        method = method_of(name, graph, seed)
        known = label_knowledge(method, collected, np.random.default_rng([seed, 2]), shares=shares)
        found = {who: one.accuracy.value for who, one in known.guesses(graph.labels).items()}
        yield {
            "method": name, "epsilon": epsilon, "accuracy": found, "expected": known.expected,
            "expected_bound": known.expected_bound, "largest_shift": known.largest_shift,
            "bound": known.accuracy_bound(found["everything but the report"]),
        }  # fmt: skip


def friendships(graph: hg.Graph, seed: int) -> Rows:
    """One friendship from its two lists, beside the closed form; and from everything else."""
    split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
    density = graph.num_edges / (graph.num_nodes * (graph.num_nodes - 1) / 2)
    pairs, friends = pairs_to_attack(graph.edges, graph.num_nodes, np.random.default_rng([seed, 4]))
    hidden = np.random.default_rng([seed, 5]).permutation(friends.size)[: friends.size // 10]
    for epsilon in (2.0, 4.0, 6.0) if graph.name == "cora" else (6.0,):
        asked = hg.AdjacencyRandomizedResponse(epsilon)
        collected = hg.collect(
            graph, split, features=None, labels=hg.RandomizedResponse(1.0), edges=asked,
            rng=np.random.default_rng([seed, 1]),
        )  # fmt: skip
        played = friendship_attack(collected.lists, pairs, friends, epsilon, density)
        known = friendship_given_others(collected, pairs[:, hidden], friends[hidden])
        best = FriendshipGuess(asked)
        yield {
            "epsilon_of_a_list": epsilon, "density": density, "auc": played.auc.value, "auc_closed": best.auc,
            "auc_bound": best.auc_bound, **_rates(played, best, density),
            "auc_classes": known.blocks.auc.value, "auc_classes_and_own": known.both.auc.value,
            "auc_friends_in_common": known.in_common.auc.value,
        }  # fmt: skip


def _rates(played: Decisions, best: FriendshipGuess, density: float) -> dict[str, float]:
    """Friends found and strangers accused where both lists name the other."""
    yes = played.scores > np.log(density / (1 - density)) + best.epsilon / 2
    found, accused = float(yes[played.truth].mean()), float(yes[~played.truth].mean())
    return {
        "tpr": found,
        "tpr_closed": best.tpr(2),
        "fpr": accused,
        "fpr_closed": best.fpr(2),
        "advantage": found - accused,
        "advantage_closed": best.tpr(2) - best.fpr(2),
    }


PARTS: dict[str, Callable[[hg.Graph, int], Rows]] = {
    "several answers": several_answers,
    "friendships": friendships,
    "friends tell": friends_tell,
    "poisoning": poisoning,
    "screens": screens,
    "honest people": honest_people,
}
SEEDS = {
    "poisoning": {"cora": 5, "facebook": 3},
    "screens": {"cora": 5, "facebook": 5},
    "honest people": {"cora": 20, "facebook": 20},
}
"""Of other parts there are two on Cora and one on Facebook."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seeds", type=int, help="of every part and graph; by default as many as each needs")
    parser.add_argument("--graphs", nargs="+", default=list(STEPS), choices=list(STEPS))
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=list(PARTS))
    parser.add_argument("--resume", action="store_true", help="keep the seeds that the file has")
    asked = parser.parse_args()
    document = json.loads(asked.output.read_text()) if asked.output.exists() else {}
    for part in asked.parts:
        for name in asked.graphs:
            graph = hg.datasets.load(name)
            rows = document.get(part, {}).get(name, []) if asked.resume else []
            measured = {row["seed"] for row in rows}
            wanted = asked.seeds or SEEDS.get(part, {"cora": 2, "facebook": 1})[name]
            for seed in sorted({*range(wanted)} - measured):
                start = time.process_time()
                rows = [*rows, *({"seed": seed, **row} for row in PARTS[part](graph, seed))]
                document.setdefault(part, {})[name] = rows
                with atomic_write(asked.output) as file:
                    file.write(json.dumps(document, indent=1, ensure_ascii=False).encode())
                print(f"{part}, {name}, seed {seed}: {time.process_time() - start:.0f} s", flush=True)
            if part == "poisoning":
                print(*_intervals(rows), sep="\n", flush=True)


def _intervals(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Accuracy of each cell over its seeds."""
    cells: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        for how, accuracy in row["accuracy"].items():
            cells.setdefault((row["share"], row["lie"], row["method"], how), []).append(accuracy)
    for cell, found in cells.items():
        half = f" ± {student_half_width(found):.3f}" if len(found) > 1 else ""
        yield f"{cell}: {np.mean(found):.3f}{half}, {len(found)} seeds"


if __name__ == "__main__":
    main()
