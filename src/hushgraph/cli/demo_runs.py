"""What ``hushgraph demo`` measures: three ways to spend a budget, and what each does without features."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

from hushgraph.mechanisms import MultiBit, RandomizedResponse

if TYPE_CHECKING:
    from hushgraph.graph import Graph
    from hushgraph.privacy import Guarantee
    from hushgraph.repeats import Setting

ALONE = "Cascade, all on the label"
FEATURES = "Cascade, half on features"
NETWORK = "LPGNN, half on features"
WAYS = (ALONE, FEATURES, NETWORK)


@dataclass(frozen=True, slots=True)
class Task:
    """One way to spend the budget of each person, on one seed."""

    way: str
    epsilon: float
    seed: int
    nodes: int
    epochs: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Accuracies of a task by name, its own and those of its controls, and what people were promised."""

    task: Task
    accuracies: dict[str, float]
    guarantee: Guarantee


def people(nodes: int) -> Graph:
    """The built-in social network of the demo."""
    from hushgraph.datasets import social

    return social(n=nodes, features=100, classes=5, mean_degree=8.0, homophily=0.75, seed=1)


def measure_all(tasks: Sequence[Task], jobs: int) -> Iterator[Measured]:
    """Measures tasks in some processes, or in this one, in their order."""
    if jobs == 1:
        yield from map(measure, tasks)
        return
    from hushgraph.experiments.pool import end_with_parent

    spawn = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=spawn, initializer=end_with_parent) as pool:
        yield from pool.map(measure, tasks)


def measure(task: Task) -> Measured:
    """Collects, learns and tests once."""
    from hushgraph.local.controls import SAME, WITHOUT
    from hushgraph.repeats import repeat

    setting = _setting(task)
    control = {FEATURES: [WITHOUT], NETWORK: [SAME] if math.isfinite(task.epsilon) else []}.get(task.way, [])
    (run,) = repeat(people(task.nodes), setting, [task.seed], common_noise=True, controls=control)
    method = task.way.partition(",")[0]
    accuracies = {task.way: run.accuracy}
    accuracies |= {f"{method}, {name} (control)": accuracy for name, accuracy in run.controls.items()}
    return Measured(task, accuracies, run.collected.guarantee)


def _setting(task: Task) -> Setting:
    from hushgraph.local import LPGNN, Cascade
    from hushgraph.local.estimator import LocalEstimator
    from hushgraph.repeats import Setting

    if task.way == ALONE:
        return Setting(None, RandomizedResponse(task.epsilon), Cascade(threads=1))
    half = task.epsilon / 2
    model: LocalEstimator = Cascade(threads=1)
    if task.way == NETWORK:
        model = LPGNN("sage", epochs=task.epochs, threads=1)
        if math.isinf(half):
            model = model.with_params(k_x=0, k_y=0)  # without noise there is nothing to smooth away
    return Setting(MultiBit(half), RandomizedResponse(half), model)
