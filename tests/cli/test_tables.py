"""Tables as JSON: whose figures are whose."""

from __future__ import annotations

from hushgraph.cli.tables import described
from hushgraph.experiments.declared import Experiment
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies import STUDIES
from hushgraph.experiments.studies.curator import Cell
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.tables import make_table
from hushgraph.privacy import Guarantee

FIGURES = {
    "mean", "half_width", "t_half_width", "difference", "verdict", "graph_alone", "graph_alone_half_width",
}  # fmt: skip


def table_of(*datasets):
    cells = tuple(Cell(dataset=dataset, method="gap", epsilon=4.0) for dataset in datasets)
    results = {cell: [Result(Outcome(0.5, 1.0, Guarantee("label", 1.0)), {})] for cell in cells}
    experiment = Experiment("own", "a title", "", STUDIES["curator"], cells)
    return described(make_table(experiment, results, {}, 1))


def test_figures_about_ones_own_people_are_marked_and_nobody_elses_are():
    table = table_of("mine.npz", "cora")
    own, public = table["rows"]
    assert own["private"].keys() == FIGURES
    assert not FIGURES & own.keys()
    assert own["private"]["mean"] == public["mean"] == 50.0
    assert "private" not in public
    # Verdicts are counted over all rows.
    assert "counts" not in table
    assert table["private"]["counts"]["unpublished"] >= 1
    assert "private" not in table_of("cora")
