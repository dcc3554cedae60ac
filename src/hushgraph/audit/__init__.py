"""Audits: what promises can be caught at, by enumeration, by samples and by canaries (docs/audits.md).

An audit gives a lower bound on ε. One above the promise breaks it; one below proves nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushgraph.audit.bounds import epsilon_bound, lower_bound
    from hushgraph.audit.campaign import audit_campaign, audit_device, audit_friendship
    from hushgraph.audit.canary import audit
    from hushgraph.audit.devices import Commanded, answering, reporting
    from hushgraph.audit.enumeration import audit_exactly
    from hushgraph.audit.extremes import audit_extremes, extreme_pairs
    from hushgraph.audit.found import Audit
    from hushgraph.audit.method import audit_method
    from hushgraph.audit.privacy_loss import PrivacyLoss
    from hushgraph.audit.referee import Finding, worst_answer_loss, worst_laplace_loss
    from hushgraph.audit.sampling import audit_mechanism
    from hushgraph.audit.worlds import neighbors
    from hushgraph.audit.worst_run import audit_run

_WHERE = {
    "Audit": "found",
    "Commanded": "devices",
    "Finding": "referee",
    "PrivacyLoss": "privacy_loss",
    "answering": "devices",
    "audit": "canary",
    "audit_campaign": "campaign",
    "audit_device": "campaign",
    "audit_exactly": "enumeration",
    "audit_extremes": "extremes",
    "audit_friendship": "campaign",
    "audit_mechanism": "sampling",
    "audit_method": "method",
    "audit_run": "worst_run",
    "epsilon_bound": "bounds",
    "extreme_pairs": "extremes",
    "lower_bound": "bounds",
    "neighbors": "worlds",
    "reporting": "devices",
    "worst_answer_loss": "referee",
    "worst_laplace_loss": "referee",
}

__all__ = [
    "Audit",
    "Commanded",
    "Finding",
    "PrivacyLoss",
    "answering",
    "audit",
    "audit_campaign",
    "audit_device",
    "audit_exactly",
    "audit_extremes",
    "audit_friendship",
    "audit_mechanism",
    "audit_method",
    "audit_run",
    "epsilon_bound",
    "extreme_pairs",
    "lower_bound",
    "neighbors",
    "reporting",
    "worst_answer_loss",
    "worst_laplace_loss",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
