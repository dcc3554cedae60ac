"""Bugs in what a device remembers and sends, for :mod:`tests.planted`."""

from __future__ import annotations

from tests.bug import Bug

REPORTER, RECORDS, ANSWERING = "device/reporter.py", "device/device_file.py", "device/answering.py"
WIRE, ANSWERS, FILE = "collection/wire.py", "collection/wire_answers.py", "_sqlite_file.py"
ON_DEVICES, ON_WIRE = "tests/device/test_reporter.py", "tests/wire/test_wire.py"
ON_CAMPAIGNS = "tests/cli/test_campaign.py"

BUGS = [
    Bug("the second answer is drawn anew", REPORTER, "if there is not None:", "if False:",
        f"{ON_DEVICES}::test_a_second_answer_is_the_first_answer"),
    Bug("an answer is forgotten with its process", FILE, '"COMMIT" if keep else "ROLLBACK"', '"ROLLBACK"',
        f"{ON_DEVICES}::test_a_device_killed_between_writing_and_sending_gives_the_same_answer"),
    Bug("a device looks who was first before it may write", FILE, '"BEGIN IMMEDIATE"', '"BEGIN DEFERRED"',
        f"{ON_DEVICES}::test_nobody_answers_while_somebody_else_looks_whether_they_may"),
    Bug("a device does not add up", REPORTER, "[*(one.epsilon for one in there), epsilon]", "[epsilon]",
        f"{ON_DEVICES}::test_over_all_campaigns_no_more_is_spent_than_is_allowed"),
    Bug("a device does not add up δ", REPORTER, "[*(one.delta for one in there), delta]", "[0.0]",
        f"{ON_DEVICES}::test_delta_has_a_cap_too"),
    Bug("a device pays for the lowest level", REPORTER, "campaign.guarantee_of(taken)",
        "campaign.guarantee_of(dict.fromkeys(taken, 0))", f"{ON_DEVICES}::test_own_level"),
    Bug("what was forgotten has cost nothing", RECORDS, "SET state = ?, body = {body}",
        "SET state = ?, epsilon = 0, body = {body}",
        f"{ON_DEVICES}::test_after_forgetting_there_is_no_second_answer"),
    Bug("what was forgotten is answered again", REPORTER, "if there.body is None:", "if False:",
        f"{ON_DEVICES}::test_after_forgetting_there_is_no_second_answer"),
    Bug("what was forgotten is still in the file", FILE, "secure_delete = ON", "secure_delete = OFF",
        f"{ON_DEVICES}::test_what_is_forgotten_is_overwritten"),
    Bug("other terms under the same id", "collection/campaign.py",
        "if id is not None and hashlib.sha256(text.encode()).hexdigest() != id:", "if False:",
        f"{ON_DEVICES}::test_changed_terms_are_refused"),
    Bug("a refusal repeats what a person holds", "device/refusing.py",
        'f"{name} must lie in [{low:g}, {high:g}]"',
        'f"{name} must lie in [{low:g}, {high:g}], not {value}"',
        f"{ON_DEVICES}::test_an_odd_value_is_answered_or_refused_as_the_person_likes[odd0]"),
    Bug("a device sends its features as they are", ANSWERING, "mechanism.randomize_at(columns, held, rng)",
        "__import__('hushgraph.mechanisms', fromlist=['x']).MultiBitReports(columns,"
        " (2 * (held[columns] > 0.5) - 1).astype('int8'), held.size)",
        "tests/wire/test_sampled_in_public.py::test_each_sign_has_the_probability_of_the_mechanism"),
    Bug("which features are asked depends on what a person holds", ANSWERING,
        "asked_columns(campaign.id, [person], held.size",
        "asked_columns(campaign.id, [person + int(held.sum())], held.size",
        "tests/wire/test_sampled_in_public.py::test_values_change_signs_and_nothing_else"),
    Bug("every sign at the whole budget", "mechanisms/multi_bit.py", "self._coin(columns.shape[1])",
        "self._coin(1)",
        "tests/wire/test_sampled_in_public.py::test_each_sign_has_the_probability_of_the_mechanism"),
    Bug("a report does not say that it is simulated", WIRE, "SIMULATED * report.simulated", "0",
        f"{ON_WIRE}::test_a_simulated_report_says_so"),
    Bug("a report has several forms", ANSWERS, "if self.count % 8 and data[end - 1] >> self.count % 8:",
        "if False:", f"{ON_WIRE}::test_every_change_of_a_byte_gives_another_report_or_none[multi-bit]"),
    Bug("a token goes wherever a server points", "_http.py", "_OPENER.open(asked",
        "urllib.request.urlopen(asked",
        f"{ON_CAMPAIGNS}::test_a_token_is_given_to_nobody_else"),
    Bug("a token goes out without TLS", "_http.py", 'parts.scheme == "http" and not', "False and not",
        f"{ON_DEVICES}::test_no_token_goes_out_without_tls_or_to_another_place"),
    Bug("an unlikely outcome has a word too few", "mechanisms/randomness.py",
        "min(_at_least_one_of(epsilon, outcomes), WORDS // outcomes)",
        "min(max(1, _at_least_one_of(epsilon, outcomes) - 1), WORDS // outcomes)",
        "tests/mechanisms/test_randomness.py::test_an_unlikely_outcome_has_the_fewest_words_that_keep_the_promise"),
]  # fmt: skip
