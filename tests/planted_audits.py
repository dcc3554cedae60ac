"""Bugs in audits, for :mod:`tests.planted`: an audit that sees too much, or nothing."""

from __future__ import annotations

from tests.bug import Bug

BOUNDS, SCORES, WORDS = "audit/bounds.py", "audit/scores.py", "audit/words.py"
SAMPLING, CAMPAIGN, DEVICES = "audit/sampling.py", "audit/campaign.py", "audit/devices.py"
ENUMERATION, LOSS, RUN = "audit/enumeration.py", "audit/privacy_loss.py", "audit/worst_run.py"
ON_BOUNDS, ON_MECHANISMS = "tests/audit/test_bounds.py", "tests/audit/test_mechanisms_audited.py"
ON_DEVICES, ON_RUNS = "tests/audit/test_devices_audited.py", "tests/audit/test_worst_run.py"
ON_COMMAND, ON_GIVEN = "tests/cli/test_audit.py", "tests/audit/test_given.py"
SAID = f"{ON_BOUNDS}::test_bounds_lie_above_the_truth_as_rarely_as_they_say"
FORMULA = f"{ON_BOUNDS}::test_the_bound_is_that_of_clopper_and_pearson"
TRIED = f"{ON_BOUNDS}::test_whoever_tries_hundreds_of_columns_finds_nothing_where_nothing_is"
SHARED = f"{ON_BOUNDS}::test_each_of_several_events_is_counted_with_its_share_of_the_error"
FOUND = f"{ON_DEVICES}::test_a_device_that_tells_more_than_was_promised_is_found"
WHOLE = f"{ON_DEVICES}::test_a_campaign_is_audited_question_by_question_level_by_level_and_as_a_whole"
READ_OFF = f"{ON_MECHANISMS}::test_an_enumeration_sees_what_the_code_does_and_not_what_it_says"
SMALLEST = f"{ON_MECHANISMS}::test_an_enumeration_finds_the_loss_itself"

