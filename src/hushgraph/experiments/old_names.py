"""Names of fields and values as cells had them before 0.3, and as files of the papers' figures have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hushgraph import _renamed

VALUES = {
    "multi_bit": "multi-bit",
    "one_bit": "one-bit",
    "analytic_gaussian": "gaussian",
    "one_hot_degree": "degree",
    "solitude_proximal": "solitude-proximal",
    "dp_mlp": "dp-mlp",
    "dp_sage": "dp-sage",
}


def todays_name(name: str) -> str:
    """Of a field: ``"eps_x"`` is ``"epsilon_x"``, ``"adjacency"`` is ``"relation"``."""
    return "relation" if name == "adjacency" else re.sub(r"^eps(?=_|$)", "epsilon", name)


def todays_value(value: Any) -> Any:
    """Of a method or mechanism; NIP-GNN without more was the published one.

    >>> todays_value("nip_gnn_sound-no-residual"), todays_value("nip_gnn"), todays_value("multi_bit")
    ('nip-gnn-no-residual', 'nip-gnn-published', 'multi-bit')
    """
    if isinstance(value, str) and value.startswith("nip_gnn"):
        return value.replace("nip_gnn_sound", "nip-gnn").replace("nip_gnn", "nip-gnn-published")
    return VALUES.get(value, value) if isinstance(value, str) else value


def todays(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with all its names as they are now."""
    return {
        todays_name(name): value if name == "paper" else todays_value(value) for name, value in row.items()
    }


def warn_about(row: Mapping[str, Any], where: str) -> None:
    """Says which old names a user's file has."""
    for name, value in row.items():
        if todays_name(name) != name:
            _renamed.warn(f"{where}: {name}", todays_name(name))
        if todays_value(value) != value:
            _renamed.warn(f"{where}: {value!r}", repr(todays_value(value)))
