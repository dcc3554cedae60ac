"""``hushgraph plan``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from hushgraph.cli import console, options

if TYPE_CHECKING:
    from hushgraph.planning import BudgetSplit, Plan
    from hushgraph.planning.statistics import Source


def plan(
    graph: options.GraphName = None,
    epsilon: Annotated[
        str | None, typer.Option(help="Total budgets of a person, with commas between them.")
    ] = None,
    classes: Annotated[
        str | None, typer.Option(help="How many classes, or their public list; a named graph has its own.")
    ] = None,
    num_features: Annotated[
        int | None, typer.Option(min=0, help="How many features there are to ask for; 0: none.")
    ] = None,
    homophily: Annotated[
        str | None,
        typer.Option(
            help="The share of friendships within a class; or low,typical,high. [default: 0.6,0.75,0.9]"
        ),
    ] = None,
    class_shares: Annotated[
        str | None, typer.Option(help="How common each class is, with commas; all alike without it.")
    ] = None,
    informativeness: Annotated[
        str | None,
        typer.Option(
            help="Which share of a feature's largest variance the class explains; or low,typical,high."
            " [default: 0.0003,0.003,0.03]"
        ),
    ] = None,
    answering: Annotated[float, typer.Option(min=0, max=1, help="Which share of the people answers.")] = 1.0,
    label_rate: Annotated[
        float, typer.Option(min=0, max=1, help="Which share of those who answer gives a label.")
    ] = 0.75,
    lists: Annotated[
        bool, typer.Option("--lists", help="Friendships are private too; the graph is a stand-in.")
    ] = False,
    people: Annotated[
        int | None, options.data_option(help="How many people: of --edges, or of a graph that is made up.")
    ] = None,
    friends: Annotated[
        float | None, options.data_option(help="Friends of a person on average, where there is no graph.")
    ] = None,
    edges: Annotated[
        Path | None, options.data_option(help="Your public edge list, people by number from 0.")
    ] = None,
    nodes: options.Nodes = None,
    root: options.Root = None,
    draws: Annotated[
        int | None, typer.Option(min=2, help="How often labels are drawn; fewer on large graphs by default.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another one draws other labels and noise.")] = 0,
    output: Annotated[
        Path | None, typer.Option(help="Write plan.json and plan.png into this folder.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Forecast, before anything is collected, what budgets will buy, and how to divide them.

    Campaigns are simulated on the public graph, or on one that is made up from its size, with labels that are
    drawn so that friends are alike as often as --homophily says. Nobody's label or feature is read.

    Examples: hushgraph plan cora --epsilon 1,2,4 --homophily 0.8

    hushgraph plan --people 5000 --friends 8 --classes 4 --num-features 50 --epsilon 1,4 --homophily 0.7
    """
    import hushgraph as hg

    with console.clear_errors():
        if epsilon is None:
            raise ValueError("--epsilon is required: total budgets of a person, such as 1,2,4")
        given = {"homophily": homophily, "informativeness": informativeness}
        ranges: dict[str, Any] = {
            name: _numbers(text, name) for name, text in given.items() if text is not None
        }
        shares = None if class_shares is None else _numbers(class_shares, "class-shares")
        source = _source(graph, root, nodes, edges, people, friends)
        with console.progress_bar() as bar:
            task = bar.add_task("simulating", total=None)
            found = hg.plan(
                source,
                epsilons=_numbers(epsilon, "epsilon"),
                classes=_count(classes, shares),
                num_features=num_features,
                class_shares=shares,
                answering=answering,
                label_rate=label_rate,
                lists=lists,
                draws=draws,
                seed=seed,
                progress=lambda done, total: bar.update(task, completed=done, total=total),
                **{name: one[0] if len(one) == 1 else one for name, one in ranges.items()},
            )
        if output is not None:
            _write(found, output)
    if as_json:
        console.print_json(found.to_dict())
        return
    console.output.print(_table(found))
    for sentence in found.advice:
        console.say(sentence)
    console.say(f"Simulated on {found.simulated}.")


def _source(
    graph: str | None, root: Path | None, nodes: int | None, edges: Path | None,
    people: int | None, friends: float | None,
) -> Source:  # fmt: skip
    """A named graph, an edge list, or numbers about a graph."""
    from hushgraph.datasets.reading import read_edges
    from hushgraph.edges import canonical_edges
    from hushgraph.planning import Statistics, Structure

    ways = [graph is not None, edges is not None, friends is not None]
    if sum(ways) != 1 or (people is None) != (graph is not None):
        raise ValueError(
            "give a graph, or --people with --edges, or --people with --friends; one of the three"
        )
    if graph is not None:
        return options.load_graph(graph, root, None, None, None, nodes)
    options_of_graphs = {"--nodes": nodes, "--root": root}
    if ignored := [name for name, value in options_of_graphs.items() if value is not None]:
        raise ValueError(f"{ignored[0]} is for a named graph")
    assert people is not None
    if edges is not None:
        return Structure(canonical_edges(read_edges(edges), people)[0], people)
    return Statistics(people=people, mean_degree=friends)


def _numbers(text: str, option: str) -> list[float]:
    try:
        return [float(word) for word in options.listed(text)]
    except ValueError:
        raise ValueError(f"--{option} must be numbers with commas between them, got {text!r}") from None


def _count(classes: str | None, shares: list[float] | None) -> int | None:
    if classes is None:
        return None if shares is None else len(shares)
    return int(classes) if classes.isdigit() else len(options.listed(classes))


def _write(found: Plan, folder: Path) -> None:
    from hushgraph._files import atomic_write
    from hushgraph.cli.plan_figure import draw_plan

    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / "plan.json") as file:
        file.write((found.to_json() + "\n").encode())
    draw_plan(found, folder / "plan.png")


def _table(found: Plan) -> Table:
    """One line for each way of dividing a budget; of several numbers of features the most promising."""
    lists = any(one.epsilon_a for one in found.splits)
    table = Table("ε", "label", title="What budgets buy", title_justify="left")
    for name in (*(["lists"] if lists else []), "features", "forecast", "90 % interval", "z", ""):
        table.add_column(name, justify="right" if name in ("forecast", "z") else "left")
    for epsilon in found.epsilons:
        table.add_section()
        taken = found.recommended(epsilon)
        for number, one in enumerate(shown_of(found, epsilon)):
            table.add_row(
                "" if number else f"{epsilon:g}",
                f"{one.epsilon_y:g}",
                *([f"{one.epsilon_a:g}"] if lists else []),
                f"{one.epsilon_x:g} for {one.features:,}" if one.epsilon_x else "none",
                console.percent(one.accuracy),
                f"{100 * one.low:.0f} to {100 * one.high:.0f}",
                f"{one.expected_z:.2g}" if one.epsilon_x else "",
                "[green]take[/]" if one == taken else "",
            )
    return table


def shown_of(found: Plan, epsilon: float) -> list[BudgetSplit]:
    """Of the splits of a budget that differ in the number of features alone, the most promising."""
    taken = found.recommended(epsilon)
    alike: dict[tuple[float, float], list[BudgetSplit]] = {}
    for one in found.splits:
        if one.epsilon == epsilon:
            alike.setdefault((one.epsilon_x, one.epsilon_a), []).append(one)
    return [
        max(ones, key=lambda one: (one == taken, one.accuracy, one.expected_z)) for ones in alike.values()
    ]
