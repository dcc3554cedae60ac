"""LPGNN: a GNN learned from locally private features and labels."""

from __future__ import annotations

from hushgraph.local.local_method import LocalMethod


class LPGNN(LocalMethod):
    """Locally private graph neural network (Sajadmanesh & Gatica-Perez, CCS 2021, Algorithm 3).

    Args:
        backbone: ``"sage"``, ``"gcn"``, ``"gat"``, ``"gin"``, or a module ``forward(x, edge_index)`` that
            returns logits; a copy of it is trained.
        k_x, k_y: KProp steps on features and on labels.
        loss: ``"drop"``, ``"smoothed"``, ``"forward"`` or ``"cross_entropy"``; see
            :class:`~hushgraph.local.objective.Objective`.
        features: ``"collected"``, or stand-ins that cost no privacy: ``"ones"``, ``"degree"``, ``"random"``.
        structure: what is made of reported neighbour lists, ``"blocks"``, ``"degrees"``, ``"posterior"``,
            ``"both"``, ``"either"`` or ``"directed"``; see :func:`~hushgraph.denoise.collected_adjacency`. A
            public graph stays as it is.
        aggregation: KProp's: ``"gcn"``, ``"mean"`` or ``"sum"``.
        hidden: width of the hidden layer.
        dropout: after the hidden activation.
        epochs, learning_rate, weight_decay: of Adam, full batch.
        floor: the least probability that the loss sees; labels that seem less likely stop pulling. 1e-20 as
            in the authors' code, 0 for the plain logarithm.
        selection: how the epoch is chosen, ``"paper"``, ``"reference"`` or ``"last"``; see
            :class:`~hushgraph.local.selection.BestEpoch`.
        form: ``"factored"``, ``"dense"`` or ``"auto"``: how the first layer is computed.
        random_state: seeds weights and dropout; torch's global state is left alone.
        device: ``"auto"`` takes a GPU where there is one.
        threads: CPU threads of torch during :meth:`fit`. By default one for graphs of up to two million
            edges, whose kernels are too short to share (a second thread on a busy machine makes them several
            times slower), and torch's own number above.

    Everything is chosen and learned from the collection; the clean labels and features are out of
    reach. After :meth:`fit`: ``classes_`` (names), ``ids_`` (or None), ``backbone_``, ``history_``,
    ``best_epoch_``, its ``val_loss_`` and ``val_accuracy_`` on noisy labels, and ``within_limit_``, whether
    its accuracies stay at or below Acc*.
    """

    features: str = "collected"
