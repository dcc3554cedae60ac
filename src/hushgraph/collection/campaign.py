"""A campaign: what is asked of people, and what they are promised."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from hushgraph import _check
from hushgraph._files import atomic_write
from hushgraph.collection import statement
from hushgraph.mechanisms.described import describe, restore
from hushgraph.mechanisms.protocol import FeatureMechanism, LabelMechanism, ListMechanism, conforms
from hushgraph.privacy import Guarantee

Question = Literal["features", "label", "lists"]
QUESTIONS: tuple[Question, ...] = ("features", "label", "lists")
FORMAT = 1
# Of terms that come from elsewhere a device must not run out of memory.
MOST_FEATURES = 10_000_000


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """What devices and server agree on before anybody answers: public, immutable, known by its ``id``.

    A question has one mechanism, or several among which each person chooses a level of privacy; a report says
    which was taken. The campaign computes what is promised.

    Args:
        classes: the names of the classes; or how many there are, named ``"0"``, ``"1"``, ….
        num_features: how many features a person has.
        features, labels, lists: the mechanism for each, or one for each level; None if it is not asked for.
            The lists are those of neighbours; without them the graph is public.
        num_people: how many people there are; needed where lists are asked for.
        feature_names: one for each feature.
        ranges: the public range of each feature, (low, high); by default the mechanism's own for all. A
            device maps a feature from its range to the mechanism's, and estimates are in the latter.
        ranges_from_data, classes_from_data: whether ranges or classes were read off private data, which makes
            a promise a mere claim.
        name: what to call it.

    >>> from hushgraph import MultiBit, RandomizedResponse
    >>> asked = Campaign(classes=["cat", "dog"], num_features=10, features=MultiBit(1.0),
    ...                  labels=[RandomizedResponse(0.5), RandomizedResponse(2.0)])
    >>> asked.guarantee.strength, asked.guarantee_of({"features": 0, "label": 0}).strength
    ('ε = 3, proven', 'ε = 1.5, proven')
    >>> Campaign.from_json(asked.to_json()).id == asked.id
    True
    """

    classes: tuple[str, ...]
    num_features: int = 0
    features: tuple[FeatureMechanism, ...] = ()
    labels: tuple[LabelMechanism, ...] = ()
    lists: tuple[ListMechanism, ...] = ()
    num_people: int | None = None
    feature_names: tuple[str, ...] | None = None
    ranges: tuple[tuple[float, float], ...] | None = None
    ranges_from_data: bool = False
    classes_from_data: bool = False
    name: str = "campaign"

    def __post_init__(self) -> None:
        classes = _names(self.classes, "classes", minimum=2)
        labels = _levels(self.labels, "labels", LabelMechanism)
        _check.keep(
            self,
            classes=classes,
            num_features=_num_features(self.num_features),
            features=_levels(self.features, "features", FeatureMechanism),
            labels=tuple(mechanism.for_classes(len(classes)) for mechanism in labels),
            lists=_levels(self.lists, "lists", ListMechanism),
            ranges_from_data=bool(self.ranges_from_data),
            classes_from_data=bool(self.classes_from_data),
        )
        if self.num_people is not None:
            _check.keep(self, num_people=_check.count(self.num_people, "num_people", minimum=1))
        elif self.lists:
            raise ValueError("num_people is needed where lists are asked for: a list has an entry for each")
        if not isinstance(self.name, str):
            raise TypeError(f"name must be text, got {self.name!r}")
        self._check_features()

    def _check_features(self) -> None:
        if self.features and self.num_features == 0:
            raise ValueError("num_features must be at least 1 where features are asked for, got 0")
        if self.feature_names is not None:
            names = _names(self.feature_names, "feature_names")
            if len(names) != self.num_features:
                raise ValueError(f"feature_names must be {self.num_features} names, got {len(names)}")
            _check.keep(self, feature_names=names)
        if len({(mechanism.low, mechanism.high) for mechanism in self.features}) > 1:
            raise ValueError("features must have one range (low, high) at all levels")
        for mechanism in self.features:
            # What cannot answer so many features says so now, and not on a device.
            try:
                mechanism.variance(np.full(self.num_features, self.midpoint))
            except ArithmeticError as error:
                raise ValueError("features: the budget or the range are beyond numbers") from error
        if self.ranges is None:
            return
        ranges = tuple(_check.feature_range(low, high) for low, high in self.ranges)
        if len(ranges) != self.num_features:
            raise ValueError(f"ranges must be {self.num_features} pairs (low, high), got {len(ranges)}")
        own = self.features and (float(self.features[0].low), float(self.features[0].high))
        _check.keep(self, ranges=None if set(ranges) == {own} else ranges)

    @property
    def num_classes(self) -> int:
        """How many classes there are, c."""
        return len(self.classes)

    @property
    def midpoint(self) -> float:
        """What the server assumes of a feature about which nothing is known."""
        return (self.features[0].low + self.features[0].high) / 2 if self.features else 0.0

    def levels(self, question: Question) -> tuple[Any, ...]:
        """The mechanisms of a question, by level; none if it is not asked."""
        asked = {"features": self.features, "label": self.labels, "lists": self.lists}
        return asked[_check.choice(question, "question", QUESTIONS)]

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions that are asked."""
        return tuple(question for question in QUESTIONS if self.levels(question))

    @property
    def features_and_classes(self) -> tuple[Any, ...]:
        """What a model that learned from one campaign needs of another: the same features and classes."""
        ends = (self.features[0].low, self.features[0].high) if self.features else None
        return self.num_features, self.feature_names, ends, self.ranges, self.classes

    def in_mechanism_range(self, values: Any, level: int = 0, *, clip: bool = False) -> Any:
        """Features of one person or of many, mapped from the range of each column to the mechanism's.

        A value outside its range is an error unless ``clip``, or the mechanism clips.
        """
        if self.ranges is None:
            return values
        given = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
        # Ends are rounded like the values, so that what lies inside a range still does.
        kind = np.promote_types(given.dtype, np.float32) if given.dtype.kind == "f" else np.float64
        low, high = np.array(self.ranges, kind).T.astype(np.float64)
        own = self.features[level]
        outside = (given < low) | (given > high)
        if outside.any() and not (clip or getattr(own, "clip", False)):
            raise ValueError("features must lie in their ranges; some do not (private, so not shown)")
        place = np.clip((given - low) / (high - low), 0.0, 1.0)
        # Rounding must not push the end of a range out of the mechanism's.
        return np.clip(own.low + place * (own.high - own.low), own.low, own.high)

    def class_number(self, label: Any) -> int | None:
        """The number of a class, given its number or name; None for what is no class."""
        value = label.item() if isinstance(label, np.generic) else label
        if isinstance(value, str):
            return self.classes.index(value) if value in self.classes else None
        known = isinstance(value, int | float) and 0 <= value < self.num_classes and value == int(value)
        return int(value) if known else None

    @property
    def guarantee(self) -> Guarantee:
        """What everybody is promised, whichever level they take."""
        return statement.of_campaign(self)

    def guarantee_of(self, levels: Mapping[Question, int]) -> Guarantee:
        """What somebody is promised who answers these questions at these levels."""
        return statement.of_levels(self, levels)

    @cached_property
    def id(self) -> str:
        """The SHA-256 of the canonical JSON, 64 hexadecimal digits."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    def to_json(self) -> str:
        """Canonical JSON, one text for one content: sorted keys, no spaces, plain values."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values |= {name: [describe(one) for one in values[name]] for name in _ACCEPTED} | {"format": FORMAT}
        return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str, mechanisms: Iterable[type[Any]] = (), *, id: str | None = None) -> Campaign:
        """Reads what :meth:`to_json` wrote; ``mechanisms`` are classes of one's own that it may name.

        With the ``id`` of the campaign that was agreed on, terms that are not exactly those are refused.
        """
        own = list(mechanisms)
        if id is not None and hashlib.sha256(text.encode()).hexdigest() != id:
            raise ValueError("these are not the terms of that campaign: its id is a hash of other terms")
        try:
            values: dict[str, Any] = json.loads(text)
            if values.pop("format") != FORMAT:
                raise ValueError(f"it has another format than {FORMAT}, which this version reads")
            if set(values) != {field.name for field in fields(cls)}:
                raise ValueError("it must have the entries of a campaign, no fewer and no more")
            read = cls(**values | {name: [restore(one, own) for one in values[name]] for name in _ACCEPTED})
            if id is not None and read.id != id:
                raise ValueError("its terms are written in another way than this version writes them")
            return read
        except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError) as error:
            raise ValueError(f"this is no campaign: {error}") from error

    def save(self, path: str | Path) -> None:
        """Writes the JSON; a kill at any moment leaves the old file or the new one."""
        with atomic_write(path) as file:
            file.write(self.to_json().encode())

    @classmethod
    def load(cls, path: str | Path, mechanisms: Iterable[type[Any]] = ()) -> Campaign:
        """Reads what :meth:`save` wrote."""
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"), mechanisms)
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not text in UTF-8") from None


