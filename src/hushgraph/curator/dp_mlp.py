"""DP-MLP: features alone, by DP-SGD."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hushgraph import _renamed
from hushgraph.curator.gaussian_method import GaussianMethod, mlp, probabilities
from hushgraph.curator.method import OWN_FEATURES, Task
from hushgraph.curator.rows import Rows, scaled_rows
from hushgraph.privacy import Guarantee
from hushgraph.privacy.accounting import Part
from hushgraph.privacy.relations import NeighboringRelation


@_renamed.arguments(adjacency="relation")
class DPMLP(GaussianMethod):
    """A perceptron on a person's own features, trained by DP-SGD (Abadi et al., CCS 2016); no graph.

    Args:
        epsilon: the budget of everything that is released; ``math.inf`` for the non-private ceiling.
        delta: below 1/n; by default the largest power of ten below it.
        relation: ``"node-removal"`` or ``"node-replacement"``.
        budget: how ε is split; there is one part, ``training``.
        batch_size: expected size of a Poisson batch; by default all who train.
        epochs, learning_rate, hidden, clip: of the training, by Adam on noisy gradients.
        random_state: a seed for simulations; None draws from the operating system's randomness.
    """

    PARTS: ClassVar[Mapping[str, float]] = {"training": 1.0}
    RELATIONS = ("node-removal", "node-replacement")
    max_degree = None

    def __init__(
        self,
        epsilon: float,
        *,
        delta: float | None = None,
        relation: NeighboringRelation = "node-removal",
        budget: Mapping[str, float] | None = None,
        batch_size: int | None = None,
        epochs: int = 60,
        learning_rate: float = 0.03,
        hidden: int = 64,
        clip: float = 1.0,
        random_state: int | None = None,
    ) -> None:
        self._keep(locals())

    def _accounted(self, task: Task) -> tuple[Part, ...]:
        schedule = self._schedule(task)
        return (Part("training", schedule.steps, schedule.rate, touched=1),)

    def _learn(self, task: Task) -> NDArray[np.float32]:
        schedule = self._schedule(task)
        self._calibrate(task)
        rows = Rows(scaled_rows(task.graph.features, "l2"))
        self.network_ = mlp(rows.width, self.hidden, task.graph.num_classes)
        self._train(task, self.network_, rows, "training", schedule)
        return probabilities(rows.through(self.network_))

    def _guarantee(self, task: Task) -> Guarantee:
        return self._gaussian_statement(
            task,
            f"the network's weights, to schedule. {OWN_FEATURES}",
            {"training": "DP-SGD: a person is one sample"},
        )
