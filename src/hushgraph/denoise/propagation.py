"""KProp: averaging over neighbourhoods K hops wide."""

from __future__ import annotations

from typing import get_args

import torch
from torch import Tensor, nn

from hushgraph import _check, _renamed
from hushgraph.choices import Aggregation
from hushgraph.sparse.adjacency import Adjacency


@_renamed.arguments(neutral="midpoint")
def kprop(
    x: Tensor,
    adjacency: Adjacency | Tensor,
    steps: int,
    aggregation: Aggregation = "gcn",
    *,
    weights: Tensor | None = None,
    midpoint: float = 0.0,
) -> Tensor:
    r"""KProp (LPGNN, Algorithm 2): ``steps`` linear aggregations over neighbours, without self-loops.

    With all reports present and alike this is :math:`A^K x`. A person who sent nothing counts as no
    information, not as a zero, and one whose report is noisier counts less: the average runs over those who
    did report, weighted by w,

    .. math:: h = A^K (w (x - x_0)) \cdot \frac{A^K 1}{A^K w} + x_0 A^K 1

    and a node that no report reaches gets the midpoint :math:`x_0`, in the units of the others.
    Isolated nodes have no neighbours to learn from: for K ≥ 1 their row is zero.

    Args:
        x: (n, width); rows of people who sent nothing are ignored.
        adjacency: the graph; or an edge_index (2, E) in either or both directions, as PyG has it. A prepared
            :class:`~hushgraph.sparse.Adjacency` saves building it at every call.
        steps: K ≥ 0.
        aggregation: ``"gcn"``: 1/√(|N(u)|·|N(v)|), ``"mean"``: 1/|N(v)|, ``"sum"``: 1.
        weights: (n,), ≥ 0, how much each report counts, such as the inverse of its variance; or bool, who
            sent something. Everyone alike by default.
        midpoint: the value about which ``x`` says nothing.
    """
    if not isinstance(adjacency, Adjacency):
        adjacency = Adjacency.from_edges(adjacency.cpu().numpy(), x.shape[0], x.device)
    if weights is None:
        return adjacency.propagate(x, aggregation, steps)
    if weights.shape != x.shape[:1] or not bool((weights.isfinite() & (weights >= 0)).all()):
        raise ValueError(f"weights must be {x.shape[0]} numbers ≥ 0, got shape {[*weights.shape]}")
    if bool((weights == 1).all()):
        return adjacency.propagate(x, aggregation, steps)
    scale, everyone = weight_corrections(adjacency, steps, aggregation, weights)
    known = torch.where(weights.unsqueeze(1) > 0, x - midpoint, 0.0)
    if weights.dtype != torch.bool:
        known *= weights.unsqueeze(1).to(x.dtype)
    smoothed = adjacency.propagate(known, aggregation, steps)
    return smoothed * scale.unsqueeze(1) + midpoint * everyone.unsqueeze(1)


def weight_corrections(
    adjacency: Adjacency, steps: int, aggregation: Aggregation, weights: Tensor
) -> tuple[Tensor, Tensor]:
    """The row scale :math:`A^K 1 / A^K w`, 0 if nothing reaches the node; and :math:`A^K 1`."""
    both = torch.stack([torch.ones_like(adjacency.degree), weights.to(adjacency.degree.dtype)], dim=1)
    everyone, reporters = adjacency.hops(both, aggregation, steps).unbind(1)
    scale = torch.where(reporters > 0, everyone / reporters.clamp(min=torch.finfo(both.dtype).tiny), 0.0)
    return scale, everyone


class KProp(nn.Module):
    """:func:`kprop` as a PyG-style layer: ``KProp(steps=4)(x, edge_index)``.

    Shapes: x (n, width), edge_index (2, E) in either or both directions, output (n, width).

    >>> path = torch.tensor([[0, 1], [1, 2]])
    >>> KProp(steps=1, aggregation="mean")(torch.tensor([[1.0], [2.0], [3.0]]), path).ravel().tolist()
    [2.0, 2.0, 2.0]
    """

    def __init__(self, steps: int, aggregation: Aggregation = "gcn") -> None:
        super().__init__()
        self.steps = _check.count(steps, "steps")
        _check.choice(aggregation, "aggregation", get_args(Aggregation))
        self.aggregation: Aggregation = aggregation

    def forward(
        self, x: Tensor, edge_index: Tensor | Adjacency, weights: Tensor | None = None, midpoint: float = 0.0
    ) -> Tensor:
        """See :func:`kprop`."""
        return kprop(x, edge_index, self.steps, self.aggregation, weights=weights, midpoint=midpoint)

    def extra_repr(self) -> str:
        """What is printed inside the parentheses."""
        return f"steps={self.steps}, aggregation={self.aggregation!r}"
