"""Charts of tables."""

from __future__ import annotations

import dataclasses
import itertools
import math

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from hushgraph.experiments.charts import draw_chart, draw_panel, write_figures
from hushgraph.experiments.declared import Chart, Experiment, packaged
from hushgraph.experiments.panels import Panel, columns_of, make_panels
from hushgraph.experiments.store import Result
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.tables import NOT_AVAILABLE, Table, make_table
from hushgraph.privacy import Guarantee

EXPERIMENTS = packaged()


def table_of(experiment: Experiment | str, missing: tuple[str, ...] = ()) -> Table:
    """Two repeats of every cell, 0.01 apart; none of the datasets that are missing."""
    if isinstance(experiment, str):
        experiment = EXPERIMENTS[experiment]
    there = [cell for cell in experiment.cells if cell.dataset not in missing]
    results = {
        cell: [
            Result(Outcome(0.3 + number / 1000 + noise, 1.0, Guarantee("features", 1.0)), {"device": "CPU"})
            for noise in (0.0, 0.01)
        ]
        for number, cell in enumerate(there)
    }
    troubles = {cell: NOT_AVAILABLE for cell in experiment.cells if cell.dataset in missing}
    return make_table(experiment, results, troubles, wanted=2)


def panels_of(name: str, chart: int = 0, **options: tuple[str, ...]) -> list[Panel]:
    table = table_of(name, **options)
    return make_panels(table, table.experiment.charts[chart])


def drawn(panel: Panel) -> dict[str, list]:
    axes = Figure().add_subplot()
    draw_panel(axes, panel)
    found: dict[str, list] = {}
    for artist in axes.get_children():
        found.setdefault(artist.get_gid(), []).append(artist)
    return found


def test_a_panel_for_each_dataset_and_a_line_for_each_mechanism():
    panels = panels_of("lpgnn/table2")
    assert [panel.title for panel in panels] == ["Cora", "PubMed", "Facebook", "LastFM"]
    assert [line.name for line in panels[0].lines] == ["1-bit", "Laplace", "analytic Gaussian", "multi-bit"]
    assert panels[0].ticks == ("0.01", "0.1", "1", "2")
    assert panels[0].x_name == "ε_x"
    assert all(
        [mark.place for mark in line.marks] == [0, 1, 2, 3] for panel in panels for line in panel.lines
    )


def test_panels_of_two_words_are_their_combinations_and_infinity_comes_last():
    panels = panels_of("lpgnn/figure3")
    assert len(panels) == 12
    assert panels[1].title == "Cora, GAT"
    assert panels[0].ticks[-1] == "∞"
    assert [line.name for line in panels[0].lines] == ["ε_y = 1", "ε_y = 2", "ε_y = 3", "ε_y = ∞"]
    assert columns_of(panels) == 3


def test_a_row_belongs_to_the_chart_whose_words_it_states():
    features, labels = panels_of("lpgnn/figure4", 0), panels_of("lpgnn/figure4", 1)
    assert [line.name for line in features[0].lines] == ["ε_x = 0.01", "ε_x = 0.1", "ε_x = 1"]
    assert [line.name for line in labels[0].lines] == ["ε_y = 0.5", "ε_y = 1", "ε_y = 2"]
    assert sum(len(panel.rows) for panel in features + labels) == len(EXPERIMENTS["lpgnn/figure4"].cells)


def test_what_does_not_depend_on_epsilon_is_a_line_across():
    panel = panels_of("slides/micro-f1")[0]
    across = [line.name for line in panel.lines if [mark.place for mark in line.marks] == [None]]
    assert across == ["true features", "random", "one-hot degree"]
    assert panel.ticks == ("0.1", "0.5", "1", "2")
    artists = drawn(panel)
    (line,) = artists["mark-0-all"]
    assert len(set(line.get_ydata())) == 1
    assert {"mark-3-0", "mark-3-1", "mark-3-2", "mark-3-3", "published-0", "published-3"} <= artists.keys()


def test_rows_that_the_chart_would_mix_up_get_lines_of_their_own():
    experiment = EXPERIMENTS["lpgnn/figure3"]
    chart = Chart("epsilon_x", "epsilon_y")
    mixed = dataclasses.replace(experiment, charts=(chart,))
    panel = make_panels(table_of(mixed), chart)[0]
    assert [line.name for line in panel.lines][:2] == ["ε_y = 1, GCN", "ε_y = 1, GAT"]
    assert all(len({mark.place for mark in line.marks}) == len(line.marks) for line in panel.lines)


def test_points_are_means_with_their_intervals():
    panel = panels_of("lpgnn/table2")[0]
    row = panel.lines[2].marks[1].row
    artists = drawn(panel)
    (point,) = artists["mark-2-1"]
    assert point.get_ydata()[0] == pytest.approx(row.mean)
    ends = [
        segment[:, 1]
        for artist in artists["line-2"]
        if hasattr(artist, "get_segments")
        for segment in artist.get_segments()
    ]
    assert tuple(ends[1]) == pytest.approx((row.mean - row.half_width, row.mean + row.half_width))
    (published,) = artists["published-2"]
    assert published.get_ydata()[1] == row.published.mean
    assert published.get_markerfacecolor() == "white"


