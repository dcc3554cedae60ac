"""What every method that learns from a collection can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from hushgraph._settings import Settings
from hushgraph.collection.campaign import Campaign
from hushgraph.collection.collected import CollectedGraph
from hushgraph.privacy import Guarantee

OnStep = Callable[[int, int, Any], None]
"""Is told which step was done, of how many, and what the method has to say of it."""


class LocalEstimator(Settings, ABC):
    """A method that learns from reports; the arguments of its constructor are its settings.

    After :meth:`fit`: ``classes_`` (names), ``ids_`` (or None), ``proba_``, ``num_features_`` and ``asked_``
    of the collection, ``guarantee_``, and ``learned_from_``, the digest of what it learned from.
    """

    @abstractmethod
    def fit(self, collected: CollectedGraph, *, progress: OnStep | None = None) -> Self:
        """Learns from a collection; ``progress`` is called :attr:`steps` times."""

    @property
    @abstractmethod
    def steps(self) -> int:
        """How often ``progress`` is called."""

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """What is told of a fitted model beside its predictions, plain values."""

    @property
    def needs_features(self) -> bool:
        """Whether it can learn only where people sent features."""
        return False

    def ignores_features(self, collected: CollectedGraph) -> bool:
        """Whether what it learns from a collection is known to be the same without people's features."""
        return False

    @abstractmethod
    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""

    @abstractmethod
    def save(self, path: str | Path) -> None:
        """Writes what was learned, settings, guarantee and predictions; no reports."""

    @abstractmethod
    def _probabilities_of(self, collected: CollectedGraph) -> NDArray[np.float32]:
        """Class probabilities of the people of another collection."""

    @property
    def guarantee(self) -> Guarantee:
        """What was protected in the collection; learning from it is post-processing and costs no more."""
        self._check_fitted()
        return self.guarantee_

    def predict_proba(self, collected: CollectedGraph | None = None) -> NDArray[np.float32]:
        """Class probabilities (n, c) of the people learned from, or of another collection."""
        self._check_fitted()
        if collected is None:
            return self.proba_
        check_collected(collected)
        if not self._fits(collected.campaign):
            if not collected.campaign.features and getattr(self, "uses_features_", self.needs_features):
                raise ValueError("this collection did not ask for features, which the model uses")
            asked = collected.num_features, collected.num_classes
            known = self.num_features_, len(self.classes_)
            raise ValueError(
                f"collected has (features, classes) = {asked}, but the model learned from {known}; or they"
                " have other names or ranges"
            )
        return self._probabilities_of(collected)

    def predict(self, collected: CollectedGraph | None = None) -> NDArray[np.int64]:
        """The number of the most probable class of each person (n,); ``classes_`` has its name."""
        return np.asarray(self.predict_proba(collected).argmax(1))

    def _fits(self, campaign: Campaign) -> bool:
        """Whether a campaign asked for all that predicting takes."""
        return campaign.features_and_classes == self.asked_

    def _remember(self, collected: CollectedGraph, proba: NDArray[np.float32]) -> None:
        self.proba_ = proba
        self.guarantee_ = collected.guarantee
        self.num_features_, self.classes_ = collected.num_features, collected.classes
        self.asked_, self.ids_ = collected.campaign.features_and_classes, collected.ids
        self.learned_from_: str | None = collected.digest

    def _check_fitted(self) -> None:
        if not hasattr(self, "proba_"):
            raise RuntimeError(f"this {type(self).__name__} is not fitted yet: call fit(collected) first")


def check_collected(collected: CollectedGraph) -> None:
    """Refuses what is no collection."""
    if not isinstance(collected, CollectedGraph):
        given = type(collected).__name__
        raise TypeError(f"this takes a CollectedGraph (see hushgraph.collect), got {given}")


def as_tuples(value: Any) -> Any:
    """Lists as tuples, as they were before JSON."""
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value
