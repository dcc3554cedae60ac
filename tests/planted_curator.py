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

BUGS = [
    Bug("releases at half the noise", RUN, NOISY, f"{NOISY} * 0.5", ON_NOISE),
    Bug("releases without noise", RUN, NOISY, f"{NOISY} * 0", ON_NOISE),
    Bug("the same noise every hop", RUN, "gaussian_noise(values.shape, self._releases)",
        "gaussian_noise(values.shape, np.random.default_rng(0))", ON_NOISE),
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
        "deviation * gaussian_noise(parameter.shape, __import__('numpy').random.default_rng(0))",
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
    Bug("both trainings draw the same noise", RUN, 'self._source(f"training {name}"),',
        'self._source("training"),', ON_NOISE),
    Bug("friendships past the cap", "curator/gap.py", "run.edges, run.graph.num_nodes, run.cap",
        "run.graph.edges, run.graph.num_nodes, run.cap", ON_SENSITIVITIES),
    Bug("friendships past the cap in the inputs", "curator/dp_sage.py", "adjacency_matrix(run.edges,",
        "adjacency_matrix(run.graph.edges,", ON_SENSITIVITIES),
    Bug("hops are not accounted", "curator/gap.py", ", releases=self.hops)", ")", ON_RUN),
    Bug("messages of any length", "curator/gap.py", "clipped_sums(_normalized(messages),",
        "clipped_sums(5 * messages,", ON_SENSITIVITIES),
    Bug("one's own row is not bounded", SUMS, "clipped_rows(sums, max_degree**0.5)", "sums",
        ON_SENSITIVITIES),
    Bug("one's own row is forgotten", SENSITIVITIES, "own = (self._times * clip) ** 2", "own = 0.0",
        ON_SENSITIVITIES),
    Bug("an edge is in one sum", SENSITIVITIES, "return math.sqrt(2)", "return 1.0", ON_SENSITIVITIES),
    Bug("replacement at the price of removal", SENSITIVITIES,
        'return 1 if self.relation == "node-removal" else 2', "return 1", ON_SENSITIVITIES),
    Bug("what moves up under a cap is not priced", SENSITIVITIES, "return 1 if self.bounded else 2",
        "return 1", ON_REFEREE),
    Bug("sums under a cap at the price of none", SENSITIVITIES, "        if not self.bounded:\n",
        "        if False:\n", ON_SENSITIVITIES),
    Bug("few who get all that comes are not priced", SENSITIVITIES, "(2 * clip + 6)", "6",
        ON_SENSITIVITIES),
    Bug("places are taken in turn", SUMS, "    ends = edges.ravel()\n",
        "    room = np.full(num_nodes, max_degree); kept = []\n"
        "    for number in np.argsort(priorities):\n"
        "        if (room[edges[:, number]] > 0).all():\n"
        "            room[edges[:, number]] -= 1; kept.append(number)\n"
        "    return edges[:, np.sort(np.array(kept, int))]\n"
        "    ends = edges.ravel()\n", "tests/curator/test_sums.py"),
    Bug("friendships of low numbers go first", RUN, "words(self._source(\"cap\"), edges.shape[1])",
        "np.arange(edges.shape[1], dtype=np.uint64)", ON_SENSITIVITIES),
    Bug("somebody above a bound that is public", RUN, "max(initial=0) > cap", "max(initial=0) > people",
        ON_SENSITIVITIES),
    Bug("a person is one sample less", SENSITIVITIES, "else 1 + self.pairs", "else self.pairs",
        ON_SENSITIVITIES),
    Bug("embeddings at half the noise", "curator/dpdgc.py", "2 * self.changes.samples**0.5)",
        "self.changes.samples**0.5)", ON_SENSITIVITIES),
    Bug("messages of DP-SAGE are not clipped", "curator/dp_sage.py", "messages = clipped_rows(messages, 1.0)",
        "pass", ON_SENSITIVITIES),
    Bug("influence from the true graph", NIP, "released_influence(degrees, graph, self.sensing)",
        "released_influence(degrees, adjacency_matrix(run.edges, people), self.sensing)", ON_SENSITIVITIES),
    Bug("every pair at the whole budget", SOUND, 'budget["edges"] / changes.pairs', 'budget["edges"]',
        ON_REFEREE),
    Bug("sums of NIP-GNN at half the price", SOUND, "changes.l1_of_sums * GRID",
        "changes.l1_of_sums * GRID // 2", ON_REFEREE),
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
    Bug("whom a cap leaves out is not told", STATEMENT, "else relations.not_covered(run.cap)",
        'else "nothing"', ON_METHODS),
    Bug("δ is one over the number of people", "privacy/relations.py", "max(2, protected) ** -1.5",
        "max(2, protected) ** -1.0", "tests/privacy/test_relations.py"),
    Bug("δ of edges is by people", "privacy/relations.py", "num_nodes * (num_nodes - 1) // 2",
        "num_nodes", "tests/privacy/test_relations.py"),
    Bug("accountants are not checked", "privacy/calibration.py", "    check_accountants()\n", "",
        ON_ACCOUNTING),
    Bug("a batch of which nothing changes is free", ACCOUNTING,
        "if self.rate < 1 and self.touched == 0", "if False", ON_ACCOUNTING),
    Bug("the published NIP-GNN is proven", "curator/method.py", ", refuted=self.REFUTED)", ")",
        "tests/curator/test_nip_gnn.py"),
    Bug("a saved model holds the seed", "_model_files.py", 'if name != "random_state"', "if True",
        "tests/cli/test_commands.py"),
]  # fmt: skip
