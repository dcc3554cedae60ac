"""``hushgraph attack``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hushgraph.cli import attack_shown, console, options
from hushgraph.cli.attack_campaign import attack_campaign
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.registry import ATTACKS, CURATOR_METHODS, METHODS, Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hushgraph.attacks import Victim
    from hushgraph.attacks.card import Attacked
    from hushgraph.graph import Graph

# Solitude asks for neighbor lists, and nobody is asked for any here.
VICTIMS = Registry(
    "method", *(one for name, one in METHODS.items() if name != "solitude"), *CURATOR_METHODS.values()
)
OF_A_METHOD = ("epsilon", "relation", "delta", "setting")
_how = partial(typer.Option, rich_help_panel="How much is asked")


def attack(
    context: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL|GRAPH|CAMPAIGN",
            help="A model that 'train --save' or 'curate --save' wrote; with --method, a graph; or a campaign"
            " (.json): what one answer to it gives away.",
        ),
    ] = None,
    method: Annotated[
        str | None, typer.Option(help=f"Train this method, to attack it: {', '.join(VICTIMS)}.")
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(help="Budget of the method; of a local one, of features and label together."),
    ] = None,
    relation: Annotated[
        NeighboringRelation | None, typer.Option(help="What a curator's method makes hard to tell apart.")
    ] = None,
    delta: Annotated[float | None, typer.Option(help="As 'curate' has it.")] = None,
    setting: options.Settings = None,
    graph: Annotated[
        str | None, typer.Option("--graph", help="Of whom the saved model is: a graph's name or an npz file.")
    ] = None,
    members: Annotated[
        Path | None,
        typer.Option(
            help="Who trained the saved model, one id or number a line; by default those who do in 'train'"
            " and 'curate' with this --seed (of --repeats, the last): of a local model, all who gave a label."
        ),
    ] = None,
    attacks: Annotated[str | None, _how(help=f"Only these, with commas: {', '.join(ATTACKS)}.")] = None,
    attribute: Annotated[
        str, _how(help="The sensitive attribute: 'label', or the name or number of a feature.")
    ] = "label",
    shadows: Annotated[int, _how(min=2, help="Models that the likelihood-ratio attack trains.")] = 4,
    pairs: Annotated[
        int, _how(min=10, help="Friendships that are asked about, and as many strangers.")
    ] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Everything is drawn from it.")] = 0,
    output: Annotated[
        Path | None, typer.Option(help="A folder for attacks.json, attacks.png and attacks.html.")
    ] = None,
    nodes: options.Nodes = None,
    root: options.Root = None,
    edges: options.Edges = None,
    features: options.Features = None,
    labels: options.Labels = None,
    classes: options.Classes = None,
    as_json: options.AsJson = False,
) -> None:
    """Attack a model, beside networks that protect nobody, and say what ε bounds of each attack.

    With --method it is trained for it: half of the people are the target's, and coins decide who of them
    trains. What is printed and written is computed from people's data, and is for whoever holds them.

    Examples: hushgraph attack cora --method gap --epsilon 4; hushgraph attack model.pt --graph cora;
    hushgraph attack campaign.json
    """
    if what is not None and what.endswith(".json"):
        others = [name for name in context.params if name not in ("what", "as_json")]
        with console.clear_errors():
            options.refuse(context, others, "is for models: a campaign is attacked as it stands")
        attack_campaign(Path(what), as_json=as_json)
        return
    import hushgraph
    from hushgraph.attacks import card, suite

    with console.clear_errors():
        possible = suite.WITHOUT_TRAINING if method is None else suite.WITH_TRAINING
        names = _chosen(attacks, possible)
        settings = suite.Settings(attribute=attribute, shadows=shadows, pairs=pairs)
        data = partial(
            options.load_graph, root=root, edges=edges, features=features, labels=labels, nodes=nodes,
            classes=classes,
        )  # fmt: skip
        if method is None:
            options.refuse(context, OF_A_METHOD, "is for --method; a saved model has its own")
            if what is None or not Path(what).is_file():
                raise FileNotFoundError(
                    f"there is no model {what or 'named'}; to train one on a graph, add --method"
                )
            model = hushgraph.load(what)
            truth = data(graph)
            trained = _members(members, model, truth, seed)
            name = f"{type(model).__name__}, saved"
            run = partial(card.on_a_model, name, model, truth, trained)
        else:
            if graph is not None or members is not None:
                raise ValueError(
                    "--graph and --members are for a saved model: with --method, the graph comes first"
                )
            victim, truth = _victim(method, data(what), epsilon, relation, delta, setting)
            run = partial(card.on_a_method, victim, truth)
        with console.progress_bar(transient=True) as bar:
            task = bar.add_task("training", total=None)
            found = run(names, seed, settings, lambda doing: bar.update(task, description=doing))
        facts = {"graph": repr(truth), "attribute": attribute, "seed": str(seed)}
        document = _document(found, truth, seed, attribute)
        if output is not None:
            attack_shown.write(found, facts, document, output)
    if as_json:
        console.print_json(document)
        return
    attack_shown.print_card(found)
    if output is not None:
        console.say(f"The page: {output / 'attacks.html'}")


def _document(found: list[Attacked], truth: Graph, seed: int, attribute: str) -> dict[str, Any]:
    """All of it is computed from what people hold."""
    targets = [target.to_dict() for target in found]
    return {"private": {"graph": repr(truth), "seed": seed, "attribute": attribute, "targets": targets}}


def _chosen(attacks: str | None, possible: tuple[str, ...]) -> tuple[str, ...]:
    from hushgraph._check import choice

    if attacks is None:
        return possible
    if not options.listed(attacks):
        raise ValueError("--attacks names none: leave it out for all of them")
    return tuple(choice(name, "--attacks", possible) for name in options.listed(attacks))


def _victim(
    method: str, truth: Graph, epsilon: float | None, relation: str | None, delta: float | None,
    setting: list[str] | None,
) -> tuple[Victim, Graph]:  # fmt: skip
    """The method, and the graph as it asks for it."""
    from hushgraph.attacks import Victim
    from hushgraph.experiments.studies.mechanisms import in_range

    budget = options.required(epsilon, "--epsilon")
    given: dict[str, Any] = {"relation": relation, "delta": delta}
    if method in METHODS:
        model = options.make_model(VICTIMS, method, given, setting)
        return Victim(VICTIMS[method].title, model, budget), in_range(truth, None, None)
    model = options.make_model(VICTIMS, method, {"epsilon": budget, **given}, setting)
    return Victim(VICTIMS[method].title, model), truth


def _members(path: Path | None, model: Any, truth: Graph, seed: int) -> NDArray[Any]:
    """Whom a saved model was trained on."""
    import numpy as np

    from hushgraph.split import random_split

    trained = np.zeros(truth.num_nodes, bool)
    if path is None:
        if hasattr(model, "learned_from_"):
            split = random_split(truth, train=0.5, val=0.25, seed=seed)
            trained[np.concatenate([split.train, split.val])] = True
        else:
            trained[random_split(truth, train=0.75, val=0.1, seed=seed, everyone=True).train] = True
        return trained
    words = path.read_text(encoding="utf-8").split()
    numbers = {
        str(one): number
        for number, one in enumerate(range(truth.num_nodes) if truth.ids is None else truth.ids)
    }
    if unknown := [word for word in words if word not in numbers]:
        raise ValueError(f"{path} names {len(unknown)} who are not in the graph")
    trained[[numbers[word] for word in words]] = True
    if trained.all() or not trained.any():
        raise ValueError(f"{path} must name some of the people, and not all: an attack is told apart by both")
    return trained
