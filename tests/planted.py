"""Planted bugs: each breaks a promise in one line, and a test must notice.

``python -m tests.planted [WORD …]`` from the project's folder plants them one by one in a copy, or those
whose name has one of the words, and runs the tests that should notice. It fails if one gets by.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import planted_curator
from tests.bug import Bug

HERE = Path(__file__).parent.parent


SIMULATE, DEVICE, READINGS = "collection/simulate.py", "device/answering.py", "device/readings.py"
STATEMENT, ESTIMATES = "collection/statement.py", "collection/estimates.py"
LAPLACE, GAUSSIAN, ADDITIVE = "mechanisms/laplace.py", "mechanisms/gaussian.py", "mechanisms/additive.py"
ON_SIMULATION, ON_DEVICES = "tests/collection/test_simulate.py", "tests/device"
ON_REPEATS = "tests/test_repeats.py"
SENT = "tests/collection/test_everything_is_randomised.py"
ON_OWN = "tests/collection/test_own_mechanisms.py"
ON_LEVELS, ON_CAMPAIGNS = "tests/collection/test_levels.py", "tests/collection/test_campaign.py"
ON_CLASSES = "tests/collection/test_public_classes.py"
ON_LAPLACE = "tests/mechanisms/test_laplace.py"
FLIPS = "flips = successes(trials, self._threshold, checked(rng))"
DRAWN = "place += noise.draw(np.broadcast_to(noise.scale, block.shape), rng)"

BUGS = [
    Bug("labels leave as they are", SIMULATE, "mechanism.randomize(graph.labels[people], rng)",
        "graph.labels[people]", SENT),
    Bug("validation labels leave as they are", SIMULATE, "mechanism.randomize(graph.labels[people], rng)",
        "np.where(np.arange(people.size) < people.size // 2, mechanism.randomize(graph.labels[people], rng),"
        " graph.labels[people])", SENT),
    Bug("test people send a label", SIMULATE, '"label": np.concatenate([train, val])',
        '"label": np.concatenate([train, val, split.test])', ON_SIMULATION),
    Bug("features at ten times the budget", SIMULATE, "to_columns(mechanism.randomize(held, rng))",
        "to_columns(__import__('dataclasses').replace(mechanism, epsilon=10 * mechanism.epsilon)"
        ".randomize(held, rng) if question == 'features' else mechanism.randomize(held, rng))",
        "tests/collection/test_long_way.py"),
    Bug("the highest level for everybody, simulated", SIMULATE, "campaign.levels(question)[level]",
        "campaign.levels(question)[-1]", ON_LEVELS),
    Bug("the highest level for everybody, on devices", DEVICE, "mechanism = campaign.levels(question)[level]",
        "mechanism = campaign.levels(question)[-1]", ON_DEVICES),
    Bug("a device sends its label", DEVICE, "mechanism.randomize(read_label(campaign, value, rng), rng)",
        "__import__('numpy').asarray(read_label(campaign, value, rng))", ON_DEVICES),
    Bug("a device stays silent for NaN", READINGS, "np.isnan(placed), campaign.midpoint", "False, 0.0",
        ON_DEVICES),
    Bug("a device stays silent out of range", READINGS, "np.clip(placed, mechanism.low, mechanism.high)",
        "placed", ON_DEVICES),
    Bug("an unknown label is answered as class 0", READINGS, "-1 if number is None", "0 if number is None",
        ON_DEVICES),
    Bug("an unknown friend is a silence", READINGS, "(given < campaign.num_people)", "True", ON_DEVICES),
    Bug("noise of a simulation from a fixed seed", SIMULATE, "SecureRandom() if rng is None",
        "np.random.default_rng(0) if rng is None", ON_SIMULATION),
    Bug("noise of a device from a fixed seed", DEVICE, "SecureRandom() if rng is None",
        "np.random.default_rng(0) if rng is None", ON_DEVICES),
    Bug("noise of the command from a seed that nobody gave", "cli/train.py", "seeded_noise=seed is not None",
        "seeded_noise=True", "tests/cli/test_own_people.py"),
    Bug("a simulation does not say so", SIMULATE, "simulated=type(source) is not SecureRandom",
        "simulated=False", ON_SIMULATION),
    Bug("a generator that looks secure passes for it", DEVICE, "type(source) is not SecureRandom",
        "not isinstance(source, SecureRandom)", ON_DEVICES),
    Bug("a saved simulation does not say so", "collection/reports.py", 'bool(header["simulated"])', "False",
        "tests/collection/test_collected.py"),
    Bug("a simulation's JSON does not say so", "collection/report.py", 'document.get("simulated", False))',
        "False)", "tests/collection/test_long_way.py"),
    Bug("Laplace noise is one percent short", LAPLACE, "Noise(steps, scale,",
        "Noise(steps, scale * 99 // 100,", ON_LAPLACE),
    Bug("the grid of Laplace noise is twice as fine", LAPLACE, "Noise(steps, scale,",
        "Noise(2 * steps, scale,", ON_LAPLACE),
    Bug("Gaussian noise is one percent short", GAUSSIAN, "Noise(steps, scale, float",
        "Noise(steps, scale * 99 // 100, float", "tests/mechanisms/test_discrete_gaussian.py"),
    Bug("Gaussian noise forgets the number of features", GAUSSIAN, "multiplier * math.sqrt(dimensions)",
        "multiplier", "tests/mechanisms/test_gaussian.py"),
    Bug("the rounding of Φ's argument is not added", GAUSSIAN, "moved = 2.0**-50 * size", "moved = 0.0",
        "tests/mechanisms/test_gaussian.py"),
    Bug("the rounding of Φ is not added", GAUSSIAN, "first * (1 + 2.0**-47) - second * (1 - 2.0**-47)",
        "first - second", "tests/mechanisms/test_gaussian.py"),
    Bug("a budget too small for 64 bits is kept", "mechanisms/randomness.py",
        "WORDS - outcomes * count > count * Fraction(epsilon)", "False",
        "tests/mechanisms/test_randomness.py"),
    Bug("the first feature has no noise", ADDITIVE, DRAWN,
        "drawn = noise.draw(np.broadcast_to(noise.scale, block.shape), rng); drawn[:, 0] = 0; place += drawn",
        ON_LAPLACE),
    Bug("all features of a person share their noise", ADDITIVE, DRAWN, DRAWN + "[:, :1]",
        SENT),
    Bug("both lists of a pair share a coin", "mechanisms/list_response.py", FLIPS,
        FLIPS + "; u, w = np.divmod(flips, others); v = w + (w >= u); up = u < v;"
        " flips = np.union1d(flips[up], v[up] * others + u[up])", SENT),
    Bug("the grid is made of what people hold", ADDITIVE, "noise = self.noise(features.columns)",
        "noise = self.noise(features.columns); noise = Noise(noise.steps, max(1, int(noise.scale"
        " * float(abs(features.matrix).max()) ** 0.01)), noise.variance, noise.draw)", SENT),
    Bug("which features are answered depends on them", "mechanisms/multi_bit.py",
        "columns = sample_columns(features.rows, features.columns, m, rng)",
        "columns = np.sort(sample_columns(features.rows, features.columns, m, rng), axis=1);"
        " columns = np.where(np.asarray(features.matrix[:, :1].sum(1)).reshape(-1, 1) > 0.5, columns,"
        " columns[:, ::-1])", SENT),
    Bug("a refusal in a file is somebody else's", "collection/collected.py", "[astuple(one) for one",
        "[astuple(one)[:1] + astuple(one)[:0:-1] for one", "tests/collection/test_collected.py"),
    Bug("the promise is that of the lowest level", STATEMENT, "return max(levels,", "return min(levels,",
        ON_CAMPAIGNS),
    Bug("δ is that of the highest level", STATEMENT, "delta=max(level.delta for level in levels)",
        "delta=levels[-1].delta", ON_CAMPAIGNS),
    Bug("a friendship costs one list", STATEMENT, "[others] if own is None else [others, own]", "[others]",
        ON_CAMPAIGNS),
    Bug("the headline forgets the second list", STATEMENT, "max(whole.epsilon, friendship.epsilon)",
        "whole.epsilon", ON_CAMPAIGNS),
    Bug("the ledger forgets who is in the lists of others", "collection/prices.py",
        "levels or campaign.lists", "levels", "tests/collection/test_private_lists.py"),
    Bug("classes from private labels are proven", STATEMENT,
        'question == "label" and campaign.classes_from_data', "False", ON_CAMPAIGNS),
    Bug("classes from private labels are proven to those who send none", STATEMENT,
        'campaign.classes_from_data and "label" not in parts', "False", ON_CLASSES),
    Bug("the class count from labels wins", "graph.py", "num_classes = stated or int(labels.max()) + 1",
        "num_classes = int(labels.max()) + 1", ON_CLASSES),
    Bug("classes from labels are not said to be so", "graph.py", "self.classes_from_data or not stated",
        "self.classes_from_data", ON_CLASSES),
    Bug("a borrowed promise is proven", STATEMENT, "if not is_known(mechanism)", "if False", ON_OWN),
    Bug("a proven promise can be changed by hand", "privacy/guarantee.py",
        'if self.status not in ("claimed", "refuted", "none")', "if False", "tests/privacy"),
    Bug("everybody has the noise of the lowest level", ESTIMATES, "LabelChannel(keep[taken], other[taken])",
        "LabelChannel(keep[0 * taken], other[0 * taken])", ON_LEVELS),
    Bug("the ledger charges the lowest level", "collection/prices.py",
        "promised = campaign.guarantee_of(levels)",
        "promised = campaign.guarantee_of(dict.fromkeys(levels, 0))", ON_LEVELS),
    Bug("a second report counts", "collection/screening.py", "report.person in seen", "False",
        "tests/collection/test_screening.py"),
    Bug("a list may name its own person", "collection/faults.py", "rows(names == owner)",
        "rows(names == -1)", "tests/collection/test_screening.py"),
    Bug("a refusal repeats the value", "collection/faults.py", 'f"{name} must be -1 or 1"',
        'f"{name} must be -1 or 1, not {parts[name].tolist()}"', "tests/collection/test_screening.py"),
    Bug("one range for all columns", "collection/campaign.py", "(given - low) / (high - low)",
        "(given - low[0]) / (high[0] - low[0])", ON_CAMPAIGNS),
    Bug("a spending is not atomic", "privacy/ledger.py", "connection.execute(_PAY, cost)",
        "connection.execute(_PAY, cost); connection.execute('COMMIT'); connection.execute('BEGIN')",
        "tests/privacy/test_ledger.py"),
    Bug("a ledger forgets on reopening", "privacy/ledger.py", "self._charge(prices, keep=True)",
        "self._charge(prices, keep=self.path is None)", "tests/privacy/test_ledger.py"),
    Bug("a ledger is not sure to be on disk", "privacy/ledger_file.py", "synchronous = EXTRA",
        "synchronous = OFF", "tests/privacy/test_ledger_file.py"),
    Bug("a refuted promise is charged as it says", "privacy/ledger.py", 'promised.status == "refuted"',
        "False", "tests/privacy/test_ledger.py"),
    Bug("a promise of nothing is charged as it says", "privacy/ledger.py",
        'math.inf if promised.status == "none" else', "", "tests/privacy/test_ledger.py"),
    Bug("ids that differ are one person", "privacy/ledger.py", "return str(person)",
        "return str(person).strip().lower()", "tests/privacy/test_ledger.py"),
    Bug("a collection is not paid for", SIMULATE, "ledger.spend_all(due)", "pass", ON_SIMULATION),
    Bug("an overspender is refused too late", SIMULATE, "ledger.check_all(due)", "pass", ON_SIMULATION),
    Bug("people pay by number although they have ids", "collection/prices.py",
        "who if ids is None else ids[who]", "who", ON_SIMULATION),
    Bug("a simulation is charged", "cli/options.py", "if simulated:", "if False:",
        "tests/cli/test_ledger.py"),
    Bug("assembled reports are not paid for", "cli/assemble.py", "charged.spend_all(_prices(collected))",
        "charged.check_all(_prices(collected))", "tests/cli/test_ledger.py"),
    Bug("a curator shows what is not paid for", "cli/curate.py", "charged.spend(*", "charged.check(*",
        "tests/cli/test_ledger.py"),
    Bug("a curator learns what nobody can pay for", "cli/curate.py", "charged.check(*", "str(*",
        "tests/cli/test_ledger.py"),
    Bug("tiny prices cost nothing", "privacy/ledger.py", "THEN 1 + {sys.float_info.epsilon}", "THEN 1",
        "tests/privacy/test_ledger.py"),
    Bug("the sum counts collections once", STATEMENT, "whole = of_several(promises)",
        "whole = of_several(promises[:1])", "tests/experiments/test_asked.py"),
    Bug("every run on the same reports counts", "experiments/runs.py",
        "return self.group if self.study.shares_reports else self.key", "return self.key",
        "tests/experiments/test_asked.py"),
    Bug("Adam is searched at another budget by default", "experiments/tune.py",
        "return as_tuned(epsilon) if self.as_published else epsilon", "return as_tuned(epsilon)",
        "tests/experiments/test_asked.py"),
    Bug("a search looks whether people can pay, and charges nobody", "experiments/asked.py",
        "ledger.spend_all(prices)", "ledger.check_all(prices)", "tests/experiments/test_asked.py"),
    Bug("noise shared between budgets", "repeats.py", "seed, asked.id, whom)", "seed, whom)", ON_REPEATS),
    Bug("noise shared between repeats", "repeats.py", "seed, asked.id, whom)", "asked.id)", ON_REPEATS),
    Bug("noise from the seed of the split", "repeats.py",
        'derived_seed(graph, "noise of a collection", seed, asked.id, whom)', "seed", ON_REPEATS),
    Bug("noise shared between cells about one's own people", "experiments/studies/noise.py",
        '{} if is_public(dataset) else {"noise": "own"}', "{}", "tests/experiments/test_studies.py"),
    Bug("a curator's noise shared between cells about one's own people", "experiments/studies/curator.py",
        "curator_seed(graph, seed, configuration)", "curator_seed(graph, seed, 0)",
        "tests/experiments/test_studies.py"),
    Bug("another collection passes for the one that was learned from", "cli/predict.py",
        "fitted.learned_from_ == reports.digest", "True", "tests/cli/test_own_people.py"),
    *planted_curator.BUGS,
]  # fmt: skip


def notices(bug: Bug) -> bool:
    """Whether the tests fail with the bug in the code."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("src", "tests"):
            shutil.copytree(HERE / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(HERE / "pyproject.toml", copy)
        file = copy / "src" / "hushgraph" / bug.file
        text = file.read_text(encoding="utf-8")
        if text.count(bug.before) != 1:
            raise SystemExit(f"{bug.name}: {bug.file} must have once: {bug.before}")
        file.write_text(text.replace(bug.before, bug.after), encoding="utf-8")
        words = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", bug.tests]
        environment = os.environ | {"PYTHONPATH": str(copy / "src")}
        return (
            subprocess.run(words, cwd=copy, env=environment, capture_output=True, check=False).returncode == 1
        )


def main() -> None:
    wanted = [bug for bug in BUGS if not sys.argv[1:] or any(word in bug.name for word in sys.argv[1:])]
    passed = 0
    for bug in wanted:
        caught = notices(bug)
        passed += not caught
        print(f"{'caught' if caught else 'PASSED':8}{bug.name:60}{bug.tests}", flush=True)
    print(f"{len(wanted) - passed} of {len(wanted)} planted bugs are caught")
    sys.exit(1 if passed else 0)


if __name__ == "__main__":
    main()
