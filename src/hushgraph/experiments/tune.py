"""The LPGNN paper's search for hyper-parameters, on noisy data only.

Whatever is tried on one collection is post-processing of its reports. Another pair of budgets, or another
repeat, is another collection of the same people: what they spend adds up.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushgraph import _check
from hushgraph.experiments.asked import Asked, asked_by_search, sentences
from hushgraph.experiments.hyperparameters import OPTIMIZER, STEPS, Hyperparameters, Key, as_tuned
from hushgraph.experiments.runs import check_name
from hushgraph.experiments.store import ResultStore
from hushgraph.experiments.studies.lpgnn import VALIDATION, Cell
from hushgraph.experiments.trials import Trials
from hushgraph.local.public_features import KINDS as STAND_INS

# LPGNN, section 4: what is tried, and the steps at which Adam's settings are searched.
RATES = (1e-4, 1e-3, 1e-2)
DROPOUTS = (0.0, 0.25, 0.5, 0.75)
KPROP_STEPS = (0, 2, 4, 8, 16)
FIRST_STEPS = {"cora": (16, 8), "pubmed": (16, 2), "facebook": (4, 2), "lastfm": (8, 2)}
OTHER_FIRST_STEPS = (8, 2)
PRIVATE = "private"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """What is tried.

    Attributes:
        features: ``"private"`` and public stand-ins such as ``"ones"``.
        backbone, selection, epochs: of the models.
        learning_rates, weight_decays, dropouts, steps: the values.
    """

    features: tuple[str, ...] = (PRIVATE,)
    backbone: str = "sage"
    selection: str = "reference"
    epochs: int = 500
    learning_rates: tuple[float, ...] = RATES
    weight_decays: tuple[float, ...] = RATES
    dropouts: tuple[float, ...] = DROPOUTS
    steps: tuple[int, ...] = KPROP_STEPS

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            if getattr(self, field.name) == ():
                raise ValueError(f"{field.name} must name at least one value to try")
        for kind in self.features:
            _check.choice(kind, "features", (PRIVATE, *STAND_INS))


@dataclass(frozen=True, kw_only=True)
class Search(Grid):
    """What is tried, for whom.

    Attributes:
        datasets: graphs, each for itself.
        epsilon_x, epsilon_y: the budgets; every pair of them is one collection, and gets its steps.
        repeats: collections of each pair, over which the validation loss is averaged.
        as_published: whether Adam's settings are searched at ε = 1 in place of every finite budget, as in the
            paper, which takes another collection; otherwise at the budgets themselves.
    """

    datasets: tuple[str, ...]
    epsilon_x: tuple[float, ...]
    epsilon_y: tuple[float, ...]
    repeats: int = 1
    as_published: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("epsilon_x", "epsilon_y"):
            _check.keep(self, **{name: tuple(_check.epsilon(value, name) for value in getattr(self, name))})
        _check.count(self.repeats, "repeats", minimum=1)
        for dataset in self.datasets:
            check_name(dataset)

    def for_adam(self, epsilon: float) -> float:
        """The budget at which Adam's settings are searched."""
        return as_tuned(epsilon) if self.as_published else epsilon


def asked(wanted: Search, root: Path | None = None) -> list[Asked]:
    """The collections that a search takes."""
    keys: dict[Key, None] = {}
    if PRIVATE in wanted.features:
        keys |= dict.fromkeys(_keys(wanted, [PRIVATE], wanted.epsilon_x, wanted.epsilon_y, adam=True))
        keys |= dict.fromkeys(_keys(wanted, [PRIVATE], wanted.epsilon_x, wanted.epsilon_y))
    keys |= dict.fromkeys(_keys(wanted, _stand_ins(wanted), [math.inf], wanted.epsilon_y, adam=True))
    cells = (_adam_trials(wanted, key, _first_steps(key))[0] for key in keys)
    return asked_by_search(VALIDATION, cells, wanted.repeats, root)


