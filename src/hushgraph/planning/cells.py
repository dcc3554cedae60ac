"""Cells of a graph, close within and apart from each other, and which class each gets."""

from __future__ import annotations

import numpy as np

from hushgraph.planning.places import Classes, Numbers, Places, unit_rows

ROUNDS, FEWEST, TRIES = 12, 4, 60


def cells(places: Places, count: int, rng: np.random.Generator) -> Classes:
    """The cell of everybody (n,): k-means of directions in as many eigenvectors as there are cells.

    A small component, which eigenvectors leave out, is a cell of its own.
    """
    directions = places.directions(max(count, FEWEST))
    inside = np.flatnonzero((directions * directions).sum(1) > 0.5)
    cell = places.component.astype(np.int64) + count
    if inside.size:
        cell[inside] = _spherical_means(directions[inside], min(count, inside.size), rng)
    return np.unique(cell, return_inverse=True)[1].astype(np.int64)


def classes_of(sizes: Numbers, shares: Numbers, rng: np.random.Generator) -> Classes:
    """A class for each cell, so that classes have about their shares; the best of some random tries.

    Large cells come first, each to a class that has room for it.
    """
    best, least = np.zeros(sizes.size, np.int64), np.inf
    for _ in range(TRIES):
        left, found = shares.copy(), np.zeros(sizes.size, np.int64)
        order = np.argsort(-sizes * np.exp(0.5 * rng.standard_normal(sizes.size)))
        whims = np.exp(0.3 * rng.gumbel(size=(sizes.size, shares.size)))
        for cell in order:
            fits = sizes[cell] < left.max()
            found[cell] = chosen = int(np.argmax(left * whims[cell] if fits else left))
            left[chosen] -= sizes[cell]
        if (off := float(np.abs(left).sum())) < least:
            best, least = found, off
    return best


def _spherical_means(points: Numbers, count: int, rng: np.random.Generator) -> Classes:
    """Lloyd's algorithm by angles; first centres are drawn far from each other (k-means++)."""
    centres = [points[rng.integers(len(points))]]
    nearest = points @ centres[0]
    while len(centres) < count:
        far = np.maximum(1 - nearest, 0) ** 2 + 1e-12
        centres.append(points[rng.choice(len(points), p=far / far.sum())])
        nearest = np.maximum(nearest, points @ centres[-1])
    middle = np.array(centres)
    for _ in range(ROUNDS):
        one_hot = np.eye(count)[(points @ middle.T).argmax(1)]
        sums = one_hot.T @ points
        middle = np.where((sums != 0).any(1, keepdims=True), unit_rows(sums), middle)
    found: Classes = (points @ middle.T).argmax(1)
    return found
