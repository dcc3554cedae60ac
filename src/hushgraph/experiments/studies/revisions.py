"""Methods that came to compute something else than before, in whatever study they are run."""

from __future__ import annotations

# Raised with the change; runs of all other methods stay valid.
REVISIONS = {"ballots": 4, "cascade": 2}


def revision_of(method: str) -> dict[str, int]:
    """What it adds to a configuration: nothing, as long as the method is what it was.

    >>> revision_of("gap")
    {}
    """
    return {"method_revision": REVISIONS[method]} if method in REVISIONS else {}
