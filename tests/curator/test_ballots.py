"""Noisy ballots: what one person changes of what others see, the noise on it, and what it is good for."""

from __future__ import annotations

import itertools
import math
import pickle
import warnings
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2, chisquare, norm
from tests.independence import shared

import hushgraph as hg
from hushgraph.curator import affinity, ballot_rows, ballots, linear, whole_noise
from hushgraph.curator.affinity import Affinity
from hushgraph.curator.parts import Terms, counted, noised, randomized
from hushgraph.curator.run import PrivateRun
from hushgraph.curator.whole_noise import FINE, laplace_rate, whole_laplace
from hushgraph.mechanisms import SecureRandom
from hushgraph.mechanisms.gaussian import gaussian_delta
from hushgraph.privacy.sensitivities import BallotChanges

PERSONS = ["node-removal", "node-replacement"]
SOURCES = [lambda: np.random.default_rng(5), SecureRandom]
# A correct run fails a test of what cannot be seeded once in a billion times.
NEVER = 1e-9
NOBODY = np.array([], int)


def voting(epsilon=4.0, **settings):
    """With votes whatever is learned of homophily: the budget is given."""
    shares = {"homophily": 0.1, "features": 0.5, "ballots": 0.4}
    if settings.get("relation") == "edge":
        shares = {"ballots": 1.0}
    budget = {name: epsilon * share for name, share in shares.items()}
    return hg.Ballots(epsilon, **{"budget": budget, "epochs": 3} | settings)


def seen_of(model, graph, split, **how):
    seen = []
    model.fit(graph, split, observe=seen.append, **how)
    return seen


@pytest.fixture
def without_noise(monkeypatch):
    """What leaves by Laplace noise, as it is before it; every voter has the same priorities in all graphs."""
    monkeypatch.setattr(ballots, "whole_laplace", lambda shape, *_: np.zeros(shape, np.int64))
    monkeypatch.setattr(ballots, "words", lambda _, size: np.arange(size, dtype=np.uint64))
    monkeypatch.setattr(affinity, "words", lambda _, size: np.zeros(size, np.uint64))
    monkeypatch.setattr(
        ballots.linear, "fit_linear", lambda rows, _, c, *__, **___: np.zeros((rows.shape[1], c))
    )
    monkeypatch.setattr(PrivateRun, "close", lambda _: None)


def halves(people):
    return np.random.default_rng(affinity.HALVES_SEED).random(people) < 0.5


def popular(relation, votes):
    """Person 0 trains and votes in as many rows as they may, or is another with as many other friends."""
    told = list(range(1, 2 * votes + 4))
    people = 40
    side = halves(people)
    friends = [one for one in range(len(told) + 1, people) if side[one] != side[0]][:2]
    labels = np.arange(people) % 2
    labels[0], labels[friends] = 0, [0, 1]
    split = hg.Split(np.array([0, *range(len(told) + 1, people)]), NOBODY, np.array(told))

    def graph(label, rows):
        mine = labels.copy()
        mine[0] = label
        edges = [(0, one) for one in ([] if label < 0 else [*rows, *friends])]
        features = np.ones((people, 1))
        features[0] = 0 if label < 0 else (-1) ** label
        return hg.Graph(np.array(edges, int).reshape(-1, 2).T, features, mine, num_classes=2)

    here = graph(0, told[: votes + 1])
    return here, graph(-1, []) if relation == "node-removal" else graph(1, told[votes + 1 :]), split


@pytest.mark.usefixtures("without_noise")
@pytest.mark.parametrize("votes", [1, 3])
@pytest.mark.parametrize("relation", PERSONS)
def test_a_person_changes_rows_by_their_price_and_no_more(relation, votes):
    here, there, split = popular(relation, votes)
    model = voting(relation=relation, votes=votes)
    one, other = ({x.part: x.values for x in seen_of(model, graph, split)} for graph in (here, there))
    assert np.abs(one["ballots"] - other["ballots"]).sum() == BallotChanges(relation, votes).ballots
    assert BallotChanges(relation, votes).ballots == votes * (1 if relation == "node-removal" else 2)


