"""What waits to be written, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

KEPT, AGAIN = 201, 200
WRONG_TOKEN, NOT_OPEN, ANOTHER_KEPT, WITHDRAWN = 401, 403, 409, 410
WHY = {
    WRONG_TOKEN: "the token is missing, wrong or expired",
    NOT_OPEN: "the campaign is not open",
    ANOTHER_KEPT: "another report of this person is kept, and the first one counts",
    WITHDRAWN: "this person has withdrawn from the campaign, for good",
}

# The digest of no token: it stands in where a person has none, so that the comparison takes as long.
NOBODY = bytes(32)


@dataclass(frozen=True, slots=True)
class Submission:
    """Reports to one campaign that are decided about together: columns of people, token digests and bodies.

    Bodies were checked already; tokens are checked when it is written, in the same transaction.
    """

    campaign: int
    people: Sequence[int]
    digests: Sequence[bytes]
    bodies: Sequence[bytes]

    @property
    def size(self) -> int:
        """Its bytes, about."""
        return sum(map(len, self.bodies)) + 64 * len(self.bodies)
