"""``hushgraph demo``."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from hushgraph._files import atomic_write
from hushgraph.cli import console, options
from hushgraph.mechanisms import MultiBit, RandomizedResponse
from hushgraph.privacy import Guarantee

if TYPE_CHECKING:
    from hushgraph.cli.figure import Point
    from hushgraph.repeats import Setting

BUDGETS = (0.5, 1.0, 2.0, 4.0, 8.0)
BASELINES = {
    "ones": "no features (ones), true labels",
    "degree": "degrees as features, true labels",
    "random": "noise as features, true labels",
}
NOT_PRIVATE = "not private (ε = ∞)"


def demo(
    output: Annotated[Path, typer.Option(help="Folder for the picture and the figures.")] = Path("demo"),
    nodes: Annotated[int, typer.Option(min=100, help="People in the built-in graph.")] = 5_000,
    repeats: Annotated[int, typer.Option(min=1, help="Seeds for each row.")] = 3,
    epochs: Annotated[int, typer.Option(min=1, help="Steps of learning for each model.")] = 200,
    as_json: options.AsJson = False,
) -> None:
    """Learn from a built-in social network at several privacy budgets, next to what is possible without.

    Each person's budget ε goes half to the features and half to the label.
    """
    from hushgraph.cli.figure import Point, draw_accuracy
    from hushgraph.datasets import social
    from hushgraph.experiments import formatting
    from hushgraph.repeats import repeat

    with console.clear_errors():
        graph = social(n=nodes, features=100, classes=5, mean_degree=8.0, homophily=0.75, seed=1)
        console.messages.print(
            f"{graph!r}: {len(BUDGETS)} budgets and {1 + len(BASELINES)} baselines, {repeats} seeds each"
        )
        settings = _settings(epochs)
        points: list[Point] = []
        promised: Guarantee | None = None
        with console.progress_bar() as bar:
            task = bar.add_task("learning", total=len(settings) * repeats * epochs)
            for name, epsilon, setting in settings:
                bar.update(task, description=f"{name:32}")
                runs = list(
                    repeat(
                        graph,
                        setting,
                        range(repeats),
                        common_noise=True,
                        on_epoch=lambda *_: bar.advance(task),
                    )
                )
                points.append(Point(name, epsilon, [run.accuracy for run in runs]))
                if epsilon == 2.0:
                    promised = runs[0].model.guarantee
        report = {
            "graph": repr(graph),
            "repeats": repeats,
            "epochs": epochs,
            "rows": [point.to_dict() for point in points],
            "guarantee_of_epsilon_2": promised.to_dict() if promised else None,
        }
        draw_accuracy(points, output / "accuracy.png")
        with atomic_write(output / "accuracy.json") as file:
            file.write(json.dumps(report, indent=2, ensure_ascii=False).encode())
    if as_json:
        console.print_json(report)
        return
    title = "Test accuracy on people whose labels were not collected"
    table = Table("what the server gets", title=title, title_justify="left")
    table.add_column(f"%, mean ± 95 % interval, {repeats} seeds", justify="right")
    for point in points:
        table.add_row(point.name, formatting.ours(point.row))
    console.output.print(table)
    console.say("\nWhat the row ε = 2 promises to every person:\n")
    console.say(promised)
    console.say(f"\nThe picture: {output / 'accuracy.png'}")


def _settings(epochs: int) -> list[tuple[str, float, Setting]]:
    """Name, total budget and setting of each row."""
    from hushgraph.local import LPGNN
    from hushgraph.repeats import Setting

    model = LPGNN("sage", epochs=epochs)
    undisturbed = RandomizedResponse(math.inf)
    rows = [
        (f"ε = {epsilon:g}", epsilon, Setting(MultiBit(epsilon / 2), RandomizedResponse(epsilon / 2), model))
        for epsilon in BUDGETS
    ]
    clean = model.with_params(k_x=0, k_y=0)
    rows.append((NOT_PRIVATE, math.inf, Setting(MultiBit(math.inf), undisturbed, clean)))
    for kind, name in BASELINES.items():
        rows.append((name, math.inf, Setting(None, undisturbed, clean.with_params(features=kind))))
    return rows
