"""DP-MLP: features alone, by DP-SGD."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph import _renamed
from hushgraph.curator.method import CuratorMethod
from hushgraph.curator.networks import mlp, probabilities
from hushgraph.curator.parts import Part, trained
from hushgraph.curator.rows import Rows, scaled_rows
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.statement import OWN_FEATURES


@_renamed.arguments(adjacency="relation")
class DPMLP(CuratorMethod):
    """A perceptron on a person's own features, trained by DP-SGD (Abadi et al., CCS 2016); no graph.

    Args:
        relation: ``"node-removal"`` or ``"node-replacement"``.
        budget: how ε is split; there is one part, ``training``.

    The other arguments are those of :class:`CuratorMethod`.
    """

    RELATIONS = ("node-removal", "node-replacement")
    POSITIVE = ("learning_rate", "clip")

    delta: float | None = None
    batch_size: int | None = None
    epochs: int = 60
    clip: float = 1.0

    def parts(self) -> tuple[Part, ...]:
        """One training."""
        return (trained("training", 1.0, touched=1),)

    def released(self) -> str:
        """The weights."""
        return f"the network's weights, to everyone. {OWN_FEATURES}"

    def learn(self, run: PrivateRun) -> NDArray[np.float32]:
        """A network on own features."""
        rows = Rows(scaled_rows(run.graph.features, "l2"))
        self.network_ = mlp(rows.width, self.hidden, run.graph.num_classes)
        run.train("training", self.network_, rows)
        return probabilities(rows.through(self.network_))
