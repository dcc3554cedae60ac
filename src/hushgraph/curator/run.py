"""A curator's run: the one way from private data to anything that leaves.

A method declares its parts and then trains and releases through this object. Noise, its calibration, the
count of what was spent, the record for audits and the statement follow from those calls.
"""

from __future__ import annotations

import copy
import math
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hushgraph.curator import dp_sgd, seeds
from hushgraph.curator.dp_sgd import Schedule, gaussian_noise
from hushgraph.curator.parts import Part, Terms
from hushgraph.curator.rows import Rows
from hushgraph.curator.sums import capped
from hushgraph.curator.whole_noise import gaussian_multiplier, gaussian_scale
from hushgraph.graph import Graph
from hushgraph.mechanisms.discrete_gaussian import discrete_gaussian
from hushgraph.mechanisms.randomness import Random, SecureRandom, words
from hushgraph.privacy import accounting, relations
from hushgraph.split import Split


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """Something that left: what everybody sees, and for those who check the books how it came about.

    Attributes:
        part: of the budget.
        values: what left; an array, or a sparse matrix.
        clean: the same without its noise, which never leaves; None where a mechanism drew the values.
        sensitivity: the L2 norm of what a neighboring graph changes in it; of a gradient, that of one sample.
        deviation: the standard deviation of the noise.
    """

    part: str
    values: Any
    clean: NDArray[np.float64] | None = None
    sensitivity: float = math.nan
    deviation: float = math.nan


Observe = Callable[[Release], None]
"""Is told everything that leaves, in order."""


