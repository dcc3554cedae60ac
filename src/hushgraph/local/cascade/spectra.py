"""Leading eigenvectors of the graph: people who are close in it, further than hops see."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from hushgraph.local.cascade.ridge import Ridge
from hushgraph.local.cascade.walk import Walk

# A graph of so many people is a large one, and has twice as many vectors.
LARGE = 10_000
# Components take part that are larger than this share of what so many vectors can tell apart.
SMALLEST = 1.0
# Rounds of subspace iteration, two products each, and how many vectors more than wanted take part.
ROUNDS, SPARE = 8, 10


def widths_for(people: int) -> tuple[int, ...]:
    """How many eigenvectors the embeddings have: 16, 32, 64 and 128, or twice that.

    >>> widths_for(3_000), widths_for(20_000)
    ((16, 32, 64, 128), (32, 64, 128, 256))
    """
    return tuple((2 if people >= LARGE else 1) * width for width in (16, 32, 64, 128))


class Spectra:
    """Ridges onto the leading eigenvectors of S, in four widths; each is made when a cascade first takes it.

    Rows of an embedding have length 1: everybody is a direction. Few vectors average over many people, as
    small budgets need; many follow the graph closely. Cascades take them in turns, and of a large collection
    the few cascades take two of the four.
    """

    def __init__(self, walk: Walk, generator: torch.Generator) -> None:
        self.widths = widths_for(walk.num_people)
        self.vectors = leading_vectors(walk, max(self.widths), generator)
        self._made: dict[int, Ridge] = {}

    def __len__(self) -> int:
        return len(self.widths)

    def __getitem__(self, number: int) -> Ridge:
        if number not in self._made:
            self._made[number] = Ridge(self.embedding(number))
        return self._made[number]

    def embedding(self, number: int) -> Tensor:
        """Everybody's direction (n, k) in one of the widths."""
        return unit_rows(self.vectors[:, : self.widths[number]])


def leading_vectors(walk: Walk, count: int, generator: torch.Generator) -> Tensor:
    """Everybody in the leading eigenvectors of S, the first ones first, (n, at most count + 10).

    Found by randomised subspace iteration, in time linear in friendships and people: no exact solver is
    needed where only the span counts, and what lies at the edge of it counts little.

    A connected component has an eigenvalue 1 of its own, and hundreds of small ones would fill the spectrum
    without telling anybody apart within them; hops average over them anyway. So only components take part
    that are larger than n / count, the size of a group that so many eigenvectors can tell apart; rows of
    other people are zero.
    """
    large = walk.components() > SMALLEST * walk.num_people / count
    taking_part = large.float().unsqueeze(1).to(walk.device)
    width = min(count + SPARE, max(1, int(taking_part.sum())))
    x = torch.randn(walk.num_people, width, generator=generator).to(walk.device) * taking_part
    x = subspace(lambda basis: walk.symmetric(walk.symmetric(basis)), x)
    _, turn = torch.linalg.eigh((x.T @ walk.symmetric(x)).double())
    vectors: Tensor = x @ turn.flip(1).to(x.dtype)
    return vectors


def subspace(apply: Callable[[Tensor], Tensor], x: Tensor, rounds: int = ROUNDS) -> Tensor:
    """The leading invariant subspace of a symmetric map, from where ``x`` starts: orthonormal columns."""
    x = orthonormal(x)
    for _ in range(rounds):
        x = orthonormal(apply(x))
    return x


def orthonormal(x: Tensor) -> Tensor:
    """Columns of the same span that are orthonormal, by the eigenvectors of xᵀx; what has no length is zero.

    In one pass over the people, where Householder's QR takes several.
    """
    values, turn = torch.linalg.eigh((x.T @ x).double())
    scale = torch.where(values > 1e-10 * values.max(), values.clamp(min=1e-300).rsqrt(), 0.0)
    turned: Tensor = x @ (turn * scale).to(x.dtype)
    return turned


def unit_rows(x: Tensor) -> Tensor:
    """Rows of length 1; those of no length stay zero."""
    unit: Tensor = x / x.norm(dim=1, keepdim=True).clamp(min=1e-9)
    return unit
