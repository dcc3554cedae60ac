"""What a mechanism is: one's own works wherever hushgraph's do."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from hushgraph.mechanisms.randomness import Random
from hushgraph.privacy import Guarantee


@runtime_checkable
class Mechanism(Protocol):
    """An immutable value that says what a device does to an answer, and what a server may conclude.

    ``randomize`` takes the values of one person or of many and runs on devices; ``estimate`` takes what it
    returned and is unbiased; ``variance`` says what the estimate costs, for given true values.
    """

    @property
    def epsilon(self) -> float:
        """The budget."""

    @property
    def guarantee(self) -> Guarantee:
        """What is protected; of one's own mechanism a claim, see :class:`~hushgraph.Guarantee`."""

    def randomize(self, values: Any, rng: Random) -> Any:
        """What leaves the device."""

    def estimate(self, reports: Any) -> Any:
        """The unbiased estimate of the values."""

    def variance(self, values: Any) -> NDArray[Any]:
        """The variance of the estimate."""


@runtime_checkable
class FeatureMechanism(Mechanism, Protocol):
    """A mechanism for the features of a person, numbers in a public range.

    ``randomize`` takes (d,) or (n, d), dense or scipy CSR. It returns numbers of the same shape or, if the
    mechanism is :class:`Sampling`, :class:`~hushgraph.mechanisms.MultiBitReports`; ``estimate`` returns
    numbers of that shape, or :class:`~hushgraph.mechanisms.Factored`. It is a frozen dataclass whose fields
    are numbers and text, ``epsilon``, ``low`` and ``high`` among them, so that it travels as JSON.
    """

    @property
    def low(self) -> float:
        """The lower end of the range."""

    @property
    def high(self) -> float:
        """The upper end of the range."""


@runtime_checkable
class Sampling(Protocol):
    """A mechanism that answers some of the features, with signs."""

    def sampled(self, dimensions: int) -> int:
        """How many of ``dimensions`` features are answered."""


@runtime_checkable
class LabelMechanism(Mechanism, Protocol):
    """A mechanism for a person's class that keeps it with one probability and answers any other with another.

    ``randomize`` takes and returns class numbers. Learning needs the two probabilities.
    """

    @property
    def keep_probability(self) -> float:
        """That of answering the truth."""

    @property
    def other_probability(self) -> float:
        """That of each other class."""

    def for_classes(self, num_classes: int) -> LabelMechanism:
        """The same over so many classes."""


@runtime_checkable
class ListMechanism(Mechanism, Protocol):
    """A mechanism for a neighbour list that flips each of its entries with one probability.

    ``randomize`` takes and returns :class:`~hushgraph.NeighborLists`.
    """

    @property
    def flip_probability(self) -> float:
        """That of answering an entry wrongly."""


def conforms(mechanism: object, protocol: type) -> bool:
    """Whether a value has what a protocol asks for, by its type: asking the value would run its code."""
    kind = type(mechanism)
    names = (name for name in dir(protocol) if not name.startswith("_"))
    return all(hasattr(kind, name) or name in getattr(kind, "__dataclass_fields__", ()) for name in names)
