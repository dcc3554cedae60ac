"""``hushgraph predict``."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from hushgraph._files import atomic_write
from hushgraph.cli import console
from hushgraph.cli.options import AsJson
from hushgraph.collection.collected import CollectedGraph
from hushgraph.methods import LPGNN


def predict(
    model: Annotated[Path, typer.Argument(help="A model that 'hushgraph train --save' wrote.")],
    collected: Annotated[
        Path | None, typer.Option(help="Predict for this collection instead of the learned one.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write node, class and probability to this CSV file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Predict the class of every person with a saved model."""
    with console.clear_errors():
        fitted = LPGNN.load(model)
        reports = None if collected is None else CollectedGraph.load(collected)
        proba = fitted.predict_proba(reports)
        classes = proba.argmax(1)
        if output is not None:
            text = io.StringIO()
            rows = csv.writer(text, lineterminator="\n")
            rows.writerow(["node", "class", "probability"])
            rows.writerows(
                (node, int(label), f"{row[label]:.6f}")
                for node, (label, row) in enumerate(zip(classes, proba, strict=True))
            )
            with atomic_write(output) as file:
                file.write(text.getvalue().encode())
    statements = {"the people learned from": fitted.guarantee}
    if reports is not None:
        statements["the people predicted"] = reports.guarantee
    if as_json:
        guarantees = {name: guarantee.to_dict() for name, guarantee in statements.items()}
        console.print_json({"predictions": classes.tolist(), "guarantees": guarantees})
        return
    table = Table("class", title=f"Predictions for {len(classes):,} people", title_justify="left")
    table.add_column("people", justify="right")
    table.add_column("mean probability", justify="right")
    for label, people in enumerate(np.bincount(classes, minlength=proba.shape[1])):
        certainty = console.percent(float(proba[classes == label, label].mean())) if people else "–"
        table.add_row(str(label), f"{people:,}", certainty)
    console.output.print(table)
    for people, guarantee in statements.items():
        console.output.print(f"\nFor {people}:\n{guarantee}", highlight=False)
