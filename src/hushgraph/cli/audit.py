"""``hushgraph audit``."""

from __future__ import annotations

import inspect
import math
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer
from rich.markup import escape
from rich.table import Table

from hushgraph.cli import console, options
from hushgraph.cli.own_mechanism import made
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.registry import CURATOR_METHODS, FEATURES, OTHERS, Entry

if TYPE_CHECKING:
    from hushgraph.audit import Audit

# What is not given: answers are quick to draw, devices slower, and fits the slowest.
TRIALS = {"mechanism": 50_000, "campaign": 1_000, "method": 1_000}
DEFAULTS = ", ".join(f"{trials:,} of a {sort}" for sort, trials in TRIALS.items())
LARGE_DELTA = 0.1
# Options that have a meaning for one sort of thing alone.
OPTIONS = {
    "mechanism": ("kind", "size", "low", "high"),
    "campaign": ("device", "own_mechanism"),
    "method": ("relation", "setting"),
}
FEW_EPOCHS = 2
Kind = Literal["features", "labels", "lists"]


def audit(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            help=f"A mechanism ({', '.join([*FEATURES, *OTHERS])}, or yours, such as 'mine.noise:Mine'), a"
            f" method of a trusted curator ({', '.join(CURATOR_METHODS)}), or a campaign's JSON file."
        ),
    ],
    epsilon: Annotated[
        float | None, typer.Option(help="The budget of the mechanism or method; a campaign has its own.")
    ] = None,
    delta: Annotated[
        float | None,
        typer.Option(
            help="What a mechanism is checked with, by default 0; gaussian needs it. Of methods"
            f" {LARGE_DELTA}, so that few fits suffice."
        ),
    ] = None,
    kind: Annotated[
        Kind | None, typer.Option(help="Of a mechanism of yours that does not say what it is for.")
    ] = None,
    size: Annotated[int, typer.Option(min=1, help="Of a mechanism: features, classes or other people.")] = 3,
    low: Annotated[float | None, typer.Option(help="Of a mechanism: the lower end of features.")] = None,
    high: Annotated[float | None, typer.Option(help="Of a mechanism: the upper end of features.")] = None,
    relation: Annotated[
        NeighboringRelation, typer.Option(help="Of a method: what must be hard to tell apart.")
    ] = "node-removal",
    setting: options.Settings = None,
    device: Annotated[
        str | None,
        typer.Option(
            help="Of a campaign: a command that answers lines of JSON as your device does (docs/audits.md)."
        ),
    ] = None,
    own_mechanism: options.OwnMechanisms = None,
    trials: Annotated[
        int | None,
        typer.Option(min=100, help=f"Answers, devices or fits in either world; by default {DEFAULTS}."),
    ] = None,
    confidence: Annotated[
        float, typer.Option(min=0.5, max=0.9999, help="Of all bounds of the audit together.")
    ] = 0.95,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeats an audit.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Try to catch a privacy promise at being broken: lower bounds on ε, by enumeration and by samples.

    The exit status is 0 if nothing contradicts the promises, which proves none of them; 1 if one is broken,
    or known to be; 2 if the audit could not be done. docs/audits.md says what is found with how many trials.

    Examples: hushgraph audit mine.noise:Mine --epsilon 1 --kind labels --trials 200000

    hushgraph audit campaign.json --device "node device.mjs"
    """
    # What is audited may be anybody's code, and 1 is for a promise that it breaks.
    refuted: tuple[str, ...] = ()
    with console.clear_errors(BaseException):
        sort = _sort(what)
        for other, names in OPTIONS.items():
            options.refuse(
                context, names if other != sort else (), f"is for a {other}, and {what} is a {sort}"
            )
        words: dict[str, Any] = {"trials": trials or TRIALS[sort], "confidence": confidence}
        with console.progress_bar(transient=True) as bar:
            task = bar.add_task("auditing", total=1.0)
            words["progress"] = lambda share: bar.update(task, completed=share)
            if sort == "campaign":
                options.refuse(context, ["epsilon", "delta"], "is not for a campaign, which has its own")
                found = _campaign(what, device, own_mechanism, seed, words)
            elif sort == "method":
                given = {
                    "epsilon": options.required(epsilon, "--epsilon"),
                    "relation": relation,
                    "delta": delta,
                }
                found, refuted = _method(what, given, setting, seed, words)
            else:
                budget = options.required(epsilon, "--epsilon")
                found = _mechanism(
                    what, budget, {"delta": delta, "low": low, "high": high}, kind, size, seed, words
                )
        if not found:
            raise ValueError(f"nothing in {what} is randomised: there is nothing to audit")
    broken = sum(not one.passed for one in found)
    for one in found:
        if one.passed and one.reach <= one.epsilon:
            console.warn(
                f"{one.subject}: {one.trials:,} trials give no bound above {one.reach:.2g}, and cannot"
                f" contradict ε = {one.epsilon:g}"
            )
    passed = not (broken or refuted)
    if as_json:
        told = [one.to_dict() for one in found]
        document = {"audited": what, "confidence": confidence, "passed": passed, "refuted": refuted}
        console.print_json({**document, "audits": told})
    else:
        _show(what, found, confidence, refuted)
    raise typer.Exit(0 if passed else 1)


def _mechanisms() -> dict[str, Entry]:
    """All that are registered by now, those of users too."""
    return {**FEATURES, **OTHERS}


def _sort(what: str) -> str:
    if what in CURATOR_METHODS:
        return "method"
    if what.endswith(".json") or Path(what).is_file():
        return "campaign"
    if ":" in what or what in _mechanisms():
        return "mechanism"
    known = ", ".join([*_mechanisms(), *CURATOR_METHODS])
    raise ValueError(
        f"there is no {what!r} to audit: give {known}, a class of yours such as 'mine.noise:Mine', or the"
        " JSON file of a campaign; methods that learn from reports are as private as their campaign"
    )


def _mechanism(
    name: str,
    epsilon: float,
    given: dict[str, Any],
    kind: Kind | None,
    size: int,
    seed: int | None,
    words: dict[str, Any],
) -> list[Audit]:
    import numpy as np

    from hushgraph.audit import audit_extremes
    from hushgraph.audit.extremes import kind_of
    from hushgraph.mechanisms.protocol import LabelMechanism, conforms

    if math.isinf(epsilon):
        raise ValueError("a mechanism must have a finite epsilon to be audited")
    entry = Entry(name, name, name) if ":" in name else _mechanisms()[name]
    mechanism = made(entry, epsilon, given, max(2, size))
    known = "features" if name in FEATURES else kind_of(mechanism)
    own = not entry.where.startswith("hushgraph.")
    if not own and kind not in (None, known):
        raise ValueError(f"--kind: the mechanism {name!r} is for {known}")
    kind = kind or known
    if kind is None:
        raise ValueError(
            f"--kind is required: {name!r} does not say whether it is for {', '.join(get_args(Kind))}"
        )
    if kind == "labels" and conforms(mechanism, LabelMechanism):
        mechanism = mechanism.for_classes(max(2, size))
    # One's own code may draw in any way that numpy has; devices draw from the operating system alone.
    rng = None if seed is None and not own else np.random.default_rng(seed)
    # Checked is what was asked for, whatever the mechanism says that it keeps.
    delta = given["delta"] or 0.0
    return audit_extremes(mechanism, size, kind=kind, epsilon=epsilon, delta=delta, rng=rng, **words)


def _campaign(
    file: str, command: str | None, own: list[str] | None, seed: int | None, words: dict[str, Any]
) -> list[Audit]:
    import numpy as np

    from hushgraph.audit import Commanded, answering, audit_campaign
    from hushgraph.collection import Campaign

    asked = Campaign.load(file, map(options.imported, own or ()))
    if command is not None:
        if seed is not None:
            raise ValueError("--seed: the randomness of --device is its own")
        return audit_campaign(asked, device=Commanded(command), **words)
    if seed is not None:
        console.warn("with --seed devices remember nothing; without it, that they do is audited too")
        return audit_campaign(asked, device=answering(np.random.default_rng(seed)), times=1, **words)
    return audit_campaign(asked, **words)


def _method(
    name: str, given: dict[str, Any], setting: list[str] | None, seed: int | None, words: dict[str, Any]
) -> tuple[list[Audit], tuple[str, ...]]:
    """What was found; and why the method's promise is known to be false, if it is."""
    from hushgraph.audit import audit_method

    known = inspect.signature(CURATOR_METHODS[name].load().__init__).parameters
    if given["delta"] is None and "delta" in known:
        given["delta"] = LARGE_DELTA
    chosen = {one.partition("=")[0] for one in setting or ()}
    few = [f"epochs={FEW_EPOCHS}"] if "epochs" in known and "epochs" not in chosen else []
    model = options.make_model(CURATOR_METHODS, name, given, [*(setting or ()), *few])
    found = audit_method(model, seed=secrets.randbits(31) if seed is None else seed, **words)
    return found, tuple(model.REFUTED)


