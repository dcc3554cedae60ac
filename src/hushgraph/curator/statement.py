"""What a run promises, in words: computed from its terms and from what was done with them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from hushgraph.curator.run import PrivateRun
from hushgraph.mechanisms.additive import FLOATING_POINT
from hushgraph.privacy import Guarantee, accounting, relations

AGAINST = "everyone who sees what is released; the curator holds the data and is trusted"
OWN_FEATURES = (
    "A person's prediction is computed from these and the person's own features and is for that person alone:"
    " shown to others, it would tell something about those features that no ε here bounds"
)
COMPOSED = "sequential composition; all that follows from what is released is post-processing"
ACCOUNTANTS = {
    "PLD": "privacy loss distributions (dp-accounting), or Rényi DP where that says less",
    "RDP": "Rényi DP (curves as in hushgraph.privacy.accounting, converted by dp-accounting)",
}


def promised(
    run: PrivateRun,
    released: str,
    *,
    reason: str = "",
    refuted: Iterable[str] = (),
    conditions: Iterable[str] = (),
) -> Guarantee:
    """The guarantee of a run.

    ``refuted`` says why a promise is known to be false; ``conditions`` are those of the method.
    """
    terms = run.terms
    if not terms.private:
        return Guarantee(
            relations.PROTECTS[terms.relation],
            math.inf,
            status="none",
            against=AGAINST,
            released="all that is learned, without noise",
            reason="ε = ∞: learned without noise, as a ceiling for the private methods",
        )
    relation = relations.described(terms.relation, terms.cap, terms.bounded)
    conditions = [
        "who is in the training set, the list of classes and the settings do not depend on the data",
        *conditions,
    ]
    if run.cap is not None:
        conditions.append(
            f"it is public that nobody has more than {run.cap} friends"
            if terms.bounded
            else relations.not_covered(run.cap)
        )
    whole = Guarantee._stated(
        protects=relations.PROTECTS[terms.relation],
        # Shares that add up to a little more for rounding are what is spent.
        epsilon=max(terms.epsilon, math.fsum(terms.shares[part.name] for part in run.exact)),
        delta=run.delta,
        relation=relation,
        against=AGAINST,
        released=released,
        reason=reason or _reason(run),
        conditions=tuple(conditions),
        parts=tuple(
            Guarantee._stated(
                protects=name,
                epsilon=epsilon,
                delta=delta,
                relation=relation,
                against=AGAINST,
                reason=why,
            )
            for name, epsilon, delta, why in _spent(run)
        ),
    )
    for why in refuted:
        whole = whole.weakened("refuted", why)
    if run.accounted:
        whole = whole.weakened("proven over the reals", FLOATING_POINT)
    for why in _claims(run):
        whole = whole.claimed(why)
    if run.simulated:
        known = "nobody who sees what is released knows the seed that was passed in"
        whole = whole._changed(conditions=(*whole.conditions, known)).from_a_seed()
    # A part is as well founded as the whole.
    return whole._changed(parts=tuple(part._changed(status=whole.status) for part in whole.parts))


def _reason(run: PrivateRun) -> str:
    if not run.accounted:
        return COMPOSED + _rule(run)
    rule = ""
    sampled = ", Poisson sampling" if any(part.touched for part in run.accounted) else ""
    if len(run.accounted) < len(run.terms.costly):
        rule = "; what mechanisms spend is added to that, by sequential composition"
    rule += _rule(run)
    accountant = ACCOUNTANTS[accounting.accountant_of(run.accounted)]
    return (
        f"accounted by {accountant}{sampled}; the parts' noise is in the proportion in which each would spend"
        f" its share of ε alone, and less of it, since together they spend less than the sum{rule}"
    )


def _rule(run: PrivateRun) -> str:
    """How δ came about, where there is one that nobody gave."""
    if run.terms.delta is not None or not run.delta:
        return ""
    kind = "pairs" if run.terms.relation == "edge" else "people"
    protected = relations.records(run.terms.relation, run.graph.num_nodes)
    return f"; δ by rule: the largest power of ten up to N^-1.5 for N = {protected} {kind}"


def _spent(run: PrivateRun) -> Iterable[tuple[str, float, float, str]]:
    """What each part spends alone, and on what."""
    gaussian = {part.name: part for part in run.accounted}
    for part in run.terms.costly:
        share = run.terms.shares[part.name]
        if part.name not in gaussian:
            yield part.name, share, run.delta if part.kind == "whole" else 0.0, part.why
            continue
        multipliers = (run.multipliers[part.name],)
        alone = accounting.epsilon_of((gaussian[part.name],), multipliers, run.delta, run.terms.relation)
        yield part.name, alone, run.delta, f"a share of {share:g}; {part.why}"


def _claims(run: PrivateRun) -> Iterable[str]:
    """Why the theorem is not about this graph."""
    if run.graph.classes_from_data:
        yield "the list of classes was taken from the data"
    if run.graph.ranges_from_data:
        yield "the ranges of the features were taken from the data"
