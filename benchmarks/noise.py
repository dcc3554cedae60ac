"""What exact noise on a grid costs: nanoseconds a number, beside numpy's own noise in the same run.

python benchmarks/noise.py --output docs/results/noise.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import hushgraph as hg
from hushgraph._files import atomic_write

PEOPLE, FEATURES, TIMES = 2000, 500, 5


def nanoseconds(draw: Callable[[], object]) -> float:
    """The best of several."""
    found = []
    for _ in range(TIMES):
        start = time.perf_counter()
        draw()
        found.append(time.perf_counter() - start)
    return min(found) / (PEOPLE * FEATURES) * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, required=True)
    output = parser.parse_args().output
    rng, values = np.random.default_rng(0), np.zeros((PEOPLE, FEATURES))
    rows = []
    for name, mechanism, plain in (
        ("Laplace", hg.Laplace(1.0), rng.laplace),
        ("analytic Gaussian", hg.AnalyticGaussian(1.0, 1e-6), rng.normal),
    ):
        exact = nanoseconds(lambda: mechanism.randomize(values, rng))  # noqa: B023
        floating = nanoseconds(lambda: values + plain(0.0, 1.0, values.shape))  # noqa: B023
        rows.append({"noise": name, "exact": exact, "floating": floating, "ratio": exact / floating})
        print(rows[-1], flush=True)
    with atomic_write(output) as file:
        file.write((json.dumps(rows, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
