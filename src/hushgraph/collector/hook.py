"""The hook: how a deployment says, in Python of its own, who a request is from.

It is a function of the campaign's id and the request's headers (lower-case names) that returns the number of
the person, or None for nobody: for example one that verifies the session cookie of the team's own site.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Mapping

Hook = Callable[[str, Mapping[str, str]], int | None]


def load(place: str) -> Hook:
    """The function at ``module:function``."""
    module, _, name = place.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(
            f"the token hook {place!r} must be module:function ({type(error).__name__})"
        ) from None
    if not callable(found):
        raise ValueError(f"the token hook {place!r} is no function")
    hook: Hook = found
    return hook


def person(returned: object) -> int | None:
    """Who it says it is. TypeError for what is no whole number; True is none, whatever Python says."""
    if returned is None:
        return None
    if isinstance(returned, bool):
        raise TypeError("a bool is no person")
    return operator.index(returned)  # type: ignore[arg-type]
