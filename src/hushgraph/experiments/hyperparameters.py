"""Which hyper-parameters a cell is run with: those the authors published, or those of one's own search."""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from hushgraph._files import atomic_write
from hushgraph.experiments.old_names import todays

OPTIMIZER = ("learning_rate", "weight_decay", "dropout")
STEPS = ("k_x", "k_y")
LAMBDAS = ("lambda_1", "lambda_2")
# By what the rows of each table are found.
PAIR = ("dataset", "feature", "epsilon_x", "epsilon_y")
LISTS = ("dataset", "method", "backbone", "features", "epsilon_x", "epsilon_y", "epsilon_a")
FORMAT = 1
Key = tuple[Any, ...]
Found = dict[Key, dict[str, Any]]
Rows = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """Tables of what was found for each graph and pair of budgets.

    Where the graph is public, there are two: what Adam is told and how many steps KProp makes. Their keys are
    (dataset, features, ε_x, ε_y), where features are ``"private"`` or a public stand-in such as ``"ones"``.
    Steps are found for every pair, and Adam's settings for the same pair or, as the LPGNN authors did, once
    for a finite ε (at 1) and once for ∞.

    Where neighbour lists are private, ``lists`` has everything, by (dataset, method, network, mechanism for
    features, ε_x, ε_y, ε_a).
    """

    source: str
    optimizer: Found
    steps: Found
    lists: Found = field(default_factory=dict)

    @classmethod
    def published(cls) -> Hyperparameters:
        """What the LPGNN authors chose on noisy validation data."""
        steps = [{"feature": "private", **row} for row in published_rows("lpgnn_steps")]
        return cls.from_rows("LPGNN's authors", published_rows("lpgnn_optimizer"), steps)

    @classmethod
    def packaged(cls, name: str | None) -> Hyperparameters:
        """A set that comes with hushgraph; without a name, what the LPGNN authors published."""
        if name is None:
            return cls.published()
        file = resources.files("hushgraph.experiments.catalog").joinpath(f"{name}.json")
        if not file.is_file():
            raise ValueError(f"hushgraph has no hyper-parameters named {name!r}")
        with resources.as_file(file) as path:
            return cls.read(path)

    @classmethod
    def from_rows(cls, source: str, optimizer: Rows, steps: Rows, lists: Rows = ()) -> Hyperparameters:
        """From rows that have the words of their key and the values."""
        return cls(
            source, _table(PAIR, optimizer, OPTIMIZER), _table(PAIR, steps, STEPS), _table(LISTS, lists)
        )

    @classmethod
    def read(cls, path: str | Path) -> Hyperparameters:
        """Reads what :meth:`write` wrote."""
        path = Path(path)
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            if values["format"] > FORMAT:
                raise ValueError("it was written by a newer hushgraph: upgrade, or search again")
            return cls.from_rows(
                values["source"], values["optimizer"], values["steps"], values.get("lists", ())
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(f"{path} holds no hyper-parameters of 'hushgraph tune': {error!r}") from error

    def write(self, path: str | Path) -> None:
        """Writes the tables as one JSON document."""
        with atomic_write(path) as file:
            file.write((json.dumps(self.document(), indent=1, ensure_ascii=False) + "\n").encode())

    @property
    def digest(self) -> str:
        """Tells two sets of hyper-parameters apart."""
        tables = {name: table for name, table in self.document().items() if name not in ("format", "source")}
        return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()[:16]

    def look_up(self, dataset: str, features: str, epsilon_x: float, epsilon_y: float) -> dict[str, Any]:
        """The arguments of LPGNN for a cell; a stand-in that was not searched has those of true features."""

        def found(table: Found, *pairs: tuple[float, float]) -> dict[str, Any] | None:
            keys = ((dataset, kind, *pair) for kind in (features, "private") for pair in pairs)
            return next((table[key] for key in keys if key in table), None)

        exact = epsilon_x, epsilon_y
        optimizer = found(self.optimizer, exact, (as_tuned(epsilon_x), as_tuned(epsilon_y)))
        steps = found(self.steps, exact)
        if optimizer is None or steps is None:
            raise LookupError(
                f"{self.source} chose no hyper-parameters for {dataset} with {features} features at"
                f" (ε_x, ε_y) = ({epsilon_x:g}, {epsilon_y:g}): state k_x, k_y, {', '.join(OPTIMIZER)} in the"
                " experiment, or search with 'hushgraph tune' and give its file as --hyperparameters"
            )
        return {**steps, **optimizer}

    def look_up_lists(self, wanted: Key) -> dict[str, Any]:
        """What was found for a method where lists are private, at the nearest budgets that were searched."""

        def distances(key: Key) -> tuple[float, ...]:
            return tuple(map(_distance, key[4:], wanted[4:]))

        near = [key for key in self.lists if key[:4] == wanted[:4] and math.isfinite(sum(distances(key)))]
        if not near:
            dataset, method, backbone, features, *_ = wanted
            raise LookupError(
                f"nobody searched hyper-parameters for {method} with {backbone} and {features} features on"
                f" {dataset}, at budgets that are finite where these are; state them in the cells, or use"
                " 'hushgraph tune-solitude' and give its file as --hyperparameters"
            )
        return self.lists[min(near, key=distances)]

    def document(self) -> dict[str, Any]:
        """The tables as plain values for JSON."""

        def rows(words: Iterable[str], table: Found) -> list[dict[str, Any]]:
            plain = {key: ["inf" if word == math.inf else word for word in key] for key in sorted(table)}
            return [dict(zip(words, plain[key], strict=True)) | table[key] for key in plain]

        public = {"optimizer": rows(PAIR, self.optimizer), "steps": rows(PAIR, self.steps)}
        lists = {"lists": rows(LISTS, self.lists)} if self.lists else {}
        return {"format": FORMAT, "source": self.source, **public, **lists}


def _table(words: Iterable[str], rows: Rows, names: Iterable[str] = ()) -> Found:
    """By these words of each row its values: those of these names, or whatever it has."""
    table = {}
    for row in map(todays, rows):
        key = tuple((float if word.startswith("epsilon") else str)(row[word]) for word in words)
        present = names or [name for name in (*OPTIMIZER, *LAMBDAS, *STEPS) if name in row]
        table[key] = {name: (_whole if name in STEPS else float)(row[name]) for name in present}
    return table


def _whole(value: Any) -> int:
    if float(value) != int(value):
        raise ValueError(f"steps must be whole numbers, got {value!r}")
    return int(value)


def _distance(one: float, other: float) -> float:
    """Between two budgets, by their ratio; what is not randomised is nearest to its like alone."""
    return 0.0 if one == other else abs(math.log(one) - math.log(other))


def as_tuned(epsilon: float) -> float:
    """The budget at which Adam's settings were searched: 1 stands for every finite one."""
    return epsilon if math.isinf(epsilon) else 1.0


def published_rows(name: str) -> list[dict[str, str]]:
    """The rows of one of the published CSV files."""
    text = resources.files("hushgraph.experiments.published").joinpath(f"{name}.csv").read_text("utf-8")
    return [todays(row) for row in csv.DictReader(text.splitlines())]
