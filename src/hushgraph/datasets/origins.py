"""Where a named graph can be had when its file is not in the data folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hushgraph.datasets._extras import require
from hushgraph.datasets.convert import from_pyg
from hushgraph.datasets.download import download
from hushgraph.graph import Graph


class Origin(Protocol):
    """A public place that holds a graph."""

    @property
    def address(self) -> str:
        """What to tell a person who looks for the graph."""

    def fetch(self, scratch: Path) -> Graph:
        """Build the graph from its public files, which may be put into the folder ``scratch``.

        An OSError says that the origin cannot be reached, a ValueError that what it gave has another layout,
        an ImportError that a library which reads its files is not installed.
        """


@dataclass(frozen=True, slots=True)
class PlanetoidFiles:
    """The eight raw files of a Planetoid citation graph, read by PyTorch Geometric.

    They are Python pickles: what the address serves is executed before its content can be checked.
    A data folder with the graph's ``.npz`` file avoids that.
    """

    title: str
    address: str = "https://github.com/kimiyoung/planetoid/raw/master/data"

    def fetch(self, scratch: Path) -> Graph:
        """Download the raw files and let PyG's ``Planetoid`` class put them together."""
        purpose = f"fetching the graph {self.title}"
        datasets = require("torch_geometric.datasets", extra="pyg", purpose=purpose)
        raw = scratch / self.title / "raw"
        raw.mkdir(parents=True)
        for part in ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"):
            name = f"ind.{self.title.lower()}.{part}"
            # PyG would fetch these itself, but with no timeout.
            download(f"{self.address}/{name}", raw / name)
        return from_pyg(datasets.Planetoid(str(scratch), self.title)[0])


@dataclass(frozen=True, slots=True)
class ByHand:
    """A graph that no public loader gives in the same form: its file has to be put in place."""

    address: str
    reason: str

    def fetch(self, scratch: Path) -> Graph:
        """Refuse, and say why."""
        raise OSError(f"it is not fetched automatically: {self.reason}")
