"""``hushgraph datasets``."""

from __future__ import annotations

from rich.table import Table

from hushgraph.cli import console, options

SIZES = ("nodes", "edges", "features", "classes")


def datasets(root: options.Root = None, as_json: options.AsJson = False) -> None:
    """List the graphs that hushgraph knows, and which of them are at hand."""
    from hushgraph.datasets import available
    from hushgraph.datasets.loading import data_folder
    from hushgraph.datasets.named import NAMED

    folder = data_folder(root)
    rows = []
    for name, description in available().items():
        known = NAMED.get(name)
        sizes = dict.fromkeys(SIZES) if known is None else {size: getattr(known, size) for size in SIZES}
        at_hand = (
            "built in" if known is None else "yes" if (folder / known.file).exists() else "to be fetched"
        )
        rows.append({"name": name, **sizes, "at_hand": at_hand, "description": description})
    if as_json:
        console.print_json({"folder": str(folder), "graphs": rows})
        return
    table = Table("name", title=f"Graphs (data folder: {folder})", title_justify="left")
    for size in SIZES:
        table.add_column(size, justify="right")
    table.add_column("at hand")
    wide = console.output.width >= 130
    if wide:
        table.add_column("description")
    for row in rows:
        shown = ("any" if row[size] is None else f"{row[size]:,}" for size in SIZES)
        table.add_row(row["name"], *shown, row["at_hand"], *([row["description"]] if wide else []))
    console.output.print(table)
