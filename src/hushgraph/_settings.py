"""Estimators whose settings are the arguments of their constructors, as scikit-learn has it."""

from __future__ import annotations

import inspect
from typing import Any, Self


class Settings:
    """What every estimator can do with its own settings."""

    def _keep(self, settings: dict[str, Any]) -> None:
        """Stores the constructor's arguments, given its ``locals()``."""
        for name, value in settings.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments; ``deep`` is there because scikit-learn passes it."""
        _, *names = inspect.signature(type(self).__init__).parameters
        return {name: getattr(self, name) for name in names}

    def set_params(self, **changes: Any) -> Self:
        """Changes some of the constructor's arguments."""
        unknown = set(changes) - set(self.get_params())
        if unknown:
            raise ValueError(f"{type(self).__name__} has no argument {', '.join(sorted(unknown))}")
        for name, value in changes.items():
            setattr(self, name, value)
        return self

    def with_params(self, **changes: Any) -> Self:
        """An unfitted copy with some arguments changed."""
        return type(self)(**{**self.get_params(), **changes})

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self.get_params().items())
        return f"{type(self).__name__}({settings})"
