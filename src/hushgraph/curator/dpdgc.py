"""DPDGC: topology and features in separate encoders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from torch import Tensor, nn

from hushgraph import _check, _renamed
from hushgraph.curator.aggregation import adjacency_matrix, changed_samples
from hushgraph.curator.gaussian_method import GaussianMethod, mlp, probabilities
from hushgraph.curator.method import OWN_FEATURES, Task, noise_source
from hushgraph.curator.rows import Rows, clipped_rows, scaled_rows
from hushgraph.privacy import Guarantee
from hushgraph.privacy.accounting import Part
from hushgraph.privacy.relations import NeighboringRelation


@_renamed.arguments(adjacency="relation")
class DPDGC(GaussianMethod):
    """Decoupled graph convolution (Chien, Chen, Pan, Li, Özgür & Milenkovic, NeurIPS 2023).

    A network is fitted to rows of the relation matrix alone; its embeddings, in the unit ball, are released
    once with Gaussian noise; a classifier is fitted to these and a person's own features. Other people's
    features never reach a row.

    One person stands in the rows of all their neighbours, so that the topology encoder's noise is for
    ``max_degree`` + 1 changed gradients in sum, whatever their directions (the authors' public code takes
    its square root, which holds for orthogonal gradients only). Embeddings may change from one end of the
    ball to the other.

    Args:
        epsilon: the budget of everything that is released; ``math.inf`` for the non-private ceiling.
        delta: below 1/n; by default the largest power of ten below it.
        relation: ``"edge"``, ``"node-removal"`` or ``"node-replacement"``.
        max_degree: a public cap on friendships for the protection of persons; what is above is dropped.
        budget: how ε is split over ``topology``, ``embeddings`` and ``classifier`` (edges: without the last);
            by default 1 : 1 : 6.
        batch_size: expected size of a Poisson batch; by default all who train.
        epochs, learning_rate, hidden, clip: of both trainings, by Adam.
        embedding: the width of the embeddings.
        random_state: a seed for simulations; None draws from the operating system's randomness.
    """

    max_degree: int
    embedding: int

    PARTS: ClassVar[Mapping[str, float]] = {"topology": 1.0, "embeddings": 1.0, "classifier": 6.0}

    def __init__(
        self,
        epsilon: float,
        *,
        delta: float | None = None,
        relation: NeighboringRelation = "node-removal",
        max_degree: int = 10,
        budget: Mapping[str, float] | None = None,
        batch_size: int | None = None,
        epochs: int = 30,
        learning_rate: float = 0.03,
        hidden: int = 64,
        embedding: int = 16,
        clip: float = 1.0,
        random_state: int | None = None,
    ) -> None:
        self._keep(locals())

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        _check.count(self.embedding, "embedding", minimum=1)

    def _parts(self) -> Mapping[str, float]:
        if self.relation != "edge":
            return self.PARTS
        return {name: share for name, share in self.PARTS.items() if name != "classifier"}

    def _accounted(self, task: Task) -> tuple[Part, ...]:
        schedule = self._schedule(task)
        samples = changed_samples(self.relation, self.max_degree)
        parts = (
            Part("topology", schedule.steps, schedule.rate, touched=samples),
            Part("embeddings", 1),
            Part("classifier", schedule.steps, schedule.rate, touched=1),
        )
        return tuple(part for part in parts if part.name in self._parts())

    def _learn(self, task: Task) -> NDArray[np.float32]:
        schedule = self._schedule(task)
        self._calibrate(task)
        graph = task.graph
        lists = Rows(adjacency_matrix(task.edges, graph.num_nodes))
        topology = nn.Sequential(
            nn.Linear(graph.num_nodes, self.embedding),
            _UnitBall(),
            nn.Linear(self.embedding, graph.num_classes),
        )
        self._train(task, topology, lists, "topology", schedule)
        noisy = self._noisy(
            lists.through(topology[:2]),
            2 * changed_samples(self.relation, self.max_degree) ** 0.5,
            "embeddings",
            noise_source(task, len(self.PARTS)),
        )
        self.embeddings_ = nn.functional.normalize(noisy, dim=1)
        own = scaled_rows(graph.features, "l2")
        inputs = Rows(sp.csr_array(sp.hstack([own, sp.csr_array(self.embeddings_.numpy())])))
        self.network_ = mlp(inputs.width, self.hidden, graph.num_classes)
        self._train(task, self.network_, inputs, "classifier", schedule)
        return probabilities(inputs.through(self.network_))

    def _guarantee(self, task: Task) -> Guarantee:
        edge = self.relation == "edge"
        samples = changed_samples(self.relation, self.max_degree)
        return self._gaussian_statement(
            task,
            "noisy embeddings of everybody's neighbour list and both networks' weights, to everyone."
            + (" Features and labels are not protected" if edge else f" {OWN_FEATURES}"),
            {
                "topology": f"DP-SGD: a neighbouring graph changes up to {samples} samples",
                "embeddings": f"Gaussian noise on up to {samples} changed rows of the unit ball, once;"
                " prediction reads them again at no cost",
                "classifier": "DP-SGD: a person is one sample",
            },
        )


class _UnitBall(nn.Module):
    """Rows longer than 1 are shortened to 1."""

    def forward(self, rows: Tensor) -> Tensor:
        return clipped_rows(rows, 1.0)
