"""Bugs in what a trusted curator releases, for :mod:`tests.planted`."""

from __future__ import annotations

from tests.bug import Bug

RUN, SGD, SENSITIVITIES = "curator/run.py", "curator/dp_sgd.py", "privacy/sensitivities.py"
SUMS, SOUND, NIP = "curator/sums.py", "curator/nip_sound.py", "curator/nip_gnn.py"
ACCOUNTING, STATEMENT = "privacy/accounting.py", "curator/statement.py"
ON_RUN = "tests/curator/test_run.py"
ON_NOISE = f"{ON_RUN}::test_every_release_has_the_noise_that_was_accounted_and_its_own"
ON_SENSITIVITIES, ON_SGD = "tests/curator/test_sensitivities.py", "tests/curator/test_dp_sgd.py"
ON_METHODS, ON_REFEREE = "tests/curator/test_methods.py", "tests/audit/test_referee.py"
AN_EDGE = f"{ON_SENSITIVITIES}::test_an_edge_changes_sums_by_its_price_and_no_more"
A_PERSON = f"{ON_SENSITIVITIES}::test_a_person_changes_sums_by_their_price_and_no_more"
PAST_THE_CAP = f"{ON_SENSITIVITIES}::test_no_method_reads_friendships_past_the_cap"
POISSON = f"{ON_SGD}::test_everybody_is_drawn_on_their_own_account"
ON_ACCOUNTING, ON_SUMS = "tests/privacy/test_accounting.py", "tests/curator/test_sums.py"
NOISY = "noisy = values + self.multipliers[name] * sensitivity"
DRAWN = "deviation * gaussian_noise(parameter.shape, source)"

