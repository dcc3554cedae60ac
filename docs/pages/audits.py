"""The page of what audits find."""

from __future__ import annotations

from typing import Any

from docs.pages.kept import measured
from docs.pages.markdown import short, table

KINDS = {
    "mechanism": "answers of a mechanism",
    "device": "what arrives of devices",
    "run": "a run with the worst planted",
    "noise": "noise that was drawn",
    "given": "what a method gives to its run",
    "canary": "fits to two graphs",
}


def figures() -> dict[str, Any]:
    """What the template asks for."""
    power = measured("audit-power")
    bugs, right = power["bugs"], power["right"]
    seeds, alarms = (sum(row[name] for row in right) for name in ("seeds", "alarms"))
    return {
        "count": len({_name(row["name"]) for row in bugs}),
        "always": sum(row["found"] == row["seeds"] for row in bugs),
        "audits": len(bugs),
        "bugs": table(
            ("bug", "audited by", "samples", "promised ε", "median bound", "found"),
            (
                (_name(row["name"]), KINDS[row["where"]], *_rest(row, row["found"]))
                for row in sorted(bugs, key=lambda row: list(KINDS).index(row["where"]))
            ),
        ),
        "right": table(
            ("right", "audited by", "samples", "promised ε", "median bound", "called wrong"),
            ((_name(row["of"]), KINDS[row["where"]], *_rest(row, row["alarms"])) for row in right),
        ),
        "right_seeds": f"{seeds:,}",
        "alarms": alarms,
        "factors": table(
            ("mechanism", "promised ε", "samples", "found nine times of ten from"),
            (
                (
                    row["mechanism"],
                    short(row["promised"]),
                    f"{row['samples']:,}",
                    f"{row['factor']:g} · ε" if row["factor"] else "–",
                )
                for row in power["factors"]
            ),
        ),
    }


def _name(key: str) -> str:
    """Without the number of samples, which stands beside it."""
    return key.rpartition(", ")[0]


def _rest(row: dict[str, Any], times: int) -> tuple[str, ...]:
    # Noise is measured, and what a run is given compared: of these there is no bound.
    bound = "–" if row["where"] in ("noise", "given") else f"{row['median_bound']:.2f}"
    return (
        f"{row['samples']:,}",
        short(row["promised"]),
        bound,
        f"{times} of {row['seeds']}",
    )
