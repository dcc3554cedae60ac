"""One seed of one cell of every study: what it computes, to the last digit.

``python -m tests.experiments.golden`` from the project's folder writes golden.json anew. Do that only where a
change of what a run computes is meant; the study's revision then rises too. Its table ``superseded`` says
what a cell came to before: Laplace and Gaussian noise, since that is drawn exactly on a grid (revision 2 of
local studies), and methods with a curator, since the search for noise ends nearer to the budget (revision 2)
and since friendships above a cap are paid for, δ is smaller and noise is numpy's (revision 3). Revision 4 of
these draws other noise about one's own people alone, so that the figures here stayed. Ballots and the cascade
have revisions of their own beside the study's: none of these, nor revision 2 of attacks, changed a figure.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from hushgraph import datasets
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.learned import collection, shared
from hushgraph.mechanisms import Factored

FILE = Path(__file__).with_name("golden.json")
SEED = 3
MODEL = {"k_x": 4, "k_y": 2, "learning_rate": 0.01, "weight_decay": 0.001, "dropout": 0.5, "epochs": 25}
PENALTIES = {"lambda_1": 1e-3, "lambda_2": 1e-3}
PRIVATE = {"epsilon_x": 3.5, "epsilon_y": 1.0}
DELTA = {"delta": 1e-6}
WITH_LISTS = {"epsilon_x": 1.0, "epsilon_a": 5.0, "epsilon_y": 2.0}
CURATOR = {"epsilon": 8.0, "epochs": 3}

# The name of each cell: the study, and the words of the cell besides its graph.
CELLS: dict[str, tuple[str, dict[str, Any]]] = {
    "lpgnn multi-bit": ("lpgnn", MODEL | PRIVATE),
    "lpgnn one-bit": ("lpgnn", MODEL | PRIVATE | {"features": "one-bit"}),
    "lpgnn laplace": ("lpgnn", MODEL | PRIVATE | {"features": "laplace"}),
    "lpgnn gaussian": ("lpgnn", MODEL | PRIVATE | DELTA | {"features": "gaussian"}),
    "lpgnn raw": ("lpgnn", MODEL | {"features": "raw", "epsilon_y": 1.0}),
    "lpgnn ones": ("lpgnn", MODEL | {"features": "ones", "epsilon_y": 1.0}),
    "lpgnn forward": ("lpgnn", MODEL | PRIVATE | {"loss": "forward", "backbone": "gcn"}),
    "lpgnn declared range": ("lpgnn", MODEL | PRIVATE | {"low": 0.0, "high": 2.0, "backbone": "gat"}),
    "lpgnn_validation": ("lpgnn_validation", MODEL | PRIVATE),
    "aggregation_error multi-bit": ("aggregation_error", {"epsilon_x": 1.0}),
    "aggregation_error laplace": ("aggregation_error", {"epsilon_x": 1.0, "features": "laplace"}),
    "aggregation_error gaussian": (
        "aggregation_error", DELTA | {"epsilon_x": 1.0, "features": "gaussian"},
    ),
    "lpgnn cascade": ("lpgnn", PRIVATE | {"method": "cascade"}),
    "solitude": ("solitude", MODEL | WITH_LISTS | PENALTIES),
    "solitude lpgnn": (
        "solitude", {name: value for name, value in MODEL.items() if name != "k_y"} | WITH_LISTS
        | {"method": "lpgnn"},
    ),
    "solitude blocks": ("solitude", MODEL | WITH_LISTS | {"method": "blocks"}),
    "solitude degrees": ("solitude", MODEL | WITH_LISTS | {"method": "degrees", "label_rate": 0.2}),
    "solitude cascade": ("solitude", WITH_LISTS | {"method": "cascade"}),
    "solitude_validation": ("solitude_validation", MODEL | WITH_LISTS | {"method": "posterior"}),
    "curator dp-mlp": ("curator", CURATOR | {"method": "dp-mlp"}),
    "curator dp-sage": ("curator", CURATOR | {"method": "dp-sage"}),
    "curator gap": ("curator", CURATOR | {"method": "gap", "max_degree": 10}),
    "curator gap edges": ("curator", CURATOR | {"method": "gap", "relation": "edge"}),
    "curator dpdgc": ("curator", CURATOR | {"method": "dpdgc"}),
    "curator ballots": ("curator", CURATOR | {"method": "ballots"}),
    "curator ballots edges": ("curator", CURATOR | {"method": "ballots", "relation": "edge"}),
    "curator nip-gnn": ("curator", CURATOR | {"method": "nip-gnn-published"}),
    "curator nip-gnn sound": ("curator", CURATOR | {"method": "nip-gnn"}),
    "attacks tstf": ("attacks", {"method": "gcn-overfitted", "epochs": 25}),
    "attacks friends": ("attacks", {"method": "lpgnn", "epsilon": 4.0, "epochs": 10, "attack": "link-known"}),
    "attacks attribute": ("attacks", CURATOR | {"method": "gap", "attack": "attribute"}),
}  # fmt: skip


def graph() -> Any:
    """The graph that all cells are about."""
    return datasets.social(n=500, features=40, classes=4, mean_degree=6.0, seed=11)


def arithmetic() -> dict[str, str]:
    """What decides the last digits of floating-point numbers, as far as it is known."""
    return {
        "processor": torch.backends.cpu.get_cpu_capability(),
        "torch": str(torch.__version__).partition("+")[0],
        "numpy": np.__version__,
    }


def compute(name: str) -> dict[str, Any]:
    """What the cell of that name comes to; reports are whole numbers, so their digest is exact anywhere."""
    study_name, words = CELLS[name]
    study = STUDIES[study_name]
    cell = study.read_cell(words | {"dataset": "social"}, name)
    configuration = study.configure(cell, Hyperparameters.published())
    people = graph()
    outcome = study.measure(people, configuration, SEED, "cpu", lambda _: None)
    found: dict[str, Any] = {
        "revision": study.revision, "value": outcome.value, "details": outcome.details,
    }  # fmt: skip
    if "method_revision" in configuration:
        found["method_revision"] = configuration["method_revision"]
    if study_name.removesuffix("_validation") in ("lpgnn", "solitude"):
        _, collected = collection(people, tuple(shared(configuration).items()), SEED)
        found["collection"] = digest(collected)
    return found


def digest(collected: Any) -> str:
    """Of all that a server has."""
    features = collected.features
    parts = [collected.edges, collected.labels, collected.train, collected.val, collected.answered]
    if isinstance(features, Factored):
        parts += [features.indptr, features.indices, features.data]
    elif features is not None:
        parts.append(features)
    sha = hashlib.sha256()
    for part in parts:
        sha.update(str((part.dtype, part.shape)).encode())
        sha.update(np.ascontiguousarray(part).tobytes())
    return sha.hexdigest()[:32]


def record() -> None:
    """Writes the figures anew; those that changed keep their earlier ones beside them."""
    before = json.loads(FILE.read_text()) if FILE.exists() else {"cells": {}, "superseded": {}}
    figures = {name: compute(name) for name in CELLS}
    superseded = before.get("superseded", {})
    for name, earlier in before["cells"].items():
        if name in figures and earlier["value"] != figures[name]["value"]:
            superseded.setdefault(name, []).append(earlier)
    document = {"arithmetic": arithmetic(), "cells": figures, "superseded": superseded}
    FILE.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    record()
