"""All ways in which a cascade averages over people, side by side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from hushgraph.local.cascade.ridge import Ridge
from hushgraph.local.cascade.spectra import Spectra
from hushgraph.local.cascade.walk import HOPS, Walk


class Smoothers:
    """Linear maps of beliefs: hops, ridges onto spectra and, where they are worth it, onto features.

    Args:
        walks: one for all views, or one for each view: the weights of private friendships depend on labels,
            and must not on those that a view hides.
        spectra: of which each cascade takes one, in turns.
        features: all of which are used.
    """

    def __init__(
        self, walks: Sequence[Walk], spectra: Spectra | Sequence[Ridge], features: Sequence[Ridge]
    ) -> None:
        self.walks, self.spectra, self.features = walks, spectra, features

    def ridges(self, turn: int) -> list[Ridge]:
        """Those of a cascade."""
        spectra = [self.spectra[turn % len(self.spectra)]] if len(self.spectra) else []
        return [*spectra, *self.features]

    def __call__(self, beliefs: Tensor, turn: int, last: Tensor | None = None) -> Tensor:
        """What every smoother makes of beliefs (views, n, c), and a ``last`` channel: (views, n, S, c)."""
        views, people, classes = beliefs.shape
        columns = beliefs.permute(1, 0, 2).reshape(people, views * classes)
        ridges = self.ridges(turn)
        count = len(HOPS) + sum(len(ridge.inverse) for ridge in ridges)
        said = beliefs.new_empty(views, people, count + (last is not None), classes)
        # One at a time, so that nothing is there twice.
        found = itertools.chain(self._hops(columns, beliefs), *(ridge(columns) for ridge in ridges))
        for channel, one in enumerate(found):
            said[:, :, channel] = one.reshape(people, views, classes).permute(1, 0, 2)
        if last is not None:
            said[:, :, count] = last
        return said

    def _hops(self, columns: Tensor, beliefs: Tensor) -> Iterator[Tensor]:
        if len(self.walks) == 1:
            return self.walks[0].hops(columns)
        apart = (walk.hops(view) for walk, view in zip(self.walks, beliefs, strict=True))
        return (torch.cat(hop, dim=1) for hop in zip(*apart, strict=True))
