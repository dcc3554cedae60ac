"""What methods that add Gaussian noise share: calibration, DP-SGD on rows, and what they state."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Mapping
from importlib.util import find_spec

import numpy as np
import torch
from torch import Tensor, nn

from hushgraph import _check
from hushgraph.curator import private_training
from hushgraph.curator.method import CuratorMethod, Task, noise_source
from hushgraph.curator.private_training import Schedule, Source, gaussian_noise
from hushgraph.curator.releases import released
from hushgraph.curator.rows import Rows
from hushgraph.mechanisms.additive import FLOATING_POINT
from hushgraph.privacy import Guarantee
from hushgraph.privacy.accounting import Part, accountant_of, calibrate, epsilon_of
from hushgraph.privacy.relations import checked_delta


class GaussianMethod(CuratorMethod):
    """A method whose parts are DP-SGD and Gaussian releases, accounted together."""

    batch_size: int | None
    epochs: int
    learning_rate: float
    hidden: int
    clip: float
    noise_multipliers_: dict[str, float]
    delta_: float

    def _accounted(self, task: Task) -> tuple[Part, ...]:
        """The parts that cost something, in the order of the budget; what a method defines."""
        raise NotImplementedError

    def _calibrate(self, task: Task) -> None:
        """Finds the noise of every part before anything is learned."""
        if not self.private:
            self.delta_, self.noise_multipliers_ = 0.0, dict.fromkeys(self.PARTS, 0.0)
            return
        for needed in ("opacus", "dp_accounting"):
            if find_spec(needed) is None:
                raise ImportError(f"{type(self).__name__} needs {needed}: pip install 'hushgraph[curator]'")
        self.delta_ = checked_delta(self.delta, task.graph.num_nodes)
        parts = self._accounted(task)
        shares = tuple(self.budget_[part.name] for part in parts)
        found = calibrate(parts, shares, self.epsilon, self.delta_, self.relation)
        self.noise_multipliers_ = dict.fromkeys(self.PARTS, 0.0) | {
            part.name: multiplier for part, multiplier in zip(parts, found, strict=True)
        }

    def _schedule(self, task: Task) -> Schedule:
        people = task.split.train.size
        return Schedule(people, people if self.batch_size is None else self.batch_size, self.epochs)

    def _train(self, task: Task, network: nn.Module, rows: Rows, part: str, schedule: Schedule) -> None:
        """Fits a network to the training people's labels, with this part's noise."""
        labels = torch.from_numpy(task.graph.labels[task.split.train])
        order = list(self.PARTS).index(part)
        with warnings.catch_warnings():
            # Opacus looks at gradients of outputs where inputs have none, and torch remarks on it.
            warnings.filterwarnings("ignore", message="Full backward hook is firing")
            private_training.train(
                network,
                rows.of(task.split.train),
                labels,
                schedule,
                noise_source(task, order),
                learning_rate=self.learning_rate,
                noise_multiplier=self.noise_multipliers_[part],
                clip=self.clip,
                progress=lambda share: task.progress((order + share) / len(self.PARTS)),
            )

    def _noisy(self, values: Tensor, sensitivity: float, part: str, source: Source) -> Tensor:
        """Values of which a neighbour changes at most ``sensitivity`` in L2 norm, plus this part's noise."""
        deviation = self.noise_multipliers_[part] * sensitivity
        noisy = values + deviation * gaussian_noise(values.shape, source)
        released(noisy.numpy())
        return noisy

    def _gaussian_statement(self, task: Task, released: str, uses: Mapping[str, str]) -> Guarantee:
        parts = self._accounted(task)
        accountant = {
            "PLD": "privacy loss distributions (dp-accounting), Poisson sampling",
            "RDP": "Rényi DP (curves as in hushgraph.privacy.accounting, converted by dp-accounting), Poisson"
            " sampling",
        }[accountant_of(parts)]
        rule = (
            f"; δ by rule: the largest power of ten below 1/n, n = {task.graph.num_nodes}"
            if self.delta is None
            else ""
        )
        reason = (
            f"accounted by {accountant}; the parts' noise is in the proportion in which each would spend its"
            f" share of ε alone, and less of it, since together they spend less than the sum{rule}"
        )
        spent = {
            part.name: (
                epsilon_of((part,), (self.noise_multipliers_[part.name],), self.delta_, self.relation),
                f"a share of {self.budget_[part.name]:g}; {uses[part.name]}",
            )
            for part in parts
        }
        statement = self._statement(released, reason, self.delta_, spent)
        return statement.weakened("proven over the reals", FLOATING_POINT)

    def check_params(self) -> None:
        """Raises what :meth:`fit` would raise about the constructor's arguments."""
        super().check_params()
        for name in ("hidden", "epochs"):
            _check.count(getattr(self, name), name, minimum=1)
        if self.batch_size is not None:
            _check.count(self.batch_size, "batch_size", minimum=1)
        _check.count(self.get_params().get("max_degree", 1), "max_degree", minimum=1)
        for name in ("learning_rate", "clip"):
            if _check.non_negative(getattr(self, name), name) == 0:
                raise ValueError(f"{name} must be above 0, got 0")


def mlp(*widths: int) -> nn.Sequential:
    """Linear layers of these widths with SELU between them."""
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(widths):
        layers += [nn.SELU(), nn.Linear(before, after)]
    return nn.Sequential(*layers[1:])


def probabilities(logits: Tensor) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Rows of logits as probabilities."""
    rows: np.ndarray[tuple[int, int], np.dtype[np.float32]] = logits.detach().softmax(1).numpy()
    return rows
