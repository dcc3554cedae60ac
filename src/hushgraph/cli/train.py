"""``hushgraph train``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushgraph.choices import Loss, ModelFeatures, Selection, Structure
from hushgraph.cli import campaigns, console, options, simulating, trained
from hushgraph.registry import BACKBONES, FEATURES, METHODS

if TYPE_CHECKING:
    from hushgraph.collection.collected import CollectedGraph
    from hushgraph.local.estimator import LocalEstimator

_privacy = partial(typer.Option, rich_help_panel="Privacy")
_model = partial(typer.Option, rich_help_panel="Model")
_own = partial(_model, show_default="the method's own")


def train(
    context: typer.Context,
    graph: options.GraphName = None,
    epsilon_x: Annotated[
        float | None,
        _privacy(
            help="Budget of a person's features; inf for no privacy; without it, features are not asked for."
        ),
    ] = None,
    epsilon_y: Annotated[
        float | None, _privacy(help="Budget of a person's label; inf for no privacy.")
    ] = None,
    epsilon_a: Annotated[
        float | None,
        _privacy(
            help="Budget of each entry of a neighbour list (a friendship stands in two lists); "
            "without it, the graph is public."
        ),
    ] = None,
    mechanism: Annotated[
        str,
        _privacy(
            help=f"What devices do to features: {', '.join(FEATURES)}; or yours, such as 'mine.noise:Mine'."
        ),
    ] = "multi-bit",
    delta: Annotated[float | None, _privacy(help="Needed by the gaussian mechanism.")] = None,
    low: Annotated[float, _privacy(help="Public lower end of features.")] = 0.0,
    high: Annotated[float, _privacy(help="Public upper end of features.")] = 1.0,
    clip: Annotated[bool, _privacy("--clip", help="Clip features into the range.")] = False,
    rescale: Annotated[
        bool,
        _privacy(
            "--rescale",
            help="Map each column to [0, 1] by its own extremes; the guarantee is then a mere claim.",
        ),
    ] = False,
    method: Annotated[str, _model(help=f"How to learn: {', '.join(METHODS)}.")] = "cascade",
    backbone: Annotated[
        str | None, _own(help=f"Of lpgnn and solitude, as are the settings below: {', '.join(BACKBONES)}.")
    ] = None,
    k_x: Annotated[int | None, _own(help="KProp steps on features.")] = None,
    k_y: Annotated[int | None, _own(help="KProp steps on labels.")] = None,
    loss: Annotated[Loss | None, _own(help="How noisy labels are learned from.")] = None,
    model_features: Annotated[
        ModelFeatures, _model(help="Of lpgnn: collected ones, or stand-ins that cost no privacy.")
    ] = "collected",
    structure: Annotated[Structure | None, _own(help="What is made of private neighbour lists.")] = None,
    epochs: Annotated[int | None, _own(help="Steps of Adam, full batch.")] = None,
    learning_rate: Annotated[float | None, _own(help="Of Adam.")] = None,
    weight_decay: Annotated[float | None, _own(help="Of Adam.")] = None,
    dropout: Annotated[float | None, _own(help="After the hidden layer.")] = None,
    selection: Annotated[Selection | None, _own(help="How the epoch is chosen.")] = None,
    setting: options.Settings = None,
    device: options.Device = "auto",
    repeats: Annotated[
        int,
        typer.Option(
            min=1,
            help="How often, with --seed; each time redraws everything and asks the same people again: ε"
            " adds up.",
        ),
    ] = 1,
    seed: options.Seed = None,
    save: options.Save = None,
    save_collected: Annotated[Path | None, typer.Option(help="Write the (last) collection here.")] = None,
    collected: Annotated[
        Path | None, options.data_option(help="Learn from this collection instead of a simulated one.")
    ] = None,
    campaign: campaigns.Source = None,
    people: campaigns.People = None,
    val: Annotated[
        float,
        options.data_option(
            min=0, max=1, help="With --campaign: which share of those who sent a label validates."
        ),
    ] = 1 / 3,
    admin_token_file: campaigns.TokenFile = None,
    nodes: options.Nodes = None,
    root: options.Root = None,
    edges: options.Edges = None,
    features: options.Features = None,
    labels: options.Labels = None,
    classes: options.Classes = None,
    own_mechanism: options.OwnMechanisms = None,
    ledger: options.LedgerPath = None,
    as_json: options.AsJson = False,
) -> None:
    """Simulate a private collection and learn from it, or learn from a real collection or campaign.

    Half of the people train, a quarter validates, the rest is tested. Only noisy labels choose anything.
    Without --seed every device draws from the operating system's randomness, and no run is like another;
    only then can it be charged to a --ledger, since a simulation protects nobody.

    Where features are asked for, the same is learned without them too: what the graph and the labels do alone
    is a control, and what is above it is the features' work. It is computed from the same reports of labels.

    Examples: hushgraph train cora --epsilon-y 1

    hushgraph train cora --epsilon-x 1 --epsilon-y 1 --method lpgnn --k-x 2 --k-y 8 --repeats 3 --seed 0
    """
    from hushgraph.datasets.loading import is_public

    with console.clear_errors():
        stand_in = None if model_features == "collected" else model_features
        given = {
            "backbone": backbone, "k_x": k_x, "k_y": k_y, "loss": loss, "structure": structure,
            "features": stand_in, "epochs": epochs, "dropout": dropout,
            "learning_rate": learning_rate, "weight_decay": weight_decay, "selection": selection,
            "random_state": seed or 0, "device": device,
        }  # fmt: skip
        model = options.make_model(METHODS, method, given, setting)
        if campaign is None:
            options.refuse(context, campaigns.OPTIONS, "is for --campaign")
        if collected is not None or campaign is not None:
            real, kept = campaigns.really_collected(
                context, collected, campaign, edges, people, val, own_mechanism, admin_token_file
            )
            if not real.reports.of_question("features"):
                simulating.check_needs(model, method)
            fitted = _learn(model, real)
            report: dict[str, Any] = {"collected": kept, "asked": real.campaign.asked}
            whose = ""
            if save_collected is not None:
                real.save(save_collected)
        else:
            if epsilon_a is None:
                options.refuse(context, ["structure"], "is for private neighbour lists: give --epsilon-a")
            noisy = {
                "name": mechanism, "epsilon": epsilon_x, "delta": delta, "low": low, "high": high,
                "clip": clip,
            }  # fmt: skip
            budget = options.required(
                epsilon_y, "--epsilon-y", "the budget of a person's label, a number above 0"
            )
            collecting = simulating.setting_of(
                simulating.features_asked(context, noisy, model, method), budget, epsilon_a, model
            )
            options.refuse(context, ["own_mechanism"], "is for --collected; name yours as --mechanism")
            charged = options.open_ledger(ledger, simulated=seed is not None)
            truth = options.load_graph(graph, root, edges, features, labels, nodes, classes)
            simulating.check_held(collecting, truth)
            runs = simulating.simulate(
                truth.rescaled() if rescale else truth, collecting, repeats, seed, charged
            )
            fitted = runs[-1].model
            report = {"graph": repr(truth), **trained.assessed(runs)}
            whose = "" if is_public(graph or "") else " (private: for whoever holds the data)"
            if save_collected is not None:
                runs[-1].collected.save(save_collected)
        if save is not None:
            fitted.save(save)
    report |= {"method": method, **fitted.details()}
    if as_json:
        shown = trained.marked(report) if whose else report
        console.print_json({**shown, "guarantee": fitted.guarantee.to_dict()})
        return
    console.print_facts(f"Result{whose}", trained.facts(report))
    console.say(fitted.guarantee)
    if repeats > 1:
        console.say(f"This holds for one of {report['collections']}.")


def _learn(model: LocalEstimator, collection: CollectedGraph) -> LocalEstimator:
    with console.progress_bar() as bar:
        task = bar.add_task("learning", total=model.steps)
        return model.fit(
            collection, progress=lambda step, steps, _: bar.update(task, completed=step, total=steps)
        )