@pytest.mark.usefixtures("without_noise")
@pytest.mark.parametrize("relation", PERSONS)
def test_a_person_changes_class_sizes_and_matchings_by_their_price_and_no_more(relation):
    """Someone with a friend of each class goes; or comes back with another class and no friend."""
    here, there, split = popular(relation, 1)
    if relation == "node-replacement":
        labels = there.labels.copy()
        there = replace(there, edges=np.empty((2, 0), int), labels=labels)
    model = voting(relation=relation)
    one, other = ({x.part: x.values for x in seen_of(model, graph, split)} for graph in (here, there))
    assert np.abs(one["homophily"] - other["homophily"]).sum() == BallotChanges(relation, 1).matchings
    assert BallotChanges(relation, 1).matchings == (3 if relation == "node-removal" else 4)


@pytest.mark.usefixtures("without_noise")
def test_an_edge_changes_one_vote():
    here, _, split = popular("node-removal", 1)
    rows = [
        seen_of(voting(relation="edge"), graph, split)[-1].values
        for graph in (here, replace(here, edges=here.edges[:, 1:]))
    ]
    assert np.abs(rows[0] - rows[1]).sum() == BallotChanges("edge", 1).ballots == 1


@pytest.mark.parametrize("relation", PERSONS)
@pytest.mark.parametrize("sparse", [True, False])
def test_a_person_changes_gradients_by_their_price_and_no_more(relation, sparse):
    """The first step: whoever is replaced has the opposite label, so that their gradient is the opposite."""
    features = np.zeros((6, 3))
    features[0] = [7.0, 0.0, 0.0]
    if sparse:
        import scipy.sparse as sp

        features = sp.csr_array(features)
    gone = replaced = np.array([0, -1, -1, -1, -1, -1])
    split = hg.Split(np.arange(5), NOBODY, np.array([5]))
    replaced, gone = np.where(gone == 0, 1, -1), np.full(6, -1)
    worlds = [np.array([0, -1, -1, -1, -1, -1]), gone if relation == "node-removal" else replaced]
    steps = []
    for labels in worlds:
        graph = hg.Graph(np.empty((2, 0), int), features, labels, num_classes=2)
        model = voting(relation=relation, random_state=0)
        steps.append(next(one for one in seen_of(model, graph, split) if one.part == "features"))
    changed = np.linalg.norm(steps[0].clean - steps[1].clean)
    assert steps[0].sensitivity == steps[1].sensitivity
    assert 0.99 * steps[0].sensitivity <= changed <= steps[0].sensitivity


def test_no_persons_gradient_is_longer_than_its_clip_in_whole_numbers(rng):
    """Features and errors of any size: checked in integers of Python."""
    grid = linear.Grid.of(0.5, 12.0, 2)
    rows = grid.rows(rng.normal(size=(200, 9)) * 10.0 ** rng.integers(-6, 7, (200, 1)))
    errors = rng.normal(size=(200, 4)) * 10.0 ** rng.integers(-3, 2, (200, 1))
    lengths = linear.squared_lengths(rows)
    longest = 0
    for one in range(200):
        gradient = grid.gradient(rows[[one]], lengths[[one]], errors[[one]])
        assert gradient.dtype == np.int64
        longest = max(longest, sum(int(value) ** 2 for value in gradient.ravel()))
    assert 0.97 * grid.clip**2 < longest <= grid.clip**2


def small_graphs(rng, count, people=9):
    for _ in range(count):
        friends = np.triu(rng.random((people, people)) < rng.uniform(0.2, 0.7), 1)
        yield np.stack(np.nonzero(friends)).astype(np.int32), rng.random(people) < 0.45


def without(edges, person):
    return edges[:, (edges != person).all(axis=0)]


def rows_of(edges, queried, votes, table, voted):
    pairs = ballot_rows.between(edges, queried)
    kept = ballot_rows.ballots(pairs, votes, table[pairs])
    return ballot_rows.tallied(kept, voted, len(queried), 3)


