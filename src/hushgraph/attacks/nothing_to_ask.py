"""The one error by which a suite knows that an attack cannot be asked, from a mistake in a program."""


class NothingToAskError(ValueError):
    """An attack that a target or a graph does not allow, and why."""
