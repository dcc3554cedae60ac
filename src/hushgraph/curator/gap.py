"""GAP: aggregation perturbation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph import _check, _renamed
from hushgraph.curator.aggregation import aggregation_sensitivity, clipped_sums
from hushgraph.curator.gaussian_method import GaussianMethod, mlp, probabilities
from hushgraph.curator.method import OWN_FEATURES, Task, noise_source
from hushgraph.curator.rows import Rows, scaled_rows
from hushgraph.privacy import Guarantee
from hushgraph.privacy.accounting import Part
from hushgraph.privacy.relations import NeighboringRelation


@_renamed.arguments(adjacency="relation")
class GAP(GaussianMethod):
    """Aggregation perturbation (Sajadmanesh, Shamsabadi, Bellet & Gatica-Perez, USENIX Security 2023).

    An encoder is fitted to features and labels; its normalised embeddings are summed over neighbours ``hops``
    times, each time with Gaussian noise, and normalised again; a classifier is fitted to all of them. For
    whole persons, encoder and classifier are trained by DP-SGD. Inference reads the released sums and costs
    nothing.

    A person's own sum, which the paper leaves out of the sensitivity, is clipped to √``max_degree`` and
    counted here: it is released like the others.

    Args:
        epsilon: the budget of everything that is released; ``math.inf`` for the non-private ceiling.
        delta: below 1/n; by default the largest power of ten below it.
        relation: ``"edge"``, ``"node-removal"`` or ``"node-replacement"``.
        max_degree: a public cap on friendships for the protection of persons; what is above is dropped.
        hops: K, how often embeddings are summed.
        budget: how ε is split over ``encoder``, ``aggregation`` and ``classifier`` (edges:
            ``aggregation`` alone); by default 3 : 2 : 3.
        batch_size: expected size of a Poisson batch; by default all who train.
        epochs, learning_rate, hidden, clip: of both trainings, by Adam.
        embedding: the width of the embeddings.
        random_state: a seed for simulations; None draws from the operating system's randomness.
    """

    max_degree: int
    hops: int
    embedding: int

    PARTS: ClassVar[Mapping[str, float]] = {"encoder": 3.0, "aggregation": 2.0, "classifier": 3.0}

    def __init__(
        self,
        epsilon: float,
        *,
        delta: float | None = None,
        relation: NeighboringRelation = "node-removal",
        max_degree: int = 10,
        hops: int = 2,
        budget: Mapping[str, float] | None = None,
        batch_size: int | None = None,
        epochs: int = 50,
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
        for name in ("hops", "embedding"):
            _check.count(getattr(self, name), name, minimum=1)

    def _parts(self) -> Mapping[str, float]:
        return {"aggregation": 1.0} if self.relation == "edge" else self.PARTS

    def _accounted(self, task: Task) -> tuple[Part, ...]:
        schedule = self._schedule(task)
        aggregation = Part("aggregation", self.hops)
        if self.relation == "edge":
            return (aggregation,)
        return (
            Part("encoder", schedule.steps, schedule.rate, touched=1),
            aggregation,
            Part("classifier", schedule.steps, schedule.rate, touched=1),
        )

    def _learn(self, task: Task) -> NDArray[np.float32]:
        schedule = self._schedule(task)
        self._calibrate(task)
        rows = Rows(scaled_rows(task.graph.features, "l2"))
        classes = task.graph.num_classes
        encoder = mlp(rows.width, self.hidden, self.embedding, classes)
        self._train(task, encoder, rows, "encoder", schedule)
        own = rows.through(encoder[:-2])
        self.sums_ = self._noisy_sums(task, own)
        inputs = Rows(torch.cat([_normalized(own), *self.sums_], dim=1).numpy())
        self.network_ = mlp(inputs.width, self.hidden, classes)
        self._train(task, self.network_, inputs, "classifier", schedule)
        return probabilities(inputs.through(self.network_))

    @torch.no_grad()
    def _noisy_sums(self, task: Task, own: Tensor) -> list[Tensor]:
        """What is released of the graph: noisy sums after 1, 2, … hops, normalised."""
        sensitivity = aggregation_sensitivity(self.relation, self.max_degree)
        source = noise_source(task, len(self.PARTS))
        cap = self.max_degree if self._caps_degrees else None
        released = []
        messages = own
        for _ in range(self.hops):
            sums = clipped_sums(_normalized(messages), task.edges, task.graph.num_nodes, cap)
            messages = _normalized(self._noisy(sums, sensitivity, "aggregation", source))
            released.append(messages)
        return released

    def _guarantee(self, task: Task) -> Guarantee:
        if self.relation == "edge":
            released = "noisy sums and both networks, to everyone; features and labels are not protected"
        else:
            released = f"noisy sums over neighbours and both networks' weights, to everyone. {OWN_FEATURES}"
        sampled = "DP-SGD: a person is one sample"
        sums = "Gaussian noise on clipped sums, once for each hop; prediction reads them again at no cost"
        return self._gaussian_statement(
            task, released, {"encoder": sampled, "aggregation": sums, "classifier": sampled}
        )


def _normalized(rows: Tensor) -> Tensor:
    return torch.nn.functional.normalize(rows, dim=1)