def test_whoever_is_not_queried_changes_as_many_votes_as_they_have_whatever_the_graph(rng):
    worst = Counter()
    for edges, queried in small_graphs(rng, 400):
        people, votes = len(queried), int(rng.integers(1, 4))
        table = rng.integers(0, 2**63, (people, people), dtype=np.uint64)
        voted = rng.integers(0, 3, people)
        whole = rows_of(edges, queried, votes, table, voted)
        for person in np.flatnonzero(~queried):
            changed = np.abs(whole - rows_of(without(edges, person), queried, votes, table, voted))
            assert changed.sum() <= votes
            assert changed.max() <= 1
            worst[votes] = max(worst[votes], changed.sum())
    assert worst == {1: 1, 2: 2, 3: 3}


def test_whoever_is_queried_changes_one_vote_for_each_friend_who_chooses(rng):
    """Of others' rows. The own row is theirs alone; who has few queried friends chooses nothing."""
    reached = 0
    for edges, queried in small_graphs(rng, 400):
        people, votes = len(queried), int(rng.integers(1, 3))
        table = rng.integers(0, 2**63, (people, people), dtype=np.uint64)
        voted = rng.integers(0, 3, people)
        whole = rows_of(edges, queried, votes, table, voted)
        voters, told = ballot_rows.between(edges, queried)
        many = np.bincount(voters, minlength=people) > votes
        for person in np.flatnonzero(queried):
            changed = np.abs(whole - rows_of(without(edges, person), queried, votes, table, voted))
            changed[person] = 0
            choosing = many[voters[told == person]].sum()
            assert changed.sum() <= choosing
            reached += changed.sum() == choosing > 1
    assert reached > 10


def matchings_of(edges, labels, picked):
    """Of the friendships that are picked by a word that is theirs in all graphs."""
    return affinity.matched(edges[:, picked[tuple(edges)]], labels, np.arange(len(labels)), 3, SecureRandom())


def test_a_person_changes_matchings_by_one_whatever_the_graph(rng, monkeypatch):
    monkeypatch.setattr(affinity, "words", lambda _, size: np.zeros(size, np.uint64))
    for edges, _ in small_graphs(rng, 150):
        labels = rng.integers(-1, 3, 9)
        table = rng.random((9, 9)) < 0.8
        whole = matchings_of(edges, labels, table)
        for person in range(9):
            rest, gone = without(edges, person), labels.copy()
            gone[person] = -1
            changed = np.abs(whole - matchings_of(rest, gone, table))
            assert changed.sum() <= 3
            assert changed[-2:].max() <= 1
            other = gone.copy()
            other[person] = rng.integers(0, 3)
            friends = np.setdiff1d(np.flatnonzero(rng.random(9) < 0.5), [person])
            more = np.stack([np.minimum(person, friends), np.maximum(person, friends)])
            new = np.concatenate([rest, more], axis=1).astype(np.int32)
            assert np.abs(whole - matchings_of(new, other, table)).sum() <= 4


def test_a_matching_is_as_large_as_can_be(rng):
    for _ in range(30):
        friends = np.stack(np.nonzero(rng.random((4, 4)) < 0.5)).astype(np.int32)
        best = max(
            len(some)
            for size in range(5)
            for some in itertools.combinations(friends.T.tolist(), size)
            if len({one for one, _ in some}) == len({two for _, two in some}) == len(some)
        )
        assert affinity._matching(friends[0], friends[1] + 4, 8) == best


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("epsilon", [0.3, 2.0, 5.0])
def test_votes_have_exact_laplace_noise(source, epsilon):
    rate = laplace_rate(epsilon, 1)
    drawn = whole_laplace((40_000,), rate, source())
    falls = math.exp(-epsilon)
    values = np.arange(-60, 61)
    expected = (1 - falls) / (1 + falls) * falls ** np.abs(values) * drawn.size
    counts = np.array([(drawn == value).sum() for value in values])
    enough = expected >= 5
    rest = drawn.size - counts[enough].sum(), drawn.size - expected[enough].sum()
    observed, wanted = counts[enough], expected[enough]
    if rest[1] > 1:
        observed, wanted = np.append(observed, rest[0]), np.append(wanted, rest[1])
    assert chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > NEVER


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.92, 1 / 3, 12.0])
@pytest.mark.parametrize("units", [1, 2, 3, 7])
def test_laplace_noise_costs_no_more_than_its_share(epsilon, units):
    rate = laplace_rate(epsilon, units)
    spent = units * Fraction(rate, FINE)
    assert spent <= Fraction(epsilon)
    assert units * Fraction(rate + 1, FINE) > Fraction(epsilon)


