"""Labels as they might be: classes follow communities, and some people are unlike those around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushgraph.planning.cells import cells, classes_of
from hushgraph.planning.places import Classes, Numbers, Places, unit_rows

# Communities are made of one, two or three cells for each class, whichever divides friends least.
CELLS_OF_A_CLASS = (1, 2, 3)
# A share of the people that may be off before boundaries are moved; how much whim there is in where they go.
CLOSE, WHIM, WHIM_STEPS = 0.02, 0.3, 16
# Of the friendships between classes, the least share that is due to people who are unlike their friends.
UNLIKE, ROUNDS = 0.3, 30
MOST_UNLIKE = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Labels (n,), and the homophily that they have come to."""

    labels: Classes
    homophily: float


def draw_labels(
    places: Places, shares: Numbers, homophily: float, by_degree: float, rng: np.random.Generator
) -> Drawn:
    r"""One draw of everybody's class.

    1. People fall into cells; whole cells go to classes; boundaries move until classes have their shares.
       Done with one, two and three cells for each class, and kept where fewest friends are divided: real
       classes are what binds people, and the communities that a graph shows best are the likeliest.
    2. While friends are less often alike than they should be, everybody joins the class around them.
    3. People are given a class at random, with the shares as probabilities, until friends are alike as often
       as they should be. Somebody with d friends is as likely to as :math:`d^{-\text{by_degree}}`.

    Args:
        places: the graph.
        shares: of the classes.
        homophily: the share of friendships between people of one class.
        by_degree: 0 where people are as likely to be unlike whether they have many friends or few.
        rng: where the draw is from.
    """
    count = shares.size
    if homophily <= shares @ shares:
        found = rng.choice(count, places.structure.people, p=shares)
        return Drawn(found, places.homophily(found))
    candidates = [_communities(places, shares, number * count, rng) for number in CELLS_OF_A_CLASS]
    labels = max(candidates, key=places.homophily)
    labels = _closer(places, labels, shares, homophily + UNLIKE * (1 - homophily))
    labels = _with_unlike(places, labels, shares, homophily, by_degree, rng)
    return Drawn(labels, places.homophily(labels))


def _communities(places: Places, shares: Numbers, number: int, rng: np.random.Generator) -> Classes:
    cell = cells(places, number, rng)
    labels = classes_of(np.bincount(cell) / cell.size, shares, rng)[cell]
    one_hot = np.eye(shares.size)[labels]
    if np.abs(one_hot.mean(0) - shares).sum() / 2 < CLOSE:
        return labels
    whim = places.averaged(rng.standard_normal(one_hot.shape), WHIM_STEPS)
    whim = places.averaged(unit_rows(whim - whim.mean(0)), 2)
    return _of_shares(_standard(places.averaged(one_hot, 4)) + WHIM * _standard(whim), shares)


def _closer(places: Places, labels: Classes, shares: Numbers, wanted: float) -> Classes:
    leaning, reached = np.eye(shares.size)[labels], places.homophily(labels)
    for turn in range(ROUNDS):
        if reached >= wanted:
            break
        leaning = (leaning + places.averaged(np.eye(shares.size)[labels])) / 2
        labels = _of_shares(leaning, shares)
        before, reached = reached, places.homophily(labels)
        if turn > 4 and reached < before + 5e-4:
            break
    return labels


def _with_unlike(
    places: Places,
    labels: Classes,
    shares: Numbers,
    homophily: float,
    by_degree: float,
    rng: np.random.Generator,
) -> Classes:
    friends = np.maximum(places.degree, 1)
    often = (friends / friends.mean()) ** -by_degree
    turn, other = rng.random(labels.size), rng.choice(shares.size, labels.size, p=shares)
    low, high = 0.0, 1 / float(often.min())
    found = labels
    for _ in range(20):
        middle = (low + high) / 2
        found = np.where(turn < np.minimum(middle * often, MOST_UNLIKE), other, labels)
        low, high = (middle, high) if places.homophily(found) > homophily else (low, middle)
    return found


def _of_shares(leaning: Numbers, shares: Numbers) -> Classes:
    """Everybody's largest leaning, after each class has been favoured as much as its share needs."""
    favour, step = np.zeros(shares.size), 0.3
    best: Classes = leaning.argmax(1)
    least = np.inf
    for _ in range(60):
        labels = (leaning + favour).argmax(1)
        there = np.bincount(labels, minlength=shares.size) / labels.size
        if (off := float(np.abs(there - shares).max())) < least:
            best, least = labels, off
        if off < 0.004:
            break
        favour += step * np.clip(np.log((shares + 0.002) / (there + 0.002)), -1, 1)
        step *= 0.95
    return best


def _standard(values: Numbers) -> Numbers:
    centred = values - values.mean(0)
    standard: Numbers = centred / max(float(centred.std()), 1e-12)
    return standard
