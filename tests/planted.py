"""Planted bugs: each breaks a promise in one line, and a test must notice.

``python -m tests.planted [WORD …]`` from the project's folder plants them one by one in a copy, or those
whose name has one of the words, and runs the tests that should notice. It prints a table and fails if one
gets by.
"""

from __future__ import annotations

import argparse
import sys

from tests import (
    planted_attacks,
    planted_audits,
    planted_collector,
    planted_curator,
    planted_devices,
    planted_local_attacks,
    planted_spending,
    planting,
)
from tests.bug import Bug

SIMULATE, DEVICE, READINGS = "collection/simulate.py", "device/answering.py", "device/readings.py"
STATEMENT, ESTIMATES = "collection/statement.py", "collection/estimates.py"
LAPLACE, GAUSSIAN, ADDITIVE = "mechanisms/laplace.py", "mechanisms/gaussian.py", "mechanisms/additive.py"
ON_SIMULATION, ON_DEVICES = "tests/collection/test_simulate.py", "tests/device/test_answering.py"
ON_LEVELS, ON_CAMPAIGNS = "tests/collection/test_levels.py", "tests/collection/test_campaign.py"
ON_OWN, ON_FILES = "tests/collection/test_own_mechanisms.py", "tests/collection/test_collected.py"
ON_LAPLACE, ON_GAUSSIAN = "tests/mechanisms/test_laplace.py", "tests/mechanisms/test_gaussian.py"
ON_READINGS, ON_CLASSES = "tests/device/test_readings.py", "tests/collection/test_public_classes.py"
SENT = "tests/collection/test_everything_is_randomised.py"
RANDOMISED = f"{SENT}::test_everything_that_is_sent_was_randomised"
ONE_PERSON = f"{SENT}::test_what_one_person_holds_changes_their_own_report_and_nothing_else"
AS_ASKED = f"{SENT}::test_what_leaves_is_what_the_mechanism_of_ones_own_level_draws"
UNSEEDED = f"{ON_SIMULATION}::test_without_a_generator_the_noise_is_the_operating_systems_and_no_simulation"
EVERY_LEVEL = f"{ON_CAMPAIGNS}::test_the_promise_to_everybody_holds_for_every_level"
ON_SCREENING = "tests/collection/test_screening.py"
MALFORMED = f"{ON_SCREENING}::test_a_malformed_report_is_refused_with_its_number_and_the_others_are_kept"
LAPLACE_COSTS = f"{ON_LAPLACE}::test_all_features_together_cost_epsilon_exactly_and_no_more"
FLIPS = "flips = successes(trials, self._threshold, checked(rng))"
DRAWN = "place += noise.draw(np.broadcast_to(noise.scale, block.shape), rng)"

# Widths of the table's columns.
NAME, FILE = 66, 30

