"""The report, as text."""

from __future__ import annotations

import dataclasses
import re

import pytest

from hushgraph.experiments import formatting
from hushgraph.experiments.declared import packaged
from hushgraph.experiments.report import About, render
from hushgraph.experiments.report.promises import promises_of
from hushgraph.experiments.report.symbols import VERDICTS
from hushgraph.experiments.studies import STUDIES


@pytest.fixture(scope="module")
def html(path):
    return path.read_text(encoding="utf-8")


def text_of(html):
    """What a reader sees, in one line."""
    body = re.sub(r"<(script|style|svg).*?</\1>", "", html.partition("<body>")[2], flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", body))


def test_it_is_one_file_that_refers_to_nothing_else(path, html):
    assert [file.name for file in path.parent.iterdir()] == ["report.html"]
    assert set(re.findall(r"""(?:src|href)=["']?(.)""", html)) <= {"#", "d"}
    assert "@import" not in html
    assert "url(http" not in html
    assert len(html) < 1_500_000


def test_the_same_tables_give_the_same_bytes(tables, html, about):
    assert render(tables, about) == html


def test_every_id_is_there_once_and_every_reference_leads_somewhere(html):
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'(?:href="|url\()#([\w.-]+)', html)) <= set(ids)


def test_the_summary_adds_up(tables, html):
    counts = {name: sum(table.counts[name] for table in tables) for name in VERDICTS}
    shown = dict(re.findall(r'<div class="(\w+)"><dt>.*?<dd>(\d+)</dd>', html))
    assert {name: int(number) for name, number in shown.items()} == counts
    cells = sum(len(table.rows) for table in tables)
    assert sum(counts.values()) == cells
    assert f"{cells - counts['missing']} of {cells} cells were measured" in text_of(html)


def test_every_cell_has_a_row_or_its_dataset_says_why_not(tables, html):
    for table in tables:
        name = table.experiment.name.replace("/", "-")
        section = html.partition(f'<section class="experiment" id="{name}"')[2].partition("</section>")[0]
        rows = len(re.findall(r'<th role="rowheader"', section))
        absent = [row for row in table.rows if row.cell.dataset == "github" and not row.published]
        assert rows + len(absent) == len(table.rows)
        assert ('<div class="absent">' in section) == bool(absent)


def test_a_row_says_ours_theirs_the_difference_the_verdict_and_the_trouble(tables, about):
    table = next(table for table in tables if table.experiment.name == "lpgnn/table2")
    text = text_of(render([table], about)).replace("\N{NO-BREAK SPACE}", " ")
    row = table.rows[1]
    assert row.verdict == "below"
    ours = formatting.ours(row)
    assert ours == f"{row.mean:.1f} ± {row.half_width:.1f} (t: ± {row.t_half_width:.1f})"
    assert f"1-bit, εx = 0.1{ours}not run62.3 ± 1.5−{-row.difference:.1f}▼ below5" in text
    assert "? undecided4 of 5 1 of 5 runs failed: MemoryError" in text
    assert "○ not run0 of 5" in text


def test_numbers_are_written_for_people():
    accuracy, error = STUDIES["lpgnn"], STUDIES["aggregation_error"]
    assert [formatting.number(value, accuracy) for value in (83.96, -0.04, -1.25)] == ["84.0", "0.0", "−1.2"]
    assert [formatting.number(value, error) for value in (0.0123456, 1.5, 1234.5, 0)] == [
        "0.0123",
        "1.50",
        "1234",
        "0",
    ]
    assert formatting.with_interval(80.0, 0.0, accuracy) == "80.0"


def test_what_was_run_is_said(html, about):
    text = text_of(html)
    for fact in (
        about.command,
        about.hyperparameters,
        "2,708 people",
        "its file is not in",
        "seed 2: killed",
    ):
        assert fact in text
    assert "torch 2.10.0, numpy 2.3.0, NVIDIA H200" in text
    assert "torch 2.10.0, numpy 2.3.0, CPU (x86_64)" in text


def test_shared_runs_are_counted_once(tables, about):
    table = tables[0]
    once, twice = (text_of(render(shown, about)) for shown in ([table], [table, table]))
    runs = re.search(r"Runs ?(\d+), which took ([\d.]+) hours", once)
    assert int(runs[1]) == sum(len(row.results) for row in table.rows)
    assert runs[0] in twice


def test_promises_are_grouped_by_method_and_status(tables):
    methods = {(method.name, method.quantity): method for method in promises_of(tables)}
    multi_bit = methods["multi-bit", "mean absolute error of the aggregation"]
    assert [(promise.datasets, promise.example.strength) for promise in multi_bit.promises] == [
        (("Cora",), "ε = 4, proven"),
        (("PubMed",), "ε = 4, claimed"),
    ]
    for name in ("Laplace", "analytic Gaussian"):
        for promise in methods[name, "test accuracy (%)"].promises:
            founded = "proven" if "Cora" in promise.datasets else "claimed"
            assert [part.status for part in promise.statements] == ["none", founded, "none"]
    (raw,) = methods["true features", "test accuracy (%)"].promises
    assert raw.datasets == ("Cora", "PubMed")
    (ones,) = methods["ones", "test accuracy (%)"].promises
    assert [part.protects for part in ones.statements] == ["label"]


def test_claims_and_the_lack_of_protection_are_marked_in_words(html):
    promises = html.partition('<section id="promises"')[2]
    assert "only claimed" in promises
    assert "not protected" in promises
    assert "not proven, because: ranges from data" in promises
    assert "Privacy of everything a person sent: ε = 6, proven" in promises


def test_what_users_name_is_shown_and_never_run(tables, table_of, about):
    odd = "<img src=x onerror=alert(1)>.npz"
    experiment = packaged()["lpgnn/table4"].only(["cora"], None)
    experiment = dataclasses.replace(
        experiment, cells=tuple(dataclasses.replace(cell, dataset=odd) for cell in experiment.cells)
    )
    html = render(
        [table_of(experiment)], dataclasses.replace(about, command="</code><script>", failures=[odd])
    )
    assert "<img" not in html
    assert html.count("<script") == 1
    assert "&lt;img src=x" in html


def test_nothing_measured_is_a_report_too(table_of):
    table = table_of(packaged()["lpgnn/table2"].only(["cora"], None), missing=("cora",))
    text = text_of(render([table], About("hushgraph reproduce", 1, "none")))
    assert "0 of 16 cells were measured" in text
    assert "No picture of Cora: data not available" in text
