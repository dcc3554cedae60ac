"""The part of the results page about methods with a trusted curator."""

from __future__ import annotations

from typing import Any

from report_tables import reproduced, table

from hushgraph.experiments.formatting import name_of


def curator_cells(name: str) -> list[dict[str, str]]:
    """The measured cells of one of NIP-GNN's tables."""
    (cells,) = (cells for table_name, cells in reproduced("nip-gnn") if table_name.endswith(name))
    return [cell for cell in cells if cell["mean"]]


def curator_table(name: str, epsilon: str | None = None) -> str:
    """Ours with the published figure in parentheses, one column for each graph."""
    cells = {
        (cell["method"], cell["dataset"]): cell
        for cell in curator_cells(name)
        if epsilon is None or cell["epsilon"] == epsilon
    }
    graphs = list(dict.fromkeys(graph for _, graph in cells))

    def shown(cell: dict[str, str]) -> str:
        theirs = f" ({float(cell['published']):.1f})" if cell["published"] else ""
        return f"{float(cell['mean']):.1f} ± {float(cell['half_width']):.1f}{theirs}"

    methods = dict.fromkeys(method for method, _ in cells)
    return table(
        ("method", *graphs), ((name_of(m), *(shown(cells[m, graph]) for graph in graphs)) for m in methods)
    )


def curator_counts(prefix: str) -> str:
    """How the cells of methods whose name begins so compare with the paper."""
    verdicts = [
        cell["verdict"]
        for name in ("table1", "table2", "table3")
        for cell in curator_cells(name)
        if cell["method"].startswith(prefix) and cell["published"]
    ]
    return ", ".join(f"{verdicts.count(word)} {word}" for word in ("met", "above", "below"))


def curator_bench(found: dict[str, Any]) -> str:
    rows = []
    for name, sides in found["methods"].items():
        private, ceiling = sides["private"], sides["ceiling"]
        rows.append(
            (
                name,
                f"{private['seconds']:.0f}",
                f"{ceiling['seconds']:.0f}",
                f"{private['seconds'] / ceiling['seconds']:.1f}",
                f"{private['peak_megabytes']:,}",
                f"{ceiling['peak_megabytes']:,}",
            )
        )
    return table(("method", "s, ε = 4", "s, ε = ∞", "ratio", "MB in all, ε = 4", "MB in all, ε = ∞"), rows)
