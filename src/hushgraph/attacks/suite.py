"""All attacks by name: each asks about a stage what it asks, and is judged by the truth there."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hushgraph import _check
from hushgraph.attacks import attributes, extraction, links
from hushgraph.attacks.answers import Named
from hushgraph.attacks.decisions import Decisions
from hushgraph.attacks.guesses import ALL_THE_SAME, Guesses
from hushgraph.attacks.knowledge import KnownPairs, Revealed, Shadow, Shadows
from hushgraph.attacks.limits import Family, Limit
from hushgraph.attacks.membership import by_confidence, by_likelihood_ratio, by_shadow
from hushgraph.attacks.membership.two_views import TwoViews
from hushgraph.attacks.nothing_to_ask import NothingToAskError
from hushgraph.attacks.questions import LABEL, Attribute, coins
from hushgraph.attacks.stage import Stage
from hushgraph.attacks.targets import BlackBox
from hushgraph.attacks.victims import Victim
from hushgraph.graph import Graph

Measured = Decisions | Guesses


@dataclass(frozen=True, slots=True)
class Settings:
    """How much a suite asks.

    Attributes:
        attribute: ``"label"``, or the name or number of a feature.
        revealed: the share of people who reveal it.
        pairs: how many friendships are asked about, and as many strangers.
        shadows: models that LiRA trains.
        queries: of how many people model extraction asks, in turn.
    """

    attribute: str | int = LABEL
    revealed: float = 0.2
    pairs: int = 2000
    shadows: int = 4
    queries: tuple[int, ...] = (50, 200, 800)


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """What one attack came to.

    Attributes:
        name: of the attack.
        family: its kind.
        measured: how right it was.
        limit: the best that any attacker can do.
        note: what else is to be known of it, beside other targets.
    """

    name: str
    family: Family
    measured: Measured
    limit: Limit
    note: str | None = None

    @property
    def title(self) -> str:
        """What people call the attack."""
        return self.measured.attack

    @property
    def by_guessing(self) -> float:
        """How often somebody is right who knows nothing."""
        return 0.5 if isinstance(self.measured, Decisions) else self.measured.naive

    @property
    def works(self) -> bool:
        """Whether it is better than guessing by any measure, its interval considered."""
        one = self.measured
        if one.accuracy.low > self.by_guessing:
            return True
        return isinstance(one, Decisions) and (one.auc.low > 0.5 or one.tpr_at(0.01).low > 0.01)


def findings(
    stage: Stage, names: Iterable[str], seed: int, settings: Settings | None = None
) -> Iterator[Finding]:
    """What the attacks of these names come to; of those that the target does not allow, nothing."""
    for name in names:
        with suppress(NothingToAskError):
            yield from attempted(stage, name, seed, settings or Settings())


def attempted(stage: Stage, name: str, seed: int, settings: Settings) -> list[Finding]:
    """All that one attack comes to, the same whichever others are asked for; or it is refused as a whole."""
    family, attack = ATTACKS[_check.choice(name, "names", ATTACKS)]
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    return [Finding(name, family, one, stage.limit(family)) for one in attack(stage, rng, settings)]


def _confidence(stage: Stage, _rng: np.random.Generator, _settings: Settings) -> Iterator[Measured]:
    people, members = _candidates(stage)
    yield by_confidence(stage.box, people, share=float(members.mean())).judged(members)


def _tstf(stage: Stage, rng: np.random.Generator, _settings: Settings) -> Iterator[Measured]:
    """A shadow of the target's own method, on other people's graph."""
    if stage.victim is None or stage.elsewhere is None:
        raise NothingToAskError("nobody can train another model like a saved one")
    members = coins(stage.elsewhere.num_nodes, rng)
    own = _of_ones_own(stage.victim, stage.elsewhere, members, rng)
    said = by_shadow(stage.box, stage.everybody, Shadow(own.proba, members), rng)
    yield replace(said, attack="TSTF, shadow model").judged(stage.members)


def _known_members(stage: Stage, rng: np.random.Generator, _settings: Settings) -> Iterator[Measured]:
    """Of half of the people the attacker knows whether they are members."""
    people, members = _candidates(stage)
    known = coins(stage.members.size, rng)[people]
    if np.unique(members[~known]).size < 2:
        raise NothingToAskError("those of whom it is not known are all members, or none is")
    shadow = Shadow(stage.box.proba[people[known]], members[known])
    said = by_shadow(stage.box, people[~known], shadow, rng)
    yield replace(said, attack="known members").judged(members[~known])


def _candidates(stage: Stage) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Who may be a member, and who of them is one."""
    people = stage.candidates
    members = stage.members[people]
    if members.all() or not members.any():
        raise NothingToAskError("of those who may be members all are, or none: there is nobody to tell apart")
    return people, members


def _likelihood_ratio(stage: Stage, rng: np.random.Generator, settings: Settings) -> Iterator[Measured]:
    """Shadows of the target's own method, on other halves of the very people."""
    if stage.victim is None:
        raise NothingToAskError("nobody can train another model like a saved one")
    # Who has no label cannot be asked for it.
    known = np.flatnonzero(stage.graph.labels >= 0)
    if known.size == 0:
        raise NothingToAskError("nobody who is asked about has a label")
    models = []
    for _ in range(settings.shadows):
        members = coins(stage.members.size, rng)
        own = _of_ones_own(stage.victim, stage.graph, members, rng)
        models.append((own.proba[known], members[known]))
    shadows = Shadows.of(models, stage.graph.labels[known])
    yield by_likelihood_ratio(stage.box, known, shadows).judged(stage.members[known])


