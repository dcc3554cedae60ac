"""Plans the runs of experiments, performs those that are not there yet, and makes the tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from hushgraph import registry
from hushgraph.datasets.loading import is_public
from hushgraph.experiments import pool
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.hyperparameters import Hyperparameters
from hushgraph.experiments.runs import Run, check_name, digested
from hushgraph.experiments.store import Result, ResultStore
from hushgraph.experiments.tables import NOT_AVAILABLE, NOT_RUN, Table, make_table

Controls = Literal["none", "public", "all", "only"]


@dataclass(slots=True)
class Plan:
    """The runs of some experiments, and what each would cost.

    Attributes:
        runs: those of each cell, by experiment and cell.
        costs: of each run, by key.
        graphs: the graphs that are there, in words.
        unavailable: why a dataset is not there, by name.
        refused: why a cell cannot be run at all, by experiment and cell.
        controls: the runs of the controls of cells, by experiment and cell.
    """

    experiments: list[Experiment]
    repeats: int
    runs: dict[tuple[str, Any], list[Run]] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)
    graphs: dict[str, str] = field(default_factory=dict)
    unavailable: dict[str, str] = field(default_factory=dict)
    refused: dict[tuple[str, Any], str] = field(default_factory=dict)
    controls: dict[tuple[str, Any], list[Run]] = field(default_factory=dict)

    @property
    def distinct(self) -> dict[str, Run]:
        """Every run once: experiments share cells, and cells share controls."""
        listed = (*self.runs.values(), *self.controls.values())
        return {run.key: run for runs in listed for run in runs}


def make_plan(
    experiments: Iterable[Experiment],
    repeats: int,
    hyperparameters: Hyperparameters | None = None,
    root: Path | None = None,
    controls: Controls = "none",
) -> Plan:
    """Loads every graph once, to know its content, and lists the runs of every cell.

    A cell whose graph cannot be read, or for which nobody chose hyper-parameters, is refused and the rest is
    planned; if that leaves nothing, the first reason is raised. ``hyperparameters`` are used instead of
    those that the experiments name. ``controls`` are planned for no graph, those that are public, all, or,
    with ``"only"``, those that are public and instead of the cells.
    """
    plan = Plan(list(experiments), repeats)
    sets = {
        experiment.name: hyperparameters or Hyperparameters.packaged(experiment.hyperparameters)
        for experiment in plan.experiments
    }
    for dataset in dict.fromkeys(name for experiment in plan.experiments for name in experiment.datasets):
        check_name(dataset)
        cells = [
            (experiment, cell)
            for experiment in plan.experiments
            for cell in experiment.cells
            if cell.dataset == dataset
        ]
        try:
            graph, digest = digested(dataset, root)
        except (FileNotFoundError, ImportError) as error:
            plan.unavailable[dataset] = str(error)
            continue
        except ValueError as error:
            plan.refused.update(((experiment.name, cell), str(error)) for experiment, cell in cells)
            continue
        plan.graphs[dataset] = repr(graph)
        for experiment, cell in cells:
            try:
                configuration = experiment.study.configure(cell, sets[experiment.name])
            except LookupError as error:
                plan.refused[experiment.name, cell] = str(error)
                continue
            study, key = experiment.study, (experiment.name, cell)
            wanted = []
            if controls != "only":
                wanted.append((plan.runs, configuration))
            if study.control and study.has_control(cell) and _controlled(dataset, controls):
                wanted.append((plan.controls, study.control(configuration)))
            for listed, one in wanted:
                listed[key] = [Run(dataset, digest, one, seed) for seed in range(repeats)]
                price = study.cost(graph, one)
                plan.costs.update((run.key, price) for run in listed[key])
    if plan.refused and not plan.distinct:
        raise ValueError(next(iter(plan.refused.values())))
    return plan


def _controlled(dataset: str, controls: Controls) -> bool:
    """Whether there are controls on a graph: on the user's own, people would be asked once more for them."""
    return controls == "all" or (controls != "none" and is_public(dataset))


@dataclass(slots=True)
class Advance:
    """How far the runner is; ``share`` is by cost."""

    done: int
    runs: int
    share: float
    failed: int


def finished(plan: Plan, results: ResultStore) -> dict[str, Result]:
    """What is stored of the plan's runs, by key."""
    stored = {key: results.get(run) for key, run in plan.distinct.items()}
    return {key: result for key, result in stored.items() if result is not None}


def perform(
    plan: Plan,
    results: ResultStore,
    *,
    jobs: int,
    device: str = "auto",
    root: Path | None = None,
    on_progress: Callable[[Advance], None] = lambda _: None,
) -> tuple[dict[str, Result], dict[str, str]]:
    """Performs what is not stored yet; the results by key, and why some failed.

    A kill at any moment loses only the runs that are under way. What failed is tried again next time.
    """
    found = finished(plan, results)
    missing = [run for key, run in plan.distinct.items() if key not in found]
    failures: dict[str, str] = {}
    if not missing:
        return found, failures
    work = pool.Work(results.folder, results.settings, root, device, tuple(registry.IMPORTED))
    total = sum(plan.costs[run.key] for run in missing)
    done, spent = 0, 0.0
    under_way: dict[str, float] = {}
    on_progress(Advance(0, len(missing), 0.0, 0))
    for event in pool.perform_all(_grouped(missing, plan.costs), work, jobs):
        key = event.run.key
        price = plan.costs[key]
        if isinstance(event, pool.Advanced):
            under_way[key] = event.share * price
        else:
            under_way.pop(key, None)
            done += 1
            spent += price
            if isinstance(event, pool.Finished):
                found[key] = event.result
            else:
                failures[key] = event.reason
        on_progress(Advance(done, len(missing), (spent + sum(under_way.values())) / total, len(failures)))
    return found, failures


def tables(plan: Plan, found: dict[str, Result], failures: dict[str, str]) -> list[Table]:
    """The table of each experiment, with what is missing said in its place."""
    made = []
    for experiment in plan.experiments:
        results: dict[Any, Sequence[Result]] = {}
        troubles: dict[Any, str] = {}
        controls: dict[Any, Sequence[Result]] = {}
        for cell in experiment.cells:
            runs = plan.runs.get((experiment.name, cell), [])
            results[cell] = [found[run.key] for run in runs if run.key in found]
            failed = [failures[run.key] for run in runs if run.key in failures]
            if cell.dataset in plan.unavailable:
                troubles[cell] = NOT_AVAILABLE
            elif (experiment.name, cell) in plan.refused:
                troubles[cell] = plan.refused[experiment.name, cell]
            elif failed:
                troubles[cell] = f"{len(failed)} of {len(runs)} runs failed: {failed[0]}"
            elif not runs or len(results[cell]) < len(runs):
                troubles[cell] = NOT_RUN
            beside = plan.controls.get((experiment.name, cell), [])
            controls[cell] = [found[run.key] for run in beside if run.key in found]
        made.append(make_table(experiment, results, troubles, plan.repeats, controls))
    return made


def _grouped(runs: Iterable[Run], costs: dict[str, float]) -> list[list[Run]]:
    """Runs that share a graph, split and reports together; the costly groups first, graph by graph."""
    groups: dict[str, list[Run]] = defaultdict(list)
    heaviest: dict[str, float] = defaultdict(float)
    for run in runs:
        groups[run.group].append(run)
        heaviest[run.dataset] = max(heaviest[run.dataset], costs[run.key])
    return sorted(
        groups.values(),
        key=lambda group: (-heaviest[group[0].dataset], -sum(costs[run.key] for run in group)),
    )
