"""Named graphs: from the data folder if they are there, else from their public origin."""

from __future__ import annotations

import inspect
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hushgraph import _check
from hushgraph.datasets.download import UNREACHABLE
from hushgraph.datasets.named import NAMED, NamedGraph
from hushgraph.datasets.npz import FORMAT, read_npz, save
from hushgraph.graph import Graph
from hushgraph.registry import DATASETS

ENVIRONMENT = "HUSHGRAPH_DATA"


def available() -> dict[str, str]:
    """The names that :func:`load` knows, each with one line about the graph.

    >>> list(available())
    ['cora', 'citeseer', ..., 'coauthor_physics', 'social']
    """
    described = {graph.name: graph.description for graph in NAMED.values()}
    made = {name: inspect.getdoc(entry.load()) or "" for name, entry in DATASETS.items()}
    return described | {name: doc.partition("\n")[0].rstrip(".") for name, doc in made.items()}


def is_public(name: str) -> bool:
    """Whether a graph is a known public one or comes with hushgraph; any other is of the user's own people.

    >>> is_public("cora"), is_public("social"), is_public("cora.npz")
    (True, True, False)
    """
    return name in NAMED or (name in DATASETS and DATASETS[name].where == "hushgraph.datasets:social")


def title_of(name: str) -> str | None:
    """How people write the name of a real graph."""
    return NAMED[name].title if name in NAMED else None


def load(name: str, *, root: str | os.PathLike[str] | None = None, **options: Any) -> Graph:
    """A graph by its name.

    A real graph is read from ``<name>.npz`` in the data folder; when it is not there, it is fetched
    from its public origin and stored there. Its content is checked against a known SHA-256 digest
    either way, so that everybody who loads a name has the same graph.

    Args:
        name: one of :func:`available`.
        root: the data folder; by default the environment variable ``HUSHGRAPH_DATA``, else
            the user's cache folder.
        options: for graphs that a function makes, such as ``"social"``: its arguments.

    Raises:
        FileNotFoundError: the file is not there and its origin cannot be reached.
        ValueError: the name is unknown, or the file's content is not that graph's.

    Two graphs are returned as the literature uses them: ``citeseer`` with label -1 for the 15 papers
    that have none, ``lastfm`` with its ten largest classes (``lastfm18`` has all). ``lastfm_structure`` is
    ``lastfm`` without features.

    >>> load("social", n=1_000, features=50, classes=4)
    Graph('social', 1,000 nodes, ... edges, 50 features, 4 classes)
    """
    if name in DATASETS:
        made: Graph = DATASETS[name].make(**options)
        return made
    if name not in NAMED:
        known = available()
        hint = _check.nearest(name, known)
        raise ValueError(f"there is no graph named {name!r}{hint}; known are {', '.join(known)}")
    if options:
        raise TypeError(f"{name!r} is a real graph and takes no options, got {', '.join(options)}")
    return obtain(NAMED[name], data_folder(root))


def open_graph(name: str, root: str | os.PathLike[str] | None = None) -> Graph:
    """A graph by its name, or by its npz file."""
    return read_npz(Path(name)) if name.endswith(".npz") else load(name, root=root)


def data_folder(root: str | os.PathLike[str] | None = None) -> Path:
    """The folder of the graphs' files: ``root``, else ``HUSHGRAPH_DATA``, else the user's cache."""
    chosen = root or os.environ.get(ENVIRONMENT)
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32" and "LOCALAPPDATA" in os.environ:
        cache = Path(os.environ["LOCALAPPDATA"])
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "hushgraph"


def obtain(named: NamedGraph, folder: Path) -> Graph:
    """The named graph from its file in ``folder``, which is fetched first when it is not there."""
    path = folder / named.file
    if not path.exists():
        _fetch(named, folder)
    graph = named.prepare(named.verified(read_npz(path), str(path)))
    # Which classes a known graph has is public.
    return replace(graph, num_classes=named.classes, classes=(), classes_from_data=False)


def _fetch(named: NamedGraph, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside the file to be, so that moving it into place is one step that cannot half happen.
        with tempfile.TemporaryDirectory(prefix=f".{named.name}-", dir=folder) as scratch:
            graph = named.origin.fetch(Path(scratch))
            save(named.verified(graph, f"what came from {named.origin.address}"), folder / named.file)
    except (*UNREACHABLE, ImportError) as error:
        kind = ImportError if isinstance(error, ImportError) else FileNotFoundError
        raise kind(f"{_absent(named, folder)} ({error})") from error


def _absent(named: NamedGraph, folder: Path) -> str:
    structure = f"{named.file.removesuffix('.npz')}_structure"
    found = ""
    if structure in NAMED and (folder / NAMED[structure].file).exists():
        found = f" {structure!r} is there, the graph without features, for what learns without them."
    return (
        f"the graph {named.name!r} is not in {folder} and could not be had from {named.origin.address}."
        f"{found} Put {named.file} there, with the arrays {FORMAT}, for"
        f" {named.nodes + named.nodes_dropped:,} nodes with {named.features:,} features; or name a folder"
        f" that has it, as root= or in the environment variable {ENVIRONMENT}"
    )
