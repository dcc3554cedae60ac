"""A collector has of what people hold what their devices randomised, and nothing else."""

from __future__ import annotations

import io

import numpy as np
from tests.collector import playing

from hushgraph.audit import answering, audit_device
from hushgraph.collection.export import Export

HELD = {"features": np.zeros(20), "label": 0}, {"features": np.ones(20), "label": 2}


def test_what_came_alone_or_in_a_batch_and_leaves_as_an_export_is_explained_by_the_mechanisms(tmp_path):
    """Over HTTP, with a collector for each of the two worlds, which have the same campaign."""
    worlds = []

    def collected(asked, sent):
        worlds.append(len(sent))
        with playing.running(f"sqlite:///{tmp_path}/world{len(worlds)}.db") as admin:
            tokens = admin.started(asked)
            half = len(sent) // 2
            for person in range(half):
                admin.send(asked, tokens[person], sent[person])
            admin.send_batch(asked, playing.batch((tokens[one], sent[one]) for one in range(half, len(sent))))
            return list(Export(io.BytesIO(admin.get(asked, "/export").content)).reports())

    device = answering(np.random.default_rng(0))
    found = audit_device(playing.campaign(), *HELD, device=device, collector=collected, trials=200)
    assert worlds == [200, 200]
    assert found.passed, str(found)
    assert found.lower_bound > 0.5
