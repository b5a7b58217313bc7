"""Code that runs when it is pasted: the first of a page, and what is no excerpt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SCRIPT, Site, claim, hazard
from evidence.examples.library import Example
from evidence.examples.script import Script, ScriptCell, Settings
from evidence.site.reading.python_blocks import is_opening, runs
from sphinx.util.nodes import extract_messages

OPENING = """\
```{literalinclude} ../examples/memory/copy.py
:start-at: import no_such_module
:end-at: open(
```"""
PART = """\
```{literalinclude} ../examples/memory/copy.py
:pyobject: part
:lines: 2-
:dedent:
```"""
CODE = """\
def part(source):
    return no_such_module.{}(source)


measured = {{}}"""


@pytest.mark.parametrize(
    "code", ["import a\na.b()", "import a", "def f():\n    return 1", "x: int = 3"]
)
def test_code_runs_that_knows_its_names(code: str) -> None:
    assert runs(code)


@pytest.mark.parametrize(
    "code", ["a.b()", "return 1", "yield 1", "break", "continue", "with a:", "await b"]
)
def test_code_does_not_run_that_is_a_part_of_other_code(code: str) -> None:
    assert not runs(code)


LONGEST = "import a\n" + "a.b()\n" * 19


@pytest.mark.parametrize(
    ("opens", "shown", "cell"),
    [
        (True, LONGEST, LONGEST),
        (False, LONGEST + "a.c()\n", LONGEST + "a.c()\n"),
        (True, "import a\na.b()", "# It copies.\nimport a\n\na.b()  # twice\n"),
        (False, "import a\na.b()", "import a\na.b()\na.c()"),
        (False, "a.b()", "a.b()"),
    ],
)
def test_a_page_opens_with_the_whole_of_a_short_first_cell(
    *, opens: bool, shown: str, cell: str
) -> None:
    path = Path("/site/examples/memory/copy.py")
    cells = ScriptCell(cell, 1), ScriptCell("a.late()", 30)
    example = Example(path, path, Script(path, cells, Settings(), "0" * 64))
    assert opens is is_opening(shown, example)
    assert not is_opening(shown, Example(path, path))


def test_an_excerpt_says_where_all_of_it_stands(site: Site) -> None:
    site.script(code=SCRIPT.replace("measured = {}", CODE.format("copy")))
    site.record()
    after = OPENING.replace("import no_such_module", "open(")
    site.page(claim(), OPENING, after, PART)
    build = site.build()
    page = build.page()

    (excerpt,) = page.select(".excerpt")
    assert "Excerpt: full script · notebook" == excerpt.get_text()
    script, notebook = (link["href"] for link in excerpt.select("a"))
    assert str(script).startswith("gallery/memory/copy.html#")
    assert str(notebook).endswith("/copy.ipynb")
    assert (site.folder / "build/html" / str(notebook)).is_file()
    # What it says is the engine's own: as a message of the page, it would lose its links.
    messages = [message for _node, message in extract_messages(build.doctree())]
    assert "It is faster" in str(messages)
    assert "Excerpt" not in str(messages)
    # The styles of examples are for their own pages.
    assert not page.select("link[href*=sg_gallery]")


@pytest.mark.parametrize(
    ("name", "stacked"), [("copy", False), ("copy_and_wait", True)]
)
def test_wide_code_of_a_hazard_is_stacked(name: str, stacked: bool, site: Site) -> None:
    site.script(code=SCRIPT.replace("measured = {}", CODE.format(name)))
    site.record()
    pair = hazard(PART, "").replace(
        "control: right", "control: right\n  :shows: return"
    )
    site.page(claim(), OPENING, pair)
    (shown,) = site.build().page().select(".hazard")

    assert stacked is ("stacked" in shown["class"])
    published = json.loads((site.folder / "build/html/claims.json").read_text())
    assert "Excerpt" not in str(published)