BUGS = [
    Bug("labels leave as they are", SIMULATE, "mechanism.randomize(graph.labels[people], rng)",
        "graph.labels[people]", RANDOMISED),
    Bug("validation labels leave as they are", SIMULATE, "mechanism.randomize(graph.labels[people], rng)",
        "np.where(np.arange(people.size) < people.size // 2, mechanism.randomize(graph.labels[people], rng),"
        " graph.labels[people])", RANDOMISED),
    Bug("test people send a label", SIMULATE, '"label": np.concatenate([train, val])',
        '"label": np.concatenate([train, val, split.test])',
        f"{ON_SIMULATION}::test_test_people_and_people_without_a_label_report_none"),
    Bug("features at ten times the budget", SIMULATE, "to_columns(mechanism.randomize(held, rng))",
        "to_columns(__import__('dataclasses').replace(mechanism, epsilon=10 * mechanism.epsilon)"
        ".randomize(held, rng) if question == 'features' else mechanism.randomize(held, rng))",
        AS_ASKED),
    Bug("the highest level for everybody, simulated", SIMULATE, "campaign.levels(question)[level]",
        "campaign.levels(question)[-1]", AS_ASKED),
    Bug("the highest level for everybody, on devices", DEVICE, "mechanism = campaign.levels(question)[level]",
        "mechanism = campaign.levels(question)[-1]",
        f"{ON_DEVICES}::test_each_answer_goes_through_the_mechanism_of_the_level_that_was_taken[0]"),
    Bug("a device sends its label", DEVICE, "mechanism.randomize(read_label(campaign, value, rng), rng)",
        "__import__('numpy').asarray(read_label(campaign, value, rng))",
        f"{ON_DEVICES}::test_the_answer_has_the_probabilities_of_the_mechanism"),
    Bug("noise of a simulation from a fixed seed", SIMULATE, "SecureRandom() if rng is None",
        "np.random.default_rng(0) if rng is None", UNSEEDED),
    Bug("noise of a device from a fixed seed", DEVICE, "SecureRandom() if rng is None",
        "__import__('numpy').random.default_rng(0) if rng is None",
        f"{ON_DEVICES}::test_a_device_draws_from_the_operating_system_and_a_seed_is_a_simulation"),
    Bug("noise of the command from a seed that nobody gave", "cli/simulating.py",
        "seeded_noise=seed is not None", "seeded_noise=True",
        "tests/cli/test_own_people.py::test_a_simulation_says_so_and_its_seed_alone_does_not_take_the_noise"
        "_off"),
    Bug("a simulation does not say so", SIMULATE, "simulated=type(source) is not SecureRandom",
        "simulated=False", UNSEEDED),
    Bug("a generator that looks secure passes for it", DEVICE, "type(source) is not SecureRandom",
        "not isinstance(source, SecureRandom)",
        f"{ON_DEVICES}::test_a_generator_that_only_looks_secure_makes_a_simulation"),
    Bug("a saved simulation does not say so", "collection/reports.py", 'bool(header["simulated"])', "False",
        f"{ON_FILES}::test_a_saved_collection_is_the_same_when_loaded"),
    Bug("a simulation's JSON does not say so", "collection/report.py", 'document.get("simulated", False))',
        "False)", "tests/collection/test_reports.py::test_a_report_as_json_says_whether_it_is_simulated"),
    Bug("Laplace noise is one percent short", LAPLACE, "Noise(steps, scale,",
        "Noise(steps, scale * 99 // 100,", LAPLACE_COSTS),
    Bug("the grid of Laplace noise is twice as fine", LAPLACE, "Noise(steps, scale,",
        "Noise(2 * steps, scale,", LAPLACE_COSTS),
    Bug("Gaussian noise is one percent short", GAUSSIAN, "Noise(steps, scale, float",
        "Noise(steps, scale * 99 // 100, float",
        "tests/mechanisms/test_discrete_gaussian.py::test_the_mechanism_itself_keeps_its_delta_and_reaches_it"
        "[1.0-0.001]"),
    Bug("Gaussian noise forgets the number of features", GAUSSIAN, "multiplier * math.sqrt(dimensions)",
        "multiplier", f"{ON_GAUSSIAN}::test_the_noise_is_gaussian_of_the_stated_sigma[seeded]"),
    Bug("the first feature has no noise", ADDITIVE, DRAWN,
        "drawn = noise.draw(np.broadcast_to(noise.scale, block.shape), rng); drawn[:, 0] = 0; place += drawn",
        f"{ON_LAPLACE}::test_the_noise_is_laplace_of_the_stated_scale[seeded-0.0-1.0]"),
    Bug("all features of a person share their noise", ADDITIVE, DRAWN, DRAWN + "[:, :1]",
        RANDOMISED),
    Bug("both lists of a pair share a coin", "mechanisms/list_response.py", FLIPS,
        FLIPS + "; u, w = np.divmod(flips, others); v = w + (w >= u); up = u < v;"
        " flips = np.union1d(flips[up], v[up] * others + u[up])",
        f"{SENT}::test_the_two_lists_of_a_pair_are_two_answers"),
    Bug("the grid is made of what people hold", ADDITIVE, "noise = self.noise(features.columns)",
        "noise = self.noise(features.columns); noise = Noise(noise.steps, max(1, int(noise.scale"
        " * float(abs(features.matrix).max()) ** 0.01)), noise.variance, noise.draw)", ONE_PERSON),
    Bug("which features are answered depends on them", "mechanisms/multi_bit.py",
        "columns = sample_columns(features.rows, features.columns, m, rng)",
        "columns = np.sort(sample_columns(features.rows, features.columns, m, rng), axis=1);"
        " columns = np.where(np.asarray(features.matrix[:, :1].sum(1)).reshape(-1, 1) > 0.5, columns,"
        " columns[:, ::-1])", ONE_PERSON),
    Bug("a refusal in a file is somebody else's", "collection/collected.py", "[astuple(one) for one",
        "[astuple(one)[:1] + astuple(one)[:0:-1] for one",
        f"{ON_FILES}::test_what_was_refused_is_kept_in_the_file"),
    Bug("the promise is that of the lowest level", STATEMENT, "return max(levels,", "return min(levels,",
        EVERY_LEVEL),
    Bug("δ is that of the highest level", STATEMENT, "delta=max(level.delta for level in levels)",
        "delta=levels[-1].delta", EVERY_LEVEL),
    Bug("a friendship costs one list", STATEMENT, "[others] if own is None else [others, own]", "[others]",
        f"{ON_CAMPAIGNS}::test_a_friendship_between_two_levels_has_both"),
    Bug("classes from private labels are proven", STATEMENT,
        'question == "label" and campaign.classes_from_data', "False",
        f"{ON_CAMPAIGNS}::test_what_was_read_off_private_data_makes_a_claim"),
    Bug("a borrowed promise is proven", STATEMENT, "if not is_known(mechanism)", "if False",
        f"{ON_OWN}::test_a_promise_that_is_inherited_or_borrowed_is_a_claim"),
    Bug("a proven promise can be changed by hand", "privacy/guarantee.py",
        'if self.status not in ("claimed", "refuted", "none")', "if False",
        "tests/privacy/test_guarantee.py::test_a_proven_statement_cannot_be_changed_by_hand"),
    Bug("everybody has the noise of the lowest level", ESTIMATES, "LabelChannel(keep[taken], other[taken])",
        "LabelChannel(keep[0 * taken], other[0 * taken])",
        f"{ON_LEVELS}::test_each_persons_estimate_is_that_of_their_own_mechanism"),
    Bug("a second report counts", "collection/screening.py", "report.person in seen", "False",
        f"{ON_SCREENING}::test_of_two_reports_of_one_person_the_first_is_kept"),
    Bug("a list may name its own person", "collection/faults.py", "rows(names == owner)",
        "rows(names == -1)", MALFORMED),
    Bug("a refusal repeats the value", "collection/faults.py", 'f"{name} must be -1 or 1"',
        'f"{name} must be -1 or 1, not {parts[name].tolist()}"', MALFORMED),
    Bug("one range for all columns", "collection/campaign.py", "(given - low) / (high - low)",
        "(given - low[0]) / (high[0] - low[0])", f"{ON_CAMPAIGNS}::test_each_column_has_its_own_range"),
    Bug("a device stays silent for NaN", READINGS, "np.isnan(placed), campaign.midpoint", "False, 0.0",
        f"{ON_READINGS}::test_sparse_features_are_read_like_dense_ones"),
    Bug("a device stays silent out of range", READINGS, "np.clip(placed, mechanism.low, mechanism.high)",
        "placed",
        f"{ON_READINGS}::test_no_mechanism_refuses_or_warns_of_what_a_device_read[mechanism2]"),
    Bug("a device is silent for a value that fails in its own way", READINGS,
        "    with suppress(Exception):\n        if np.ma.is_masked(value) or",
        "    with suppress(TypeError, ValueError):\n        if np.ma.is_masked(value) or",
        f"{ON_READINGS}::test_what_is_no_number_is_the_middle_wherever_it_stands"),
    Bug("a device is silent for a label that fails in its own way", READINGS,
        "    with suppress(Exception):\n        number =", "    with suppress(TypeError):\n        number =",
        f"{ON_READINGS}::test_a_label_that_fails_at_being_one_is_any_class"),
    Bug("an unknown label is answered as class 0", READINGS, "-1 if number is None", "0 if number is None",
        f"{ON_READINGS}::test_a_label_that_is_no_class_is_answered_by_any_and_within_epsilon_of_every_class[1.0]"),
    Bug("an unknown friend is a silence", READINGS, "(given < people)", "True",
        f"{ON_READINGS}::test_friends_who_do_not_exist_are_left_out_and_each_counts_once[friends6]"),
    Bug("the rounding of Φ's argument is not added", GAUSSIAN, "moved = 2.0**-50 * size", "moved = 0.0",
        f"{ON_GAUSSIAN}::test_what_is_stated_of_any_noise_is_never_below_its_delta[exponents3]"),
    Bug("the rounding of Φ is not added", GAUSSIAN, "first * (1 + 2.0**-47) - second * (1 - 2.0**-47)",
        "first - second",
        f"{ON_GAUSSIAN}::test_what_is_stated_of_any_noise_is_never_below_its_delta[exponents0]"),
    Bug("a budget too small for 64 bits is kept", "mechanisms/randomness.py",
        "WORDS - outcomes * count > count * Fraction(epsilon)", "False",
        "tests/mechanisms/test_randomness.py::test_odds_never_exceed_e_to_the_epsilon_and_every_outcome_stays_possible[10000000]"),
    Bug("the headline forgets the second list", STATEMENT, "max(whole.epsilon, friendship.epsilon)",
        "whole.epsilon",
        f"{ON_CAMPAIGNS}::test_the_headline_is_never_below_what_a_friendship_has[3.0]"),
    Bug("classes from private labels are proven to those who send none", STATEMENT,
        'campaign.classes_from_data and "label" not in parts', "False",
        f"{ON_CLASSES}::test_a_list_that_is_read_off_labels_makes_every_statement_a_claim[by_hand]"),
    Bug("the class count from labels wins", "graph.py", "num_classes = stated or int(labels.max()) + 1",
        "num_classes = int(labels.max()) + 1",
        f"{ON_CLASSES}::test_with_a_public_list_nobodys_label_changes_anything_that_is_stated[labels1-by_names]"),
    Bug("classes from labels are not said to be so", "graph.py", "self.classes_from_data or not stated",
        "self.classes_from_data",
        f"{ON_CLASSES}::test_a_list_that_is_read_off_labels_makes_every_statement_a_claim[by_names]"),
    Bug("what is behind a mask is answered", READINGS, " and not isinstance(values, np.ma.MaskedArray)", "",
        f"{ON_READINGS}::test_masked_values_are_missing_and_not_what_is_behind_the_mask"),
    Bug("a label that is none is never the last class", "mechanisms/randomized_response.py",
        "rng.integers(0, num_classes, size=int(missing.sum()))",
        "rng.integers(0, num_classes - 1, size=int(missing.sum()))",
        "tests/mechanisms/test_randomized_response.py::test_a_label_that_is_none_may_be_any_class"),
    *planted_spending.BUGS,
    *planted_devices.BUGS,
    *planted_attacks.BUGS,
    *planted_collector.BUGS,
    *planted_curator.BUGS,
    *planted_local_attacks.BUGS,
    *planted_audits.BUGS,
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.planted")
    parser.add_argument("words", nargs="*", metavar="WORD", help="plant those whose name has one of these")
    parser.add_argument("--list", action="store_true", help="print them and plant none")
    asked = parser.parse_args()
    bugs = [bug for bug in BUGS if not asked.words or any(word in bug.name for word in asked.words)]
    if faults := planting.out_of_date(BUGS):
        sys.exit("\n".join(faults))
    if asked.list:
        print(*(f"{bug.name:{NAME}}{bug.file:{FILE}}{bug.tests}" for bug in bugs), sep="\n")
        return
    if failed := planting.red(bugs):
        sys.exit("\n".join(["where nothing is planted, there fail:", *failed]))
    caught = 0
    for bug, found in zip(bugs, planting.outcomes([(bug, bug.named) for bug in bugs]), strict=True):
        caught += found.verdict == "caught"
        by = found.failed if found.verdict == "caught" else f"{bug.tests}: {found.why}"
        line = f"{found.verdict:8}{bug.name:{NAME}}{bug.file:{FILE}}{found.seconds:5.1f} s  "
        print(line + by.removeprefix("tests/"), flush=True)
    print(f"{caught} of {len(bugs)} planted bugs are caught")
    sys.exit(0 if caught == len(bugs) else 1)


if __name__ == "__main__":
    main()