@pytest.mark.parametrize("random_state", [0, None])
@pytest.mark.parametrize("relation", PERSONS)
def test_gradients_have_the_noise_that_was_accounted_and_each_its_own(relation, random_state, graph, split):
    wide = replace(graph, features=np.tile(graph.features, 30))
    model = voting(relation=relation, random_state=random_state, epochs=4)
    seen = [one for one in seen_of(model, wide, split) if one.part == "features"]
    assert len(seen) == 4
    # Together they are one release with half the noise, and spend no more than their share.
    together = min(math.sqrt(one.deviation**2 - 16) / one.sensitivity for one in seen) / math.sqrt(4)
    share, delta = model.budget_["features"], model.guarantee.delta
    assert gaussian_delta(share, together) <= delta < gaussian_delta(share, together / 1.0001)
    noises = [one.values - one.clean for one in seen]
    alarm = (1e-4 if random_state == 0 else NEVER) / 3
    for one, noise in zip(seen, noises, strict=True):
        assert shared(noise, alarm / 4) == []
        low, high = (chi2.ppf(q, noise.size) for q in (alarm / 8, 1 - alarm / 8))
        assert low < np.square(noise / one.deviation).sum() < high
    for one, other in itertools.combinations(noises, 2):
        score = (one * other).sum() / math.sqrt((np.square(one) * np.square(other)).sum())
        assert abs(score) < norm.isf(alarm / 12)


@pytest.fixture
def crowd(rng):
    """Sixty who train and ninety who are queried, in 40 classes: many votes at once."""
    edges = np.stack([rng.integers(0, 60, 400), rng.integers(60, 150, 400)])
    graph = hg.Graph(edges, rng.random((150, 3)), rng.integers(0, 40, 150), num_classes=40)
    return graph, hg.Split(np.arange(60), NOBODY, np.arange(60, 150))


@pytest.mark.parametrize("random_state", [0, None])
@pytest.mark.parametrize("relation", ["edge", *PERSONS])
def test_rows_have_the_noise_that_was_accounted_and_no_place_shares_it(
    relation, random_state, crowd, monkeypatch
):
    graph, split = crowd
    noise, rates = [], []

    def watched(shape, rate, rng):
        drawn = whole_laplace(shape, rate, rng)
        noise.append(drawn)
        rates.append(rate)
        return drawn

    monkeypatch.setattr(ballots, "whole_laplace", watched)
    votes = {} if relation == "edge" else {"votes": 2}
    model = voting(0.8, relation=relation, random_state=random_state, **votes)
    seen = seen_of(model, graph, split)
    price = {"edge": 1, "node-removal": 2, "node-replacement": 4}[relation]
    assert rates[-1] == laplace_rate(model.budget_["ballots"], price)
    # What leaves is votes and this noise.
    votes = seen[-1].values - noise[-1]
    assert votes.min() >= 0
    assert votes.sum() == np.minimum(np.bincount(graph.edges[0]), 400 if relation == "edge" else 2).sum()
    alarm = (1e-4 if random_state == 0 else NEVER) / 2
    assert shared(seen[-1].values - votes, alarm) == []
    falls = math.exp(-rates[-1] / FINE)
    # Its size is geometric but for 0.
    spread = math.sqrt(2 * falls) / (1 - falls)
    size = np.abs(noise[-1]).mean()
    mean = 2 * falls / (1 - falls**2)
    assert abs(size - mean) < norm.isf(alarm / 2) * math.sqrt(spread**2 - mean**2) / math.sqrt(noise[-1].size)
    if relation != "edge":
        assert rates[0] == laplace_rate(model.budget_["homophily"], price // 2 + 2)


def test_without_a_seed_nothing_that_leaves_is_the_same_twice(crowd):
    one, other = ({x.part: x.values for x in seen_of(voting(), *crowd)} for _ in range(2))
    assert all((one[part] != other[part]).any() for part in ("homophily", "features", "ballots"))


def test_without_a_seed_choices_and_noise_come_from_the_operating_system(crowd, monkeypatch):
    public = np.random.default_rng

    def never(seed=None):
        assert seed == affinity.HALVES_SEED
        return public(seed)

    monkeypatch.setattr("numpy.random.default_rng", never)
    voting().fit(*crowd)


def test_what_somebody_who_is_queried_holds_reaches_nobody_else(crowd):
    """Features and label, and friendships with other queried people: all that others see stays the same."""
    graph, split = crowd
    person = 100
    features, labels = graph.features.copy(), graph.labels.copy()
    features[person], labels[person] = 9.0, (labels[person] + 1) % 40
    among = np.array([[person, person], [70, 80]])
    other = replace(
        graph, features=features, labels=labels, edges=np.concatenate([graph.edges, among], axis=1)
    )
    models = [voting(random_state=3) for _ in range(2)]
    one, two = (
        seen_of(model, people, split, common_noise=True)
        for model, people in zip(models, (graph, other), strict=True)
    )
    for here, there in zip(one, two, strict=True):
        assert (np.asarray(here.values) == np.asarray(there.values)).all()
    others = np.arange(150) != person
    assert (models[0].proba_[others] == models[1].proba_[others]).all()
    assert (models[0].proba_[person] != models[1].proba_[person]).any()


def test_how_friends_vote_is_told_to_those_who_are_queried_alone(crowd):
    """The row of each is in their own prediction, and in nobody's besides."""
    graph, split = crowd
    rows = []
    known = {"homophily": 0.9, "budget": {"features": 2.0, "ballots": 2.0}, "random_state": 3}
    model = voting(**known)
    model.fit(graph, split, observe=lambda one: rows.append(one.values) if one.part == "ballots" else None)
    assert rows[0].shape == (90, 40)
    other = voting(**known)

    def turned(*words):
        """Another row for the first who is queried."""
        drawn = whole_laplace(*words)
        drawn[0, 0] += 9
        return drawn

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ballots, "whole_laplace", turned)
        other.fit(graph, split)
    assert np.flatnonzero((model.proba_ != other.proba_).any(axis=1)).tolist() == [60]


