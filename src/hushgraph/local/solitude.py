"""Solitude: a GNN learned where friendships are private too."""

from __future__ import annotations

from typing import get_args

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.choices import Loss, Selection, Structure
from hushgraph.collection.collected import CollectedGraph
from hushgraph.local.calibration import Calibration, Step
from hushgraph.local.local_method import LocalMethod
from hushgraph.sparse import Adjacency


class Solitude(LocalMethod):
    r"""Private learning on decentralised graphs (Lin, Li & Wang, TIFS 2022), on sparse lists.

    Features are smoothed over the collected graph Ã (eq. 11), predictions are smoothed over it in the loss
    (eq. 12, 13), and the graph that the network computes with is learned with it (eq. 14) in alternating
    steps; see :class:`~hushgraph.local.calibration.Calibration`.

    On the reports of an undirected graph, :class:`LPGNN` with its default ``structure="blocks"`` does better
    in everything that was measured (docs/results).

    Args:
        backbone: ``"sage"``, ``"gcn"``, ``"gat"``, ``"gin"``, or a module ``forward(x, edge_index,
            edge_weight)`` that returns logits; a copy of it is trained.
        k_x, k_y: smoothing steps on features and on predictions.
        lambda_1: what it costs that the calibrated graph differs from the collected one.
        lambda_2: what every edge costs; above 2·lambda_1, edges that the loss does not ask for vanish.
        step: how the graph is learned, ``"adam"`` as in the paper, or ``"proximal"``.
        loss: ``"smoothed"`` is eq. 13; the authors' code has ``"drop"``, which smooths the labels too. Noisy
            labels are corrected for in either.
        structure: what is calibrated: ``"directed"`` lists as in the paper, or what another rule makes of
            them.

    The other arguments, and what a fitted model has, are those of :class:`LPGNN`. After :meth:`fit` there is
    also ``calibrated_``: the edges (2, M), from whom to whom, and their weights. It is made of reports, so
    that it is not saved with the model.
    """

    k_y: int = 4
    lambda_1: float = 1e-2
    lambda_2: float = 1e-2
    step: Step = "adam"
    loss: Loss = "smoothed"
    structure: Structure = "directed"
    selection: Selection = "reference"

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        _check.choice(self.step, "step", get_args(Step))
        for name in ("lambda_1", "lambda_2"):
            _check.non_negative(getattr(self, name), name)
        if self.step == "proximal" and self.lambda_1 == 0:
            raise ValueError("lambda_1 must be above 0 for proximal steps, got 0")

    def predict_proba(self, collected: CollectedGraph | None = None) -> NDArray[np.float32]:
        """Class probabilities (n, c) of the people learned from: of nobody else is the graph calibrated."""
        if collected is not None:
            raise ValueError("Solitude predicts for the people it learned from, whose graph it calibrated")
        return super().predict_proba()

    def _calibration(self, adjacency: Adjacency) -> Calibration:
        return Calibration(adjacency, self.lambda_1, self.lambda_2, self.step, self.learning_rate)

    def _keep_graph(self, adjacency: Adjacency) -> None:
        assert adjacency.values is not None
        self.calibrated_ = adjacency.edge_index.cpu().numpy(), adjacency.values.cpu().numpy()
