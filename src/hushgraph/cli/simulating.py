"""What ``hushgraph train`` does where nobody is asked: devices are simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hushgraph.cli import console, options

if TYPE_CHECKING:
    from hushgraph.graph import Graph
    from hushgraph.local.estimator import LocalEstimator
    from hushgraph.privacy import Ledger
    from hushgraph.repeats import Repeat, Setting

# Options that say how features are asked for, and all that only a simulation uses.
ASKING = ("epsilon_x", "mechanism", "delta", "low", "high", "clip", "rescale")
SOURCES = ("graph", "nodes", "root", "edges", "features", "labels", "classes")
SIMULATION = (*SOURCES, *ASKING, "epsilon_y", "epsilon_a", "repeats", "save_collected")


def setting_of(
    asked: dict[str, Any] | None, epsilon_y: float, epsilon_a: float | None, model: LocalEstimator
) -> Setting:
    """What devices do, and who learns from it."""
    from hushgraph.mechanisms import AdjacencyRandomizedResponse, RandomizedResponse
    from hushgraph.mechanisms.factory import feature_mechanism
    from hushgraph.repeats import Setting

    if asked is not None and ":" in asked["name"]:
        options.imported(asked["name"])  # beside one's data, too
    return Setting(
        features=None if asked is None else feature_mechanism(**asked),
        labels=RandomizedResponse(epsilon_y),
        model=model,
        edges=None if epsilon_a is None else AdjacencyRandomizedResponse(epsilon_a),
    )


def simulate(
    graph: Graph, setting: Setting, repeats: int, seed: int | None, ledger: Ledger | None
) -> list[Repeat]:
    """Without a seed the noise is the operating system's; splits and weights are no secret either way."""
    from hushgraph.repeats import repeat

    seeds = range(seed or 0, (seed or 0) + repeats)
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=setting.model.steps * repeats)
        runs = repeat(
            graph,
            setting,
            seeds,
            seeded_noise=seed is not None,
            on_epoch=lambda *_: bar.advance(task),
            ledger=ledger,
            campaign="campaign" if ledger is None else graph.name,
        )
        return list(runs)
