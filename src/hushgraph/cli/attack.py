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
    from hushgraph.graph import Graph

OF_A_METHOD = ("epsilon", "relation", "delta", "setting")
OF_A_CAMPAIGN = ("own_mechanism", "label_prior", "density", "answers")
_how = partial(typer.Option, rich_help_panel="How much is asked")
_known = partial(typer.Option, rich_help_panel="Of a campaign")


def _victims() -> Registry:
    """What can be attacked, the user's own methods included, which are registered when the command runs."""
    # Solitude asks for neighbor lists, and nobody is asked for any here.
    local = (entry for name, entry in METHODS.items() if name != "solitude")
    return Registry("method", *local, *CURATOR_METHODS.values())


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
        str | None, typer.Option(help=f"Train this method, to attack it: {', '.join(_victims())}.")
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
            help="Who trained the saved model, one id or number a line; otherwise those who do in 'train'"
            " and 'curate' with the --seed that is given: of a local model, all who gave a label."
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
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Everything is drawn from it; by default 0. Of a saved model without --members, the one that"
            " it was trained with (0 if it had none; of --repeats, the last).",
        ),
    ] = None,
    label_prior: Annotated[
        str | None,
        _known(help="How common each class is, with commas, such as '0.7,0.2,0.1'; by default all alike."),
    ] = None,
    density: Annotated[float, _known(help="How likely two people are friends before anybody answers.")] = 0.5,
    answers: Annotated[
        int, _known(min=1, help="How many fresh answers a device that does not remember would give.")
    ] = 10,
    output: Annotated[
        Path | None, typer.Option(help="A folder for attacks.json, attacks.png and attacks.html.")
    ] = None,
    nodes: options.Nodes = None,
    root: options.Root = None,
    edges: options.Edges = None,
    features: options.Features = None,
    labels: options.Labels = None,
    classes: options.Classes = None,
    own_mechanism: options.OwnMechanisms = None,
    as_json: options.AsJson = False,
) -> None:
    """Attack a model, beside networks that protect nobody, and say what ε bounds of each attack.

    With --method it is trained for it: half of the people are the target's, and coins decide who of them
    trains. What is printed and written is computed from people's data, and is for whoever holds them.

    Examples: hushgraph attack cora --method gap --epsilon 4; hushgraph attack model.pt --graph cora
    --seed 0; hushgraph attack campaign.json
    """
    if what is not None and what.endswith(".json"):
        others = [name for name in context.params if name not in ("what", "as_json", *OF_A_CAMPAIGN)]
        with console.clear_errors():
            options.refuse(context, others, "is for models: a campaign is attacked as it stands")
            prior = None if label_prior is None else _shares(label_prior)
        attack_campaign(
            Path(what), label_prior=prior, density=density, answers=answers,
            own_mechanisms=own_mechanism or (), as_json=as_json,
        )  # fmt: skip
        return
    import hushgraph
    from hushgraph.attacks import card, suite

    with console.clear_errors():
        options.refuse(context, OF_A_CAMPAIGN, "is for a campaign")
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
                missing = f"there is no model {what}" if what else "name a model or a campaign (.json)"
                raise FileNotFoundError(f"{missing}; to train one on a graph, add --method")
            model = hushgraph.load(what)
            truth = data(graph)
            trained, whom = _members(members, model, truth, seed)
            name = f"{type(model).__name__}, saved"
            run = partial(card.on_a_model, name, model, truth, trained)
        else:
            if graph is not None or members is not None:
                raise ValueError(
                    "--graph and --members are for a saved model: with --method, the graph comes first"
                )
            victim, truth = _victim(method, data(what), epsilon, relation, delta, setting)
            run = partial(card.on_a_method, victim, truth)
            whom = "of half of the people, those whom coins decided"
        with console.progress_bar(transient=True) as bar:
            task = bar.add_task("training", total=None)
            found = run(names, seed or 0, settings, lambda doing: bar.update(task, description=doing))
        facts = {"graph": repr(truth), "members": whom, "attribute": attribute, "seed": str(seed or 0)}
        # All of it is computed from what people hold.
        told = {**facts, "seed": seed or 0, "targets": [target.to_dict() for target in found]}
        document = {"private": told}
        if output is not None:
            attack_shown.write(found, facts, document, output)
    if as_json:
        console.print_json(document)
        return
    attack_shown.print_card(found, whom)
    if output is not None:
        console.say(f"The page: {output / 'attacks.html'}")


