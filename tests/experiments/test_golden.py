"""No number moves unseen: one seed of one cell of every study, against committed figures."""

import json

import pytest
from tests.experiments import golden

RECORDED = json.loads(golden.FILE.read_text())
SAME_ARITHMETIC = RECORDED["arithmetic"] == golden.arithmetic()


def test_every_study_and_every_cell_has_its_figures():
    assert RECORDED["cells"].keys() == golden.CELLS.keys()
    assert {study for study, _ in golden.CELLS.values()} == set(golden.STUDIES)


@pytest.mark.parametrize("name", golden.CELLS)
def test_a_run_computes_what_it_computed(name):
    expected = RECORDED["cells"][name]
    # As JSON has it, so that both went the same way.
    found = json.loads(json.dumps(golden.compute(name)))
    assert found.get("collection") == expected.get("collection")
    if SAME_ARITHMETIC:
        assert found == expected
    else:
        # Another processor rounds the last digits differently, and training amplifies them.
        assert found["value"] == pytest.approx(expected["value"], abs=0.1, rel=0.02)
