"""GAP: aggregation perturbation."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph import _renamed
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.networks import mlp, probabilities
from hushgraph.curator.parts import Part, noised, trained
from hushgraph.curator.rows import Rows, scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.statement import OWN_FEATURES
from hushgraph.curator.sums import clipped_sums


@_renamed.arguments(adjacency="relation")
class GAP(CuratorMethod):
    """Aggregation perturbation (Sajadmanesh, Shamsabadi, Bellet & Gatica-Perez, USENIX Security 2023).

    An encoder is fitted to features and labels; its normalised embeddings are summed over neighbours ``hops``
    times, each time with Gaussian noise, and normalised again; a classifier is fitted to all of them. For
    whole persons, encoder and classifier are trained by DP-SGD. Inference reads the released sums and costs
    nothing.

    A person's own sum, which the paper leaves out of the sensitivity, is clipped to √``max_degree`` and
    counted here: it is released like the others.

    Args:
        hops: K, how often embeddings are summed.
        budget: how ε is split over ``encoder``, ``aggregation`` and ``classifier`` (edges:
            ``aggregation`` alone); by default 3 : 2 : 3.
        embedding: the width of the embeddings.

    The other arguments are those of :class:`CuratorMethod`.
    """

    COUNTS = ("epochs", "hidden", "max_degree", "hops", "embedding")
    POSITIVE = ("learning_rate", "clip")

    delta: float | None = None
    max_degree: int = 10
    bounded: bool = False
    hops: int = 2
    batch_size: int | None = None
    epochs: int = 50
    embedding: int = 16
    clip: float = 1.0

    def parts(self) -> tuple[Part, ...]:
        """Two trainings, which are free where edges alone are protected, and a release for each hop."""
        touched = 0 if self.relation == "edge" else 1
        why = "Gaussian noise on clipped sums, once for each hop; prediction reads them again at no cost"
        return (
            trained("encoder", 3.0, touched),
            noised("aggregation", 2.0, why, releases=self.hops),
            trained("classifier", 3.0, touched),
        )

    def released(self) -> str:
        """Sums and weights."""
        if self.relation == "edge":
            return "noisy sums and both networks, to everyone; features and labels are not protected"
        return f"noisy sums over neighbours and both networks' weights, to everyone. {OWN_FEATURES}"

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """An encoder on own features, noisy sums of its embeddings, and a classifier on all of these."""
        rows = Rows(scaled_rows(run.graph.features, "l2"))
        classes = run.graph.num_classes
        encoder = mlp(rows.width, self.hidden, self.embedding, classes)
        run.train("encoder", encoder, rows)
        own = rows.through(encoder[:-2])
        self.sums_ = self._noisy_sums(run, own)
        inputs = Rows(torch.cat([_normalized(own), *self.sums_], dim=1).numpy())
        self.network_ = mlp(inputs.width, self.hidden, classes)
        run.train("classifier", self.network_, inputs)
        return probabilities(inputs.through(self.network_))

    @torch.no_grad()
    def _noisy_sums(self, run: PrivateRun, own: Tensor) -> list[Tensor]:
        """What is released of the graph: noisy sums after 1, 2, … hops, normalized."""
        released, messages = [], own
        for _ in range(self.hops):
            sums = clipped_sums(_normalized(messages), run.edges, run.graph.num_nodes, run.cap)
            messages = _normalized(run.release("aggregation", sums, self.changes.l2_of_sums))
            released.append(messages)
        return released


def _normalized(rows: Tensor) -> Tensor:
    return torch.nn.functional.normalize(rows, dim=1)
