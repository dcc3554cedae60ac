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
ON_ACCOUNTING = "tests/privacy/test_accounting.py"
NOISY = "noisy = values + self.multipliers[name] * sensitivity"
DRAWN = "deviation * gaussian_noise(parameter.shape, source)"
L2 = '{"edge": math.sqrt(2), "node-removal": removal, "node-replacement": 2 * removal}'

BUGS = [
    Bug("releases at half the noise", RUN, NOISY, f"{NOISY} * 0.5", ON_NOISE),
    Bug("releases without noise", RUN, NOISY, f"{NOISY} * 0", ON_NOISE),
    Bug("the same noise every hop", RUN, "gaussian_noise(values.shape, self._releases)",
        "gaussian_noise(values.shape, self._source(len(self.terms.parts)))", ON_NOISE),
    Bug("a release that nobody is told of", RUN, "        self._left(name, noisy, values, sensitivity)\n", "",
        ON_NOISE),
    Bug("a part is used as often as one likes", RUN, "if self._spent[part.name] + amount > self._limit(part)",
        "if False and self._limit(part)", ON_RUN),
    Bug("a name that nobody declared", RUN, "if part.name == name and part.kind == kind",
        "if part.kind == kind", ON_RUN),
    Bug("noise that calibration forgot", RUN, "not self.multipliers[part.name] > 0", "False",
        ON_SENSITIVITIES),
    Bug("mechanisms draw from a fixed seed", RUN, "draw(self._noise)", "draw(np.random.default_rng(0))",
        ON_SENSITIVITIES),
    Bug("gradients at half the noise", SGD, DRAWN, f"0.5 * {DRAWN}", ON_SGD),
    Bug("the same noise every step", SGD, DRAWN,
        "deviation * gaussian_noise(parameter.shape, torch.Generator().manual_seed(parameter.numel()))",
        ON_NOISE),
    Bug("no noise in the last step", SGD, "deviation = self.noise_multiplier * self.max_grad_norm",
        "self.count = getattr(self, 'count', 0) + 1;"
        " deviation = self.noise_multiplier * self.max_grad_norm * (self.count < 3)", ON_NOISE),
    Bug("everybody in every batch, from the operating system", SGD,
        "coins = torch.from_numpy(source.random(people))", "coins = torch.zeros(people)", ON_SGD),
    Bug("batches of a fixed size, from the operating system", SGD,
        "coins = torch.from_numpy(source.random(people))",
        "coins = torch.from_numpy(source.random(people)).argsort().argsort() / people", ON_SGD),
    Bug("gradients are not clipped", SGD, "max_grad_norm=schedule.clip, loss_reduction",
        "max_grad_norm=1e6, loss_reduction", ON_SGD),
    Bug("both trainings draw the same noise", RUN, "self._source(place),", "self._source(0),", ON_NOISE),
    Bug("friendships past the cap", "curator/gap.py", "run.edges, run.graph.num_nodes, run.cap",
        "run.graph.edges, run.graph.num_nodes, run.cap", ON_SENSITIVITIES),
    Bug("friendships past the cap in the inputs", "curator/dp_sage.py", "adjacency_matrix(run.edges,",
        "adjacency_matrix(run.graph.edges,", ON_SENSITIVITIES),
    Bug("hops are not accounted", "curator/gap.py", ", releases=self.hops)", ")", ON_RUN),
    Bug("messages of any length", "curator/gap.py", "clipped_sums(_normalized(messages),",
        "clipped_sums(5 * messages,", ON_SENSITIVITIES),
    Bug("one's own row is not bounded", SUMS, "clipped_rows(sums, max_degree**0.5)", "sums",
        ON_SENSITIVITIES),
    Bug("one's own row is forgotten", SENSITIVITIES, "math.sqrt(2 * max_degree)", "math.sqrt(max_degree)",
        ON_SENSITIVITIES),
    Bug("an edge is in one sum", SENSITIVITIES, L2, L2.replace("math.sqrt(2)", "1.0"), ON_SENSITIVITIES),
    Bug("replacement at the price of removal", SENSITIVITIES, L2, L2.replace("2 * removal", "removal"),
        ON_SENSITIVITIES),
    Bug("a person is one sample less", SENSITIVITIES, '"node-removal": max_degree + 1',
        '"node-removal": max_degree', ON_SENSITIVITIES),
    Bug("embeddings at half the noise", "curator/dpdgc.py", "2 * samples**0.5)", "samples**0.5)",
        ON_SENSITIVITIES),
    Bug("messages of DP-SAGE are not clipped", "curator/dp_sage.py", "messages = clipped_rows(messages, 1.0)",
        "pass", ON_SENSITIVITIES),
    Bug("influence from the true graph", NIP, "released_influence(degrees, graph, self.sensing)",
        "released_influence(degrees, adjacency_matrix(run.edges, people), self.sensing)", ON_SENSITIVITIES),
    Bug("every pair at the whole budget", SOUND, 'budget["edges"] / changed_pairs(relation, max_degree)',
        'budget["edges"]', ON_REFEREE),
    Bug("sums of NIP-GNN at half the price", SOUND, "l1_of_sums(relation, max_degree) * GRID",
        "l1_of_sums(relation, max_degree) * GRID // 2", ON_REFEREE),
    Bug("the hash depends on the data", SOUND, "np.random.default_rng(HASH_SEED)",
        "np.random.default_rng(int(1e6 * abs(rows.sum())))", ON_SENSITIVITIES),
    Bug("labels at twice the budget", "curator/nip_head.py",
        "RandomizedResponse(epsilon, run.graph.num_classes)",
        "RandomizedResponse(2 * epsilon, run.graph.num_classes)", ON_METHODS),
    Bug("shares add up to more than the budget", "curator/method.py", "self.epsilon * share / total",
        "1.3 * self.epsilon * share / total", ON_METHODS),
    Bug("replacement is accounted as removal", ACCOUNTING, "theirs.REPLACE_ONE if replacement",
        "theirs.REPLACE_SPECIAL if True", ON_ACCOUNTING),
    Bug("only the first step is accounted", ACCOUNTING, "accountant.compose(step, part.steps)",
        "accountant.compose(step, 1)", ON_ACCOUNTING),
    Bug("calibration ends with too little", "privacy/calibration.py",
        "factor = _searched(together, epsilon)",
        "factor = 0.9 * _searched(together, epsilon)", ON_ACCOUNTING),
    Bug("a seed is not told", STATEMENT, "if run.simulated:", "if False:", ON_METHODS),
    Bug("dropped friendships are not told", STATEMENT, "if run.dropped:", "if False:", ON_METHODS),
    Bug("the published NIP-GNN is proven", "curator/method.py", ", refuted=self.REFUTED)", ")",
        "tests/curator/test_nip_gnn.py"),
    Bug("a saved model holds the seed", "_model_files.py", 'if name != "random_state"', "if True",
        "tests/cli/test_commands.py"),
]  # fmt: skip
