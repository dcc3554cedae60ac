"""DP-SAGE: one layer of GraphSAGE on bounded neighbourhoods, by DP-SGD."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph import _check, _renamed
from hushgraph.curator.aggregation import (
    adjacency_matrix,
    aggregation_sensitivity,
    changed_samples,
    clipped_sums,
)
from hushgraph.curator.gaussian_method import GaussianMethod, mlp, probabilities
from hushgraph.curator.method import OWN_FEATURES, Task, noise_source
from hushgraph.curator.rows import Rows, clipped_rows, scaled_rows
from hushgraph.privacy import Guarantee
from hushgraph.privacy.accounting import Part
from hushgraph.privacy.relations import NeighboringRelation

# Messages are divided by their clip, and must not overflow.
SMALLEST_CLIP = 1e-9


@_renamed.arguments(adjacency="relation")
class DPSAGE(GaussianMethod):
    """One GraphSAGE layer trained by DP-SGD (Daigavane et al., 2021).

    The input is a person's own features and the sum of the neighbours' over ``max_degree``, a public number.
    A person is in their own sample and in those of up to ``max_degree`` neighbours, so that the noise is for
    as many changed gradients. The paper stops at training; prediction would read the neighbours' features
    without protection. Here everybody's neighbour term is released once, clipped and noisy, after training,
    and prediction reads that.

    Args:
        epsilon: the budget of everything that is released; ``math.inf`` for the non-private ceiling.
        delta: below 1/n; by default the largest power of ten below it.
        relation: ``"edge"``, ``"node-removal"`` or ``"node-replacement"``.
        max_degree: a public cap on friendships; what is above is dropped where persons are protected.
        budget: how ε is split over ``training`` and ``inference``; by default 3 : 1.
        batch_size: expected size of a Poisson batch; by default all who train.
        epochs, learning_rate, hidden, clip: of the training, by Adam on noisy gradients.
        message_clip: the norm that a neighbour's term is clipped to for inference.
        random_state: a seed for simulations; None draws from the operating system's randomness.
    """

    max_degree: int
    message_clip: float

    PARTS: ClassVar[Mapping[str, float]] = {"training": 3.0, "inference": 1.0}

    def __init__(
        self,
        epsilon: float,
        *,
        delta: float | None = None,
        relation: NeighboringRelation = "node-removal",
        max_degree: int = 3,
        budget: Mapping[str, float] | None = None,
        batch_size: int | None = None,
        epochs: int = 30,
        learning_rate: float = 0.03,
        hidden: int = 64,
        clip: float = 1.0,
        message_clip: float = 0.03,
        random_state: int | None = None,
    ) -> None:
        self._keep(locals())

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        if _check.non_negative(self.message_clip, "message_clip") < SMALLEST_CLIP:
            raise ValueError(f"message_clip must be at least {SMALLEST_CLIP:g}, got {self.message_clip!r}")

    def _accounted(self, task: Task) -> tuple[Part, ...]:
        schedule = self._schedule(task)
        samples = changed_samples(self.relation, self.max_degree)
        return Part("training", schedule.steps, schedule.rate, touched=samples), Part("inference", 1)

    def _learn(self, task: Task) -> NDArray[np.float32]:
        schedule = self._schedule(task)
        self._calibrate(task)
        own = sp.csr_array(scaled_rows(task.graph.features, "l2"))
        sums = sp.csr_array(adjacency_matrix(task.edges, task.graph.num_nodes) @ own) / self.max_degree
        inputs = Rows(sp.csr_array(sp.hstack([own, sums])))
        self.network_ = mlp(inputs.width, self.hidden, task.graph.num_classes)
        self._train(task, self.network_, inputs, "training", schedule)
        return probabilities(self._predicted(task, Rows(own)))

    @torch.no_grad()
    def _predicted(self, task: Task, own: Rows) -> Tensor:
        layers: list[Any] = list(self.network_)
        first, *rest = layers
        for_own, for_neighbors = first.weight.split(own.width, dim=1)
        messages = own.through(lambda rows: rows @ for_neighbors.T) / self.message_clip
        cap = self.max_degree if self._caps_degrees else None
        if self.private:
            messages = clipped_rows(messages, 1.0)
        noisy = self._noisy(
            clipped_sums(messages, task.edges, task.graph.num_nodes, cap),
            aggregation_sensitivity(self.relation, self.max_degree),
            "inference",
            noise_source(task, len(self.PARTS)),
        )
        self.terms_ = self.message_clip / self.max_degree * noisy
        hidden: Tensor = own.through(lambda rows: rows @ for_own.T) + first.bias + self.terms_
        for layer in rest:
            hidden = layer(hidden)
        return hidden

    def _guarantee(self, task: Task) -> Guarantee:
        return self._gaussian_statement(
            task,
            "the network's weights and everybody's noisy neighbour term, to everyone."
            + (" Features and labels are not protected" if self.relation == "edge" else f" {OWN_FEATURES}"),
            {
                "training": f"DP-SGD: a neighbouring graph changes up to"
                f" {changed_samples(self.relation, self.max_degree)} samples",
                "inference": "Gaussian noise on clipped sums of the neighbours' terms, once",
            },
        )