def test_friendships_are_read_by_mechanisms_alone(crowd, monkeypatch):
    """What is learned of homophily, and whether votes pay, follows from what they gave."""
    graph, split = crowd
    doors = []

    class Guarded(hg.Graph):
        def __getattribute__(self, name):
            assert name not in ("edges", "num_edges") or doors, f"{name} was read outside a mechanism"
            return super().__getattribute__(name)

    randomize = PrivateRun.randomize

    def watched(run, name, epsilon, draw):
        def through(rng):
            doors.append(name)
            drawn = draw(rng)
            doors.pop()
            return drawn

        return randomize(run, name, epsilon, through)

    monkeypatch.setattr(PrivateRun, "randomize", watched)
    for model in (voting(), hg.Ballots(4.0, epochs=2)):
        run = model.begin(graph, split)
        guarded = object.__new__(Guarded)
        for name in graph.__dataclass_fields__:
            object.__setattr__(guarded, name, getattr(graph, name))
        run.graph = guarded
        assert model.learn(run).shape == (150, 40)


@pytest.mark.parametrize("relation", PERSONS)
def test_nothing_is_kept_but_what_left_and_predictions(relation, crowd, tmp_path):
    graph, split = crowd
    model = voting(relation=relation)
    seen = seen_of(model, graph, split)
    kept = pickle.dumps(model)
    assert not any(one.clean.tobytes() in kept for one in seen if one.clean is not None)
    fitted = {name for name in vars(model) if name.endswith("_")}
    assert fitted == {
        "proba_",
        "weights_",
        "homophily_",
        "guarantee_",
        "noise_multipliers_",
        "classes_",
        "ids_",
    }
    found = affinity.Affinity.told(
        seen[0].values,
        split.train.size,
        math.sqrt(2) * FINE / laplace_rate(0.4, 3 if relation == "node-removal" else 4),
    )
    assert model.homophily_ == found.same
    model.save(tmp_path / "model")
    read = hg.load(tmp_path / "model")
    assert isinstance(read, hg.Ballots)
    assert (read.predict_proba() == model.predict_proba()).all()
    assert read.guarantee == model.guarantee


