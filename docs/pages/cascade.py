"""The page of the cascade beside the papers' methods, on the same splits and reports."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from docs.pages.kept import tables, tables_or_none
from docs.pages.markdown import counts_table, signed, table

from hushgraph.experiments.formatting import graph_alone, name_of, number, ours, shown
from hushgraph.experiments.tables import NOT_RUN, Row, Table
from hushgraph.metrics import student_half_width

FOLDER = "cascade-papers"
LPGNN = ("table2", "table3", "table4", "figure3")
LISTS = {"solitude-table3": "solitude/table3", "solitude-small-budgets": "solitude/small-budgets"}
NOISY_LABELS = "solitude/noisy-labels"
NAMES = tuple(f"cascade/{name}" for name in (*LPGNN, "total", *LISTS))
BUDGETS = ("epsilon_x", "epsilon_y", "epsilon_a")
# What a person sends in a cell, which both sides of a comparison have in common.
ASKED = ("dataset", "features", *BUDGETS)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A cell of the cascade beside the best of the paper and the best of the paper's methods here.

    Attributes:
        cascade: what was measured of it.
        rivals: measured rows that learn from reports of the same budgets.
    """

    cascade: Row
    rivals: tuple[Row, ...]

    @property
    def paper(self) -> float | None:
        """The best published mean among rivals."""
        means = [row.published.mean for row in self.rivals if row.published]
        return max(means, default=None)

    @property
    def best(self) -> Row | None:
        """The best here, which is picked with test accuracy in sight: that is in its favour."""
        measured = [row for row in self.rivals if row.values]
        return max(measured, key=lambda row: row.mean or 0.0, default=None)

    @property
    def gains(self) -> list[float]:
        """Cascade minus the best, seed by seed; none unless both have all their seeds."""
        if self.best is None or any(len(row.values) < row.wanted for row in (self.cascade, self.best)):
            return []
        return [one - other for one, other in zip(self.cascade.values, self.best.values, strict=False)]


def figures() -> dict[str, Any]:
    """What the template asks for."""
    found = tables_or_none(FOLDER, NAMES)
    others = tables("lpgnn", "exact-noise", "solitude", "solitude-figures", "solitude-noisy-labels")
    noisy_labels = others[NOISY_LABELS].rows
    of_lpgnn = {name: against(found[f"cascade/{name}"], others[f"lpgnn/{name}"].rows) for name in LPGNN}
    of_lpgnn["table2"] = against(found["cascade/table2"], with_todays_noise(others))
    of_lists = {
        name: against(found[f"cascade/{name}"], [*others[rivals].rows, *noisy_labels])
        for name, rivals in LISTS.items()
    }
    total = same_total(
        found["cascade/total"], [row for name in LPGNN for row in others[f"lpgnn/{name}"].rows]
    )
    return {
        "all_counts": counts_table(found.values()),
        "standing": standing({**of_lpgnn, **of_lists}),
        "total_gain": mean_gain(total),
        "total": listed(total, ("LPGNN spends", spent), ("LPGNN", best)),
        **{name: listed(cells, ("cell", budgets), ("LPGNN", best)) for name, cells in of_lpgnn.items()},
        **{
            name.replace("-", "_"): listed(cells, ("cell", budgets), ("best here", best_named))
            for name, cells in of_lists.items()
        },
    }


def with_todays_noise(others: dict[str, Table]) -> list[Row]:
    """LPGNN's Table 2, with the cells whose noise is now drawn exactly as they were measured again."""
    again = others["choices/exact-noise"].rows
    cells = {row.cell for row in again}
    return [*(row for row in others["lpgnn/table2"].rows if row.cell not in cells), *again]


def against(cascade: Table, rivals: Iterable[Row]) -> list[Comparison]:
    """Each cell beside the rows that learn from the same reports; of losses for LPGNN, Drop alone."""
    beside: dict[tuple[Any, ...], list[Row]] = {}
    for row in rivals:
        if getattr(row.cell, "loss", "drop") == "drop":
            beside.setdefault(asked(row), []).append(row)
    return [
        Comparison(row, tuple(of_seeds(one, len(row.values)) for one in beside.get(asked(row), ())))
        for row in cascade.rows
    ]


def of_seeds(row: Row, seeds: int) -> Row:
    """The row over the seeds that the cascade has, if it has more of them: columns are to subtract."""
    if not 0 < seeds < len(row.values):
        return row
    return dataclasses.replace(row, values=row.values[:seeds], wanted=seeds, interval=None)


