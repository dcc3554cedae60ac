"""Names as they were before 0.3: they work until 0.4, with a warning that says the new one."""

from __future__ import annotations

import functools
import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, TypeVar, cast

Named = TypeVar("Named", bound=Callable[..., Any])

# The longest that a name starts with decides.
MODULES = {
    "hushgraph.assess": "hushgraph.metrics",
    "hushgraph.methods": "hushgraph.local",
    "hushgraph.methods.adhoc": "hushgraph.local.public_features",
    "hushgraph.methods.machine": "hushgraph.sparse.runtime",
    "hushgraph.denoise.adjacency": "hushgraph.sparse.adjacency",
    "hushgraph.denoise.features": "hushgraph.denoise.denoised",
    "hushgraph.denoise.kernels": "hushgraph.sparse.kernels",
    "hushgraph.nn.make": "hushgraph.nn.factory",
    "hushgraph.mechanisms.adjacency": "hushgraph.mechanisms.list_response",
    "hushgraph.mechanisms.friendships": "hushgraph.collection.friendships",
    "hushgraph.mechanisms.neighbour_lists": "hushgraph.mechanisms.neighbor_lists",
    "hushgraph.mechanisms.rare_events": "hushgraph.mechanisms.skip_sampling",
    "hushgraph.collection.door": "hushgraph.collection.screening",
    "hushgraph.curator.accounting": "hushgraph.privacy.accounting",
    "hushgraph.curator.aggregation": "hushgraph.curator.sums",
    "hushgraph.curator.private_training": "hushgraph.curator.dp_sgd",
    "hushgraph.curator.protection": "hushgraph.privacy.relations",
    "hushgraph.experiments.repeats": "hushgraph.repeats",
    "hushgraph.experiments.catalogue": "hushgraph.experiments.catalog",
    "hushgraph.experiments.folder": "hushgraph.experiments.store",
    "hushgraph.experiments.words": "hushgraph.experiments.formatting",
}
# What is called otherwise in the module that took an old one's place.
ATTRIBUTES = {
    "NeighbourLists": "NeighborLists",
    "Protection": "NeighboringRelation",
    "ResultsFolder": "ResultStore",
    "Run": "Repeat",
    "adhoc_features": "public_features",
    "adjacency_of": "described",
}


def warn(old: str, new: str, level: int = 3) -> None:
    """Says that an old name was used."""
    warnings.warn(f"{old} is now {new}; the old name goes with 0.4", FutureWarning, stacklevel=level)


def attributes(package: str, renamed: dict[str, str], level: int = 3) -> Callable[[str], Any]:
    """A module's ``__getattr__`` for its old names, each with where its value is now."""

    def value(name: str) -> Any:
        if name not in renamed:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, new = renamed[name].rpartition(".")
        warn(f"{package}.{name}", renamed[name], level)
        return getattr(importlib.import_module(module), new)

    return value


def arguments(**renamed: str | None) -> Callable[[Named], Named]:
    """Lets a function, or the constructor of a class, take old names of its arguments; None: without use."""

    def decorate(named: Named) -> Named:
        call = named.__init__ if isinstance(named, type) else named  # type: ignore[misc]

        @functools.wraps(call)
        def with_old_names(*values: Any, **settings: Any) -> Any:
            for old in renamed.keys() & settings.keys():
                value, new = settings.pop(old), renamed[old]
                if new in settings:
                    raise TypeError(f"{named.__name__} got {old}, which is {new} now, and {new} too")
                warn(f"{named.__name__}({old}=…)", f"{new}=…" if new else "without it")
                settings |= {new: value} if new else {}
            return call(*values, **settings)

        if not isinstance(named, type):
            return cast("Named", with_old_names)
        named.__init__ = with_old_names  # type: ignore[misc]
        return named

    return decorate


class _OldModules(MetaPathFinder, Loader):
    """Finds an old module and gives one that has whatever the new one has."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        return None if _new_name(fullname) is None else ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = _new_name(spec.name)
        assert new is not None
        real, old = importlib.import_module(new), ModuleType(spec.name)
        warn(spec.name, new)
        old.__getattr__ = lambda name: getattr(  # type: ignore[method-assign]
            real, name if hasattr(real, name) else ATTRIBUTES.get(name, name)
        )
        return old

    def exec_module(self, module: ModuleType) -> None:
        """All there is to do is done."""


def _new_name(name: str) -> str | None:
    for old in sorted(MODULES, key=len, reverse=True):
        if name == old or name.startswith(f"{old}."):
            return MODULES[old] + name.removeprefix(old)
    return None


sys.meta_path.insert(0, _OldModules())