def test_steps_are_halved_where_everybody_has_the_same_features(monkeypatch):
    """So that weights say how frequent classes are, and do not swing: friends are to be heard beside them.

    Swings are no straight reversal where there are several classes, and in some runs alone.
    """
    shares, multiplier = np.array([0.31, 0.3, 0.25, 0.14]), 4.0
    grid = linear.Grid.of(0.5, multiplier, 1)
    labels = np.repeat(np.arange(4), (20_000 * shares).astype(int))
    rows = grid.rows(np.ones((labels.size, 1)))

    def error(seed):
        rng = np.random.default_rng(seed)

        def noisy(gradient):
            return gradient + np.rint(rng.normal(0, multiplier * grid.clip, gradient.shape)).astype(np.int64)

        weights = linear.fit_linear(
            rows, labels, 4, grid, noisy,
            steps=30, noise=multiplier * grid.clip, pace=1.0, progress=lambda _: None,
        )  # fmt: skip
        said = linear.log_softmax(rows[:1] @ weights / grid.features)[0]
        return np.abs(said - np.log(shares)).max()

    assert max(map(error, range(30))) < 0.3
    monkeypatch.setattr(linear, "TURNED", -0.5)
    assert max(map(error, range(30))) > 2


def test_weights_are_made_of_the_noisy_gradients_that_left(crowd):
    graph, split = crowd
    model = voting(random_state=1, epochs=6)
    seen = [one for one in seen_of(model, graph, split) if one.part == "features"]
    run = model.begin(graph, split)
    grid = linear.Grid.of(model.clip, run.multipliers["features"], 1)
    left = iter(seen)
    again = linear.fit_linear(
        grid.rows(np.zeros((60, 3))), graph.labels[:60], 40, grid, lambda _: next(left).values, steps=6,
        noise=run.multipliers["features"] * grid.clip, pace=1.0, progress=lambda _: None,
    )  # fmt: skip
    assert (again == model.weights_).all()


def test_what_is_spent_is_the_budget_whatever_is_learned(camps, camps_split):
    """On a graph whose friends are alike, on one whose are not; the parts add up to ε in both."""
    rng = np.random.default_rng(1)
    torn = replace(camps, edges=rng.integers(0, 400, (2, 1500)))
    shares = []
    for graph in (camps, torn):
        said = hg.Ballots(6.0, random_state=0, epochs=3).fit(graph, camps_split).guarantee
        assert (said.epsilon, said.delta, said.status) == (6.0, 1e-4, "proven")
        assert math.fsum(part.epsilon for part in said.parts) == pytest.approx(6.0)
        assert [part.delta for part in said.parts] == [0.0, 1e-4, 0.0]
        shares.append(said.parts[-1].epsilon)
    assert shares == [pytest.approx(2.88), 0.0]


def test_the_promise_before_is_the_promise_after(graph, split):
    model = hg.Ballots(4.0, random_state=0, epochs=2)
    before, after = model.promise(graph, split), model.fit(graph, split).guarantee
    same = ("epsilon", "delta", "status", "relation", "released", "conditions", "protects", "against")
    assert all(getattr(before, name) == getattr(after, name) for name in same)
    assert voting(random_state=0).promise(graph, split) == voting(random_state=0).fit(graph, split).guarantee


@pytest.mark.parametrize(("relation", "friends"), [("node-removal", 20), ("node-replacement", 40)])
def test_the_statement_says_for_whom_it_holds(relation, friends, graph, split):
    said = " ".join(voting(relation=relation, votes=8, random_state=0).promise(graph, split).conditions)
    # ε buys 20 votes at the price of the 8 that 40 % of it is for.
    assert f"no more than {friends} people who are" in said
    assert "have more than 8 queried friends" in said
    assert "features and label reach nobody else" in said
    public = (
        voting(relation=relation, votes=40, bounded=True, random_state=0).promise(graph, split).conditions
    )
    assert "public that nobody has more than 40 queried friends" in " ".join(public)


