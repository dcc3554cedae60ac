"""How often experiments ask the same people, and what that adds up to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushgraph.collection.statement import adding_up
from hushgraph.datasets.loading import is_public
from hushgraph.experiments import runner
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.formatting import name_of
from hushgraph.experiments.runs import Run, digest_of, digested
from hushgraph.experiments.store import ResultStore
from hushgraph.experiments.studies.study import Study
from hushgraph.privacy import Guarantee, Ledger

# Accuracy is computed from true labels, outside any budget, and runs are known by a hash of the data.
OWN = " What is measured, and the folder that keeps it, is for whoever holds the data."


@dataclass(frozen=True, slots=True)
class Asked:
    """What the people of a graph are asked once: a collection, or a release of a curator who asks nobody.

    Attributes:
        dataset: whose people.
        key: equal for runs that share it.
        kind: ``"collection"`` or ``"release"``.
        guarantee: what everybody is promised.
        revision: of the study that asks.
    """

    dataset: str
    key: str
    kind: str
    guarantee: Guarantee
    revision: int


def asked_by(plan: runner.Plan, root: Path | None = None, *, own_people: bool = False) -> list[Asked]:
    """Everything that the runs of a plan ask, each once: runs on the same reports are one collection.

    Or only what is asked of the user's ``own_people``: the data of known graphs is public.
    """
    runs: dict[str, dict[str, Run]] = defaultdict(dict)
    wanted = (run for run in plan.distinct.values() if not (own_people and is_public(run.dataset)))
    for run in wanted:
        runs[run.dataset].setdefault(run.collection, run)
    asked = []
    for dataset, distinct in runs.items():
        graph, _ = digested(dataset, root)
        promises: dict[str, Guarantee] = {}
        for key, run in distinct.items():
            study = run.study
            shared = study.shared(run.configuration) if study.shares_reports else run.configuration
            kind = "collection" if study.shares_reports else "release"
            said = digest_of([kind, shared])
            try:
                # Whoever is asked again is promised the same again.
                promises[said] = promises.get(said) or study.promise(graph, run.configuration, run.seed)
            except (ValueError, ArithmeticError, ImportError):
                continue  # the run will fail for the same reason, before it asks anybody
            asked.append(Asked(dataset, key, kind, promises[said], study.revision))
    return asked


def asked_by_search(
    study: Study, cells: Iterable[Any], repeats: int, root: Path | None, *, own_people: bool = False
) -> list[Asked]:
    """What a search asks, known before anything is tried: one cell for each collection is enough."""
    experiment = Experiment("tune/asked", "what is asked", "", study, tuple(cells))
    plan = runner.make_plan([experiment], repeats, root=root)
    for name, reason in plan.unavailable.items():
        raise FileNotFoundError(f"{name}: {reason}")
    return asked_by(plan, root, own_people=own_people)


def sentences(asked: Sequence[Asked]) -> list[str]:
    """For each graph how often its people are asked, and the sum, such as "Cora: 1 collection; ε = 2 …"."""
    promises = defaultdict(list)
    for one in asked:
        promises[one.dataset, one.kind].append(one.guarantee)
    return [
        f"{name_of(dataset)}: {adding_up(said, kind)}.{'' if is_public(dataset) else OWN}"
        for (dataset, kind), said in promises.items()
    ]


def charge(path: Path, command: str, asked: Sequence[Asked], results: ResultStore, root: Path | None) -> str:
    """Charges the user's own people, in a ledger's file, for all that is still to be asked; or nobody.

    What this folder has in the ledger was drawn before: the same again is one collection. The ledger knows it
    by a word that only the folder can make, for it is made of what people hold. Everybody is charged for the
    whole of a collection, those included who give no label. Returns what was charged, in words.
    """
    own = [one for one in asked if not is_public(one.dataset)]
    if not own:
        raise ValueError("--ledger is for graphs of your own: nobody is asked in those that are public")
    ledger = Ledger.open(path)
    charged = {entry.what.rpartition(" ")[2] for entry in ledger.entries}
    prices = []
    for dataset in dict.fromkeys(one.dataset for one in own):
        graph, _ = digested(dataset, root)
        people = list(range(graph.num_nodes)) if graph.ids is None else graph.ids.tolist()
        for one in own:
            known_by = digest_of([results.secret().hex(), one.key, one.revision, people])
            if one.dataset == dataset and known_by not in charged:
                what = f"{command}/{name_of(dataset)}/{one.kind} {known_by}"
                prices.append((what, one.guarantee, people))
    ledger.spend_all(prices)
    rest = "; the others were charged before" if len(prices) < len(own) else ""
    return f"{path}: everybody is charged for {len(prices)} of {len(own)}{rest}"
