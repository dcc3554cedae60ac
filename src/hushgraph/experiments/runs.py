"""What is run: one seed of one cell, known by everything that it depends on."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from hushgraph import _check, datasets
from hushgraph.datasets.digest import content_digest
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.study import Configuration, Outcome, Progress, Study
from hushgraph.graph import Graph


@dataclass(frozen=True)
class Run:
    """One seed of one cell: the graph's content, the configuration, the seed and the study's revision."""

    dataset: str
    digest: str
    configuration: Configuration
    seed: int

    @property
    def study(self) -> Study:
        """How it is measured."""
        return STUDIES[self.configuration["study"]]

    @property
    def identity(self) -> dict[str, Any]:
        """What the key is made of, as plain values; of a file its name alone, wherever it lies."""
        return {
            "dataset": Path(self.dataset).name,
            "digest": self.digest,
            "configuration": self.configuration,
            "seed": self.seed,
            "revision": self.study.revision,
        }

    @cached_property
    def key(self) -> str:
        """32 hexadecimal digits; equal for equal runs."""
        return digest_of(self.identity)

    @cached_property
    def group(self) -> str:
        """Equal for runs that share their graph, split and reports."""
        return digest_of([self.digest, self.seed, self.study.shared(self.configuration)])

    @property
    def collection(self) -> str:
        """Equal for runs that ask people once for all of them."""
        return self.group if self.study.shares_reports else self.key


def perform(run: Run, root: Path | None, device: str, progress: Progress) -> Outcome:
    """Measures one run; consecutive ones share the graph and, where they can, the collection."""
    graph, digest = digested(run.dataset, root)
    if digest != run.digest:
        raise ValueError(f"the graph {run.dataset!r} has changed since the run was planned")
    return run.study.measure(graph, run.configuration, run.seed, device, progress)


def check_name(dataset: str) -> None:
    """Refuses what cannot be a graph: a name that nobody knows, a file that is not there."""
    if dataset.endswith(".npz"):
        if not Path(dataset).is_file():
            raise FileNotFoundError(f"there is no file {dataset}")
    else:
        _check.choice(dataset, "dataset", datasets.available())


@lru_cache(maxsize=1)
def digested(name: str, root: Path | None) -> tuple[Graph, str]:
    """A graph by its name or npz file, and the digest of its content."""
    graph = datasets.open_graph(name, root)
    return graph, content_digest(graph)


def digest_of(values: Any) -> str:
    """32 hexadecimal digits of SHA-256 over the values as JSON."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