def test_where_edges_are_protected_rows_are_for_everyone_and_exact(graph, split):
    model = hg.Ballots(2.0, relation="edge", random_state=0)
    said = model.fit(graph, split).guarantee
    assert (said.status, said.delta) == ("proven", 0.0)
    assert "to everyone" in said.released
    assert [part.protects for part in said.parts] == ["ballots"]


def test_somebody_with_more_queried_friends_than_is_public_is_refused(crowd):
    graph, split = crowd
    most = int(np.bincount(graph.edges[0]).max())
    voting(votes=most, bounded=True).fit(graph, split)
    seen = []
    with pytest.raises(ValueError, match="public that nobody has"):
        voting(votes=most - 1, bounded=True).fit(graph, split, observe=seen.append)
    assert not seen


def test_whoever_trains_cannot_be_queried(crowd):
    graph, split = crowd
    with pytest.raises(ValueError, match="queried names somebody who trains"):
        voting(queried=[5, 70]).promise(graph, split)
    with pytest.raises(ValueError, match="queried"):
        voting(queried=[200]).fit(graph, split)
    seen = seen_of(voting(queried=[70, 99]), graph, split)
    assert seen[-1].values.shape == (2, 40)
    assert seen_of(voting(queried=70), graph, split)[-1].values.shape == (1, 40)


@pytest.mark.parametrize("relation", ["edge", "node-removal", "node-replacement"])
def test_any_finite_budget_is_one(relation, graph, split):
    model = hg.Ballots(1e15, relation=relation, random_state=0).fit(graph, split)
    assert np.isfinite(model.predict_proba()).all()


def test_a_large_delta_is_warned_of_once(graph, split):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        hg.Ballots(4.0, delta=0.5, random_state=0).fit(graph, split)
    assert [str(one.message)[:11] for one in caught] == ["delta = 0.5"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"votes": 0}, "votes must be a whole number"),
        ({"homophily": 1.5}, "homophily"),
        ({"clip": 0}, "clip must be above 0"),
        ({"epsilon": 1e-9}, "too small"),
        ({"relation": "edge", "votes": 2}, "are for protecting persons"),
        ({"relation": "edge", "homophily": 0.8}, "are for protecting persons"),
    ],
)
def test_bad_settings_are_refused(settings, message, graph, split):
    with pytest.raises((ValueError, ArithmeticError), match=message):
        hg.Ballots(**{"epsilon": 4.0} | settings).fit(graph, split)


@pytest.fixture
def friends_of_one_kind():
    return lambda homophily: hg.datasets.social(1500, 40, 4, 8.0, seed=7, homophily=homophily)


@pytest.mark.parametrize("homophily", [0.25, 0.9])
def test_how_alike_friends_are_is_learned_and_votes_are_asked_for_where_they_pay(
    homophily, friends_of_one_kind
):
    graph = friends_of_one_kind(homophily)
    split = hg.random_split(graph, train=0.75, val=0.1, seed=1, everyone=True)
    model = hg.Ballots(8.0, random_state=1).fit(graph, split)
    alike = (graph.labels[graph.edges[0]] == graph.labels[graph.edges[1]]).mean()
    assert abs(model.homophily_ - alike) < 0.15
    alone = hg.Ballots(8.0, random_state=1, homophily=0.25).fit(graph, split)
    gained = hg.accuracy(model, graph, split.test) - hg.accuracy(alone, graph, split.test)
    assert (model.guarantee.parts[-1].epsilon > 0) == (homophily == 0.9)
    assert gained > (0.04 if homophily == 0.9 else -0.03)


def test_friends_are_as_many_however_few_train():
    """Who does not train votes too: that fewer train must not pass for fewer friends."""
    graph = hg.datasets.social(n=6000, features=5, classes=4, mean_degree=12.0, homophily=0.9, seed=3)
    degrees = []
    for train in (0.75, 0.3):
        split = hg.random_split(graph, train=train, val=0.05, seed=0, everyone=True)
        model = hg.Ballots(4.0, random_state=0)
        degrees.append(model._affinity(model.begin(graph, split)).degree)
    assert 0.7 < degrees[1] / degrees[0] < 1.5


def test_nothing_is_known_of_a_graph_that_is_full():
    """Both matchings hold nearly everybody: friends are as classes are."""
    full = Affinity.told(np.array([300, 100, 196, 197]), 400)
    assert np.allclose(full.friends, [0.75, 0.25])
    assert np.isfinite(Affinity.told(np.array([-5, -9, -30, -40]), 400).friends).all()


