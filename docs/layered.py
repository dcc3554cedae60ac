"""Boxes in layers and arrows between them: places for which few arrows cross and long ones are straight.

The way of Sugiyama, Tagawa & Toda (1981): an arrow that passes a layer by gets a lane there; layers are
ordered by the mean place of neighbours; then everything moves between its neighbours.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

# Inches.
BOX_WIDTH, LANE, GAP = 2.25, 0.2, 0.3
SWEEPS, STEPS = 40, 300

Arrow = tuple[str, str]


@dataclass(eq=False)
class Spot:
    """A place in a layer: a room, or a lane on which an arrow passes by."""

    layer: int
    room: str | None = None
    above: list[Spot] = field(default_factory=list)
    below: list[Spot] = field(default_factory=list)
    x: float = 0.0

    @property
    def width(self) -> float:
        """What it takes of its layer."""
        return LANE if self.room is None else BOX_WIDTH


def arranged(
    layers: Sequence[Sequence[str]], arrows: Sequence[Arrow]
) -> tuple[list[list[Spot]], list[list[Spot]]]:
    """The spots of every layer from left to right, and those that each arrow visits."""
    rooms = {room: Spot(number, room) for number, layer in enumerate(layers) for room in layer}
    rows: list[list[Spot]] = [[rooms[room] for room in layer] for layer in layers]
    ways = []
    for room, other in arrows:
        start, end = rooms[room], rooms[other]
        lanes = [Spot(number) for number in range(start.layer + 1, end.layer)]
        for lane in lanes:
            rows[lane.layer].append(lane)
        way = [start, *lanes, end]
        for upper, lower in itertools.pairwise(way):
            upper.below.append(lower)
            lower.above.append(upper)
        ways.append(way)
    best, least = rows, crossings(rows)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        rows = [list(row) for row in rows]
        for row in rows if downwards else reversed(rows):
            place = {spot: number for other in rows for number, spot in enumerate(other)}
            row.sort(key=lambda spot: _middle(spot, place, downwards))
        if (found := crossings(rows)) < least:
            best, least = rows, found
    straighten(best)
    return best, ways


def _middle(spot: Spot, place: dict[Spot, int], downwards: bool) -> float:
    neighbours = spot.above if downwards else spot.below
    return sum(place[one] for one in neighbours) / len(neighbours) if neighbours else place[spot]


def crossings(rows: Sequence[Sequence[Spot]]) -> int:
    """How often two arrows cross."""
    place = {spot: number for row in rows for number, spot in enumerate(row)}
    count = 0
    for row in rows:
        steps = [(place[upper], place[lower]) for upper in row for lower in upper.below]
        count += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(steps, 2))
    return count


def straighten(rows: Sequence[Sequence[Spot]]) -> None:
    """Moves every spot between its neighbours above and below, as far as those beside it leave room."""
    for row in rows:
        place_apart(row, [0.0] * len(row))
    for _ in range(STEPS):
        for row in rows:
            place_apart(row, [_pulled(spot) for spot in row])


def _pulled(spot: Spot) -> float:
    """The mean of its neighbours' places; a lane follows the next lane, so that long arrows are straight."""
    around = [*spot.above, *spot.below]
    pulls = [1 + 3 * (spot.room is None) + 12 * (spot.room is one.room is None) for one in around]
    if not around:
        return spot.x
    return sum(pull * one.x for pull, one in zip(pulls, around, strict=True)) / sum(pulls)


def place_apart(row: Sequence[Spot], wanted: Sequence[float]) -> None:
    """As near as possible to where spots want to be, without touching: isotonic regression."""
    offsets = [0.0]
    for left, right in itertools.pairwise(row):
        offsets.append(offsets[-1] + (left.width + right.width) / 2 + GAP)
    blocks: list[tuple[float, int]] = []
    for value, offset in zip(wanted, offsets, strict=True):
        mean, size = value - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, count = blocks.pop()
            mean, size = (mean * size + before * count) / (size + count), size + count
        blocks.append((mean, size))
    shifts = [mean for mean, size in blocks for _ in range(size)]
    for spot, shift, offset in zip(row, shifts, offsets, strict=True):
        spot.x = shift + offset