BUGS = [
    Bug("releases at half the noise", RUN, NOISY, f"{NOISY} * 0.5", f"{ON_NOISE}[DPSAGE-node-removal-None]"),
    Bug("releases without noise", RUN, NOISY, f"{NOISY} * 0", f"{ON_NOISE}[DPSAGE-node-removal-None]"),
    Bug("the same noise every hop", RUN, "gaussian_noise(values.shape, self._releases)",
        "gaussian_noise(values.shape, np.random.default_rng(0))", ON_NOISE),
    Bug("a release that nobody is told of", RUN, "        self._left(name, noisy, values, sensitivity)\n", "",
        f"{ON_NOISE}[DPSAGE-node-removal-None]"),
    Bug("a part is used as often as one likes", RUN, "if self._spent[part.name] + amount > self._limit(part)",
        "if False and self._limit(part)", f"{ON_RUN}::test_a_mechanism_spends_no_more_than_its_part_has"),
    Bug("a name that nobody declared", RUN, "if part.name == name and part.kind == kind",
        "if part.kind == kind", f"{ON_RUN}::test_nothing_leaves_under_a_name_that_was_not_declared"),
    Bug("noise that calibration forgot", RUN, "not self.multipliers[part.name] > 0", "False",
        f"{ON_SENSITIVITIES}::test_nothing_leaves_without_noise"),
    Bug("mechanisms draw from a fixed seed", RUN, "draw(self._noise)", "draw(np.random.default_rng(0))",
        f"{ON_SENSITIVITIES}::test_without_a_seed_nothing_that_leaves_is_the_same_twice"),
    Bug("gradients at half the noise", SGD, DRAWN, f"0.5 * {DRAWN}",
        f"{ON_SGD}::test_the_noise_has_the_deviation_that_was_accounted"),
    Bug("the same noise every step", SGD, DRAWN,
        "deviation * gaussian_noise(parameter.shape, __import__('numpy').random.default_rng(0))",
        ON_NOISE),
    Bug("no noise in the last step", SGD, "deviation = self.noise_multiplier * self.max_grad_norm",
        "self.count = getattr(self, 'count', 0) + 1;"
        " deviation = self.noise_multiplier * self.max_grad_norm * (self.count < 3)",
        f"{ON_NOISE}[DPSAGE-node-removal-None]"),
    Bug("everybody in every batch, from the operating system", SGD,
        "coins = torch.from_numpy(source.random(people))", "coins = torch.zeros(people)", POISSON),
    Bug("batches of a fixed size, from the operating system", SGD,
        "coins = torch.from_numpy(source.random(people))",
        "coins = torch.from_numpy(source.random(people)).argsort().argsort() / people", POISSON),
    Bug("gradients are not clipped", SGD, "max_grad_norm=schedule.clip, loss_reduction",
        "max_grad_norm=1e6, loss_reduction",
        f"{ON_SGD}::test_one_person_changes_the_sum_by_the_clip_and_no_more"),
    Bug("both trainings draw the same noise", RUN, 'self._source(f"training {name}"),',
        'self._source("training"),', ON_NOISE),
    Bug("friendships past the cap", "curator/gap.py", "run.edges, run.graph.num_nodes, run.cap",
        "run.graph.edges, run.graph.num_nodes, run.cap", f"{PAST_THE_CAP}[GAP]"),
    Bug("friendships past the cap in the inputs", "curator/dp_sage.py", "adjacency_matrix(run.edges,",
        "adjacency_matrix(run.graph.edges,", f"{PAST_THE_CAP}[DPSAGE]"),
    Bug("hops are not accounted", "curator/gap.py", ", releases=self.hops)", ")",
        f"{ON_NOISE}[GAP-edge-None]"),
    Bug("messages of any length", "curator/gap.py", "clipped_sums(_normalized(messages),",
        "clipped_sums(5 * messages,", f"{AN_EDGE}[GAP]"),
    Bug("one's own row is not bounded", SUMS, "clipped_rows(sums, max_degree**0.5)", "sums",
        f"{A_PERSON}[star-4-True-DPSAGE-node-removal]"),
    Bug("one's own row is forgotten", SENSITIVITIES, "own = (self._times * clip) ** 2", "own = 0.0",
        f"{A_PERSON}[star-4-True-DPSAGE-node-removal]"),
    Bug("an edge is in one sum", SENSITIVITIES, "return math.sqrt(2)", "return 1.0",
        f"{AN_EDGE}[DPSAGE]"),
    Bug("replacement at the price of removal", SENSITIVITIES,
        'return 1 if self.relation == "node-removal" else 2', "return 1",
        f"{A_PERSON}[star-4-True-DPSAGE-node-replacement]"),
    Bug("what moves up under a cap is not priced", SENSITIVITIES, "return 1 if self.bounded else 2",
        "return 1",
        f"{ON_REFEREE}::test_sums_under_a_cap_keep_their_budget_whoever_else_is_there[0-1-node-removal-1.0]"),
    Bug("sums under a cap at the price of none", SENSITIVITIES, "        if not self.bounded:\n",
        "        if False:\n",
        f"{A_PERSON}[crowded-49-False-DPSAGE-node-removal]"),
    Bug("few who get all that comes are not priced", SENSITIVITIES, "(2 * clip + 6)", "6",
        f"{A_PERSON}[crowded-49-False-DPSAGE-node-removal]"),
    Bug("places are taken in turn", SUMS, "    ends = edges.ravel()\n",
        "    room = np.full(num_nodes, max_degree); kept = []\n"
        "    for number in np.argsort(priorities):\n"
        "        if (room[edges[:, number]] > 0).all():\n"
        "            room[edges[:, number]] -= 1; kept.append(number)\n"
        "    return edges[:, np.sort(np.array(kept, int))]\n"
        "    ends = edges.ravel()\n",
        f"{ON_SUMS}::test_places_are_in_the_whole_list_and_not_in_what_others_left"),
    Bug("friendships of low numbers go first", RUN, "words(self._source(\"cap\"), edges.shape[1])",
        "np.arange(edges.shape[1], dtype=np.uint64)",
        f"{ON_SENSITIVITIES}::test_priorities_are_drawn_anew_and_from_the_operating_system"),
    Bug("somebody above a bound that is public", RUN, "max(initial=0) > cap", "max(initial=0) > people",
        f"{ON_SENSITIVITIES}::test_where_it_is_public_that_nobody_is_above_the_cap_somebody_who_is_is_refused[node-replacement-NIPGNN]"),
    Bug("a person is one sample less", SENSITIVITIES, "else 1 + self.pairs", "else self.pairs",
        f"{ON_SENSITIVITIES}::test_embeddings_stay_in_the_ball_and_change_in_as_many_rows_as_are_priced"
        "[spread-False-node-removal]"),
    Bug("embeddings at half the noise", "curator/dpdgc.py", "2 * self.changes.samples**0.5)",
        "self.changes.samples**0.5)",
        f"{ON_SENSITIVITIES}::test_embeddings_stay_in_the_ball_and_change_in_as_many_rows_as_are_priced[spread-False-node-replacement]"),
    Bug("messages of DP-SAGE are not clipped", "curator/dp_sage.py", "messages = clipped_rows(messages, 1.0)",
        "pass", f"{AN_EDGE}[DPSAGE]"),
    Bug("influence from the true graph", NIP, "released_influence(degrees, graph, self.sensing)",
        "released_influence(degrees, adjacency_matrix(run.edges, people), self.sensing)",
        f"{ON_SENSITIVITIES}::test_scales_follow_from_released_values_alone"),
    Bug("every pair at the whole budget", SOUND, 'budget["edges"] / changes.pairs', 'budget["edges"]',
        f"{ON_REFEREE}::test_the_randomised_graph_keeps_its_budget_however_it_is_thinned[4-2-0.01-node-replacement]"),
    Bug("sums of NIP-GNN at half the price", SOUND, "changes.l1_of_sums * GRID",
        "changes.l1_of_sums * GRID // 2",
        f"{ON_REFEREE}::test_sound_sums_keep_their_budget[2-1-node-removal]"),
    Bug("the hash depends on the data", SOUND, "np.random.default_rng(HASH_SEED)",
        "np.random.default_rng(int(1e6 * abs(rows.sum())))",
        f"{ON_SENSITIVITIES}::test_one_persons_features_change_no_other_row"),
    Bug("labels at twice the budget", "curator/nip_head.py",
        "RandomizedResponse(epsilon, run.graph.num_classes)",
        "RandomizedResponse(2 * epsilon, run.graph.num_classes)",
        f"{ON_RUN}::test_mechanisms_are_recorded_too[NIPGNN]"),
    Bug("shares add up to more than the budget", "curator/method.py", "self.epsilon * share / total",
        "1.3 * self.epsilon * share / total", f"{ON_RUN}::test_mechanisms_are_recorded_too[NIPGNN]"),
    Bug("replacement is accounted as removal", ACCOUNTING, "theirs.REPLACE_ONE if replacement",
        "theirs.REPLACE_SPECIAL if True",
        f"{ON_ACCOUNTING}::test_replacing_a_sample_costs_as_much_as_twice_its_norm"),
    Bug("only the first step is accounted", ACCOUNTING, "accountant.compose(step, part.steps)",
        "accountant.compose(step, 1)", f"{ON_ACCOUNTING}::test_every_sampled_step_counts"),
    Bug("calibration ends with too little", "privacy/calibration.py",
        "factor = _searched(together, epsilon)",
        "factor = 0.9 * _searched(together, epsilon)",
        f"{ON_ACCOUNTING}::test_any_budget_is_calibrated_and_kept"),
    Bug("a seed is not told", STATEMENT, "if run.simulated:", "if False:",
        f"{ON_METHODS}::test_a_seed_is_a_condition_of_the_guarantee[NIPGNN]"),
    Bug("whom a cap leaves out is not told", STATEMENT, "else relations.not_covered(run.cap)",
        'else "nothing"',
        f"{ON_METHODS}::test_a_promise_survives_dropping_says_whom_it_leaves_out_and_not_how_many[node-replacement-NIPGNN]"),
    Bug("δ is one over the number of people", "privacy/relations.py", "max(2, protected) ** -1.5",
        "max(2, protected) ** -1.0",
        "tests/privacy/test_relations.py::test_all_people_together_are_not_told_by_the_default"),
    Bug("δ of edges is by people", "privacy/relations.py", "num_nodes * (num_nodes - 1) // 2",
        "num_nodes",
        "tests/privacy/test_relations.py::test_a_delta_that_means_nothing_is_warned_about_with_the_reason[edge-15]"),
    Bug("accountants are not checked", "privacy/calibration.py", "    check_accountants()\n", "",
        f"{ON_ACCOUNTING}::test_an_accountant_that_takes_replacement_for_removal_is_refused"),
    Bug("a batch of which nothing changes is free", ACCOUNTING,
        "if self.rate < 1 and self.touched == 0", "if False",
        f"{ON_ACCOUNTING}::test_a_batch_of_which_nothing_changes_is_no_release"),
    Bug("the published NIP-GNN is proven", "curator/method.py", ", refuted=self.REFUTED)", ")",
        "tests/curator/test_nip_gnn.py::test_the_published_method_is_refuted_with_reasons"),
    Bug("a saved model holds the seed", "_model_files.py", 'if name != "random_state"', "if True",
        "tests/cli/test_commands.py::test_a_curators_model_of_any_method_is_saved_loaded_and_predicts[nip-gnn]"),
    Bug("the same noise every hop, without a seed", RUN, "gaussian_noise(values.shape, self._releases)",
        "gaussian_noise(values.shape, np.random.default_rng(7))", f"{ON_NOISE}[GAP-edge-None]"),
    Bug("a friend is in a sum twice", SUMS, "sums = Adjacency.from_edges(",
        "sums = 2 * Adjacency.from_edges(", f"{AN_EDGE}[DPSAGE]"),
    Bug("sums of NIP-GNN at 1.3 times the budget", SOUND, '            budget["aggregation"],',
        '            1.3 * budget["aggregation"],', f"{ON_REFEREE}::test_the_budget_is_reached"),
]  # fmt: skip