def test_a_row_says_what_bayes_rule_says():
    """Against the sum over all votes, of a small row."""
    rate, friends = FINE, np.array([[0.8, 0.2], [0.3, 0.7]])
    row, falls = np.array([[2, -1]]), math.exp(-1.0)
    found = np.exp(ballot_rows.evidence(row, rate, friends)[0])
    totals = []
    for own in range(2):
        total = 0.0
        for mean in ballot_rows.RATES:
            product = 1.0
            for j in range(2):
                expected = mean * friends[own, j]
                product *= sum(
                    math.exp(n * math.log(expected) - expected - math.lgamma(n + 1))
                    * (1 - falls) / (1 + falls) * falls ** abs(row[0, j] - n)
                    for n in range(60)
                )  # fmt: skip
            total += product
        totals.append(total)
    assert found == pytest.approx(0.9 * np.array(totals) / sum(totals) + 0.1 / 2, abs=1e-6)


@pytest.mark.parametrize("others", [-64, 0, 60])
def test_a_row_is_read_as_if_nobody_else_had_one(others):
    """Not even to the last bit: little noise is where sums would be cut off by the largest row."""
    friends = np.array([[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]])
    own = np.array([[5, 0, 1], [20, 3, -2]])
    beside = np.concatenate([own, [[others, 0, 0]]])
    for epsilon in (0.03, 0.3, 3.0):
        rate = max(1, round(FINE * epsilon))
        alone = ballot_rows.evidence(own, rate, friends)
        assert np.array_equal(ballot_rows.evidence(beside, rate, friends)[:2], alone)


def run_of(graph, split, *parts, relation="node-removal"):
    shares = {part.name: 4.0 / len(parts) for part in parts}
    return PrivateRun(Terms(relation, 4.0, 1e-3, None, parts, shares), graph, split, random_state=0)


def test_budget_is_moved_by_what_was_released_and_never_made(graph, split):
    one, two, three = randomized("one", 1.0, "-"), counted("two", 1.0, "-"), randomized("three", 1.0, "-")
    run = run_of(graph, split, one, two, three)
    run.randomize("one", 4 / 3, lambda rng: np.zeros(1))
    before = run.multipliers["two"]
    for wrong in (
        {"two": 2.0, "three": 1.0},
        {"two": 3.0},
        {"one": 0.5, "two": 1.0},
        {"two": 2.0, "three": -0.5},
    ):
        with pytest.raises(RuntimeError, match="moved"):
            run.divide(wrong)
    run.divide({"two": 2.0, "three": 2 / 3})
    assert run.multipliers["two"] < before
    with pytest.raises(RuntimeError, match="more than was accounted for"):
        run.randomize("three", 0.7, lambda rng: np.zeros(1))
    run.release_whole("two", np.zeros(3, np.int64), 8)
    with pytest.raises(RuntimeError, match="after noise that has a δ"):
        run.divide({"three": 0.1})


def test_whole_numbers_leave_with_whole_noise_and_once(graph, split):
    run = run_of(graph, split, counted("sums", 1.0, "-"))
    for values, sensitivity in ((np.zeros(3), 8), (np.zeros(3, np.int64), 8.5), (np.zeros(3, np.int64), 0)):
        with pytest.raises(RuntimeError, match="whole number"):
            run.release_whole("sums", values, sensitivity)
    assert run.release_whole("sums", np.zeros(3, np.int64), 8).dtype == np.int64
    with pytest.raises(RuntimeError, match="more than was accounted for"):
        run.release_whole("sums", np.zeros(3, np.int64), 8)
    with pytest.raises(RuntimeError, match="no other has a δ"):
        run_of(graph, split, counted("sums", 1.0, "-"), noised("more", 1.0, "-"))


def test_too_little_budget_is_an_error_and_never_too_little_noise():
    with pytest.raises(ValueError, match="too small"):
        whole_noise.gaussian_scale(1e7, 1 << 10)
    with pytest.raises(ValueError, match="too small"):
        laplace_rate(1e-9, 3)