BUGS = [
    Bug("counts are taken for probabilities", BOUNDS, "beta.ppf(error / 2, hits, trials - hits + 1)",
        "hits / trials", f"{FORMULA} {SAID}"),
    Bug("δ is forgotten", BOUNDS, "np.log((low - delta) / high)", "np.log(low / high)", FORMULA),
    Bug("the whole error for either probability", BOUNDS, "beta.ppf(1 - error / 2,", "beta.ppf(1 - error,",
        FORMULA),
    Bug("the error is not shared", BOUNDS, "(1 - confidence) / len(chosen), 0.0", "1 - confidence, 0.0",
        SHARED),
    Bug("events are counted where they were picked", SCORES,
        "_one_of_each(world[place:], together) if hang else world[place:] for",
        "world[:place] for",
        f"{ON_BOUNDS}::test_nothing_is_counted_on_which_it_was_chosen"),
    Bug("scores are counted where they were learned", SCORES,
        "events.append((event, high, low))",
        "events.append((event, score(here[:learned]), score(there[:learned])))", TRIED),
    Bug("answers that hang together are counted as independent", SCORES,
        "return bool(spread > chi2.isf(BY_CHANCE, len(sums) - 1))", "return False",
        f"{ON_BOUNDS}::test_rows_that_hang_together_are_not_counted_as_independent"),
    Bug("noise that a neighbor has too is not looked for", SAMPLING,
        ", np.column_stack([own, apart])]", "]",
        f"{ON_MECHANISMS}::test_noise_that_a_neighbor_has_too_is_found"),
    Bug("devices of one's own are asked once", CAMPAIGN, "if highest and times > 1:",
        "if highest and times > 1 and device is None:",
        f"{ON_COMMAND}::test_a_device_that_forgets_ends_with_1"),
    Bug("a refuted promise passes", "cli/audit.py", "passed = not (broken or refuted)", "passed = not broken",
        f"{ON_COMMAND}::test_a_promise_that_is_known_to_be_false_ends_with_1"),
    Bug("one side of a threshold", BOUNDS, "hits, alarms = len(other) - alarms, len(one) - hits",
        "hits, alarms = 0, 0", f"{ON_BOUNDS}::test_either_side_of_a_threshold_speaks[True]"),
    Bug("all bounds have the whole error", "audit/found.py",
        "1 - (1 - _check.confidence(confidence)) / audits", "confidence",
        f"{ON_BOUNDS}::test_all_bounds_together_have_the_confidence {WHOLE}"),
    Bug("what is broken passes", "audit/found.py", "self.lower_bound <= self.epsilon and",
        "self.lower_bound <= 10 * self.epsilon and", f"{FOUND} {READ_OFF}"),
    Bug("answers that are no number blind an audit", SCORES, "ours, theirs = finite(*views)",
        "ours, theirs = views", f"{ON_MECHANISMS}::test_an_answer_that_is_no_number_hides_nothing"),
    Bug("what is checked is what the mechanism says, and not what was typed", "cli/audit.py",
        "size, epsilon=epsilon,", "size,", f"{ON_COMMAND}::test_what_is_checked_is_what_was_typed"),
    Bug("a mechanism's own δ excuses it", "cli/audit.py", 'given["delta"] or 0.0', 'given["delta"]',
        f"{ON_COMMAND}::test_what_is_checked_is_what_was_typed"),
    Bug("what is no number blinds a canary", "audit/canary.py",
        "finite(np.array(ours), np.array(theirs))", "map(np.nan_to_num, (np.array(ours), np.array(theirs)))",
        "tests/audit/test_canary.py::test_what_is_no_number_tells_the_worlds_apart"),
    Bug("a refuted promise ends with no contradiction", "cli/audit.py", "    for why in refuted:",
        "    refuted = ()\n    for why in refuted:",
        f"{ON_COMMAND}::test_a_promise_that_is_known_to_be_false_ends_with_1"),
    Bug("a second answer is not compared with the first", DEVICES, "any(again != first for again in others)",
        "any(again != first for again in others[:0])",
        f"{ON_DEVICES}::test_who_forgets_is_found_at_a_budget_that_no_bound_reaches"),
    Bug("a memory that is broken passes", "audit/found.py", " and not self.broken", "",
        f"{ON_DEVICES}::test_who_forgets_is_found_at_a_budget_that_no_bound_reaches"),
    Bug("the noise that was drawn is held against the run's own word", "audit/drawn_noise.py",
        "owed = _multipliers(begun)", "owed = begun.multipliers",
        f"{ON_RUNS}::test_noise_that_is_short_is_found_where_accounting_is_loose"),
    Bug("the noise of all parts has the whole error each", "audit/drawn_noise.py",
        "broken=least < (1 - confidence) / len(parts)", "broken=least < 5 * (1 - confidence)",
        f"{ON_RUNS}::test_right_noise_is_called_short_as_rarely_as_is_said"),
    Bug("another graph's releases are not given", "audit/given.py", "number < len(self.said)",
        "number < 0", f"{ON_GIVEN}::test_a_method_changes_what_was_accounted_and_no_more"),
    Bug("a changed norm is compared with any sensitivity", "audit/given.py", "broken=most > 1 + ROUNDED",
        "broken=most > 10", f"{ON_GIVEN}::test_sums_that_are_too_long_are_found[edge-2]"),
    Bug("samples of which the features alone changed count for none", "audit/given.py",
        "samples = np.column_stack([inputs.numpy(), self.run.graph.labels[people]])",
        "samples = self.run.graph.labels[people][:, None]",
        f"{ON_GIVEN}::test_more_samples_than_were_accounted_are_found"),
    Bug("a method is not fitted when it is audited", "audit/method.py", "([None] if planted else [])", "[]",
        f"{ON_GIVEN}::test_a_fit_that_cannot_be_is_no_audit"),
    Bug("the place in a call is not looked at", SAMPLING,
        "return [own, np.column_stack([place, own]), ", "return [own, ",
        f"{ON_MECHANISMS}::test_noise_that_each_call_draws_alike_is_found_by_the_place_in_the_call"),
    Bug("an audit believes the mechanism and not who asks", SAMPLING,
        "epsilon if epsilon is not None", "epsilon if False",
        f"{ON_MECHANISMS}::test_ones_own_needs_randomize_and_a_promise_alone"),
    Bug("which questions were answered is not looked at", "audit/arriving.py",
        "parts.append([question in report.answers for question in wire.campaign.asked])", "parts.append([])",
        f"{ON_DEVICES}::test_numbers_say_which_questions_were_answered"),
    Bug("a device is asked once instead of often", DEVICES,
        "said = (own.answer(campaign, person, **held, levels=levels) for _ in range(times))",
        "said = [own.answer(campaign, person, **held, levels=levels)] * times",
        f"{ON_DEVICES}::test_a_reporter_that_forgets_is_found_by_asking_it_again"),
    Bug("a friendship is seen at one end", CAMPAIGN, "for person in (0, 1):", "for person in (0,):",
        f"{FOUND}[a friendship priced as one list]"),
    Bug("everything at once is promised without its features", CAMPAIGN,
        "campaign.guarantee_of(highest).epsilon", "campaign.guarantee_of({'label': 0}).epsilon", WHOLE),
    Bug("an enumeration takes the mechanism's word", ENUMERATION, "value: box.chance_of_plus(value)",
        "value: mechanism._coin(m).probability_of_plus(value) if False else"
        " __import__('hushgraph.mechanisms.bits', fromlist=['x']).SignedBit(mechanism.epsilon / m, low,"
        " high).probability_of_plus(value)", READ_OFF),
    Bug("the last word of a range is lost", WORDS, "counts[at_high] += high - low",
        "counts[at_high] += high - low - (high - low > 1)",
        f"{ON_MECHANISMS}::test_ranges_of_words_are_counted_to_the_last_word"),
    Bug("an answer that never comes costs nothing", LOSS, "if min(chances) == 0 < max(chances):", "if False:",
        f"{ON_MECHANISMS}::test_an_answer_that_one_value_never_gives_is_an_infinite_loss"),
    Bug("a loss is compared after rounding", ENUMERATION, "all(one.is_at_most(promised) for one in losses)",
        "loss <= promised + 1e-5", SMALLEST),
    Bug("canaries are planted on one side", RUN, "changed.here if first else changed.there", "changed.here",
        f"{ON_RUNS}::test_the_worst_that_was_accounted_is_seen_and_stays_within_the_promise[DP-SAGE]"),
    Bug("a run's noise is that of the first", "curator/run.py",
        "run.simulated, run.seed, run._noise_seed, run._observe = True, seed, seed, observe",
        "run.simulated, run.seed, run._observe = True, seed, observe",
        f"{ON_RUNS}::test_a_run_begun_again_has_other_noise_and_the_same_calibration"),
    Bug("the command ends with 0 whatever was found", "cli/audit.py", "raise typer.Exit(0 if passed else 1)",
        "raise typer.Exit(0)",
        f"{ON_COMMAND}::test_a_mechanism_of_ones_own_that_forgets_the_number_of_features_ends_with_1[3-1]"),
]  # fmt: skip
