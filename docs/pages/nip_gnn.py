"""The page of the NIP-GNN paper: methods with a trusted curator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docs.pages import ballots
from docs.pages.kept import rows, tables, tables_or_none
from docs.pages.markdown import alone, beside, counts, counts_table, grid, repeats_of

from hushgraph.attacks import largest_advantage
from hushgraph.experiments.formatting import number, ours
from hushgraph.experiments.tables import Row
from hushgraph.privacy.sensitivities import Changes

TABLES = ("table1", "table2", "table3")
BASELINES = ("dp-mlp", "dp-sage", "dpdgc", "gap")


def figures() -> dict[str, Any]:
    """What the template asks for."""
    measured_apart = tables_or_none(ballots.FOLDER, (ballots.PERSONS, ballots.EDGES))
    found = tables("nip-gnn", "nip-gnn-figures", "nip-gnn-attacks") | measured_apart
    attacked = rows("nip-gnn-attacks", "nip-gnn/table4")
    everything = [row for name in TABLES for row in rows("nip-gnn", f"nip-gnn/{name}")]
    private = rows("nip-gnn", "nip-gnn/table1", epsilon=4.0)
    capped = rows("nip-gnn-cap", "nip-gnn/table1", epsilon=4.0)
    sound = [row.mean for row in private if row.cell.method == "nip-gnn"]
    ablations = [row for row in everything if row.cell.epsilon in {7.0, 12.0}]
    (cora,) = rows("nip-gnn", "nip-gnn/table3", dataset="cora", method="nip-gnn-published")
    return {
        "repeats": len(private[0].values),
        "features_best": features_best(private),
        "nip_counts": counts(row for row in everything if row.cell.method.startswith("nip-gnn-published")),
        "baseline_counts": counts(row for row in everything if row.cell.method in BASELINES),
        "sound_low": f"{min(sound):.0f}",
        "sound_high": f"{max(sound):.0f}",
        "all_counts": counts_table(found.values()),
        "alone": alone(tables("nip-gnn-cap").values()),
        "private": grid(private, ("method",), "dataset", beside),
        "capped": grid(capped, ("method",), "dataset", beside_before(private)),
        "capped_repeats": len(capped[0].values),
        "sums_factor": f"{sums_of(bounded=False) / sums_of(bounded=True):.1f}",
        "ceilings": grid(
            rows("nip-gnn", "nip-gnn/table1", epsilon=float("inf")), ("method",), "dataset", beside
        ),
        "ablations_7": grid(rows("nip-gnn", "nip-gnn/table2"), ("method",), "dataset", beside),
        "ablations_12": grid(rows("nip-gnn", "nip-gnn/table3"), ("method",), "dataset", beside),
        "attacked": grid(attacked, ("method",), "dataset", beside),
        "attack_counts": counts(attacked),
        "attack_repeats": len(attacked[0].values),
        "facebook_repeats": repeats_of(row for row in attacked if row.cell.dataset == "facebook"),
        "attack_bound": f"{100 * (1 + largest_advantage(4.0)) / 2:.0f}",
        "cora_12": f"{cora.published.mean:.0f}",
        "figure_repeats": len(rows("nip-gnn-figures", "nip-gnn/edges")[0].values),
        **ablation_figures(ablations),
        **ballots.figures(),
    }


def beside_before(before: list[Row]) -> Callable[[Row], str]:
    """Ours with its interval, in parentheses the mean of the same cell before."""
    means = {row.cell: row.mean for row in before}
    return lambda row: f"{ours(row)} ({number(means[row.cell] or 0.0, row.study)})"


def sums_of(*, bounded: bool) -> float:
    """How much a person who is removed changes sums, under the cap of the table."""
    return Changes("node-removal", 10, bounded).l2_of_sums


def features_best(private: list[Row]) -> str:
    """On how many graphs no method is better than the one that leaves the graph out."""
    graphs = dict.fromkeys(row.cell.dataset for row in private)
    best = [
        max((row for row in private if row.cell.dataset == graph), key=lambda row: row.mean)
        for graph in graphs
    ]
    return f"{sum(row.cell.method == 'dp-mlp' for row in best)} of {len(best)} graphs"


def ablation_figures(ablations: list[Row]) -> dict[str, Any]:
    """What leaving out parts of the published NIP-GNN does, here and in the paper."""
    found = {(row.cell.method, row.cell.dataset, row.cell.epsilon): row for row in ablations}
    whole = {key[1:]: row for key, row in found.items() if key[0] == "nip-gnn-published"}
    thinned = [(found["nip-gnn-published-no-degree-sampling", *key], row) for key, row in whole.items()]
    noise = [found["nip-gnn-published-uniform-budget", *key].mean - row.mean for key, row in whole.items()]
    return {
        "unsampled": f"{sum(one.mean > all_.mean for one, all_ in thinned)} of {len(thinned)}",
        "unsampled_paper": sum(one.published.mean > all_.published.mean for one, all_ in thinned),
        "individual": f"{max(map(abs, noise)):.1f}",
    }