def _of_ones_own(
    victim: Victim, graph: Graph, members: NDArray[np.bool_], rng: np.random.Generator
) -> BlackBox:
    """What a model that the attacker trains by the target's method says."""
    if not (graph.labels[members] >= 0).any():
        raise NothingToAskError("nobody on whom the attacker would train another model has a label")
    return victim.learn_views(TwoViews.of(graph, members), rng).box


def _attribute(stage: Stage, rng: np.random.Generator, settings: Settings) -> Iterator[Measured]:
    revealed, asked, truth = _revealed(stage, rng, settings)
    yield attributes.by_posteriors(stage.box, asked, revealed, rng).judged(truth)


def _attribute_embeddings(stage: Stage, rng: np.random.Generator, settings: Settings) -> Iterator[Measured]:
    if stage.box.embeddings is None:
        raise NothingToAskError("this target shows no embeddings")
    revealed, asked, truth = _revealed(stage, rng, settings)
    yield attributes.by_embeddings(stage.box, asked, revealed, rng).judged(truth)


def _revealed(
    stage: Stage, rng: np.random.Generator, settings: Settings
) -> tuple[Revealed, NDArray[np.int64], NDArray[np.int64]]:
    sensitive = Attribute.of(stage.graph, settings.attribute)
    if not (sensitive.values >= 0).any():
        raise NothingToAskError(f"nobody who is asked about has a {sensitive.name}")
    revealed, asked = sensitive.revealed_by(settings.revealed, rng)
    if asked.size == 0:
        raise NothingToAskError(f"everybody who has a {sensitive.name} reveals it: nobody is left")
    return revealed, asked, sensitive.values[asked]


def _link_distance(stage: Stage, rng: np.random.Generator, settings: Settings) -> Iterator[Measured]:
    _, asked = _pairs(stage, rng, settings)
    yield links.by_distance(stage.box, asked.pairs).judged(asked.friends)


def _link_known(stage: Stage, rng: np.random.Generator, settings: Settings) -> Iterator[Measured]:
    known, asked = _pairs(stage, rng, settings)
    yield links.by_known_pairs(stage.box, asked.pairs, known, rng).judged(asked.friends)


def _pairs(stage: Stage, rng: np.random.Generator, settings: Settings) -> tuple[KnownPairs, KnownPairs]:
    """The attacker knows the friendships among a random half of the people, and asks among the others."""
    inside = coins(stage.members.size, rng)
    edges, people = stage.graph.edges, stage.members.size
    known, asked = (
        links.balanced(edges, people, settings.pairs, rng, np.flatnonzero(which))
        for which in (inside, ~inside)
    )
    return known, asked


def _withheld(stage: Stage, _rng: np.random.Generator, _settings: Settings) -> Iterator[Measured]:
    asked = stage.withheld
    if asked is None or asked.kept.all() or not asked.kept.any():
        raise NothingToAskError("of no friendships did coins withhold some and keep others")
    said = links.by_distance(stage.box, asked.pairs)
    yield replace(said, attack="withheld friendship").judged(asked.kept)


def _extraction(stage: Stage, rng: np.random.Generator, settings: Settings) -> Iterator[Measured]:
    """By more and more queries: fidelity to what the target says of everybody else, and accuracy."""
    order = rng.permutation(stage.members.size)
    if min(settings.queries) > order.size // 2:
        raise NothingToAskError(f"there are no {2 * min(settings.queries)} people to ask about")
    # Where there are no features, a copy learns from degrees.
    copy = None if stage.graph.num_features else Victim.named("gcn-structure")
    told = False
    for number in settings.queries:
        if number > order.size // 2:
            break
        queried, others = np.sort(order[:number]), np.sort(order[number:])
        said = extraction.by_queries(stage.box, others, stage.graph, queried, rng, copy=copy)
        truths = {"fidelity": stage.box.proba.argmax(1)[others], "accuracy": stage.graph.labels[others]}
        for of, truth in truths.items():
            known = truth >= 0
            if np.unique(truth[known]).size > 1:
                told = True
                yield Named(f"{said.attack}: {of}", said.guessed[known]).judged(truth[known])
    if not told:
        raise NothingToAskError(ALL_THE_SAME)


Attack = Callable[[Stage, np.random.Generator, Settings], Iterator[Measured]]
ATTACKS: dict[str, tuple[Family, Attack]] = {
    "confidence": ("membership", _confidence),
    "tstf": ("membership", _tstf),
    "known-members": ("membership", _known_members),
    "lira": ("membership", _likelihood_ratio),
    "attribute": ("attribute", _attribute),
    "attribute-embeddings": ("attribute", _attribute_embeddings),
    "link-distance": ("link", _link_distance),
    "link-known": ("link", _link_known),
    "withheld": ("withheld friendship", _withheld),
    "extraction": ("extraction", _extraction),
}
"""Each with its kind; what a target does not allow raises :class:`NothingToAskError`."""

WITHOUT_TRAINING = tuple(name for name in ATTACKS if name not in ("tstf", "lira", "withheld"))
"""On a saved model, of which the attacker cannot train another."""

WITH_TRAINING = tuple(name for name in ATTACKS if name != "known-members")
"""On a method, of which the attacker trains others."""