class PrivateRun:
    """One fit of a method with a trusted curator.

    Attributes:
        edges: the friendships, no more than the cap for anybody where persons are protected. What is above is
            dropped by random priorities, and how much that is is private.
        multipliers: the noise of each Gaussian part over its sensitivity; 0 where there is none.

    With a ``random_state`` it is a simulation, and noise follows from ``noise_seed``, by default the same.
    """

    def __init__(
        self,
        terms: Terms,
        graph: Graph,
        split: Split,
        *,
        schedule: Schedule | None = None,
        random_state: int | None = None,
        noise_seed: int | None = None,
        progress: Callable[[float], None] = lambda _: None,
        observe: Observe = lambda _: None,
    ) -> None:
        self.terms, self.graph, self.split, self.schedule = terms, graph, split, schedule
        self.progress, self._observe = progress, observe
        self.simulated = random_state is not None
        self.seed = secrets.randbits(63) if random_state is None else random_state
        self._noise_seed = self.seed if noise_seed is None else noise_seed
        self._open()
        self._calibrate()

    def again(self, seed: int, observe: Observe) -> PrivateRun:
        """A simulation of the same run, calibrated as it is, with the noise of another seed: for audits."""
        run = copy.copy(self)
        run.simulated, run.seed, run._noise_seed, run._observe = True, seed, seed, observe
        run._open()
        return run

    def _open(self) -> None:
        """Nothing was spent, and no noise was drawn."""
        self._noise, self._releases = self._source("noise"), self._source("releases")
        self._spent: dict[str, float] = defaultdict(float)
        self.edges = self.graph.edges if self.cap is None else self._under_the_cap(self.cap)

    @property
    def cap(self) -> int | None:
        """The cap on friendships; None where it has no part in the protection."""
        return self.terms.cap if self.terms.private and self.terms.relation != "edge" else None

    @property
    def randomized(self) -> tuple[Part, ...]:
        """The parts that mechanisms with a guarantee of their own spend."""
        return tuple(part for part in self.terms.costly if part.kind == "mechanism")

    @property
    def exact(self) -> tuple[Part, ...]:
        """The parts that spend their own share and are added up: all noise on whole numbers."""
        return tuple(part for part in self.terms.costly if part.kind in ("mechanism", "whole"))

    def train(self, name: str, network: nn.Module, rows: Rows) -> None:
        """Fits a network to the training people's labels; every noisy gradient leaves."""
        part = self._part(name, "training")
        assert self.schedule is not None
        clip = self.schedule.clip
        if self.terms.private and not part.is_free:
            self._spend(part, 1)
        place = self.terms.parts.index(part)
        dp_sgd.train(
            network,
            rows.of(self.split.train),
            torch.from_numpy(self.graph.labels[self.split.train]),
            self.schedule,
            self._source(f"training {name}"),
            noise_multiplier=self.multipliers[name],
            on_step=lambda clean, noisy: self._left(name, noisy, clean, clip),
            progress=lambda share: self.progress((place + share) / len(self.terms.parts)),
        )

    def release(self, name: str, values: Tensor, sensitivity: float) -> Tensor:
        """Values of which a neighboring graph changes at most ``sensitivity`` in L2 norm, with noise."""
        part = self._part(name, "gaussian")
        if not 0 < sensitivity < math.inf:
            raise RuntimeError(f"the sensitivity of {name!r} must be above 0 and finite, got {sensitivity!r}")
        if not self.terms.private:
            return values
        self._spend(part, 1)
        noisy = values + self.multipliers[name] * sensitivity * gaussian_noise(values.shape, self._releases)
        self._left(name, noisy, values, sensitivity)
        return noisy

    def release_whole(self, name: str, values: NDArray[np.int64], sensitivity: int) -> NDArray[np.int64]:
        """Whole numbers, of which a neighboring graph changes so much in L2 norm, with whole noise."""
        part = self._part(name, "whole")
        if not (isinstance(sensitivity, int) and sensitivity > 0):
            raise RuntimeError(
                f"the sensitivity of {name!r} must be a whole number above 0, got {sensitivity!r}"
            )
        if values.dtype != np.int64:
            raise RuntimeError(f"{name!r} must be whole numbers, got {values.dtype}")
        if not self.terms.private:
            return values
        self._spend(part, 1)
        scale = gaussian_scale(self.multipliers[name], sensitivity)
        noisy: NDArray[np.int64] = values + discrete_gaussian(np.full(values.shape, scale), self._releases)
        self._observe(Release(name, noisy, values.astype(np.float64), float(sensitivity), float(scale)))
        return noisy

    def divide(self, shares: Mapping[str, float]) -> None:
        """Moves budget between parts that were not used yet; where to, only what was released may say.

        What was spent so far was spent by mechanisms with an ε of their own. Whatever they gave, the others
        together spend no more than before: sequential composition.
        """
        names = {part.name for part in self.terms.costly}
        used = [name for name in names if self._spent[name] > 0]
        if any(name in shares or self._kind(name) != "mechanism" for name in used):
            raise RuntimeError(
                "budget cannot be moved from or to a part that was used, or after noise that has a δ"
            )
        if not set(shares) <= names or not all(share >= 0 for share in shares.values()):
            raise RuntimeError(f"budget was moved to parts that there are not: {', '.join(shares)}")
        before = math.fsum(self.terms.shares[name] for name in shares)
        if math.fsum(shares.values()) > before * (1 + 1e-12):
            raise RuntimeError(f"more was moved than the {before:g} that there is")
        self.terms = replace(self.terms, shares={**self.terms.shares, **shares})
        self._calibrate()

    def randomize(self, name: str, epsilon: float, draw: Callable[[Random], Any]) -> Any:
        """What a mechanism with a guarantee of its own draws, at a price that the part can pay."""
        if not 0 < epsilon < math.inf:
            raise RuntimeError(f"what {name!r} spends must be above 0 and finite, got {epsilon!r}")
        self._spend(self._part(name, "mechanism"), epsilon)
        values = draw(self._noise)
        self._observe(Release(name, values))
        return values

    def coins(self, stream: str) -> np.random.Generator:
        """Coins that follow from the seed, others for every stream, budget and way to train."""
        words = f"{stream}: {self.terms}, {self.schedule}"
        return np.random.default_rng([self._noise_seed, seeds.hashed(words)])

    def close(self) -> None:
        """Refuses a run that did something else than its parts say."""
        for part in self.terms.costly if self.terms.private else ():
            if self._spent[part.name] < self._limit(part) and part.kind != "mechanism":
                raise RuntimeError(f"the part {part.name!r} was accounted for and not used")

    def _calibrate(self) -> None:
        """Finds the noise of every Gaussian part before anything is learned."""
        terms, people = self.terms, self.split.train.size
        self.multipliers = {part.name: 0.0 for part in terms.parts if part.kind != "mechanism"}
        self.accounted = tuple(
            self._accounted(part, people) for part in terms.costly if part.kind not in ("mechanism", "whole")
        )
        self.delta = 0.0
        if self.schedule is not None:
            self.schedule.expected(people)
        if terms.private:
            self._calibrate_whole()
        if not terms.private or not self.accounted:
            return
        for needed in ("opacus", "dp_accounting"):
            if find_spec(needed) is None:
                raise ImportError(f"this method needs {needed}: pip install 'hushgraph[curator]'")
        self.delta = self._stated_delta
        shares = tuple(terms.shares[part.name] for part in self.accounted)
        others = math.fsum(terms.shares[part.name] for part in self.randomized)
        from hushgraph.privacy.calibration import calibrate

        found = calibrate(self.accounted, shares, terms.epsilon - others, self.delta, terms.relation)
        self.multipliers |= {part.name: one for part, one in zip(self.accounted, found, strict=True)}

    @cached_property
    def _stated_delta(self) -> float:
        return relations.checked_delta(self.terms.delta, self.terms.relation, self.graph.num_nodes)

    def _calibrate_whole(self) -> None:
        """The noise of whole numbers spends its share by itself: that is exact."""
        for part in self.terms.costly:
            if part.kind == "whole":
                self.delta = self._stated_delta
                share = self.terms.shares[part.name]
                self.multipliers[part.name] = gaussian_multiplier(share, self.delta, part.releases)

    def _accounted(self, part: Part, people: int) -> accounting.Releases:
        if part.kind == "gaussian":
            return accounting.Releases(part.name, part.releases)
        assert self.schedule is not None
        steps, rate = self.schedule.steps(people), self.schedule.rate(people)
        return accounting.Releases(part.name, steps, rate, part.touched)

    def _part(self, name: str, kind: str) -> Part:
        for part in self.terms.parts:
            if part.name == name and part.kind == kind:
                return part
        raise RuntimeError(f"no part {name!r} was declared for {kind}: nothing may leave under that name")

    def _kind(self, name: str) -> str:
        return next(part.kind for part in self.terms.parts if part.name == name)

    def _spend(self, part: Part, amount: float) -> None:
        if part.kind != "mechanism" and not self.multipliers[part.name] > 0:
            raise RuntimeError(f"the part {part.name!r} has no noise: nothing may leave")
        if self._spent[part.name] + amount > self._limit(part):
            raise RuntimeError(f"the part {part.name!r} would spend more than was accounted for")
        self._spent[part.name] += amount

    def _limit(self, part: Part) -> float:
        if part.kind == "mechanism":
            return self.terms.shares[part.name]
        return 1 if part.kind == "training" else part.releases

    def _left(self, name: str, noisy: Tensor, clean: Tensor, sensitivity: float) -> None:
        deviation = self.multipliers[name] * sensitivity
        self._observe(Release(name, noisy.numpy(), clean.numpy(), sensitivity, deviation))

    def _source(self, stream: str) -> Random:
        """Where noise comes from: the operating system, or with a seed a stream of its own."""
        return self.coins(stream) if self.simulated else SecureRandom()

    def _under_the_cap(self, cap: int) -> NDArray[np.int32]:
        edges, people = self.graph.edges, self.graph.num_nodes
        if not self.terms.bounded:
            return capped(edges, people, cap, words(self._source("cap"), edges.shape[1]))
        if np.bincount(edges.ravel(), minlength=people).max(initial=0) > cap:
            raise ValueError(
                f"somebody has more than max_degree = {cap} friends, and bounded=True says that it is public"
                " that nobody has"
            )
        return edges
