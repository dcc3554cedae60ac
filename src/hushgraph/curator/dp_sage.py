"""DP-SAGE: one layer of GraphSAGE on bounded neighbourhoods, by DP-SGD."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from hushgraph import _check, _renamed
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.networks import mlp, probabilities
from hushgraph.curator.parts import Part, noised, trained
from hushgraph.curator.rows import Rows, clipped_rows, scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.statement import OWN_FEATURES
from hushgraph.curator.sums import adjacency_matrix, clipped_sums

# Messages are divided by their clip, and must not overflow.
SMALLEST_CLIP = 1e-9


@_renamed.arguments(adjacency="relation")
class DPSAGE(CuratorMethod):
    """One GraphSAGE layer trained by DP-SGD (Daigavane et al., 2021).

    The input is a person's own features and the sum of the neighbours' over ``max_degree``, a public number.
    A person is in their own sample and in those of up to ``max_degree`` neighbours, and under a cap moves
    others, so that the noise is for as many changed gradients. The paper stops at training; prediction would
    read the neighbours' features without protection. Here everybody's neighbour term is released once,
    clipped and noisy, after training, and prediction reads that.

    Args:
        budget: how ε is split over ``training`` and ``inference``; by default 3 : 1.
        message_clip: the norm that a neighbour's term is clipped to for inference.

    The other arguments are those of :class:`CuratorMethod`.
    """

    COUNTS = ("epochs", "hidden", "max_degree")
    POSITIVE = ("learning_rate", "clip")

    delta: float | None = None
    max_degree: int = 3
    bounded: bool = False
    batch_size: int | None = None
    clip: float = 1.0
    message_clip: float = 0.03

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        if _check.non_negative(self.message_clip, "message_clip") < SMALLEST_CLIP:
            raise ValueError(f"message_clip must be at least {SMALLEST_CLIP:g}, got {self.message_clip!r}")

    def parts(self) -> tuple[Part, ...]:
        """Training on samples that hold neighbors' features, and one release of everybody's terms."""
        why = "Gaussian noise on clipped sums of the neighbours' terms, once"
        return trained("training", 3.0, self.changes.samples), noised("inference", 1.0, why)

    def released(self) -> str:
        """Weights and terms."""
        unprotected = "Features and labels are not protected"
        return (
            "the network's weights and everybody's noisy neighbour term, to everyone."
            f" {unprotected if self.relation == 'edge' else OWN_FEATURES}"
        )

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """A network on own features and the sum of the neighbors'."""
        own = sp.csr_array(scaled_rows(run.graph.features, "l2"))
        sums = sp.csr_array(adjacency_matrix(run.edges, run.graph.num_nodes) @ own) / self.max_degree
        inputs = Rows(sp.csr_array(sp.hstack([own, sums])))
        self.network_ = mlp(inputs.width, self.hidden, run.graph.num_classes)
        run.train("training", self.network_, inputs)
        return probabilities(self._predicted(run, Rows(own)))

    @torch.no_grad()
    def _predicted(self, run: PrivateRun, own: Rows) -> Tensor:
        layers: list[Any] = list(self.network_)
        first, *rest = layers
        for_own, for_neighbors = first.weight.split(own.width, dim=1)
        messages = own.through(lambda rows: rows @ for_neighbors.T) / self.message_clip
        if self.private:
            messages = clipped_rows(messages, 1.0)
        sums = clipped_sums(messages, run.edges, run.graph.num_nodes, run.cap)
        noisy = run.release("inference", sums, self.changes.l2_of_sums)
        self.terms_ = self.message_clip / self.max_degree * noisy
        hidden: Tensor = own.through(lambda rows: rows @ for_own.T) + first.bias + self.terms_
        for layer in rest:
            hidden = layer(hidden)
        return hidden