def test_a_line_does_not_bridge_what_is_missing():
    table = table_of("lpgnn/table2")
    undone = dataclasses.replace(table.rows[1], values=(), interval=None)
    table = Table(table.experiment, (table.rows[0], undone, *table.rows[2:]))
    artists = drawn(make_panels(table, table.experiment.charts[0])[0])
    assert "mark-0-1" not in artists
    (line,) = (artist for artist in artists["line-0"] if hasattr(artist, "get_ydata"))
    assert [math.isnan(y) for y in line.get_ydata()] == [False, True, False, False]


def test_errors_have_a_log_axis_and_accuracies_do_not():
    assert all(panel.log and panel.limits[0] > 0 for panel in panels_of("slides/aggregation-error"))
    assert not any(panel.log for panel in panels_of("lpgnn/table2"))


def test_panels_of_a_dataset_share_their_limits():
    panels = panels_of("lpgnn/figure3")
    assert len({panel.limits for panel in panels[:3]}) == 1
    assert panels[0].limits != panels[3].limits
    low, high = panels[0].limits
    assert all(low < row.mean < high for panel in panels[:3] for row in panel.rows)


def test_panels_without_a_point_are_left_out_of_figures():
    table = table_of("lpgnn/table2", missing=("pubmed", "lastfm"))
    chart = table.experiment.charts[0]
    left_out = [panel for panel in make_panels(table, chart) if not panel.measured]
    assert [(panel.title, panel.trouble) for panel in left_out] == [
        ("PubMed", NOT_AVAILABLE),
        ("LastFM", NOT_AVAILABLE),
    ]
    figure = draw_chart(table, chart)
    assert [axes.get_title() for axes in figure.axes] == ["Cora", "Facebook"]
    assert draw_chart(table_of("lpgnn/table2", missing=table.experiment.datasets), chart) is None


def test_lines_differ_in_more_than_colour():
    for name in ("lpgnn/table2", "lpgnn/figure3", "slides/micro-f1"):
        lines = panels_of(name)[0].lines
        assert len({line.marker for line in lines}) == len({line.color for line in lines}) == len(lines)


def test_the_legend_names_every_line_and_the_published_ones():
    table = table_of("lpgnn/table4")
    (legend,) = draw_chart(table, table.experiment.charts[0]).legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["cross-entropy", "forward correction", "Drop", "published"]


def test_figures_are_written_for_each_chart_and_are_the_same_each_time(tmp_path):
    table = table_of("lpgnn/figure4", missing=("pubmed", "facebook", "lastfm"))
    written = write_figures(table, tmp_path / "figures")
    assert [path.name for path in written] == [
        "lpgnn-figure4-1.png",
        "lpgnn-figure4-1.svg",
        "lpgnn-figure4-2.png",
        "lpgnn-figure4-2.svg",
    ]
    assert written[0].read_bytes().startswith(b"\x89PNG")
    before = [path.read_bytes() for path in written]
    assert [path.read_bytes() for path in write_figures(table, tmp_path / "figures")] == before
    assert b"dc:date" not in before[1]
    assert len(list((tmp_path / "figures").iterdir())) == 4


def test_a_table_without_charts_has_no_figures(tmp_path):
    assert write_figures(table_of("lpgnn/table3"), tmp_path) == []


def test_a_name_with_a_dollar_sign_is_drawn_as_it_is(tmp_path):
    experiment = EXPERIMENTS["lpgnn/table4"].only(["cora"], None)
    odd = tuple(dataclasses.replace(cell, dataset="$a_b$.npz") for cell in experiment.cells)
    table = table_of(dataclasses.replace(experiment, cells=odd))
    figure = draw_chart(table, table.experiment.charts[0])
    FigureCanvasAgg(figure).draw()
    assert figure.axes[0].get_title() == r"\$a_b\$"
    assert math.isfinite(figure.axes[0].get_ylim()[0])


def test_a_panel_has_the_ticks_of_its_own_dataset():
    ticks = {panel.key[0]: panel.ticks for panel in panels_of("solitude/table3")}
    assert ticks["cora"] == ("7", "7.3", "7.5", "7.7", "7.9", "8")
    assert ticks["lastfm"] == ("7.7", "7.9", "8", "8.3", "8.5", "8.7")


@pytest.mark.parametrize("name", ["solitude/figure4", "solitude/small-budgets", "solitude/calibration"])
def test_titles_and_legend_stay_inside_the_figure(name):
    table = table_of(name)
    figure = draw_chart(table, table.experiment.charts[0])
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [axes.title for axes in figure.axes]
    boxes = [
        *(text.get_window_extent(renderer) for text in texts),
        figure.legends[0].get_window_extent(renderer),
    ]
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in boxes)
    for one, other in itertools.combinations(boxes, 2):
        assert not one.overlaps(other)
