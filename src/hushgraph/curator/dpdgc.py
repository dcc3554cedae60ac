"""DPDGC: topology and features in separate encoders."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from torch import Tensor, nn

from hushgraph import _renamed
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.networks import mlp, probabilities
from hushgraph.curator.parts import Part, noised, trained
from hushgraph.curator.rows import Rows, clipped_rows, scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.statement import OWN_FEATURES
from hushgraph.curator.sums import adjacency_matrix


@_renamed.arguments(adjacency="relation")
class DPDGC(CuratorMethod):
    """Decoupled graph convolution (Chien, Chen, Pan, Li, Özgür & Milenkovic, NeurIPS 2023).

    A network is fitted to rows of the adjacency matrix alone; its embeddings, in the unit ball, are released
    once with Gaussian noise; a classifier is fitted to these and a person's own features. Other people's
    features never reach a row.

    One person stands in the rows of all their neighbours, so that the topology encoder's noise is for as many
    changed gradients in sum, whatever their directions (the authors' public code takes the square root of
    that, which holds for orthogonal gradients only). Embeddings may change from one end of the
    ball to the other.

    Args:
        budget: how ε is split over ``topology``, ``embeddings`` and ``classifier`` (edges: without the last);
            by default 1 : 1 : 6.
        embedding: the width of the embeddings.

    The other arguments are those of :class:`CuratorMethod`.
    """

    COUNTS = ("epochs", "hidden", "max_degree", "embedding")
    POSITIVE = ("learning_rate", "clip")

    delta: float | None = None
    max_degree: int = 10
    bounded: bool = False
    batch_size: int | None = None
    embedding: int = 16
    clip: float = 1.0

    def parts(self) -> tuple[Part, ...]:
        """Two trainings, and one release of embeddings between them."""
        samples = self.changes.samples
        why = (
            f"Gaussian noise on up to {samples} changed rows of the unit ball, once; prediction reads them"
            " again at no cost"
        )
        return (
            trained("topology", 1.0, samples),
            noised("embeddings", 1.0, why),
            trained("classifier", 6.0, touched=0 if self.relation == "edge" else 1),
        )

    def released(self) -> str:
        """Embeddings and weights."""
        unprotected = "Features and labels are not protected"
        return (
            "noisy embeddings of everybody's neighbour list and both networks' weights, to everyone."
            f" {unprotected if self.relation == 'edge' else OWN_FEATURES}"
        )

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """A network on neighbor lists, its embeddings released, and one on these and own features."""
        graph = run.graph
        lists = Rows(adjacency_matrix(run.edges, graph.num_nodes))
        topology = nn.Sequential(
            nn.Linear(graph.num_nodes, self.embedding),
            _UnitBall(),
            nn.Linear(self.embedding, graph.num_classes),
        )
        run.train("topology", topology, lists)
        noisy = run.release("embeddings", lists.through(topology[:2]), 2 * self.changes.samples**0.5)
        self.embeddings_ = nn.functional.normalize(noisy, dim=1)
        own = scaled_rows(graph.features, "l2")
        inputs = Rows(sp.csr_array(sp.hstack([own, sp.csr_array(self.embeddings_.numpy())])))
        self.network_ = mlp(inputs.width, self.hidden, graph.num_classes)
        run.train("classifier", self.network_, inputs)
        return probabilities(inputs.through(self.network_))


class _UnitBall(nn.Module):
    """Rows longer than 1 are shortened to 1."""

    def forward(self, rows: Tensor) -> Tensor:
        return clipped_rows(rows, 1.0)
