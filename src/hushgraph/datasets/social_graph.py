"""A synthetic social network: no real person in it, and any size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.datasets.social_friendships import draw_friendships
from hushgraph.datasets.social_likes import draw_likes
from hushgraph.graph import Graph

SMALLEST, LARGEST = 100, 10_000_000
# People in a circle, on average, where there are enough of them.
CIRCLE_SIZE = 200
# How often: otherwise it is any class. Neither the graph nor the likes alone give the label away.
LABEL_FOLLOWS_CIRCLE, TASTE_FOLLOWS_LABEL = 0.85, 0.90


def social(
    n: int = 10_000,
    features: int = 1_000,
    classes: int = 5,
    mean_degree: float = 10.0,
    seed: int = 0,
    *,
    homophily: float = 0.6,
) -> Graph:
    """A social network with circles of friends, hubs, and people's likes.

    People belong to circles of friends, circles to classes. How many friends somebody seeks follows
    a power law (exponent 2.5, cut off at √(n · mean_degree)); a friend is of the own class's circles
    with probability ``homophily``, preferably of the own circle. Likes are zeros and ones, about 20
    for each person (fewer where ``features`` is below 200): mostly the class's favourites, the others
    popular with all by Zipf's law. A label agrees with the circle's class, and a taste with the
    label, most of the time but not always. Time and memory are linear in the number of people,
    friendships and likes.

    The three draws are independent streams of one seed: another number of ``features`` leaves the
    friendships as they are.

    Args:
        n: how many people, 100 to 10,000,000. A few may have no friend.
        features: how many things there are to like, d.
        classes: how many classes, 2 to n / 10.
        mean_degree: friends of a person on average, up to n / 10; met within 2 %.
        seed: a whole number; the same one gives the same graph.
        homophily: the probability that a friend comes from the own class's circles, in [0, 1]. It is
            kept below that for hubs who have more friends than their class has people to offer.

    >>> social(n=500, features=40, classes=3, mean_degree=6.0, seed=1)
    Graph('social', 500 nodes, ... edges, 40 features, 3 classes)
    """
    n = _check.count(n, "n", SMALLEST)
    if n > LARGEST:
        raise ValueError(f"n must be at most {LARGEST:,}, got {n:,}")
    features = _check.count(features, "features", 1)
    classes = _check.count(classes, "classes", 2)
    if classes > n // 10:
        raise ValueError(f"classes must be at most n / 10 = {n // 10}, got {classes}")
    mean_degree = _check.non_negative(mean_degree, "mean_degree")
    # At least one friendship; and so few that scipy can count them in 32 bits.
    least, most = 2 / n, min(n / 10, np.iinfo(np.int32).max / n)
    if not least <= mean_degree <= most:
        raise ValueError(f"mean_degree must lie in [{least:g}, {most:g}] for n = {n:,}, got {mean_degree:g}")
    homophily = _check.fraction(homophily, "homophily")

    of_people, of_friendships, of_likes = np.random.default_rng(_check.count(seed, "seed")).spawn(3)
    circle, class_of_circle = _draw_circles(n, classes, of_people)
    label = _mostly(class_of_circle[circle], LABEL_FOLLOWS_CIRCLE, classes, of_people)
    taste = _mostly(label, TASTE_FOLLOWS_LABEL, classes, of_people)
    return Graph(
        edges=draw_friendships(circle, class_of_circle, mean_degree, homophily, of_friendships),
        features=draw_likes(taste, features, classes, of_likes),
        labels=label.astype(np.int64),
        num_classes=classes,
        name="social",
    )


def _draw_circles(n: int, classes: int, rng: np.random.Generator) -> tuple[NDArray[np.int32], ...]:
    """The circle of each person; and the class of each circle, sorted: those of a class are neighbours."""
    num_circles = max(2 * classes, n // CIRCLE_SIZE)
    class_of_circle = (np.arange(num_circles) * classes // num_circles).astype(np.int32)
    # A Pareto law with tail index 3: some circles are several times larger than most.
    size = 1 + rng.pareto(3.0, num_circles)
    circle = rng.choice(num_circles, size=n, p=size / size.sum()).astype(np.int32)
    return circle, class_of_circle


def _mostly(
    kept: NDArray[np.int32], probability: float, classes: int, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Each class as it is with the probability given, otherwise a class drawn uniformly from all."""
    stays = rng.random(kept.size) < probability
    return np.where(stays, kept, rng.integers(classes, size=kept.size, dtype=np.int32))
