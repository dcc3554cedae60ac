"""Devices that tell more than a campaign promises, seen where their reports arrive."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import hushgraph as hg
from hushgraph.audit import Audit, answering, audit_device, audit_friendship
from hushgraph.collection.wire import Wire

from .bug import DEVICES, Bug

CAMPAIGN: Any = hg.Campaign


def campaign(features: float = 1.0, label: float = 1.0) -> hg.Campaign:
    """Two questions with a budget each."""
    asked: hg.Campaign = CAMPAIGN(
        classes=3, num_features=3, features=hg.OneBit(features), labels=hg.RandomizedResponse(label)
    )
    return asked


BOTH = ({"features": np.zeros(3), "label": 0}, {"features": np.ones(3), "label": 2})
LABEL = ({"label": 0}, {"label": 2})
SILENT = ({"features": np.zeros(3), "label": 0}, {"features": np.zeros(3), "label": 2})
LEVELS: hg.Campaign = CAMPAIGN(classes=3, labels=[hg.RandomizedResponse(0.5), hg.RandomizedResponse(3.0)])
LISTS: hg.Campaign = CAMPAIGN(classes=2, lists=hg.AdjacencyRandomizedResponse(1.0), num_people=5)


def fresh(seed: int) -> Any:
    """A device that is right, with a seed."""
    return answering(np.random.default_rng(seed))


def remembering(seed: int, *, forgets: bool) -> Any:
    """Devices that give their first answer again, or forget it."""
    device = fresh(seed)

    def asked(terms: Any, people: Any, held: Any, levels: Any, times: int) -> Any:
        answers = device(terms, people, held, levels, times if forgets else 1)
        return answers if forgets else [one * times for one in answers]

    return asked


def of_other_terms(seed: int, other: hg.Campaign) -> Any:
    """Devices that answer as if the campaign had other budgets."""

    def asked(terms: Any, people: Any, held: Any, levels: Any, times: int) -> Any:
        wire, reading = Wire(terms), Wire(other)
        answers = fresh(seed)(other, people, held, levels, times)
        return [
            [wire.encode(replace(reading.decode(body), campaign_id=terms.id)) for body in one]
            for one in answers
        ]

    return asked


def highest_level(seed: int) -> Any:
    """Devices that answer at the highest level and say another."""

    def asked(terms: Any, people: Any, held: Any, levels: Any, times: int) -> Any:
        wire = Wire(terms)
        found = []
        for (body,) in fresh(seed)(terms, people, held, {"label": 1}, times):
            report = wire.decode(body)
            said: Any = {"label": replace(report.answers["label"], level=0)}
            found.append([wire.encode(replace(report, answers=said))])
        return found

    return asked


def silent(seed: int) -> Any:
    """Devices that answer the question about features only to those of the last class."""

    def asked(terms: Any, people: Any, held: Any, levels: Any, times: int) -> Any:
        told = held if held["label"] == 2 else {"label": held["label"]}
        return fresh(seed)(terms, people, told, levels, times)

    return asked


def sometimes_raw(seed: int) -> Any:
    """Devices of which every second sends the label as it is."""

    def asked(terms: Any, people: Any, held: Any, levels: Any, times: int) -> Any:
        wire = Wire(terms)
        answers = fresh(seed)(terms, people, held, levels, times)
        for number in range(0, len(answers), 2):
            report = wire.decode(answers[number][0])
            raw = replace(report.answers["label"], parts={"label": np.array(held["label"])})
            answers[number] = [wire.encode(replace(report, answers={"label": raw}))] * times
        return answers

    return asked


def one_seed(_: int) -> Any:
    """Devices that all draw from the same seed."""

    def asked(terms: Any, people: Any, held: Any, levels: Any, times: int) -> Any:
        return [fresh(0)(terms, [person], held, levels, times)[0] for person in people]

    return asked


def device(
    name: str,
    wrong: Any,
    right: Any = fresh,
    values: Any = LABEL,
    terms: Any = None,
    trials: int = DEVICES,
    **words: Any,
) -> Bug:
    """What arrives of devices with one value or another."""

    def audited(make: Any, seed: int) -> Audit:
        return audit_device(terms or campaign(), *values, device=make(seed), trials=trials, **words)

    often = ", eight times" * ("times" in words)
    of = f"{' and '.join(values[0])} of a campaign with {(terms or campaign()).guarantee.strength}{often}"
    return Bug(name, of, "device", trials, partial(audited, wrong), partial(audited, right))


def friendship(promised: float, seed: int) -> Audit:
    """Both lists of a friendship."""
    return audit_friendship(LISTS, device=fresh(seed), epsilon=promised, trials=DEVICES)


DEVICE_BUGS = [
    device(
        "a memory that forgets, asked eight times",
        partial(remembering, forgets=True),
        partial(remembering, forgets=False),
        times=8,
    ),
    device(
        "features and label at the whole budget each",
        lambda seed: of_other_terms(seed, campaign(2.0, 2.0)),
        values=BOTH,
        trials=4000,
    ),
    device(
        "budgets of features and label swapped",
        lambda seed: of_other_terms(seed, campaign(1.0, 4.0)),
        terms=campaign(4.0, 1.0),
    ),
    device("the highest level for everybody", highest_level, terms=LEVELS),
    device("a question that one class alone answers", silent, values=SILENT),
    device("every second label as it is", sometimes_raw),
    device("one seed for all devices", one_seed),
    Bug(
        "a friendship priced as one list",
        "both lists of a friendship, ε = 2",
        "device",
        DEVICES,
        partial(friendship, 1.0),
        partial(friendship, 2.0),
    ),
]
