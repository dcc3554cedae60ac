"""Own budgets: people choose among three levels, beside everybody at the lowest and at the highest."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import hushgraph as hg
from hushgraph._files import atomic_write
from hushgraph.collection.estimates import LabelChannel
from hushgraph.metrics import mean_and_interval

BUDGETS = (0.5, 1.0, 2.0)
# KProp's steps, of features and of labels.
GRAPHS = {"cora": (16, 8), "facebook": (4, 2)}
EPOCHS = 200


class LevelsIgnored(hg.CollectedGraph):
    """The same reports to a server that treats all people alike, with the mean noise."""

    @property
    def label_channel(self) -> LabelChannel:
        keep, other = (
            float(np.mean([getattr(one, name) for one in self.campaign.labels]))
            for name in ("keep_probability", "other_probability")
        )
        return LabelChannel(keep, other)

    @property
    def feature_weights(self) -> None:
        return None


def collections(graph: hg.Graph, split: hg.Split, seed: int) -> dict[str, hg.CollectedGraph]:
    """Of one seed: everybody at one end, and a third of the people at each level, chosen at random."""

    def collect(budgets: tuple[float, ...]) -> hg.CollectedGraph:
        levels = np.random.default_rng([seed, 9]).integers(0, len(budgets), graph.num_nodes)
        return hg.collect(
            graph,
            split,
            features=[hg.MultiBit(budget) for budget in budgets],
            labels=[hg.RandomizedResponse(budget) for budget in budgets],
            levels={"features": levels, "label": levels},
            rng=np.random.default_rng([seed, 1]),
        )

    mixed = collect(BUDGETS)
    ignored = LevelsIgnored(
        mixed.campaign, mixed.reports, mixed.num_nodes, mixed.edges, mixed.train, mixed.val
    )
    return {
        "everybody at ε = 0.5": collect(BUDGETS[:1]),
        "a third each at ε = 0.5, 1, 2": mixed,
        "the same, levels ignored": ignored,
        "everybody at ε = 2": collect(BUDGETS[-1:]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--graphs", nargs="+", default=list(GRAPHS))
    arguments = parser.parse_args()
    rows = []
    for name in arguments.graphs:
        graph = hg.datasets.load(name)
        found: dict[str, list[float]] = {}
        for seed in range(arguments.repeats):
            split = hg.random_split(graph, train=0.5, val=0.25, seed=seed)
            for who, collected in collections(graph, split, seed).items():
                k_x, k_y = GRAPHS[name]
                model = hg.LPGNN(k_x=k_x, k_y=k_y, epochs=EPOCHS, random_state=seed).fit(collected)
                found.setdefault(who, []).append(hg.accuracy(model, graph, split.test))
            print(
                f"{name}: seed {seed}",
                *(f"{who}: {values[-1]:.3f}" for who, values in found.items()),
                sep="\n  ",
            )
        for who, values in found.items():
            mean, half_width = mean_and_interval(values)
            rows.append(
                {"graph": name, "who": who, "mean": mean, "half_width": half_width, "accuracies": values}
            )
    document = {"repeats": arguments.repeats, "epochs": EPOCHS, "steps": GRAPHS, "rows": rows}
    with atomic_write(arguments.output) as file:
        file.write(json.dumps(document, indent=1, ensure_ascii=False).encode())


if __name__ == "__main__":
    main()
