"""What everybody pays for a collection, in the form that a ledger takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from hushgraph.collection.campaign import QUESTIONS, Campaign, Question
from hushgraph.privacy import Guarantee


def prices(
    campaign: Campaign,
    groups: Iterable[tuple[Question, int, NDArray[np.int64]]],
    num_people: int,
    ids: NDArray[np.str_] | None,
) -> Iterator[tuple[str, Guarantee, NDArray[np.int64] | NDArray[np.str_]]]:
    """What each kind of person pays: a name, the guarantee of all that is sent of them, and who they are.

    ``groups`` are those who answer a question at a level. With lists everybody pays: whoever sends nothing
    may be in the lists of others. People go by their ids, or by their numbers if they have none.
    """
    sent = np.full((num_people, len(QUESTIONS)), -1)
    for question, level, people in groups:
        sent[people, QUESTIONS.index(question)] = level
    kinds, kind_of = np.unique(sent, axis=0, return_inverse=True)
    for number, kind in reversed(list(enumerate(kinds.tolist()))):
        levels = {question: level for question, level in zip(QUESTIONS, kind, strict=True) if level >= 0}
        if levels or campaign.lists:
            promised = campaign.guarantee_of(levels)
            sent_by_them = " and ".join(part.protects for part in promised.parts)
            name = f"{campaign.name}/{sent_by_them or 'lists of others'}"
            who = np.flatnonzero(kind_of.ravel() == number)
            yield name, promised, who if ids is None else ids[who]
