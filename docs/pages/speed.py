"""The page of speed and memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docs.pages.kept import measured
from docs.pages.markdown import short, table

from hushgraph.experiments.formatting import name_of

Measured = dict[str, Any]


def figures() -> dict[str, Any]:
    """What the template asks for."""
    bench, calibration, device = measured("bench"), measured("calibration"), measured("gpu")
    cascade = measured("cascade-million")
    plain, dense, million = bench["against_plain"], calibration["dense"], bench["a_million"]
    return {
        "faster": ratios(plain, "run_seconds"),
        "smaller": ratios(plain, "megabytes_above_imports"),
        "densest": f"{times(*dense[-2:], 'seconds_an_epoch')} at {dense[-1]['people']:,} people",
        "million_seconds": short(million["seconds_an_epoch"]),
        "million_megabytes": short(million["peak_megabytes_in_all"]),
        "plain_epochs": " and ".join(str(row["plain_epochs"]) for row in plain),
        "plain": plain_table(plain),
        "floor": filled(
            "graph | an epoch | in sparse kernels | floor of operations | floor of bytes",
            "{dataset} | {epoch:.2f} | {kernels:.2f} | {operations:.2f} | {bytes:.2f}",
            bench["against_the_floor"],
        ),
        "growth": filled(
            "people n | edges | features d | K_x | ε_x | bits m | form | ms an epoch | MB allocated",
            "{n:,} | {edges:,} | {d:,} | {k} | {epsilon} | {m} | {form} | {epoch_ms:,.0f} | {megabytes:,.0f}",
            bench["as_it_grows"],
        ),
        "million": table(("", ""), ((name.replace("_", " "), short(million[name])) for name in million)),
        "noise": filled(
            "noise | ns a number, exact | floating-point | ratio",
            "{noise} | {exact:.0f} | {floating:.0f} | {ratio:.0f}",
            measured("noise"),
        ),
        "github": {name: short(value) for name, value in calibration["github"].items()},
        "names": filled(
            "ε_a | names in lists | s to collect | s an epoch | MB above imports | MB in all",
            "{epsilon_a:g} | {names:,} | {seconds_to_collect:.3g} | {seconds_an_epoch:.3g}"
            " | {megabytes_above_imports:,.0f} | {peak_megabytes_in_all:,.0f}",
            calibration["names"],
        ),
        "dense": dense_table(dense),
        "curator": filled(
            "method | s, ε = 4 | s, ε = ∞ | ratio | MB in all, ε = 4 | MB in all, ε = ∞",
            "{method} | {private[seconds]:.0f} | {ceiling[seconds]:.0f} | {ratio:.1f}"
            " | {private[peak_megabytes]:,} | {ceiling[peak_megabytes]:,}",
            (
                {"method": name, "ratio": sides["private"]["seconds"] / sides["ceiling"]["seconds"], **sides}
                for name, sides in measured("curator")["methods"].items()
            ),
        ),
        "device": device,
        "cascade_million": {
            **{name: short(value) for name, value in cascade.items() if isinstance(value, float)},
            "estimate": f"{100 * cascade['accuracy_estimate'][0]:.1f}",
            "accuracy": f"{100 * cascade['test_accuracy']:.1f}",
        },
        "cascade": {
            on: short(seconds) for on, seconds in device["seconds_of_a_million_peoples_cascade"].items()
        },
        "gpu": filled(
            "graph | ms an epoch, GPU | ms an epoch, CPU",
            "{graph} | {gpu_ms:.1f} | {cpu_ms:.1f}",
            device["epochs"],
        ),
    }


def filled(headings: str, line: str, rows: Iterable[Measured]) -> str:
    """A table whose lines are filled with what was measured; ``_ms`` are milliseconds of ``_seconds``."""
    lines = []
    for row in rows:
        named = {name: name_of(row[name]) for name in ("graph", "dataset") if name in row}
        milliseconds = {
            name.replace("_seconds", "_ms"): 1e3 * value
            for name, value in row.items()
            if name.endswith("_seconds")
        }
        lines.append((line.format(**row | named | milliseconds),))
    return table(headings.split(" | "), lines)


def ratios(plain: list[Measured], name: str) -> str:
    """How many times as much the plain formulation takes, graph by graph."""
    return " and ".join(f"{short(row['ratio'][name])} × on {name_of(row['dataset'])}" for row in plain)


def times(sparse: Measured, dense: Measured, name: str) -> str:
    """How many times as much the dense formulation takes."""
    return f"{short(dense[name] / sparse[name])} ×"


def plain_table(rows: list[Measured]) -> str:
    """Ours beside the plain formulation."""
    names = ("epoch_seconds", "run_seconds", "megabytes_above_imports", "megabytes_allocated")
    return table(
        ("graph", "", "s an epoch", "s a run", "MB above imports", "MB allocated"),
        (
            (
                name_of(row["dataset"]),
                f"**{side}**" if side == "ratio" else side,
                *(short(row[side][name]) + " ×" * (side == "ratio") for name in names),
            )
            for row in rows
            for side in ("hushgraph", "plain", "ratio")
        ),
    )


def dense_table(rows: list[Measured]) -> str:
    """Sparse lists beside n × n parameters."""
    lines = []
    for sparse, dense in zip(rows[::2], rows[1::2], strict=True):
        line = [name_of(sparse["graph"]), f"{sparse['people']:,}", f"{sparse['names']:,}"]
        for name in ("seconds_an_epoch", "megabytes_above_imports"):
            line += [short(sparse[name]), short(dense[name]), f"**{times(sparse, dense, name)}**"]
        lines.append(line)
    beside = ("dense", "ratio")
    return table(("graph", "people", "names", "s an epoch", *beside, "MB above imports", *beside), lines)
