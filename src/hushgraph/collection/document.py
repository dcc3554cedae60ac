"""A campaign as canonical JSON: one text for one content, since its id is a hash of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from hushgraph.mechanisms.described import describe, restore

FORMAT = 1
MECHANISMS = ("features", "labels", "lists")


def write(values: Mapping[str, Any]) -> str:
    """The text for a campaign's fields: sorted keys, no spaces, plain values."""
    mechanisms = {name: [describe(one) for one in values[name]] for name in MECHANISMS}
    return json.dumps(
        {"format": FORMAT, **values, **mechanisms},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )


def read(text: str, names: Collection[str], own: Iterable[type[Any]]) -> dict[str, Any]:
    """The fields of these names; ``own`` are mechanisms of one's own that the text may name."""
    values: dict[str, Any] = json.loads(text)
    if values.pop("format") != FORMAT:
        raise ValueError(f"it has another format than {FORMAT}, which this version reads")
    if set(values) != set(names):
        raise ValueError("it must have the entries of a campaign, no fewer and no more")
    known = list(own)
    for name in MECHANISMS:
        values[name] = [restore(one, known) for one in values[name]]
    return values