def search(wanted: Search, results: ResultStore, **how: Any) -> Hyperparameters:
    """The paper's two stages; ``how`` is for :class:`~hushgraph.experiments.trials.Trials`.

    First Adam's settings are searched at fixed steps, then steps, both for every pair of budgets on one
    collection (or Adam's as published, see :class:`Search`). Without label noise nothing is to be smoothed:
    K_y is 0 there. The lowest forward-corrected validation loss wins, among models that do not know the noise
    better than a perfect one could. Of labels only the reports are seen, and nothing of test people.
    """
    trials = Trials(
        study=VALIDATION, source="LPGNN, section 4", results=results, repeats=wanted.repeats, **how
    )
    said = " ".join(sentences(asked(wanted, trials.root)))
    found = Hyperparameters(f"'hushgraph tune' with {wanted.backbone} ({said})", {}, {})
    if PRIVATE in wanted.features:
        _search_private(wanted, trials, found)
    if _stand_ins(wanted):
        _search_stand_ins(wanted, trials, found)
    return found


def _search_private(wanted: Search, trials: Trials, found: Hyperparameters) -> None:
    budgets = wanted.epsilon_x, wanted.epsilon_y
    first = _keys(wanted, [PRIVATE], *budgets, adam=True)
    adam = {key: _adam_trials(wanted, key, _first_steps(key)) for key in first}
    for key, cell in trials.winners("Adam's settings", adam).items():
        found.optimizer[key] = _values(cell, OPTIMIZER)
    steps = {}
    for key in _keys(wanted, [PRIVATE], *budgets):
        dataset, kind, epsilon_x, epsilon_y = key
        chosen = found.optimizer[dataset, kind, wanted.for_adam(epsilon_x), wanted.for_adam(epsilon_y)]
        pairs = itertools.product(wanted.steps, (0,) if math.isinf(epsilon_y) else wanted.steps)
        steps[key] = [_cell(wanted, key, pair, chosen) for pair in pairs]
    for key, cell in trials.winners("KProp's steps", steps).items():
        found.steps[key] = _values(cell, STEPS)


def _search_stand_ins(wanted: Search, trials: Trials, found: Hyperparameters) -> None:
    """Public features need no denoising; labels are smoothed as for true ones, if those were searched."""
    budgets = [math.inf], wanted.epsilon_y

    def k_y(key: Key) -> int:
        searched = found.steps.get((key[0], PRIVATE, *key[2:]))
        return searched["k_y"] if searched else _first_steps(key)[1]

    first = _keys(wanted, _stand_ins(wanted), *budgets, adam=True)
    adam = {key: _adam_trials(wanted, key, (0, k_y(key))) for key in first}
    for key, cell in trials.winners("stand-ins", adam).items():
        found.optimizer[key] = _values(cell, OPTIMIZER)
    for key in _keys(wanted, _stand_ins(wanted), *budgets):
        found.steps[key] = {"k_x": 0, "k_y": k_y(key)}


def _stand_ins(wanted: Search) -> list[str]:
    return [kind for kind in wanted.features if kind != PRIVATE]


def _keys(
    wanted: Search, kinds: Iterable[str], *budgets: Iterable[float], adam: bool = False
) -> Iterable[Key]:
    """For each graph and kind of features every pair of budgets, or those for Adam's settings."""
    pairs = (map(wanted.for_adam, one) if adam else one for one in budgets)
    return itertools.product(wanted.datasets, kinds, *map(dict.fromkeys, pairs))


def _adam_trials(wanted: Search, key: Key, steps: tuple[int, int]) -> list[Cell]:
    grid = itertools.product(wanted.learning_rates, wanted.weight_decays, wanted.dropouts)
    return [_cell(wanted, key, steps, dict(zip(OPTIMIZER, values, strict=True))) for values in grid]


def _cell(wanted: Search, key: Key, steps: tuple[int, int], adam: Mapping[str, Any]) -> Cell:
    dataset, kind, epsilon_x, epsilon_y = key
    return Cell(
        dataset=dataset,
        features="multi-bit" if kind == PRIVATE else kind,
        epsilon_x=epsilon_x,
        epsilon_y=epsilon_y,
        backbone=wanted.backbone,
        selection=wanted.selection,
        epochs=wanted.epochs,
        k_x=steps[0],
        k_y=steps[1],
        **adam,
    )


def _first_steps(key: Key) -> tuple[int, int]:
    k_x, k_y = FIRST_STEPS.get(key[0], OTHER_FIRST_STEPS)
    return k_x, 0 if math.isinf(key[3]) else k_y


def _values(cell: Cell, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(cell, name) for name in names}