def same_total(cascade: Table, rivals: Iterable[Row]) -> list[Comparison]:
    """Each private pair of budgets of LPGNN with ε_y ≤ 2 beside the cascade with their sum on the label."""
    by_total = {(row.cell.dataset, round(row.cell.epsilon_y, 9)): row for row in cascade.rows}
    pairs: dict[tuple[Any, ...], list[Row]] = {}
    for row in rivals:
        cell = row.cell
        private = cell.features == "multi-bit" and math.isfinite(cell.epsilon_x) and cell.epsilon_y <= 2
        if private and cell.loss == "drop":
            pairs.setdefault((cell.dataset, cell.epsilon_x, cell.epsilon_y), []).append(row)
    return [
        Comparison(by_total[dataset, round(epsilon_x + epsilon_y, 9)], tuple(rows))
        for (dataset, epsilon_x, epsilon_y), rows in pairs.items()
        if (dataset, round(epsilon_x + epsilon_y, 9)) in by_total
    ]


def asked(row: Row) -> tuple[Any, ...]:
    """What people of a cell are asked, and where."""
    return tuple(getattr(row.cell, word, None) for word in ASKED)


def listed(cells: Sequence[Comparison], what: tuple[str, Any], rival: tuple[str, Any]) -> str:
    """A line for each cell."""
    headings = ("graph", what[0], "cascade", "graph alone", "paper", rival[0], "difference")
    return table(
        headings,
        (
            (
                name_of(one.cascade.cell.dataset), what[1](one), ours(one.cascade) or NOT_RUN,
                graph_alone(one.cascade), "–" if one.paper is None else number(one.paper, one.cascade.study),
                rival[1](one), difference(one.gains),
            )
            for one in cells
        ),
    )  # fmt: skip


def budgets(one: Comparison) -> str:
    """The mechanism and the budgets of a cell."""
    cell = one.cascade.cell
    features = [] if cell.features == "multi-bit" else [name_of(cell.features)]
    stated = [word for word in BUDGETS if hasattr(cell, word)]
    return ", ".join([*features, *(shown(word, getattr(cell, word)) for word in stated)])


def spent(one: Comparison) -> str:
    """The budgets of the rival, where the cascade has their sum."""
    cell = one.rivals[0].cell
    return ", ".join(shown(word, getattr(cell, word)) for word in ("epsilon_x", "epsilon_y"))


def best(one: Comparison) -> str:
    """The mean of the best rival."""
    return NOT_RUN if one.best is None or one.best.mean is None else number(one.best.mean, one.best.study)


def best_named(one: Comparison) -> str:
    """The same with the name of its method; where nobody else was measured, nothing to compare with."""
    return "–" if one.best is None else f"{best(one)} ({name_of(one.best.cell.method)})"


def difference(gains: Sequence[float]) -> str:
    """The mean of differences by seed, with Student's 95 % interval."""
    if len(gains) < 2:
        return "–"
    return f"{signed(statistics.fmean(gains))} ± {student_half_width(gains):.1f}"


def standing(compared: dict[str, list[Comparison]]) -> str:
    """In how many cells of each experiment the cascade is at least as good."""
    lines = []
    for name, cells in compared.items():
        run = [one for one in cells if one.cascade.values]
        with_paper = [one for one in run if one.paper is not None]
        with_rival = [one for one in run if one.best is not None]
        clear = [
            statistics.fmean(one.gains) - student_half_width(one.gains) for one in run if len(one.gains) > 1
        ]
        worse = [
            statistics.fmean(one.gains) + student_half_width(one.gains) for one in run if len(one.gains) > 1
        ]
        lines.append(
            (
                f"`cascade/{name}`",
                f"{len(run)} of {len(cells)}",
                f"{sum(one.cascade.mean >= one.paper for one in with_paper)} of {len(with_paper)}",
                f"{sum(one.cascade.mean >= one.best.mean for one in with_rival)} of {len(with_rival)}",
                f"{sum(low > 0 for low in clear)} of {len(clear)}",
                f"{sum(high < 0 for high in worse)} of {len(worse)}",
            )
        )
    return table(
        ("experiment", "cells run", "at least the paper", "at least the best here", "clearly better",
         "clearly worse"),
        lines,
    )  # fmt: skip


def mean_gain(cells: Sequence[Comparison]) -> str:
    """The mean over cells of what the cascade gains, with Student's interval over seeds."""
    gains = [one.gains for one in cells if len(one.gains) > 1]
    if not gains:
        return NOT_RUN
    by_seed = [statistics.fmean(seed) for seed in zip(*gains, strict=False)]
    return f"{difference(by_seed)} points over {len(gains)} of {len(cells)} cells"
