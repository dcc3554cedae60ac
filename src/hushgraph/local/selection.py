"""Which epoch's weights to keep, seen through noisy labels only."""

from __future__ import annotations

import math

from torch import Tensor, nn

from hushgraph.choices import Selection
from hushgraph.local.objective import Score


class BestEpoch:
    """Keeps the weights of the best epoch so far.

    - ``"paper"`` (LPGNN, Algorithm 3): the lowest validation loss among epochs whose training and
      validation accuracy on noisy labels stay at or below Acc* = e^ε / (e^ε + c - 1); above it a model
      knows the noise better than a perfect one could. If no epoch stays below, the one that exceeds
      Acc* least.
    - ``"reference"``: the greedier rule of the authors' code. An epoch replaces the best so far only if
      its validation loss is lower, its validation accuracy strictly higher and at most Acc*, and its
      training accuracy, taken with dropout before the step, strictly higher and at most 1.05·Acc*.
    - ``"last"``: the last epoch.
    """

    def __init__(self, rule: Selection, perfect_accuracy: float, module: nn.Module) -> None:
        self.rule, self.limit = rule, perfect_accuracy
        self.module = module
        self.epoch = 0
        self.within_limit = False
        self.score = Score(math.inf, 0.0, 0.0)
        self._excess = math.inf
        self._weights: list[Tensor] | None = None

    def offer(self, epoch: int, score: Score, accuracy_before: float) -> None:
        """Considers the weights that the module has now, after so many steps.

        The reference's rule takes the training accuracy of the step that led here.
        """
        if self.rule == "reference":
            score = Score(score.val_loss, accuracy_before, score.val_accuracy)
        excess = max(0.0, score.train_accuracy - self.limit, score.val_accuracy - self.limit)
        if not self._is_better(score, excess):
            return
        self.epoch, self.score, self._excess = epoch, score, excess
        self.within_limit = excess == 0
        if self._weights is None:
            self._weights = [value.detach().clone() for value in self.module.state_dict().values()]
        else:
            for kept, value in zip(self._weights, self.module.state_dict().values(), strict=True):
                kept.copy_(value)

    def restore(self) -> None:
        """Puts the kept weights back into the module; without any, the present ones stay."""
        if self._weights is not None:
            self.module.load_state_dict(dict(zip(self.module.state_dict(), self._weights, strict=True)))

    def _is_better(self, score: Score, excess: float) -> bool:
        if self.rule == "last":
            return True
        if self.rule == "paper":
            return (excess, score.val_loss) < (self._excess, self.score.val_loss)
        return (
            score.val_loss < self.score.val_loss
            and self.score.val_accuracy < score.val_accuracy <= self.limit
            and self.score.train_accuracy < score.train_accuracy <= 1.05 * self.limit
        )
