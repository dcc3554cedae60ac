"""Test vectors of the wire format: campaigns, values, the words that are drawn, and the bytes that leave.

``python -m tests.wire.vectors`` writes vectors.json anew; a test holds it against what is there, and the
JavaScript client has the same file to pass.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

import hushgraph as hg
from hushgraph.collection.wire import Wire

FILE = Path(__file__).with_name("vectors.json")
INFINITY = float("inf")


class Words(hg.SecureRandom):
    """Words of 64 bits that follow from a text.

    Block i is SHA-256 of the text and i in 4 bytes, little-endian, and gives four words.
    """

    def __init__(self, text):
        self.text, self.block, self.left = text.encode(), 0, []

    def _words(self, count):
        while len(self.left) < count:
            digest = hashlib.sha256(self.text + self.block.to_bytes(4, "little")).digest()
            self.left += [int.from_bytes(digest[at : at + 8], "little") for at in range(0, 32, 8)]
            self.block += 1
        drawn, self.left = self.left[:count], self.left[count:]
        return np.array(drawn, np.uint64)


def campaigns():
    """A few of every kind."""
    response, lists = hg.RandomizedResponse, hg.AdjacencyRandomizedResponse
    mechanisms = {
        "multi-bit": [hg.MultiBit(1.0), hg.MultiBit(9.5)],
        "all bits": hg.MultiBit(30.0, m=12),
        "paper": hg.MultiBit(7.0, m="paper"),
        "one-bit": [hg.OneBit(0.3), hg.OneBit(8.0)],
        "laplace": [hg.Laplace(0.5), hg.Laplace(50.0)],
        "gaussian": hg.AnalyticGaussian(2.0, 1e-6),
        "as they are": hg.MultiBit(INFINITY, low=-1.0),
    }
    for name, features in mechanisms.items():
        yield hg.Campaign(
            name=name, classes=["calm", "merry", "sad"], num_features=12, features=features,
            labels=[response(0.5), response(2.0)], num_people=1000,
        )  # fmt: skip
    yield hg.Campaign(
        name="ranges", classes=2, num_features=3, features=hg.OneBit(2.0, low=-1.0),
        ranges=[(0, 1), (-5.5, 17.25), (1e-3, 1e3)], feature_names=["a", "b", "ß"],
    )  # fmt: skip
    yield hg.Campaign(name="many classes", classes=300, labels=response(6.0), num_people=2**40)
    yield hg.Campaign(name="lists", classes=2, lists=[lists(1.0), lists(6.0)], num_people=200)
    yield hg.Campaign(
        name="everything", classes=4, num_features=50, features=hg.MultiBit(1.0), labels=response(1.0),
        lists=lists(5.0), num_people=300,
    )  # fmt: skip


def answers(campaign, number):
    """What some people hold, ordinary and odd, and which levels they take."""
    values = np.random.default_rng(number)
    ranges = campaign.ranges or [(0.0, 1.0)] * campaign.num_features
    for person in (0, 7, 150):
        held = {}
        if campaign.features:
            held["features"] = [float(values.uniform(*one)) for one in ranges]
            if person == 7:
                held["features"][0], held["features"][1] = 99.0, None
        if campaign.labels:
            held["label"] = campaign.classes[-1] if person != 7 else "no such class"
        if campaign.lists:
            held["friends"] = [int(one) for one in values.integers(0, 200, 12)] if person else []
        levels = {question: person % len(campaign.levels(question)) for question in campaign.asked}
        yield person, held, levels


def vectors():
    """Everything that vectors.json holds."""
    written = []
    for number, campaign in enumerate(campaigns()):
        cases = []
        for person, held, levels in answers(campaign, number):
            rng = Words(f"{campaign.name}/{person}")
            report = hg.answer(campaign, person, **held, levels=levels, public_columns=True, rng=rng)
            sent = Wire(campaign).encode(report).hex()
            asked = {"person": person, **held, "levels": levels, "words": rng.text.decode()}
            cases.append(asked | {"bytes": sent})
        written.append({"terms": campaign.to_json(), "id": campaign.id, "answers": cases})
    return written


def text():
    """The file as it is written."""
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
