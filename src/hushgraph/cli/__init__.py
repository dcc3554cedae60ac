"""The command ``hushgraph``."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Runs the command; says what to install when a part is missing."""
    try:
        from hushgraph.cli.app import app
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("hushgraph"):
            raise
        sys.exit(f"the hushgraph command needs {error.name}: pip install 'hushgraph[all]'")
    # A terminal that cannot show "ε" must not end a command, whose status would say something else.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    app()
