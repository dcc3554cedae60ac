"""``hushgraph predict``."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph._files import atomic_write
from hushgraph.cli import console, options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hushgraph.collection.collected import CollectedGraph
    from hushgraph.local.estimator import LocalEstimator

BOTH = "somebody who is in both"


def predict(
    model: Annotated[Path, typer.Argument(help="A model that 'train --save' or 'curate --save' wrote.")],
    collected: Annotated[
        Path | None, typer.Option(help="Predict for this collection instead of the learned one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write who, class and probability to this CSV file.")
    ] = None,
    own_mechanism: options.OwnMechanisms = None,
    as_json: options.AsJson = False,
) -> None:
    """Predict the class of every person with a saved model, of whichever method.

    With --collected, those who are also among the people learned from have answered twice: what they spent
    adds up, and the last statement says to how much.
    """
    import numpy as np

    import hushgraph
    from hushgraph.collection.statement import of_several

    with console.clear_errors():
        fitted = hushgraph.load(model)
        own = map(options.imported, own_mechanism or ())
        reports = None if collected is None else hushgraph.CollectedGraph.load(collected, own)
        if reports is not None and not hasattr(fitted, "learned_from_"):
            raise ValueError("--collected is for models that learned from a collection")
        private = getattr(fitted, "predictions_are_private", False)
        proba = fitted.predict_proba() if reports is None else fitted.predict_proba(reports)
        ids = fitted.ids_ if reports is None else reports.ids
        if output is not None:
            _write(output, ids, fitted.classes_, proba, private)
    numbers = proba.argmax(1)
    statements = {"the people learned from": fitted.guarantee}
    asked_twice: dict[str, Any] = {}
    if reports is not None:
        statements["the people predicted"] = reports.guarantee
        asked_twice = _asked_twice(fitted, reports)
        if asked_twice["people_in_both"] != 0 and not asked_twice["same_reports"]:
            statements[BOTH] = of_several(statements.values())
    if as_json:
        predicted: dict[str, Any] = {"predictions": [fitted.classes_[number] for number in numbers]}
        predicted |= {} if ids is None else {"ids": ids.tolist()}
        document: dict[str, Any] = {
            **({"private": predicted} if private else predicted),
            "guarantees": {name: guarantee.to_dict() for name, guarantee in statements.items()},
            **asked_twice,
        }
        console.print_json(document)
        return
    if private:
        console.say("Private: each prediction is for that person alone, and this table for the curator.")
    table = Table("class", title=f"Predictions for {len(numbers):,} people", title_justify="left")
    table.add_column("people", justify="right")
    table.add_column("mean probability", justify="right")
    for number, people in enumerate(np.bincount(numbers, minlength=proba.shape[1])):
        certainty = console.percent(float(proba[numbers == number, number].mean())) if people else "–"
        table.add_row(escape(fitted.classes_[number]), f"{people:,}", certainty)
    console.output.print(table)
    for who, guarantee in statements.items():
        console.output.print(f"\nFor {who}:")
        console.say(guarantee)
    if asked_twice:
        console.say(f"\n{_said(**asked_twice)}")


def _asked_twice(fitted: LocalEstimator, reports: CollectedGraph) -> dict[str, Any]:
    """Whether these are the reports that were learned from, and how many people are in both, if ids tell."""
    in_both = None
    if fitted.ids_ is not None and reports.ids is not None:
        in_both = len({*fitted.ids_.tolist()} & {*reports.ids.tolist()})
    return {"same_reports": fitted.learned_from_ == reports.digest, "people_in_both": in_both}


def _said(same_reports: bool, people_in_both: int | None) -> str:
    if same_reports:
        return "These are the very reports that were learned from: one collection, and nothing adds up."
    if people_in_both is None:
        return "Without ids nobody can tell who is in both collections; for those who are, ε adds up."
    if people_in_both == 0:
        return "Nobody is in both collections."
    return f"{people_in_both:,} of these people are in both collections: for them ε adds up."


def _write(
    path: Path, ids: NDArray[Any] | None, classes: tuple[str, ...], proba: NDArray[Any], private: bool
) -> None:
    """A table of everybody by id, or by number where there are no ids, with the name of the class.

    Where a prediction is for one person alone, each line says so.
    """
    mark = ["that person alone"] if private else []
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["node" if ids is None else "id", "class", "probability", *(["for"] if private else [])])
    who = range(len(proba)) if ids is None else ids.tolist()
    rows.writerows(
        (one, classes[number], f"{row[number]:.6f}", *mark)
        for one, number, row in zip(who, proba.argmax(1), proba, strict=True)
    )
    with atomic_write(path) as file:
        file.write(text.getvalue().encode())