def _show(what: str, found: list[Audit], confidence: float, refuted: tuple[str, ...]) -> None:
    title = f"Audit of {what}: lower bounds on ε, all together with {100 * confidence:g} % confidence"
    table = Table("audited", title=title, title_justify="left")
    for name in ("at least", "promised", "δ"):
        table.add_column(name, justify="right")
    table.add_column("result", no_wrap=True)
    for one in found:
        color = "green" if one.passed else "bold red"
        bound = f"{one.lower_bound:.3g}" + (" exactly" if one.exact else "")
        delta = f"{one.delta:g}" if one.delta else ""
        verdict = f"[{color}]{one.verdict}[/]"
        lines = [escape(one.subject), *([escape(one.measured)] if one.measured else [])]
        about = "\n".join([*lines, f"[dim]{escape(one.tried)}[/]"])
        numbers = ("", "", "") if one.measured else (bound, f"{one.epsilon:g}", delta)
        table.add_row(about, *numbers, verdict)
    console.output.print(table)
    broken = sum(not one.passed for one in found)
    for why in refuted:
        console.say(f"known without an audit: {why}")
    if broken:
        console.say(f"{broken} of {len(found)} promises broken")
    if refuted:
        console.say(f"the promise of {what} is known to be false, for the reasons above")
    elif not broken:
        console.say("no contradiction, which proves nothing: docs/audits.md says what could have been found")
