"""A campaign to try a collector with: a folder with its database, the admin token, and everybody's tokens."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from hushgraph._files import atomic_write
from hushgraph.collection import Campaign
from hushgraph.collector import campaigns, issuing
from hushgraph.collector.campaigns import Shelf
from hushgraph.collector.schema import DRAFT, OPEN
from hushgraph.collector.stores import open_store
from hushgraph.mechanisms import MultiBit, RandomizedResponse

PEOPLE = 10_000


def sample_campaign(people: int = PEOPLE) -> Campaign:
    """What is asked: what somebody likes, and to which of five groups they belong.

    Its people are those of ``hushgraph.datasets.social(n=people, features=100, classes=5, …)``.
    """
    return Campaign(
        classes=tuple("01234"),
        num_features=100,
        features=(MultiBit(2.0),),
        labels=(RandomizedResponse(2.0),),
        num_people=people,
        name="sample",
    )


@dataclass(frozen=True, slots=True)
class Sample:
    """What :func:`prepare` made."""

    database: str
    admin_token: str
    campaign: Campaign
    tokens: Path


def prepare(folder: Path, people: int = PEOPLE) -> Sample:
    """Makes what is not there yet; what is there stays, with its tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    key = folder / "admin-token"
    if not key.exists():
        with atomic_write(key, secret=True) as file:
            file.write(secrets.token_urlsafe(32).encode())
    database = f"sqlite:///{(folder / 'collector.db').resolve()}"
    campaign = sample_campaign(people)
    tokens = folder / "tokens.csv"
    store = open_store(database)
    try:

        def write(work: Callable[[Connection], Any]) -> None:
            with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
                work(connection)

        write(lambda connection: campaigns.create(connection, campaign))
        ready = Shelf(store.engine).read(campaign.id)
        assert ready is not None
        if not tokens.exists():
            with atomic_write(tokens, secret=True) as file:
                file.writelines(issuing.issue(write, store.statements, ready, range(people), None))
        with store.engine.connect() as connection:
            state = campaigns.state_of(connection, campaign.id)
        if state == DRAFT:
            write(lambda connection: campaigns.move(connection, campaign.id, OPEN))
    finally:
        store.engine.dispose()
    campaign.save(folder / "campaign.json")
    return Sample(database, key.read_text(encoding="ascii").strip(), campaign, tokens)
