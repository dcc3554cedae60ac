"""The report, as a browser shows it."""

from __future__ import annotations

import os
import shutil

import pytest

from hushgraph.experiments.panels import make_panels

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


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
    figures = f"{row.mean:.1f} ± {row.half_width:.1f} (t: ± {row.t_half_width:.1f}) (5 repeats)"
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