def _chosen(attacks: str | None, possible: tuple[str, ...]) -> tuple[str, ...] | None:
    from hushgraph._check import choice

    if attacks is None:
        return None
    if not options.listed(attacks):
        raise ValueError("--attacks names none: leave it out for all of them")
    return tuple(choice(name, "--attacks", possible) for name in options.listed(attacks))


def _shares(text: str) -> list[float]:
    try:
        return [float(word) for word in options.listed(text)]
    except ValueError:
        raise ValueError(
            f"--label-prior must be a share for each class, with commas, such as '0.7,0.3'; got {text!r}"
        ) from None


def _victim(
    method: str, truth: Graph, epsilon: float | None, relation: str | None, delta: float | None,
    setting: list[str] | None,
) -> tuple[Victim, Graph]:  # fmt: skip
    """The method, and the graph as it asks for it."""
    from hushgraph.attacks import Victim
    from hushgraph.experiments.studies.mechanisms import in_range

    budget = options.required(epsilon, "--epsilon")
    given: dict[str, Any] = {"relation": relation, "delta": delta}
    victims = _victims()
    if method in METHODS:
        model = options.make_model(victims, method, given, setting)
        return Victim(victims[method].title, model, budget), in_range(truth, None, None)
    model = options.make_model(victims, method, {"epsilon": budget, **given}, setting)
    return Victim(victims[method].title, model), truth


def _members(path: Path | None, model: Any, truth: Graph, seed: int | None) -> tuple[NDArray[Any], str]:
    """Whom a saved model was trained on, and where that is from."""
    trained, source = _simulated(model, truth, seed) if path is None else _named(path, truth)
    return trained, f"{trained.sum():,} of {trained.size:,}, {source}"


def _simulated(model: Any, truth: Graph, seed: int | None) -> tuple[NDArray[Any], str]:
    import numpy as np

    from hushgraph.split import random_split

    if seed is None:
        raise ValueError(
            "a saved model does not say who trained it, and an attack that is judged by others tells nothing:"
            " give --members, a file of them; or, of a model of 'train' or 'curate' on this very graph, the"
            " --seed that it was trained with (0 if it had none; of --repeats, the last)"
        )
    trained = np.zeros(truth.num_nodes, bool)
    if hasattr(model, "learned_from_"):
        split = random_split(truth, train=0.5, val=0.25, seed=seed)
        trained[np.concatenate([split.train, split.val])] = True
        return trained, f"assumed: who gives a label in 'train' with --seed {seed}"
    trained[random_split(truth, train=0.75, val=0.1, seed=seed, everyone=True).train] = True
    return trained, f"assumed: who trains in 'curate' with --seed {seed}"


def _named(path: Path, truth: Graph) -> tuple[NDArray[Any], str]:
    import numpy as np

    if not path.is_file():
        raise FileNotFoundError(f"--members: there is no file {path}")
    words = path.read_text(encoding="utf-8").split()
    numbers = {
        str(one): number
        for number, one in enumerate(range(truth.num_nodes) if truth.ids is None else truth.ids)
    }
    if unknown := [word for word in words if word not in numbers]:
        raise ValueError(f"{path} names {len(unknown)} who are not in the graph")
    trained = np.zeros(truth.num_nodes, bool)
    trained[[numbers[word] for word in words]] = True
    if trained.all() or not trained.any():
        raise ValueError(f"{path} must name some of the people, and not all: an attack is told apart by both")
    return trained, f"named in {path}"
