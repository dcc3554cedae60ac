"""NIP-GNN: individual noise by node influence; sound, and as published."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar, Literal, get_args

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from hushgraph import _check, _renamed
from hushgraph.curator import nip_published, nip_sound
from hushgraph.curator.aggregation import both_directions
from hushgraph.curator.method import CuratorMethod, Task
from hushgraph.curator.nip_release import Release, noisy_sums
from hushgraph.curator.noisy_classifier import NoisyLabels, fit_perceptron
from hushgraph.curator.noisy_edges import Reading
from hushgraph.curator.residual import adaptive_aggregation, adjacency_with_self
from hushgraph.curator.rows import scaled_rows
from hushgraph.mechanisms import RandomizedResponse
from hushgraph.mechanisms.randomness import Random
from hushgraph.privacy import Guarantee
from hushgraph.privacy.relations import NeighboringRelation
from hushgraph.sparse.runtime import tuned_for

Variant = Literal["sound", "published"]
DEFAULT_CAP = 10


@_renamed.arguments(adjacency="relation")
class NIPGNN(CuratorMethod):
    """NIP-GNN ("Individualized Private GNN via Node Influence-based Noise Adaptation", under review).

    Released are sums of features over neighbours with Laplace noise, more of it for people of less influence
    (NAP); the graph, randomised and thinned so that degrees stay; and labels by randomised response. All
    else, prediction included, is computed from these: hops over the noisy graph that are drawn back to the
    noisy sums (ACA), and a perceptron.

    ``variant="sound"`` is private, and proven where nobody is above the cap: the cap on degrees is public,
    influence is estimated from released degrees and the released graph (or given, if it is public), the
    noise of a row depends on nothing else, every pair gets randomised response, and noise is drawn exactly,
    on whole numbers. Features are hashed to ``buckets`` columns first, which is public and loses less than
    noise on thousands of columns.

    ``variant="published"`` follows the paper. Its guarantee is a claim, with the reasons why it fails.

    Args:
        epsilon: the budget of everything that is released; ``math.inf`` for the non-private ceiling.
        variant: ``"sound"`` or ``"published"``.
        relation: ``"edge"``, ``"node-removal"`` or ``"node-replacement"``; the published variant claims
            removal.
        max_degree: the public cap of the sound variant; what is above is dropped. The published variant
            drops nothing and takes the true largest degree, unless this is set.
        hops: K of ACA.
        budget: how ε is split. Sound: ``degrees``, ``edges``, ``aggregation``, ``labels``, by default
            1 : 2 : 4 : 2 (an edge has no ``labels``). Published: without ``degrees``, by default equal.
        uniform: the same noise for everybody, instead of by influence (the paper's ablation w/o A-a).
        degree_sampling: thin the noisy graph to each person's degree; False leaves it as it is, or in the
            sound variant thins it to the same degree for everybody (w/o D-s).
        residual: ACA; False aggregates as GraphSAGE does (w/o A-r).
        influence: public scores of the people, for the sound variant; by default they are estimated.
        sensing: T of TNIE, how far influence looks.
        buckets: columns that features are hashed to in the sound variant.
        edge_reading: of the published perturbation, whose text and equations differ: ``"text"`` or
            ``"equations"``.
        epochs, batch_size, learning_rate, hidden: of the perceptron.
        random_state: a seed for simulations; None draws from the operating system's randomness.
        device: ``"cpu"`` or ``"cuda"``.
    """

    variant: Variant
    hops: int
    uniform: bool
    degree_sampling: bool
    residual: bool
    influence: ArrayLike | None
    sensing: int
    buckets: int
    edge_reading: Reading
    epochs: int
    batch_size: int
    learning_rate: float
    hidden: int
    device: str
    tau_: float | None

    delta = None
    PARTS: ClassVar[Mapping[str, float]] = {"degrees": 1.0, "edges": 2.0, "aggregation": 4.0, "labels": 2.0}

    def __init__(
        self,
        epsilon: float,
        *,
        variant: Variant = "sound",
        relation: NeighboringRelation = "node-removal",
        max_degree: int | None = None,
        hops: int = 2,
        budget: Mapping[str, float] | None = None,
        uniform: bool = False,
        degree_sampling: bool = True,
        residual: bool = True,
        influence: ArrayLike | None = None,
        sensing: int = 2,
        buckets: int = 64,
        edge_reading: Reading = "text",
        epochs: int = 100,
        batch_size: int = 64,
        learning_rate: float = 1e-3,
        hidden: int = 64,
        random_state: int | None = None,
        device: str = "cpu",
    ) -> None:
        self._keep(locals())

    @property
    def cap(self) -> int | None:
        """The cap on degrees: public and by default 10 in the sound variant, by default none as published."""
        return self.sound_cap if self.variant == "sound" else self.max_degree

    @property
    def sound_cap(self) -> int:
        """The public cap of the sound variant."""
        return DEFAULT_CAP if self.max_degree is None else self.max_degree

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        _check.choice(self.variant, "variant", get_args(Variant))
        _check.choice(self.edge_reading, "edge_reading", get_args(Reading))
        super().check_params()
        for name in ("hops", "buckets", "epochs", "batch_size", "hidden"):
            _check.count(getattr(self, name), name, minimum=1)
        _check.count(self.sensing, "sensing")
        if _check.non_negative(self.learning_rate, "learning_rate") == 0:
            raise ValueError("learning_rate must be above 0, got 0")
        for name in ("uniform", "degree_sampling", "residual"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, got {getattr(self, name)!r}")
        if self.device != "cpu" and not (self.device.startswith("cuda") and torch.cuda.is_available()):
            raise ValueError(f"device must be 'cpu' or, where there is a GPU, 'cuda'; got {self.device!r}")
        if self.variant == "published" and (self.relation != "node-removal" or self.influence is not None):
            raise ValueError("the published variant claims 'node-removal' and estimates influence itself")

    def _parts(self) -> Mapping[str, float]:
        if self.variant == "published":
            return {"edges": 1.0, "aggregation": 1.0, "labels": 1.0}
        if self.relation == "edge":
            return {name: share for name, share in self.PARTS.items() if name != "labels"}
        return self.PARTS

    def _learn(self, task: Task) -> NDArray[np.float32]:
        graph, split = task.graph, task.split
        if self.batch_size > split.train.size:
            raise ValueError(
                f"batch_size must be at most the {split.train.size} people who train, got {self.batch_size}"
            )
        device = torch.device(self.device)
        released = self._release(task)
        sums = torch.from_numpy(released.sums).to(device)
        sums /= sums.square().mean().sqrt().clamp(min=1e-12)
        adjacency = adjacency_with_self(released.person, released.name, graph.num_nodes, device)
        means = None if self.residual else adjacency.propagate(sums, "mean", self.hops)

        def inputs_at(tau: float) -> list[Tensor]:
            if means is not None:
                return [sums, means]
            return [adaptive_aggregation(sums, adjacency, self.hops, tau)]

        response = self._label_response(graph.num_classes)
        labels = self._noisy_labels(task, response)
        learned_from = [split.train, split.val]
        if math.isinf(response.epsilon):
            # Labels are no secret: empty places are left out.
            learned_from = [part[graph.labels[part] >= 0] for part in learned_from]
        train, val, answers = (torch.from_numpy(part).to(device) for part in (*learned_from, labels))
        noisy = NoisyLabels(
            train,
            val,
            answers,
            graph.num_classes,
            response if self.variant == "sound" else None,
        )
        with tuned_for(graph.num_edges):
            proba, self.tau_ = fit_perceptron(
                inputs_at,
                noisy,
                hidden=self.hidden,
                epochs=self.epochs,
                batch_size=self.batch_size,
                learning_rate=self.learning_rate,
                tau=1.0 if self.residual else None,
                progress=task.progress,
            )
        return proba

    def _release(self, task: Task) -> Release:
        if not self.private:
            return self._without_noise(task)
        if self.variant == "published":
            return nip_published.release(
                task,
                self.budget_["aggregation"],
                self.budget_["edges"],
                uniform=self.uniform,
                degree_sampling=self.degree_sampling,
                sensing=self.sensing,
                reading=self.edge_reading,
            )
        return nip_sound.release(
            task,
            self.budget_,
            relation=self.relation,
            max_degree=self.sound_cap,
            uniform=self.uniform,
            degree_sampling=self.degree_sampling,
            influence=_checked_influence(self.influence, task.graph.num_nodes),
            sensing=self.sensing,
            buckets=self.buckets,
        )

    def _without_noise(self, task: Task) -> Release:
        """The ceiling: true sums over the true graph."""
        rows = scaled_rows(task.graph.features, "l1")
        if self.variant == "sound":
            rows = nip_sound.whole_rows(rows, self.buckets) / nip_sound.GRID
        sums = noisy_sums(rows, task.edges, None, np.random.default_rng(task.seed))
        return Release(sums, *both_directions(task.edges))

    def _label_response(self, classes: int) -> RandomizedResponse:
        epsilon = self.budget_.get("labels", np.inf) if self.private else np.inf
        return RandomizedResponse(epsilon, classes)

    def _noisy_labels(self, task: Task, response: RandomizedResponse) -> NDArray[np.int64]:
        """Labels of those who train and validate, by randomised response; of others there are none."""
        labels = np.full(task.graph.num_nodes, -1, np.int64)
        asked = np.concatenate([task.split.train, task.split.val])
        labels[asked] = label_answers(task.graph.labels[asked], response, task.noise)
        return labels

    def _guarantee(self, task: Task) -> Guarantee:
        released = (
            "noisy sums, the noisy graph and noisy labels, and all that is computed from them: to everyone"
        )
        uses = {
            "degrees": "Laplace noise on whole numbers, drawn exactly",
            "edges": "randomised response on every pair, thinned by released degrees",
            "aggregation": "Laplace noise on whole numbers, drawn exactly, of released scales",
            "labels": "randomised response",
        }
        reason = "sequential composition; all that follows from what is released is post-processing"
        if self.relation == "edge":
            released += ". Features and labels are not protected"
        if self.variant == "sound":
            return self._statement(released, reason, 0.0, self._spent(uses))
        uses |= {
            "edges": "as the paper's Theorem 4 has it",
            "aggregation": "as the paper's Theorem 3 has it: Laplace noise of individual scale",
        }
        statement = self._statement(released, "claimed by the paper's Theorem 5", 0.0, self._spent(uses))
        for why in nip_published.WHY_IT_FAILS:
            statement = statement.weakened("refuted", why)
        return statement

    def _spent(self, uses: Mapping[str, str]) -> dict[str, tuple[float, str]]:
        return {name: (epsilon, uses[name]) for name, epsilon in self.budget_.items()}


def label_answers(labels: NDArray[np.int64], response: RandomizedResponse, rng: Random) -> NDArray[np.int64]:
    """Randomised response; an empty place (-1) answers with any class, so that it looks like everybody."""
    answers = response.randomize(np.maximum(labels, 0), rng)
    empty = labels < 0
    answers[empty] = rng.integers(0, response.num_classes or 0, size=int(empty.sum()))
    return answers


def _checked_influence(scores: ArrayLike | None, people: int) -> NDArray[np.float64] | None:
    if scores is None:
        return None
    values = np.asarray(scores, np.float64)
    if values.shape != (people,) or not np.isfinite(values).all():
        raise ValueError(f"influence must be {people} finite numbers, one for each person")
    return values
