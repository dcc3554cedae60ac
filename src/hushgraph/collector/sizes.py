"""How many bytes a report to a campaign can have, so that a longer body need not be read."""

from __future__ import annotations

from hushgraph.collection import Campaign
from hushgraph.collection.campaign import Question
from hushgraph.collection.wire_answers import Form, Names, Numbers, Signs, form_of
from hushgraph.collector.batches import MOST, SECRET

NUMBER = 9
"""Bytes of the longest number."""
HEAD = 1 + 4 + NUMBER
# A little more is read, so that what is only malformed is told so.
SLACK = 64


def largest_report(campaign: Campaign) -> int:
    """No well-formed report has more bytes; of a list each name takes one, and distances take few more."""
    return HEAD + sum(NUMBER + max(map(_answer, _forms(campaign, question))) for question in campaign.asked)


def smallest_features(campaign: Campaign) -> int:
    """No answer about features has fewer bytes, whatever the level."""
    sizes = [form.size for form in _forms(campaign, "features") if isinstance(form, Signs | Numbers)]
    return min(sizes, default=0)


def largest_batch(report: int) -> int:
    """No batch of such reports has more bytes."""
    return NUMBER + MOST * (SECRET + NUMBER + report)


def _forms(campaign: Campaign, question: Question) -> list[Form]:
    return [form_of(campaign, question, level) for level in range(len(campaign.levels(question)))]


def _answer(form: Form) -> int:
    if isinstance(form, Signs | Numbers):
        return form.size
    if isinstance(form, Names):
        # A distance of more than one byte skips at least 128 people, who take none.
        return 2 * NUMBER + form.num_people
    return NUMBER
