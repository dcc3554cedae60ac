"""A device in JavaScript, asked from Python."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from tests.wire.vectors import Words

SCRIPT = Path(__file__).with_name("answering.mjs")


class Written(Words):
    """Words that are written down, and then those that follow from a text."""

    def __init__(self, first, text):
        super().__init__(text)
        self.left = list(first)


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"special": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    return value.item() if isinstance(value, np.generic) else value


def asked(campaign, answers):
    """A line for the script: a campaign, and what is held and drawn for each answer."""
    held = [{**one, "held": {name: plain(value) for name, value in one["held"].items()}} for one in answers]
    return {"terms": campaign.to_json(), "id": campaign.id, "answers": held}


def said(node, lines):
    """What the script says to each line, from one process."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    ran = subprocess.run([node, SCRIPT], input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]
