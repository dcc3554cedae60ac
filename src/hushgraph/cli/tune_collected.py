"""``hushgraph tune --collected``."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table

from hushgraph.cli import console, options

if TYPE_CHECKING:
    from hushgraph.experiments.tune import Grid
    from hushgraph.experiments.tune_collected import Stage

NO_MORE = "Searching is post-processing of these reports: nobody was asked again."


def tune_collected(
    grid: Grid, path: Path, own_mechanism: Sequence[str], save: Path | None, device: str, as_json: bool
) -> None:
    """Searches on a collection, and ends with a table, the command that learns so, and what was promised."""
    from hushgraph.collection.collected import CollectedGraph
    from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS
    from hushgraph.experiments.tune_collected import search_collected

    collected = CollectedGraph.load(path, map(options.imported, own_mechanism))
    with console.progress_bar() as bar:
        tasks = {}

        def on_trial(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done)

        stages = search_collected(grid, collected, device=device, on_trial=on_trial)
    best = stages[-1].model
    if save is not None:
        best.save(save)
    command = _command(path, own_mechanism, stages[-1])
    if as_json:
        console.print_json({
            "collected": str(path),
            "settings": stages[-1].settings,
            "validation_loss": best.val_loss_,
            "trials": {stage.name: len(stage.trials) for stage in stages},
            "command": command,
            "guarantee": best.guarantee.to_dict(),
        })  # fmt: skip
        return
    columns = ("stage", "trials", "K_x", "K_y", "rate", "decay", "dropout", "loss")
    table = Table(*columns, title="Lowest validation loss on noisy labels", title_justify="left")
    for stage in stages:
        values = (f"{stage.settings[name]:g}" for name in (*STEPS, *OPTIMIZER))
        table.add_row(stage.name, str(len(stage.trials)), *values, f"{stage.model.val_loss_:.4f}")
    console.output.print(table)
    # In one line, however long: it is there to be copied.
    typer.echo(f"To learn so: {command}\n" if save is None else f"The best model: {save}\n")
    console.say(best.guarantee)
    console.say(NO_MORE)


def _command(path: Path, own_mechanism: Sequence[str], found: Stage) -> str:
    """What to type to learn with what was found."""
    model = found.model
    given: dict[str, Any] = {
        "collected": path,
        "method": "lpgnn",
        "backbone": model.backbone,
        "selection": model.selection,
    }
    given |= {"epochs": model.epochs, **found.settings, "model_features": model.get_params()["features"]}
    words = [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    own = [word for name in own_mechanism for word in ("--own-mechanism", name)]
    return shlex.join(["hushgraph", "train", *words, *own])
