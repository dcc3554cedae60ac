"""What ``hushgraph train`` does where nobody is asked: devices are simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

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


def features_asked(
    context: typer.Context, mechanism: dict[str, Any], model: LocalEstimator, method: str
) -> dict[str, Any] | None:
    """What devices are to do with features, or None if these are not asked for."""
    stand_in = getattr(model, "features", "collected")
    if stand_in != "collected":
        options.refuse(context, ASKING, f"is for collected features, not for --model-features {stand_in}")
    if mechanism["epsilon"] is not None:
        return mechanism
    options.refuse(context, ASKING, "is for features: ask for them with --epsilon-x")
    check_needs(model, method, "give --epsilon-x, or ")
    return None


def check_needs(model: LocalEstimator, method: str, otherwise: str = "nobody here sent any; give ") -> None:
    """Refuses a method that cannot do without features, where there are none, and says what could be done."""
    if model.needs_features:
        stand_ins = "--model-features ones, degree or random, or " if model.knows("features") else ""
        raise ValueError(f"--method {method} needs features: {otherwise}{stand_ins}--method cascade")


def check_held(setting: Setting, graph: Graph) -> None:
    """Refuses to ask for features that nobody has."""
    if setting.features is not None and graph.num_features == 0:
        raise ValueError(
            f"--epsilon-x asks for features, and {graph.name!r} has none: leave it out, or give --features"
        )


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
    if repeats > 1 and seed is None:
        raise ValueError(
            "--repeats asks the same people several times, each time at the full budget: only a"
            " simulation may, so give --seed"
        )
    from hushgraph.collection.simulate import campaign_for
    from hushgraph.local.controls import controls_for
    from hushgraph.repeats import repeat

    asked = campaign_for(graph, features=setting.features, labels=setting.labels, lists=setting.edges)
    controls = controls_for(setting.model, asked)
    seeds = range(seed or 0, (seed or 0) + repeats)
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=setting.model.steps * repeats * (1 + len(controls)))
        runs = repeat(
            graph,
            setting,
            seeds,
            seeded_noise=seed is not None,
            controls=controls,
            on_epoch=lambda *_: bar.advance(task),
            ledger=ledger,
            campaign="campaign" if ledger is None else graph.name,
        )
        return list(runs)
