"""The Solitude paper's search for hyper-parameters, on the validation labels that a server has."""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hushgraph.experiments.asked import Asked, asked_by_search, sentences
from hushgraph.experiments.formatting import counted
from hushgraph.experiments.hyperparameters import Hyperparameters, Key
from hushgraph.experiments.store import ResultStore
from hushgraph.experiments.studies.learned import TRAIN
from hushgraph.experiments.studies.solitude import VALIDATION, Cell
from hushgraph.experiments.trials import Trials

# Solitude, section 4.1; of the dropouts 10⁻³ and 10⁻² are as good as none, and 1/2 is what the authors' own
# command says.
ADAM = {
    "learning_rate": (1e-4, 1e-3, 1e-2, 1e-1),
    "weight_decay": (1e-4, 1e-3, 1e-2, 1e-1),
    "dropout": (1e-4, 1e-1, 0.5),
}
SMOOTHING = {"k_x": (0, 2, 4, 8), "k_y": (0, 2, 4, 8)}
PENALTIES = {"lambda_1": (1e-5, 1e-4, 1e-3, 1e-2), "lambda_2": (1e-5, 1e-4, 1e-3, 1e-2)}
# Where Adam's settings are searched: public labels need no smoothing, but Solitude's loss is made of it.
FIRST: dict[str, Any] = {"k_x": 4, "k_y": 0}
FIRST_OF_SOLITUDE = {"k_x": 4, "k_y": 4}

Grid = Mapping[str, Sequence[Any]]


def search(cells: Iterable[Cell], results: ResultStore, *, repeats: int, **how: Any) -> Hyperparameters:
    """Hyper-parameters for the methods and budgets of these cells, in three stages.

    The paper tries every combination for every pair of budgets, of which there are sixteen thousand. Here
    Adam's settings are searched first, once for each graph, network and method, at the pair in the middle;
    then smoothing steps for every pair of budgets; then Solitude's penalties. The most validation labels
    guessed wins; nothing of test people is seen.
    """
    trials = Trials(study=VALIDATION, source="Solitude, section 4.1", results=results, repeats=repeats, **how)
    keys = _keys(cells)
    chosen: dict[Key, dict[str, Any]] = {key: {} for key in keys}
    middles = _middles(keys)

    def stage(name: str, wanted: Iterable[Key], grid: Grid) -> None:
        mine = {key: [word for word in grid if word in keys[key].wanted] for key in wanted}
        groups = {key: _variants(keys[key], chosen[key], grid) for key in mine if mine[key]}
        for key, winner in trials.winners(name, groups).items() if groups else ():
            chosen[key] |= {word: getattr(winner, word) for word in mine[key]}

    stage("Adam's settings", middles.values(), ADAM)
    for key in keys:
        chosen[key] |= chosen[middles[key[:4]]]
    stage("smoothing steps", keys, SMOOTHING)
    stage("penalties", keys, PENALTIES)
    said = " ".join(sentences(asked(keys.values(), repeats, trials.root))) or counted(repeats, "collection")
    return Hyperparameters(f"'hushgraph tune-solitude' ({said})", {}, {}, chosen)


def asked(cells: Iterable[Cell], repeats: int, root: Path | None = None) -> list[Asked]:
    """The collections of the user's own people that a search for these cells takes: one for each budgets."""
    first = {word: values[0] for grid in (ADAM, SMOOTHING, PENALTIES) for word, values in grid.items()}
    cells = (_variants(cell, first, PENALTIES)[0] for cell in _keys(cells).values())
    return asked_by_search(VALIDATION, cells, repeats, root, own_people=True)


def _keys(cells: Iterable[Cell]) -> dict[Key, Cell]:
    """What is searched for, by what it will be found by."""
    keys: dict[Key, Cell] = {}
    for cell in cells:
        key = cell.searched_as
        plain = dataclasses.replace(cell, method=key[1], label_rate=TRAIN)
        if keys.setdefault(key, plain) != plain:
            raise ValueError(f"cells that differ in more than method and budgets: {plain} and {keys[key]}")
    return keys


def _middles(keys: Iterable[Key]) -> dict[tuple[str, ...], Key]:
    """Of each graph, method, network and mechanism the budgets in the middle."""
    groups: dict[tuple[str, ...], list[Key]] = defaultdict(list)
    for key in sorted(keys):
        groups[key[:4]].append(key)
    return {group: members[len(members) // 2] for group, members in groups.items()}


def _variants(cell: Cell, chosen: Mapping[str, Any], grid: Grid) -> list[Cell]:
    """The cell with each value of a grid in turn; what it states itself stays.

    Until penalties are searched, Solitude's graph is held as it was collected: learning it triples the price.
    """
    first = FIRST_OF_SOLITUDE if cell.method == "solitude" else FIRST
    stated: Any = {word: getattr(cell, word) for word in cell.wanted if getattr(cell, word) is not None}
    if cell.method == "solitude" and grid is not PENALTIES:
        cell = dataclasses.replace(cell, method="smoothing", lambda_1=None, lambda_2=None)
    tried = {word: values for word, values in grid.items() if word in cell.wanted and word not in stated}
    points = (dict(zip(tried, values, strict=True)) for values in itertools.product(*tried.values()))
    settings = (first | dict(chosen) | point | stated for point in points)
    return [
        dataclasses.replace(cell, **{word: found.get(word) for word in cell.wanted}) for found in settings
    ]