_ACCEPTED = {
    "features": "a feature mechanism",
    "labels": "a RandomizedResponse (or a mechanism like it)",
    "lists": "an AdjacencyRandomizedResponse (or a mechanism like it)",
}


def _levels(given: Any, name: str, kind: type[Any]) -> tuple[Any, ...]:
    """One mechanism, several or none, as a tuple."""
    if given is None:
        return ()
    levels = tuple(given) if isinstance(given, tuple | list) else (given,)
    for mechanism in levels:
        if not conforms(mechanism, kind):
            raise TypeError(f"{name} must be {_ACCEPTED[name]} or None, got {type(mechanism).__name__}")
    if len({type(mechanism) for mechanism in levels}) > 1:
        raise ValueError(f"{name} must be of one kind at all levels")
    budgets = [mechanism.epsilon for mechanism in levels]
    if len(budgets) > 1 and (not np.isfinite(budgets).all() or budgets != sorted(set(budgets))):
        raise ValueError(f"{name} must have finite budgets that rise from level to level, got {budgets}")
    return levels


def _num_features(given: int) -> int:
    number = _check.count(given, "num_features")
    if number > MOST_FEATURES:
        raise ValueError(f"num_features must be at most {MOST_FEATURES:,}, got {number:,}")
    return number


def _names(given: Any, what: str, minimum: int = 0) -> tuple[str, ...]:
    if isinstance(given, int):
        given = [str(number) for number in range(given)]
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"{what} must be names, got {given!r}")
    names = tuple(given)
    try:
        "".join(names).encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} must be text that UTF-8 can hold") from None
    if len(names) < minimum or len(set(names)) < len(names):
        raise ValueError(f"{what} must be at least {minimum} names, each once; got {len(names)}")
    return names
