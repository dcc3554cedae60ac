"""What is attacked: anything that says class probabilities, as a black box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn

from hushgraph import _check
from hushgraph.attacks.posteriors import checked


class Target(Protocol):
    """Anything that says class probabilities (n, c) of the people of a graph, one row each.

    Every fitted model of hushgraph is one; of a module of one's own :func:`of_module` makes one.
    """

    def predict_proba(self) -> NDArray[np.float32]:
        """Class probabilities (n, c)."""


@dataclass(frozen=True, slots=True, eq=False)
class BlackBox:
    """What a model says of everybody, and, if it shows them, their embeddings.

    Attributes:
        proba: class probabilities (n, c).
        embeddings: what the model has of each person before its last layer (n, k); None if it keeps that.

    >>> BlackBox(np.array([[0.9, 0.1], [0.2, 0.8]])).predict_proba().argmax(1)
    array([0, 1])
    """

    proba: NDArray[np.float32]
    embeddings: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        proba, shown = checked(self.proba), self.embeddings
        if shown is not None and (np.ndim(shown) != 2 or len(shown) != len(proba)):
            raise ValueError(f"embeddings must be {len(proba)} rows of numbers, got shape {np.shape(shown)}")
        if shown is not None and not np.isfinite(shown).all():
            raise ValueError("embeddings must be finite")
        _check.keep(self, proba=proba)

    def predict_proba(self) -> NDArray[np.float32]:
        """Class probabilities (n, c)."""
        return self.proba

    def of(self, people: NDArray[np.int64]) -> BlackBox:
        """The same of some people alone."""
        return BlackBox(self.proba[people], None if self.embeddings is None else self.embeddings[people])


def said_by(target: Target) -> NDArray[np.float32]:
    """What a target says of everybody; refused where it is no target, or says no probabilities."""
    if not callable(getattr(target, "predict_proba", None)):
        makes = "of_module(module, x, edge_index)" if isinstance(target, nn.Module) else "BlackBox(proba)"
        raise TypeError(
            f"target must have predict_proba(), and {type(target).__name__} has none: attack"
            f" hushgraph.attacks.{makes}"
        )
    return checked(target.predict_proba())


def said_of(target: Target, people: ArrayLike) -> NDArray[np.float32]:
    """The same of some people, by their numbers."""
    proba = said_by(target)
    return proba[_check.node_ids(people, "people", len(proba))]


@torch.no_grad()
def of_module(module: nn.Module, x: Tensor, edge_index: Tensor, **more: Any) -> BlackBox:
    """A module ``forward(x, edge_index) -> logits`` as a black box, as PyG has them.

    Its embeddings are what its last layer is given. Rows that are probabilities or their logarithms already
    are taken as they are.

    >>> class Two(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.first, self.last = nn.Linear(3, 5), nn.Linear(5, 2)
    ...
    ...     def forward(self, x, edge_index):
    ...         return self.last(self.first(x).relu())
    >>> box = of_module(Two(), torch.eye(3), torch.tensor([[0, 1], [1, 0]]))
    >>> box.predict_proba().shape, box.embeddings.shape
    ((3, 2), (3, 5))
    """
    given: dict[nn.Module, Any] = {}

    def remember(layer: nn.Module, inputs: tuple[Any, ...], _: Any) -> None:
        given.pop(layer, None)
        given[layer] = inputs[0] if inputs else None

    hooks = [layer.register_forward_hook(remember) for layer in module.modules() if layer is not module]
    was_training = {layer: layer.training for layer in module.modules()}
    try:
        output = module.eval()(x, edge_index, **more)
    finally:
        for layer, training in was_training.items():
            layer.training = training
        for hook in hooks:
            hook.remove()
    if not isinstance(output, Tensor) or output.ndim != 2:
        raise ValueError(f"the module must return logits (n, c), got {_in_words(output)}")
    last = _last_layer(module, given)
    embeddings = given.get(last) if last is not module else None
    shown = isinstance(embeddings, Tensor) and embeddings.ndim == 2 and len(embeddings) == len(output)
    return BlackBox(
        _probabilities(output.float()).cpu().numpy(),
        embeddings.float().cpu().numpy() if shown else None,  # type: ignore[union-attr]
    )


def _last_layer(module: nn.Module, given: dict[nn.Module, Any]) -> nn.Module:
    """The last child that computed with weights; a child that holds all of them is looked into."""
    if any(True for _ in module.parameters(recurse=False)):
        return module
    held = [one for child in module.children() for one in _called(child, given)]
    learned = [one for one in given if one in held and any(True for _ in one.parameters())]
    if not learned:
        return module
    return _last_layer(learned[0], given) if len(learned) == 1 else learned[-1]


def _called(child: nn.Module, given: dict[nn.Module, Any]) -> list[nn.Module]:
    """The child itself if it was called, or, of a list of layers, those that were."""
    return [child] if child in given else [one for part in child.children() for one in _called(part, given)]


def _in_words(output: Any) -> str:
    return f"shape {tuple(output.shape)}" if isinstance(output, Tensor) else type(output).__name__


def _probabilities(output: Tensor) -> Tensor:
    if torch.allclose(output.exp().sum(1), torch.ones(len(output), device=output.device), atol=1e-4):
        return output.exp()
    if bool((output >= 0).all()) and torch.allclose(output.sum(1), torch.ones_like(output[:, 0]), atol=1e-4):
        return output
    return output.softmax(1)
