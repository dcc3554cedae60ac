"""A device: it answers each campaign once, remembers what it answered, and what that cost."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Literal

from numpy.typing import ArrayLike

from hushgraph import _check, _http
from hushgraph.collection.campaign import Campaign, Question
from hushgraph.collection.wire import Wire
from hushgraph.device.answering import answer
from hushgraph.device.device_file import DeviceFile, Record, Records, State
from hushgraph.device.refusing import refuse_odd_values
from hushgraph.privacy import BudgetExceededError

# Sums such as 0.1 + 0.2 must not be refused for the last bit of a double.
ROUNDING = Fraction(1, 10**9)
TRIES = 5


class Reporter:
    """One person's device: answers campaigns with secure randomness, within the person's own cap.

    An answer is on disk before it can be sent, and a campaign gets the same one for ever after: asked twice,
    after a crash at any moment, or by two processes at once. What was answered is charged whether it was sent
    or not, over all campaigns, and more than the cap is refused.

    Args:
        path: the file that remembers; without one, this object alone does.
        epsilon, delta: what the person may spend in all.
        out_of_range: what becomes of a value that the campaign does not know. ``"clip"`` answers as the
            campaign's terms say, so that silence tells nothing; ``"refuse"`` is an error, and then it does.

    >>> from hushgraph import RandomizedResponse
    >>> spring = Campaign(classes=["calm", "merry"], labels=RandomizedResponse(1.0), num_people=9)
    >>> device = Reporter(epsilon=1.5)
    >>> record = device.answer(spring, person=4, label="calm")
    >>> record.body == device.answer(spring, person=4, label="merry").body, device.spent
    (True, (1.0, 0.0))
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        epsilon: float,
        delta: float = 0.0,
        out_of_range: Literal["clip", "refuse"] = "clip",
    ) -> None:
        self.epsilon = _check.epsilon(epsilon)
        self.delta = _check.fraction(delta, "delta", open_above=True)
        self.out_of_range = _check.choice(out_of_range, "out_of_range", ("clip", "refuse"))
        self._file = DeviceFile(path)

    def answer(
        self,
        campaign: Campaign,
        person: int,
        *,
        features: ArrayLike | None = None,
        label: int | str | None = None,
        friends: ArrayLike | None = None,
        levels: Mapping[Question, int] | None = None,
    ) -> Record:
        """The answer to a campaign: the one that was given, or a new one; see :func:`~hushgraph.answer`.

        A campaign that came from elsewhere is read with ``Campaign.from_json(terms, id=…)``, which refuses
        terms that are not those of the id.
        """
        wire = Wire(campaign)
        with self._file.records() as records:
            there = records.get(campaign.id)
            if there is not None:
                return self._the_same(there, person)
            held: dict[Question, object] = {"features": features, "label": label, "lists": friends}
            given = [question for question, value in held.items() if value is not None]
            taken: dict[Question, int] = {question: (levels or {}).get(question, 0) for question in given}
            price = campaign.guarantee_of(taken)
            self._check_cap(records, campaign.name, price.epsilon, price.delta)
            if self.out_of_range == "refuse":
                refuse_odd_values(campaign, person, features, label, friends)
            report = answer(
                campaign, person, features=features, label=label, friends=friends, levels=levels,
                public_columns=True,
            )  # fmt: skip
            body = wire.encode(report)
            record = Record(
                campaign.id, campaign.name, person, body, price.epsilon, price.delta, _now(), "answered"
            )
            records.add(record)
        return record

    def send(
        self, campaign_id: str, server: str, token: str, *, insecure: bool = False, tries: int = TRIES
    ) -> Record:
        """Sends the answer that is on this device, again if need be: a server keeps it once."""
        record = self.record(campaign_id)
        if record.body is None:
            raise ValueError(f"there is nothing to send: {record.campaign_name} is {record.state}")
        where = _http.address(server, "v1", "campaigns", campaign_id, "report", insecure=insecure)
        _http.request("PUT", where, token, record.body, tries=tries)
        return self._change(campaign_id, "sent")

    def withdraw(
        self, campaign_id: str, server: str, token: str, *, insecure: bool = False, tries: int = TRIES
    ) -> Record:
        """Has the server delete the answer. What it cost stays spent: the server has seen it.

        A device that remembers no answer can ask for that too, and then never gives one.
        """
        where = _http.address(server, "v1", "campaigns", campaign_id, "report", insecure=insecure)
        _http.request("DELETE", where, token, tries=tries)
        with self._file.records() as records:
            if records.get(campaign_id) is None:
                records.add(Record(campaign_id, "", None, None, 0.0, 0.0, _now(), "withdrawn"))
        return self._change(campaign_id, "withdrawn")

    def forget(self, campaign_id: str) -> Record:
        """Deletes the answer here. That there was one, and what it cost, stays: there will be no second."""
        record = self.record(campaign_id)
        if record.body is None:
            return record
        return self._change(campaign_id, "forgotten")

    def opt_out(self, campaign: Campaign) -> Record:
        """Never answers a campaign; one that was answered must be withdrawn instead."""
        with self._file.records() as records:
            there = records.get(campaign.id)
            if there is not None and there.state != "opted out":
                raise ValueError(f"{campaign.name} is {there.state} already: withdraw or forget it")
            record = Record(campaign.id, campaign.name, None, None, 0.0, 0.0, _now(), "opted out")
            if there is None:
                records.add(record)
        return there or record

    def record(self, campaign_id: str) -> Record:
        """What this device has of a campaign."""
        with self._file.records() as records:
            there = records.get(campaign_id)
        if there is None:
            raise LookupError("this device has not answered that campaign")
        return there

    @property
    def records(self) -> list[Record]:
        """Everything that this device remembers, in the order in which it was answered."""
        with self._file.records() as records:
            return list(records)

    @property
    def spent(self) -> tuple[float, float]:
        """The ε and the δ of all answers together."""
        answered = self.records
        return math.fsum(one.epsilon for one in answered), math.fsum(one.delta for one in answered)

    def _change(self, campaign_id: str, state: State) -> Record:
        with self._file.records() as records:
            records.change(campaign_id, state)
        return self.record(campaign_id)

    @staticmethod
    def _the_same(there: Record, person: int) -> Record:
        if there.body is None:
            raise ValueError(
                f"{there.campaign_name} is {there.state} on this device: it gives no second answer"
            )
        if there.person != person:
            raise ValueError(f"this device has answered {there.campaign_name} as another person")
        return there

    def _check_cap(self, records: Records, name: str, epsilon: float, delta: float) -> None:
        there = list(records)
        due = {
            "epsilon": (self.epsilon, [*(one.epsilon for one in there), epsilon]),
            "delta": (self.delta, [*(one.delta for one in there), delta]),
        }
        for what, (limit, costs) in due.items():
            if not _within(costs, limit):
                total = f"{what} {math.fsum(costs):g} > {limit:g}"
                raise BudgetExceededError(f"{name}: insufficient privacy budget: {total}")


def _within(costs: Iterable[float], limit: float) -> bool:
    """Whether costs add up to no more than a limit, in exact arithmetic."""
    costs = list(costs)
    if math.isinf(limit):
        return True
    if any(map(math.isinf, costs)):
        return False
    return sum(map(Fraction, costs)) <= Fraction(limit) * (1 + ROUNDING)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
