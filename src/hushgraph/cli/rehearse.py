"""``hushgraph collector rehearse``: a whole campaign with devices that are played, on a real collector."""

from __future__ import annotations

import csv
import math
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from hushgraph import _http
from hushgraph.cli import campaigns, console, options
from hushgraph.collection import Campaign

if TYPE_CHECKING:
    from hushgraph.collection.collected import CollectedGraph
    from hushgraph.graph import Graph
    from hushgraph.local import Cascade
    from hushgraph.split import Split

PATIENCE = 30.0
TRIES = 6


def rehearse(
    folder: Annotated[Path, typer.Option(help="What 'hushgraph collector serve --sample' made.")] = Path(
        "collector-sample"
    ),
    server: Annotated[str, typer.Option(help="Where that collector is.")] = "http://127.0.0.1:8000",
    devices: Annotated[int | None, typer.Option(min=10, help="How many answer; by default all.")] = None,
    repeats: Annotated[
        int, typer.Option(min=4, help="How often hg.collect asks the same people, to compare with.")
    ] = 8,
    jobs: Annotated[int, typer.Option(min=1, help="Devices that send at a time.")] = 8,
    as_json: options.AsJson = False,
) -> None:
    """Play the sample's devices, send their answers over HTTP, and learn from what arrived.

    The people are those of a built-in graph, so that the model can be tested, and compared with models that
    learned from hg.collect. Randomness is the operating system's, as on real devices. Whoever has answered
    the campaign before keeps their first answer. One rehearsal in a hundred is outside what is expected by
    chance alone, so that this is a verdict and no failure of the command.
    """
    from hushgraph.metrics import accuracy as assess

    with console.clear_errors():
        _wait_for(server)
        campaign = Campaign.load(folder / "campaign.json")
        token_file = folder / "admin-token"
        truth, split = _people(campaign)
        tokens = _tokens(folder / "tokens.csv")[:devices]
        sent, seconds = _answer(campaign, truth, split, tokens, server, jobs)
        where = _http.address(server, "v1", "campaigns", campaign.id)
        collected = campaigns.collected_at(where, token_file, edges=truth.edges, split=split)
        model = _learned(collected)
        accuracy = assess(model, truth, split.test)
        compared = _compared(collected, truth, split, repeats, accuracy)
    report = {
        "campaign": campaign.id,
        "sent": dict(sent),
        "seconds": seconds,
        "accuracy": accuracy,
        **model.details(),
        **compared,
    }
    if as_json:
        console.print_json({**report, "guarantee": collected.guarantee.to_dict()})
        return
    per_second = f"{sum(sent.values()) / seconds:,.0f} a second"
    console.print_facts(
        "Rehearsal",
        {
            "devices": f"{', '.join(f'{count:,} {what}' for what, count in sent.items())} ({per_second})",
            "learned from": repr(collected),
            "test accuracy": console.percent(accuracy),
            "accuracy estimated from noisy labels": str(model.accuracy_estimate_),
            "hg.collect on the same people": (
                f"{console.percent(compared['collect_mean'])}; another run is expected within"
                f" ± {100 * compared['expected_within']:.1f} points ({repeats} runs, 99 %)"
            ),
            "verdict": "the same"
            if compared["same"]
            else "outside that: run it again to see whether by chance",
        },
    )
    console.say(collected.guarantee)


def _people(campaign: Campaign) -> tuple[Graph, Split]:
    """The sample's people, and who of them gives a label."""
    from hushgraph.datasets import social
    from hushgraph.split import random_split

    assert campaign.num_people is not None
    truth = social(
        n=campaign.num_people, features=campaign.num_features, classes=campaign.num_classes, mean_degree=8.0,
        homophily=0.75, seed=1,
    )  # fmt: skip
    return truth, random_split(truth, train=0.5, val=0.25, seed=0)


def _wait_for(server: str) -> None:
    """Until the collector is ready; a start takes a moment."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            _http.request("GET", _http.address(server, "readyz"))
            return
        except OSError as error:
            if time.monotonic() > end:
                raise OSError(
                    f"no collector at {server}: start 'hushgraph collector serve --sample'"
                ) from error
            time.sleep(0.2)


def _tokens(file: Path) -> list[tuple[int, str]]:
    with file.open(encoding="ascii", newline="") as lines:
        return [(int(row["person"]), row["token"]) for row in csv.DictReader(lines)]


def _answer(
    campaign: Campaign, truth: Graph, split: Split, tokens: list[tuple[int, str]], server: str, jobs: int
) -> tuple[Counter[str], float]:
    """Has every device answer and send; how many did, and how long it took."""
    from hushgraph.device import Reporter

    labeled = {*split.train.tolist(), *split.val.tolist()}
    cap = campaign.guarantee.epsilon

    def device(person: int, token: str) -> str:
        reporter = Reporter(epsilon=cap)
        features = truth.features[[person]]
        label = int(truth.labels[person]) if person in labeled else None
        reporter.answer(campaign, person, features=features, label=label)
        try:
            reporter.send(campaign.id, server, token, tries=TRIES)
        except _http.RefusedError as error:
            if error.status != 409:
                raise
            return "answered before"
        return "answered"

    start = time.perf_counter()
    with console.progress_bar() as bar, ThreadPoolExecutor(jobs) as pool:
        task = bar.add_task("devices answering", total=len(tokens))
        sent: Counter[str] = Counter()
        for what in pool.map(lambda one: device(*one), tokens):
            sent[what] += 1
            bar.advance(task)
    return sent, time.perf_counter() - start


def _learned(collected: CollectedGraph, state: int = 0) -> Cascade:
    from hushgraph.local import Cascade

    return Cascade(random_state=state).fit(collected)


def _compared(
    collected: CollectedGraph, truth: Graph, split: Split, repeats: int, accuracy: float
) -> dict[str, Any]:
    """What hg.collect gives on the same people, and between which bounds one more run is expected."""
    from scipy import stats

    from hushgraph.collection.simulate import collect
    from hushgraph.metrics import accuracy as assess

    asked, accuracies = collected.campaign, []
    answered = np.flatnonzero(collected.answered)
    with console.progress_bar() as bar:
        for state in bar.track(range(repeats), description="hg.collect, to compare"):
            there = collect(truth, split, features=asked.features, labels=asked.labels, answered=answered)
            accuracies.append(assess(_learned(there, state), truth, split.test))
    mean = sum(accuracies) / repeats
    # Where one more run lies 99 times in 100, if runs are normal.
    reach = stats.t.ppf(0.995, repeats - 1) * math.sqrt(1 + 1 / repeats)
    within = float(reach * np.std(accuracies, ddof=1))
    same = abs(accuracy - mean) <= within
    return {"collect": accuracies, "collect_mean": mean, "expected_within": within, "same": same}
