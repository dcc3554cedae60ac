"""Estimators whose settings are the arguments of their constructors, as scikit-learn has it."""

from __future__ import annotations

import dataclasses
from typing import Any, Self, dataclass_transform


@dataclass_transform(eq_default=False, kw_only_default=True, field_specifiers=(dataclasses.field,))
class Settings:
    """What every estimator can do with its own settings: the annotated fields of its class, by keyword."""

    def __init_subclass__(cls) -> None:
        dataclasses.dataclass(eq=False, repr=False, kw_only=True)(cls)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments; ``deep`` is there because scikit-learn passes it."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]

    @classmethod
    def knows(cls, name: str) -> bool:
        """Whether the constructor has an argument of this name."""
        return any(field.name == name for field in dataclasses.fields(cls))  # type: ignore[arg-type]

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

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled or copied: a fitted one keeps no seed, by which noise could be taken off again."""
        return {name: value for name, value in vars(self).items() if name not in self._secrets()}

    def __repr__(self) -> str:
        shown = {name: value for name, value in self.get_params().items() if name not in self._secrets()}
        settings = ", ".join(f"{name}={value!r}" for name, value in shown.items())
        return f"{type(self).__name__}({settings})"

    def _secrets(self) -> set[str]:
        """Settings that stay with whoever fitted it."""
        fitted = any(name.endswith("_") for name in vars(self))
        return {"random_state"} if fitted else set()
