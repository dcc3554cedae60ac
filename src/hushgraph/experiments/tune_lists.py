"""The Solitude paper's search for hyper-parameters, on the validation labels that a server has."""

from __future__ import annotations

import dataclasses
import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hushgraph.experiments.folder import ResultsFolder
from hushgraph.experiments.hyperparameters import LAMBDAS, OPTIMIZER, STEPS, Hyperparameters, ListKey
from hushgraph.experiments.studies.solitude import SEARCHED_AS, TRAIN, VALIDATION, Cell
from hushgraph.experiments.trials import Trials
from hushgraph.experiments.words import counted

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


def search(cells: Iterable[Cell], results: ResultsFolder, *, repeats: int, **how: Any) -> Hyperparameters:
    """Hyper-parameters for the methods and budgets of these cells, in three stages.

    The paper tries every combination for every pair of budgets, of which there are sixteen thousand. Here
    Adam's settings are searched first, once for each graph, network and method, at the pair in the middle;
    then smoothing steps for every pair of budgets; then Solitude's penalties. The most validation labels
    guessed wins; test people have no part in it.
    """
    trials = Trials(study=VALIDATION, source="Solitude, section 4.1", results=results, repeats=repeats, **how)
    searched = (dataclasses.replace(cell, method=SEARCHED_AS.get(cell.method, cell.method)) for cell in cells)
    keys = {_key(cell): cell for cell in searched}
    chosen: dict[ListKey, dict[str, Any]] = {key: {} for key in keys}
    middles = _middles(keys)
    plain = {"solitude": "smoothing"}  # learning the graph triples the price of a trial

    def stage(name: str, wanted: Iterable[ListKey], grid: Grid) -> None:
        held = {} if grid is PENALTIES else plain
        groups = {
            key: _variants(keys[key], held, chosen[key], grid)
            for key in wanted
            if set(grid) & set(keys[key].wanted)
        }
        for key, winner in trials.winners(name, groups).items() if groups else ():
            chosen[key] |= {word: getattr(winner, word) for word in grid if word in keys[key].wanted}

    stage("Adam's settings", middles.values(), ADAM)
    for key in keys:
        chosen[key] |= chosen[middles[key[:3]]]
    stage("smoothing steps", keys, SMOOTHING)
    stage("penalties", keys, PENALTIES)
    source = f"'hushgraph tune-solitude' ({counted(repeats, 'collection')})"
    return Hyperparameters(source, {}, {}, chosen)


def _key(cell: Cell) -> ListKey:
    return cell.dataset, cell.method, cell.backbone, cell.eps_x, cell.eps_a


def _middles(keys: Iterable[ListKey]) -> dict[tuple[str, str, str], ListKey]:
    """Of each graph, method and network the pair of budgets in the middle."""
    groups: dict[tuple[str, str, str], list[ListKey]] = defaultdict(list)
    for key in sorted(keys):
        groups[key[:3]].append(key)
    return {group: members[len(members) // 2] for group, members in groups.items()}


def _variants(cell: Cell, held: Mapping[str, str], chosen: Mapping[str, Any], grid: Grid) -> list[Cell]:
    first = FIRST_OF_SOLITUDE if cell.method == "solitude" else FIRST
    plain: Any = {"method": held.get(cell.method, cell.method), "label_rate": TRAIN}
    wanted = dataclasses.replace(cell, **plain | dict.fromkeys((*OPTIMIZER, *STEPS, *LAMBDAS))).wanted
    tried = {word: values for word, values in grid.items() if word in wanted}
    points = (dict(zip(tried, values, strict=True)) for values in itertools.product(*tried.values()))
    settings = (first | dict(chosen) | point for point in points)
    return [
        dataclasses.replace(cell, **plain | {word: found.get(word) for word in wanted}) for found in settings
    ]
