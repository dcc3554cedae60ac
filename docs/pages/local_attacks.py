"""The page of attacks on reports, and of fake people."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from typing import Any

from docs.pages.kept import measured
from docs.pages.markdown import table

from hushgraph.experiments.formatting import name_of
from hushgraph.metrics import student_half_width

Measured = dict[str, Any]
FALSE_ALARM = 0.01
SCREENS = ("unexpected shares", "surprising groups", "uneven columns", "impossible signs", "equal choices")
KNOWLEDGE = ("shares of the classes", "the report alone", "everything but the report", "everything")
METHODS = {"cascade": "Cascade", "lpgnn": "LPGNN"}


def figures() -> dict[str, Any]:
    """What the template asks for."""
    document = measured("local-attacks")
    return {
        "seeds": "; ".join(
            f"{part} {' and '.join(str(len({row['seed'] for row in rows})) for rows in graphs.values())}"
            for part, graphs in document.items()
        ),
        "answers": answers(document["several answers"]),
        "friendships": friendships(document["friendships"]),
        "tell": tell(document["friends tell"]),
        "poisoning": poisoning(document["poisoning"]),
        "screens": screens(document["screens"]),
        "honest": honest(document["honest people"]),
        "alarms": ", ".join(
            f"{percent(statistics.mean(found))} with {METHODS[name]}'s"
            for name, found in alarms_by_method(document["honest people"]["cora"]).items()
        ),
    }


def answers(graphs: dict[str, list[Measured]]) -> str:
    """Several answers of a label, closed form and measured; of a feature, the closed form."""
    lines = []
    for count, rows in together(graphs["cora"], "answers"):
        facebook = [row for row in graphs["facebook"] if row["answers"] == count[0]]
        lines.append(
            (
                str(count[0]),
                *(mean(rows, name) for name in ("closed_form", "measured", "remembered")),
                *(mean(facebook, name) for name in ("closed_form", "measured", "remembered")),
                mean(rows, "one_feature_of_ten"),
            )
        )
    of_each = ("closed form", "measured", "remembered")
    heads = (f"{graph}, {what}" for graph in ("Cora", "Facebook") for what in of_each)
    return table(("answers", *heads, "one of ten features"), lines)


def friendships(graphs: dict[str, list[Measured]]) -> str:
    """Closed forms beside what was measured."""
    lines = [
        (
            name_of(graph),
            f"{epsilon:g}",
            *(f"{mean(rows, name)} ({mean(rows, f'{name}_closed')})" for name in ("tpr", "fpr", "auc")),
            mean(rows, "auc_bound"),
            *(mean(rows, name) for name in ("auc_classes", "auc_friends_in_common", "auc_classes_and_own")),
        )
        for graph, every in graphs.items()
        for (epsilon,), rows in together(every, "epsilon_of_a_list")
    ]
    of_others = ("AUC, classes", "AUC, friends in common", "AUC, lists and classes")
    own = ("friends found", "strangers accused", "AUC", "AUC that 2ε allows")
    return table(("graph", "ε of a list", *own, *of_others), lines)


def tell(graphs: dict[str, list[Measured]]) -> str:
    """Attackers of growing knowledge."""
    lines = [
        (
            name_of(graph),
            METHODS[method],
            f"{epsilon:g}",
            *(mean(rows, lambda row, who=who: row["accuracy"][who]) for who in KNOWLEDGE),
            mean(rows, "bound"),
        )
        for graph, every in graphs.items()
        for (method, epsilon), rows in together(every, "method", "epsilon")
    ]
    return table(("graph", "from", "ε", *KNOWLEDGE, "what ε allows on top"), lines)


def poisoning(graphs: dict[str, list[Measured]]) -> str:
    """What fakes cost."""
    ways = ("as it came", "thinned", "thinned to equal shares")
    lines = [
        (
            name_of(graph),
            percent(share),
            lie if share else "–",
            METHODS[method],
            *(with_interval([row["accuracy"].get(way) for row in rows]) for way in ways),
        )
        for graph, every in graphs.items()
        for (share, lie, method), rows in together(every, "share", "lie", "method")
    ]
    return table(("graph", "fakes", "they say", "method", *ways), lines)


def screens(graphs: dict[str, list[Measured]]) -> str:
    """How often each screen cried out."""
    lines = []
    for graph, every in graphs.items():
        for (share, lie), rows in together(every, "share", "lie"):
            cried = [
                f"{sum(row['p_values'][name] <= FALSE_ALARM for row in rows)} of {len(rows)}"
                if name in rows[0]["p_values"]
                else "–"
                for name in SCREENS
            ]
            weeks = "–"
            if "other weeks noticed" in rows[0]:
                weeks = f"{mean(rows, 'weeks of fakes noticed', 1)}, {mean(rows, 'other weeks noticed', 1)}"
            without = mean(rows, "accuracy without them") if "accuracy without them" in rows[0] else "–"
            lines.append((name_of(graph), percent(share), lie if share else "–", *cried, weeks, without))
    heads = ("weeks noticed, of fakes and others", "Cascade without these")
    return table(("graph", "fakes", "they say", *SCREENS, *heads), lines)


def honest(graphs: dict[str, list[Measured]]) -> str:
    """In how many collections without fakes each screen cried out, at its stated rate."""
    names = dict.fromkeys(name for every in graphs.values() for row in every for name in row["p_values"])
    lines = [(name, *(alarms(every, name) for every in graphs.values())) for name in names]
    return table(("screen", *map(name_of, graphs)), lines)


def alarms(every: list[Measured], name: str) -> str:
    """At 5 % and at 1 %, of how many."""
    found = [row["p_values"][name] for row in every if name in row["p_values"]]
    if not found:
        return "–"
    return (
        f"{sum(one <= 0.05 for one in found)} and {sum(one <= FALSE_ALARM for one in found)} of {len(found)}"
    )


def alarms_by_method(every: list[Measured]) -> dict[str, list[float]]:
    """How often people put into groups at random cry out at 5 %, by whose posterior is asked."""
    names = every[0]["false alarms at 5 %"]
    return {name: [row["false alarms at 5 %"][name] for row in every] for name in names}


def with_interval(found: list[float | None]) -> str:
    """The mean over seeds with Student's 95 % interval; a dash where it was not measured."""
    values = [one for one in found if one is not None]
    if len(values) < len(found):
        return "–"
    if len(values) < 2:
        return f"{statistics.mean(values):.3f}"
    return f"{statistics.mean(values):.3f} ± {student_half_width(values):.3f}"


def together(rows: Iterable[Measured], *names: str) -> list[tuple[tuple[Any, ...], list[Measured]]]:
    """The rows of all seeds of each cell, in the order of their first."""
    cells: dict[tuple[Any, ...], list[Measured]] = {}
    for row in rows:
        cells.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(cells.items())


def mean(rows: list[Measured], name: str | Callable[[Measured], float], digits: int = 3) -> str:
    """Over seeds; a dash where it was not measured."""
    pick = name if callable(name) else lambda row: row.get(name)
    found = [pick(row) for row in rows]
    if not found or None in found:
        return "–"
    value = statistics.mean(found)
    return f"{value:.0e}" if 0 < value < 5e-4 and digits == 3 else f"{value:.{digits}f}"


def percent(value: float) -> str:
    """A share."""
    return f"{100 * value:g} %"
