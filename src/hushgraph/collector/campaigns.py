"""Campaigns as the database has them, and those that are in use, read and ready."""

from __future__ import annotations

import hashlib
import json
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, insert, select, update

from hushgraph.collection import Campaign
from hushgraph.collection.wire import Wire
from hushgraph.collector import sizes
from hushgraph.collector.refusals import RefusedError
from hushgraph.collector.schema import CLOSED, DRAFT, OPEN, campaigns, reports, tokens

MOST_READY = 32
MOST_FEATURES = 1_000_000


@dataclass(frozen=True, slots=True)
class Ready:
    """A campaign with what is needed to check reports to it. None of this ever changes."""

    number: int
    id: str
    terms: bytes
    campaign: Campaign
    wire: Wire
    largest: int

    @property
    def key(self) -> bytes:
        """The id as 32 bytes."""
        return bytes.fromhex(self.id)


class Shelf:
    """The campaigns that were used last, so that a report need not read one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ready: OrderedDict[str, Ready] = OrderedDict()

    def at_hand(self, campaign_id: str) -> Ready | None:
        """The campaign, if it was used lately; called on the event loop."""
        found = self._ready.get(campaign_id)
        if found is not None:
            self._ready.move_to_end(campaign_id)
        return found

    def keep(self, ready: Ready) -> None:
        """Has it at hand from now on; called on the event loop."""
        self._ready[ready.id] = ready
        if len(self._ready) > MOST_READY:
            self._ready.popitem(last=False)

    def read(self, campaign_id: str) -> Ready | None:
        """The campaign from the database; called on a thread."""
        asked = select(campaigns.c.number, campaigns.c.terms).where(campaigns.c.id == campaign_id)
        with self._engine.connect() as connection:
            row = connection.execute(asked).one_or_none()
        if row is None:
            return None
        campaign = Campaign.from_json(row.terms.decode())
        largest = sizes.largest_report(campaign)
        return Ready(row.number, campaign_id, row.terms, campaign, Wire(campaign), largest)


def accepted(body: bytes, largest: int) -> Campaign:
    """The campaign that an administrator sent, or a refusal that says what is wrong with it."""
    try:
        text = body.decode()
        _refuse_enormous(json.loads(text))
        campaign = Campaign.from_json(text)
        campaign.to_json().encode()
        if (size := sizes.smallest_features(campaign)) > largest:
            raise ValueError(f"its reports have at least {size:,} bytes, and {largest:,} are taken")
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        why = "it is not text in UTF-8" if isinstance(error, UnicodeError) else str(error)
        raise RefusedError(422, f"the campaign is not accepted: {why[:500]}") from None
    return campaign


def _refuse_enormous(values: Any) -> None:
    """Before anything is made of it: numbers of things that would not fit into memory."""
    if not isinstance(values, dict):
        raise ValueError("this is no campaign: it must be a JSON object")
    counts = {"num_features": MOST_FEATURES, "num_people": 1 << 62}
    for name, most in counts.items():
        if isinstance(value := values.get(name), int | float) and value > most:
            raise ValueError(f"{name} must be at most {most:,}")
    for name in ("classes", "feature_names"):
        if isinstance(values.get(name), int | float):
            raise ValueError(f"{name} must be names")


def create(connection: Connection, campaign: Campaign) -> bool:
    """Keeps a campaign; whether it is new."""
    if connection.execute(select(campaigns.c.number).where(campaigns.c.id == campaign.id)).first():
        return False
    terms = campaign.to_json().encode()
    assert hashlib.sha256(terms).hexdigest() == campaign.id
    row = {"id": campaign.id, "terms": terms, "state": DRAFT, "created": int(time.time())}
    connection.execute(insert(campaigns), row)
    return True


def move(connection: Connection, campaign_id: str, state: str) -> str:
    """Opens or closes a campaign, and says what its state is now. Closed means closed."""
    times = {OPEN: campaigns.c.opened, CLOSED: campaigns.c.closed}
    before = {OPEN: (DRAFT,), CLOSED: (DRAFT, OPEN)}[state]
    change = update(campaigns).where(campaigns.c.id == campaign_id, campaigns.c.state.in_(before))
    connection.execute(change.values({"state": state, times[state].name: int(time.time())}))
    now = connection.execute(select(campaigns.c.state).where(campaigns.c.id == campaign_id)).scalar()
    if now is None:
        raise RefusedError(404, "there is no such campaign")
    if now != state:
        raise RefusedError(409, "the campaign was closed, and a closed campaign stays closed")
    return state


def status(connection: Connection, campaign_id: str) -> dict[str, Any] | None:
    """A campaign's state and counts."""
    row = connection.execute(select(campaigns).where(campaigns.c.id == campaign_id)).one_or_none()
    if row is None:
        return None
    terms = json.loads(row.terms)
    kept, withdrawn = counts(connection, row.number)
    issued = select(func.count()).select_from(tokens).where(tokens.c.campaign == row.number)
    return {
        "id": row.id, "name": terms["name"], "state": row.state, "num_people": terms["num_people"],
        "reports": kept, "withdrawn": withdrawn,
        "tokens": connection.execute(issued).scalar_one(),
        "created": row.created, "opened": row.opened, "closed": row.closed,
    }  # fmt: skip


def counts(connection: Connection, number: int) -> tuple[int, int]:
    """How many reports are kept, and how many people have withdrawn."""
    asked = select(func.count(), func.count(reports.c.body)).where(reports.c.campaign == number)
    everybody, kept = connection.execute(asked).one()
    return kept, everybody - kept


def listed(connection: Connection) -> list[dict[str, Any]]:
    """All campaigns, the oldest first."""
    ids = connection.execute(select(campaigns.c.id).order_by(campaigns.c.number)).scalars().all()
    return [found for one in ids if (found := status(connection, one)) is not None]


def state_of(connection: Connection, campaign_id: str) -> str | None:
    """The state of a campaign, if there is one."""
    asked = select(campaigns.c.state).where(campaigns.c.id == campaign_id)
    state: str | None = connection.execute(asked).scalar()
    return state
