"""``python -m docs.pages`` writes the pages of docs/results from the figures beside them."""

from docs.pages import PAGES, render
from docs.pages.kept import RESULTS

for name in PAGES:
    (RESULTS / f"{name}.md").write_text(render(name), encoding="utf-8")
