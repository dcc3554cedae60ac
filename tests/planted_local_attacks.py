"""Bugs in attacks on reports and in screens for fake people, for :mod:`tests.planted`."""

from __future__ import annotations

from tests.bug import Bug

ROOM, HERE = "attacks/local", "tests/attacks/local"
CHANNELS, ONE, SEVERAL = f"{ROOM}/feature_channels.py", f"{ROOM}/one_report.py", f"{ROOM}/several_answers.py"
OTHERS, PAIR = f"{ROOM}/everything_else.py", f"{ROOM}/one_friendship.py"
LABELS, FEATURES = f"{ROOM}/label_screens.py", f"{ROOM}/feature_screens.py"
ON_ONE, ON_SEVERAL = f"{HERE}/test_one_report.py", f"{HERE}/test_several_answers.py"
ON_OTHERS, ON_POISONING = f"{HERE}/test_everything_else.py", f"{HERE}/test_poisoning.py"
ON_PAIRS = f"{HERE}/test_one_friendship.py"
HISTOGRAMS = (
    f"{ON_POISONING}::test_of_a_known_and_of_an_impossible_histogram_honest_people_make_no_more_than_stated"
)
DEVICES = f"{ON_POISONING}::test_honest_devices_are_noticed_no_more_than_stated"
GROUPS = f"{ON_POISONING}::test_groups_of_honest_people_surprise_no_more_than_stated"
UNTOUCHED = f"{ON_OTHERS}::test_what_others_tell_does_not_depend_on_the_persons_own_report"

BUGS = [
    Bug("the best guess forgets how common classes are", ONE, "other * priors.max(1, keepdims=True)",
        "other * priors",
        f"{ON_ONE}::test_a_label_is_guessed_as_often_as_the_closed_form_says"),
    Bug("every feature counts as sampled", CHANNELS, "drawn = self.sampled / self.dimensions", "drawn = 1.0",
        f"{ON_ONE}::test_a_feature_is_guessed_as_often_as_the_closed_form_says"),
    Bug("a whole report counts one sign", CHANNELS, "** self.sampled", "** 1",
        f"{ON_ONE}::test_a_whole_report_is_guessed_as_often_as_the_product_says"),
    Bug("Laplace's crossing point of Gaussian noise", CHANNELS, "self.scale * odds / 2, low, high",
        "self.scale**2 * odds, low, high",
        f"{ON_ONE}::test_of_several_values_the_integral_of_the_best_is_taken"),
    Bug("a tie counts as right", SEVERAL, "float(power[rest]) / (tied + 1)", "float(power[rest])",
        f"{ON_SEVERAL}::test_the_closed_form_is_what_enumeration_gives"),
    Bug("a friendship stands in one list", PAIR, "return self.lists * self.mechanism.epsilon",
        "return self.mechanism.epsilon",
        f"{ON_PAIRS}::test_two_lists_reach_what_twice_the_budget_allows"),
    Bug("everything but the report has the report", OTHERS, "fit(without_reports(collected, left_out))",
        "fit(collected)", UNTOUCHED),
    Bug("whoever is left out still validates", OTHERS, "parts = {name: part[~hidden[part]]",
        "parts = {name: part", f"{ON_OTHERS}::test_people_whose_reports_are_left_out_never_answered"),
    Bug("the entries of a pair are evidence of itself", f"{ROOM}/friendship_from_others.py",
        "stays = ~np.isin(owner * people + name, hidden)", "stays = np.ones(name.size, bool)",
        f"{ON_PAIRS}::test_others_give_a_friendship_away_that_no_epsilon_protects"),
    Bug("nobody is thought to report a class that they have not", LABELS,
        "np.min(collected.label_channel.other)", "np.min(collected.label_channel.keep)", HISTOGRAMS),
    Bug("the screen takes known shares for reported ones", LABELS,
        "other + (keep - other) * checked_shares(shares)", "checked_shares(shares)", HISTOGRAMS),
    Bug("groups are compared with themselves alone", LABELS, "surprise((rng.random((labels.size, 1)) >= upto)"
        ".sum(1)).max()", "surprise((rng.random((labels.size, 1)) >= upto).sum(1)).min()",
        f"{GROUPS}[300-1.0]"),
    Bug("a posterior that is too sure is believed", LABELS, "known = calibrated(known)", "pass",
        f"{GROUPS}[2000-5.0]"),
    Bug("a screen of signs looks at one feature", FEATURES, "2 * int((asked > 0).sum()) * tails", "tails",
        DEVICES),
    Bug("a screen of columns expects half of them", FEATURES,
        "sample_columns(people, count, m, rng).ravel()", "sample_columns(people // 2, count, m, rng).ravel()",
        DEVICES),
    Bug("a Monte Carlo p-value may be nothing", f"{ROOM}/screen.py", "(1 + above) / (1 + oddest.size)",
        "above / (1 + oddest.size)", f"{ON_POISONING}::test_a_monte_carlo_p_value_counts_what_was_found"),
    Bug("thinning keeps what came too often", f"{ROOM}/thinning.py",
        "often[common].min() / np.maximum(often, 1e-12)",
        "np.maximum(often, 1e-12) / often.max()",
        f"{ON_POISONING}::test_what_stays_after_thinning_comes_as_often_as_expected"),
    Bug("a class that hardly anybody reports says how many liars there are", f"{ROOM}/thinning.py",
        "often[common].min()", "often.min()",
        f"{ON_POISONING}::test_thinning_leaves_honest_people_alone_though_nobody_has_a_class"),
]  # fmt: skip
