"""The power of audits: how often each planted bug is found, and how often what is right is called wrong.

    python benchmarks/audit_power.py --output docs/results/audit-power.json

What the file has is kept, so that a run that was stopped goes on. A word or two after that measures the bugs
again whose names have one of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import audit_bugs
import numpy as np
import torch
from rich.console import Console

import hushgraph as hg
from hushgraph._files import atomic_write
from hushgraph.audit import audit_mechanism, extreme_pairs

# Seeds of each audit, by what is audited: fits take longest.
SEEDS = {"mechanism": 50, "device": 20, "run": 8, "noise": 20, "given": 8, "canary": 8}
# What is right stays far below its promise where fits are few: fewer seeds will do.
RIGHT_SEEDS = SEEDS | {"run": 4, "canary": 4}
FACTORS = (1.01, 1.02, 1.03, 1.05, 1.1, 1.2, 1.3, 1.5, 2.0, 3.0, 5.0)
FACTOR_SEEDS, OFTEN = 20, 0.9
console = Console(width=150)


def power(bug: audit_bugs.Bug) -> dict[str, Any]:
    """How often a bug is found."""
    found = [bug.wrong(seed) for seed in range(SEEDS[bug.where])]
    return {
        "name": bug.name,
        "where": bug.where,
        "samples": bug.samples,
        "promised": found[0].epsilon,
        "median_bound": float(np.median([one.lower_bound for one in found])),
        "found": sum(not one.passed for one in found),
        "seeds": len(found),
    }


def alarms(bug: audit_bugs.Bug) -> dict[str, Any]:
    """How often the same is called wrong where it is right."""
    found = [bug.right(seed) for seed in range(RIGHT_SEEDS[bug.where])]
    return {
        "of": bug.of,
        "where": bug.where,
        "samples": bug.samples,
        "promised": found[0].epsilon,
        "median_bound": float(np.median([one.lower_bound for one in found])),
        "alarms": sum(not one.passed for one in found),
        "seeds": len(found),
    }


def smallest_factors() -> list[dict[str, Any]]:
    """How much more than its promise a mechanism must spend for an audit to notice nine times of ten."""
    made = {
        "randomised response, 2 classes": lambda epsilon: hg.RandomizedResponse(epsilon, 2),
        "multi-bit, 3 features": hg.MultiBit,
        "Laplace, 1 feature": hg.Laplace,
    }
    rows = []
    for name, make in made.items():
        for samples in (1_000, 10_000, 100_000) if "response" in name else (1_000, 10_000):
            for promised in (1.0, 3.0) if "response" in name else (1.0,):
                least = next((one for one in FACTORS if noticed(make, promised, one, samples)), None)
                rows.append({"mechanism": name, "promised": promised, "samples": samples, "factor": least})
                console.print(rows[-1])
    return rows


def noticed(make: Any, promised: float, factor: float, samples: int) -> bool:
    """Whether an audit finds that the budget is so many times the promise."""
    wrong = make(promised * factor)
    _, one, other = extreme_pairs(wrong, 1 if isinstance(wrong, hg.Laplace) else 3)[0]
    missed = 0
    for seed in range(FACTOR_SEEDS):
        rng = np.random.default_rng(seed)
        missed += audit_mechanism(wrong, one, other, epsilon=promised, trials=samples, rng=rng).passed
        if missed > (1 - OFTEN) * FACTOR_SEEDS:
            return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--output", type=Path, required=True)
    asked = parser.parse_args()
    # torch looks for accelerators whenever it is seeded, which takes longer than what is audited.
    torch.manual_seed = torch.default_generator.manual_seed
    torch.set_num_threads(1)
    kept = json.loads(asked.output.read_text()) if asked.output.exists() else {}
    bugs = {row["name"]: row for row in kept.get("bugs", [])}
    right = {row["of"]: row for row in kept.get("right", [])}
    figures: dict[str, Any] = {"factors": kept.get("factors", [])}
    if not figures["factors"] or "factors" in asked.words:
        figures["factors"] = smallest_factors()

    def keep(rows: dict[str, Any], key: str, row: dict[str, Any], name: str) -> None:
        rows[key] = row | {name: key}
        console.print(rows[key])
        kept = figures | {"bugs": list(bugs.values()), "right": list(right.values())}
        with atomic_write(asked.output) as file:
            file.write((json.dumps(kept, indent=1, ensure_ascii=False) + "\n").encode())

    for bug in audit_bugs.BUGS:
        name, of = f"{bug.name}, {bug.samples:,}", f"{bug.of}, {bug.samples:,}"
        if name not in bugs or any(word in bug.name for word in asked.words):
            keep(bugs, name, power(bug), "name")
        if of not in right:
            keep(right, of, alarms(bug), "of")


if __name__ == "__main__":
    main()
