"""``hushgraph demo``."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from hushgraph._files import atomic_write
from hushgraph.cli import console, options
from hushgraph.cli.demo_runs import ALONE, WAYS, Measured, Task, measure_all, people
from hushgraph.privacy import Guarantee

TWO_CORES = min(2, options.CORES)
LESSON = (
    "A control is the same method on the same reports of labels, less what people's features say: what is"
    " above it, features earned. Whoever is tested gave no label."
)


def demo(
    output: Annotated[Path, typer.Option(help="Folder for the picture and the figures.")] = Path("demo"),
    nodes: Annotated[int, typer.Option(min=100, help="People in the built-in graph.")] = 2_000,
    repeats: Annotated[int, typer.Option(min=1, help="Seeds for each row.")] = 3,
    epochs: Annotated[int, typer.Option(min=1, help="Steps of learning for each LPGNN.")] = 200,
    budgets: Annotated[str, typer.Option(help="Budgets of a person, with commas.")] = "0.5,1,2,4,8",
    jobs: options.Jobs = TWO_CORES,
    as_json: options.AsJson = False,
) -> None:
    """Learn from a built-in social network at several privacy budgets, next to what is possible without.

    Each person's budget ε goes to the label alone, or half to the features and half to the label.
    """
    from hushgraph.cli.figure import draw_accuracy

    with console.clear_errors():
        asked = _budgets(budgets)
        # The slow ones first, so that no process waits for another at the end.
        tasks = [
            Task(way, epsilon, seed, nodes, epochs)
            for way in WAYS
            for epsilon in (*asked, math.inf)
            for seed in range(repeats)
        ]
        graph = repr(people(nodes))
        console.messages.print(f"{graph}: {len(WAYS)} ways to spend {len(asked)} budgets, seeds: {repeats}")
        with console.progress_bar() as bar:
            done = list(bar.track(measure_all(tasks, jobs), total=len(tasks), description="learning"))
        points = _points(done)
        shown = asked[len(asked) // 2]
        promised = next(one.guarantee for one in done if one.task.way == ALONE and one.task.epsilon == shown)
        report = {
            "graph": graph,
            "repeats": repeats,
            "epochs": epochs,
            "rows": [point.to_dict() for point in points],
            "guarantee": promised.to_dict(),
        }
        draw_accuracy(points, output / "accuracy.png")
        with atomic_write(output / "accuracy.json") as file:
            file.write(json.dumps(report, indent=2, ensure_ascii=False).encode())
    if as_json:
        console.print_json(report)
        return
    _print(points, repeats, shown, promised)
    console.say(f"\nThe picture: {output / 'accuracy.png'}")


def _budgets(text: str) -> list[float]:
    try:
        found = sorted({float(word) for word in options.listed(text)})
    except ValueError:
        raise ValueError(f"--budgets must be numbers with commas between them, got {text!r}") from None
    if not found or not all(0 < epsilon < math.inf for epsilon in found):
        raise ValueError(f"--budgets must be numbers above 0, got {text!r}")
    return found


def _points(done: list[Measured]) -> list[Any]:
    """What was measured by column and budget, in the order of the columns."""
    from hushgraph.cli.figure import Point

    values: dict[tuple[str, float], list[float]] = defaultdict(list)
    for one in done:
        for name, accuracy in one.accuracies.items():
            values[name, one.task.epsilon].append(accuracy)
    return [Point(name, epsilon, accuracies) for (name, epsilon), accuracies in values.items()]


def _print(points: list[Any], repeats: int, shown: float, promised: Guarantee) -> None:
    from hushgraph.experiments.formatting import counted

    cells = {(point.name, point.epsilon): point.shown for point in points}
    names = list(dict.fromkeys(point.name for point in points))
    interval = "" if repeats == 1 else ", mean ± Student's 95 % interval"
    title = f"Test accuracy, %{interval}, {counted(repeats, 'seed')}; ε = ∞ is not private"
    table = Table("ε", title=title, title_justify="left", caption=LESSON, caption_justify="left")
    for name in names:
        table.add_column(name.replace(", ", "\n", 1).replace(" (", "\n("), justify="right")
    for epsilon in sorted({point.epsilon for point in points}):
        row = "∞" if math.isinf(epsilon) else f"{epsilon:g}"
        table.add_row(row, *(cells.get((name, epsilon), "–") for name in names))
    console.output.print(table)
    console.say(f"\nWhat ε = {shown:g}, all on the label, promises to every person:\n")
    console.say(promised)
