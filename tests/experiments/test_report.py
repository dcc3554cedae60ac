"""The report, as text and as a browser shows it."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil

import pytest

import hushgraph as hg
from hushgraph.experiments import words
from hushgraph.experiments.declared import packaged
from hushgraph.experiments.folder import Result
from hushgraph.experiments.panels import make_panels
from hushgraph.experiments.report import About, render, write_report
from hushgraph.experiments.report.promises import promises_of
from hushgraph.experiments.report.symbols import VERDICTS
from hushgraph.experiments.studies.lpgnn import STAND_INS
from hushgraph.experiments.studies.mechanisms import make_mechanism
from hushgraph.experiments.studies.study import Outcome
from hushgraph.experiments.tables import NOT_AVAILABLE, NOT_RUN, make_table
from hushgraph.privacy import compose

CPU = {"hushgraph": "0.0", "python": "3.12.1", "torch": "2.10.0", "numpy": "2.3.0", "device": "CPU (x86_64)"}
GPU = CPU | {"device": "NVIDIA H200"}
ABOUT = About(
    command="hushgraph reproduce lpgnn slides --repeats 3",
    repeats=3,
    hyperparameters="published by the LPGNN authors",
    graphs={"cora": "2,708 people", "pubmed": "19,717 people"},
    unavailable={"github": "its file is not in the data folder"},
    failures=["cora, seed 2: killed"],
)
FAILED, UNDONE = 5, 9
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def guarantee_of(cell):
    parts = []
    if cell.features not in STAND_INS:
        kind = "multi_bit" if cell.features == "raw" else cell.features
        features = make_mechanism(kind, cell.eps_x, cell.delta, None, None).guarantee
        parts = [features.claimed("ranges from data") if cell.dataset == "pubmed" else features]
    if not hasattr(cell, "eps_y"):
        return parts[0]
    return compose("everything a person sent", [*parts, hg.RandomizedResponse(cell.eps_y).guarantee])


def table_of(experiment, missing=("github",)):
    """Three repeats of every cell but one that failed once, one that was not run, and missing datasets."""
    results, troubles = {}, {}
    for number, cell in enumerate(experiment.cells):
        if cell.dataset in missing:
            troubles[cell] = NOT_AVAILABLE
            continue
        values = [0.4 + number / 500 + noise for noise in (0.0, 0.01, 0.02)]
        if number == FAILED:
            del values[2:]
            troubles[cell] = "1 of 3 runs failed: MemoryError"
        if number == UNDONE:
            values, troubles[cell] = [], NOT_RUN
        environment = GPU if number == 0 else CPU
        results[cell] = [Result(Outcome(value, 60.0, guarantee_of(cell)), environment) for value in values]
    return make_table(experiment, results, troubles, wanted=3)


@pytest.fixture(scope="module")
def tables():
    chosen = ["cora", "pubmed", "github"]
    return [table_of(experiment.only(chosen, None)) for experiment in packaged().values()]


@pytest.fixture(scope="module")
def path(tables, tmp_path_factory):
    return write_report(tables, ABOUT, tmp_path_factory.mktemp("report"))


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


def test_the_same_tables_give_the_same_bytes(tables, html):
    assert render(tables, ABOUT) == html


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


def test_a_row_says_ours_theirs_the_difference_the_verdict_and_the_trouble(tables):
    table = next(table for table in tables if table.experiment.name == "lpgnn/table2")
    text = text_of(render([table], ABOUT)).replace("\N{NO-BREAK SPACE}", " ")
    row = table.rows[1]
    assert row.verdict == "below"
    ours = f"{row.mean:.1f} ± {row.half_width:.1f}"
    assert f"1-bit, εx = 0.1{ours}62.3 ± 1.5−{-row.difference:.1f}▼ below3" in text
    assert "2 of 3 1 of 3 runs failed: MemoryError" in text
    assert "○ not run0 of 3" in text


def test_numbers_are_written_for_people(tables):
    accuracy, error = tables[0].experiment.study, tables[-1].experiment.study
    assert [words.number(value, accuracy) for value in (83.96, -0.04, -1.25)] == ["84.0", "0.0", "−1.2"]
    assert [words.number(value, error) for value in (0.0123456, 1.5, 1234.5, 0)] == [
        "0.0123",
        "1.50",
        "1234",
        "0",
    ]
    assert words.with_interval(80.0, 0.0, accuracy) == "80.0"


def test_what_was_run_is_said(html):
    text = text_of(html)
    for fact in (
        ABOUT.command,
        ABOUT.hyperparameters,
        "2,708 people",
        "its file is not in",
        "seed 2: killed",
    ):
        assert fact in text
    assert "torch 2.10.0, numpy 2.3.0, NVIDIA H200" in text
    assert "torch 2.10.0, numpy 2.3.0, CPU (x86_64)" in text


def test_shared_runs_are_counted_once(tables):
    table = tables[0]
    once, twice = (text_of(render(shown, ABOUT)) for shown in ([table], [table, table]))
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
            assert [part.status for part in promise.statements] == ["none", "claimed", "none"]
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


def test_what_users_name_is_shown_and_never_run(tables):
    odd = "<img src=x onerror=alert(1)>.npz"
    experiment = packaged()["lpgnn/table4"].only(["cora"], None)
    experiment = dataclasses.replace(
        experiment, cells=tuple(dataclasses.replace(cell, dataset=odd) for cell in experiment.cells)
    )
    html = render(
        [table_of(experiment)], dataclasses.replace(ABOUT, command="</code><script>", failures=[odd])
    )
    assert "<img" not in html
    assert html.count("<script") == 1
    assert "&lt;img src=x" in html


def test_nothing_measured_is_a_report_too():
    table = table_of(packaged()["lpgnn/table2"].only(["cora"], None), missing=("cora",))
    text = text_of(render([table], About("hushgraph reproduce", 1, "none")))
    assert "0 of 16 cells were measured" in text
    assert "No picture of Cora: data not available" in text


def unavailable(reason):
    if os.environ.get("HUSHGRAPH_BROWSER_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def browser():
    chromium = shutil.which("chromium")
    if chromium is None:
        unavailable("chromium is not installed (Debian: apt install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        unavailable("playwright is not installed (pip install playwright)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser, path):
    """Opens the report; in the end, nothing must have been asked for but the file, and nothing complained."""
    contexts, noise, requests = [], [], []

    def open_one(width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert noise == []
    assert {url for url in requests if not url.startswith("data:")} == {path.as_uri()}


def test_a_browser_shows_a_line_and_a_point_for_all_that_was_measured(open_page, tables):
    page = open_page()
    for table in tables:
        charts = page.locator(f"#{table.experiment.name.replace('/', '-')} .chart")
        assert charts.count() == len(table.experiment.charts)
        for number, chart in enumerate(table.experiment.charts):
            panels = [panel for panel in make_panels(table, chart) if panel.measured]
            pictures = charts.nth(number).locator("figure")
            assert pictures.count() == len(panels)
            lines = [
                button
                for button in charts.nth(number).locator("button").all()
                if button.get_attribute("data-toggles") != "published"
            ]
            assert len(lines) == len(panels[0].lines)
            for index, panel in enumerate(panels):
                marks = pictures.nth(index).locator(".mark")
                assert marks.count() == sum(bool(row.results) for row in panel.rows)
                assert pictures.nth(index).locator("figcaption").inner_text() == panel.title


def test_the_legend_hides_and_shows_a_line_in_every_panel(open_page):
    page = open_page()
    chart = page.locator("#lpgnn-table2 .chart")
    button = chart.get_by_role("button", name="Laplace")
    line, other = chart.locator('[data-line="1"]'), chart.locator('.mark[data-line="0"]').first
    assert button.get_attribute("aria-pressed") == "true"
    assert all(part.is_visible() for part in chart.locator('.mark[data-line="1"]').all())
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert not any(part.is_visible() for part in line.all())
    assert other.is_visible()
    button.press("Enter")
    assert all(part.is_visible() for part in chart.locator('.mark[data-line="1"]').all())
    chart.get_by_role("button", name="published").click()
    assert not any(part.is_visible() for part in chart.locator(".published").all())
    assert other.is_visible()


def expected_tip(tables, place=0):
    row = next(table for table in tables if table.experiment.name == "lpgnn/table2").rows[place]
    figures = f"{row.mean:.1f} ± {row.half_width:.1f} (3 repeats)"
    return f"{figures}\npublished: {row.published.mean} ± {row.published.half_width}"


def test_pointing_at_a_point_shows_its_figures(open_page, tables):
    page = open_page()
    mark, tooltip = page.locator("#lpgnn-table2 .mark").first, page.locator("#tooltip")
    assert tooltip.is_hidden()
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    assert tooltip.is_visible()
    assert tooltip.text_content().endswith(expected_tip(tables))
    assert tooltip.text_content().startswith("1-bit, εx = 0.01\n")
    page.mouse.move(1, 1)
    assert tooltip.is_hidden()


def test_a_tap_shows_them_too(open_page, tables):
    page = open_page(360, has_touch=True, is_mobile=True)
    mark = page.locator("#lpgnn-table2 .mark").first
    mark.scroll_into_view_if_needed()
    mark.tap(force=True)
    tooltip = page.locator("#tooltip")
    assert tooltip.text_content().endswith(expected_tip(tables))
    box = tooltip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


def test_the_keyboard_reaches_every_point(open_page, tables):
    page = open_page()
    page.locator("#lpgnn-table2 .legend button").last.focus()
    tooltip = page.locator("#tooltip")
    page.keyboard.press("Tab")
    assert tooltip.text_content().endswith(expected_tip(tables))
    page.keyboard.press("ArrowRight")
    assert tooltip.text_content().endswith(expected_tip(tables, 1))
    page.keyboard.press("Escape")
    assert tooltip.is_hidden()


@pytest.mark.parametrize("width", [1280, 768, 360])
def test_nothing_is_wider_than_the_screen(open_page, width):
    page = open_page(width)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    too_wide = "elements => elements.filter(e => e.getBoundingClientRect().right > innerWidth + 1).length"
    assert page.locator("body *").evaluate_all(too_wide) == 0


def test_paper_has_every_figure_and_no_buttons_to_press(open_page):
    page = open_page()
    row = page.locator("#lpgnn-figure3 tbody tr").first
    assert not row.is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert row.is_visible()
    page.emulate_media(media="print")
    border = "getComputedStyle(document.querySelector('.legend button')).borderTopWidth"
    assert page.evaluate(border) == "0px"
    assert page.locator(".script").is_hidden()


def test_it_can_be_read_without_scripts(open_page, tables):
    page = open_page(java_script_enabled=False)
    assert page.locator("#lpgnn-table2 tbody tr").first.is_visible()
    assert page.locator("#lpgnn-table2 .mark").first.is_visible()
    assert page.locator(".legend button").first.is_disabled()
    assert page.locator(".script").is_hidden()
    title = page.locator("#lpgnn-table2 .mark title").first
    assert title.text_content().endswith(expected_tip(tables))
