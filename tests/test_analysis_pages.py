"""Analysis pages: cells that run in the build, what they show, and every way they fail."""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from analysis_site import ANALYSIS, FURO, MEASURED, write
from conftest import ROOT, Build, Site, claim, green, notebook
from evidence.records.model import Plain
from evidence.site.loads import IMPORTS, LITERAL
from factories import timing
from test_modes import MEASURABLE, WITH_A_GPU

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag

RAN = "Executing notebook"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A site, built as nox builds, by a relative path, and where another kernel is installed."""
    site = write(tmp_path_factory.mktemp("analysis") / "site")
    other = {"argv": ["/bin/false"], "display_name": "Other", "language": "python"}
    site.write("jupyter/kernels/python3/kernel.json", json.dumps(other))
    where = {"JUPYTER_DATA_DIR": str(site.folder / "jupyter")}
    relative = os.path.relpath(ROOT / "conf", site.folder)
    build = site.build(conf=ANALYSIS + FURO, PYTHONPATH=relative, **where)
    shutil.copytree(site.folder, site.folder.with_name("kept"))
    return build


@pytest.fixture
def again(built: Build) -> Site:
    """The site as it was built, where it was built, with all its times."""
    site = Site.__new__(Site)
    site.folder = built.folder.parent
    shutil.rmtree(site.folder)
    shutil.copytree(site.folder.with_name("kept"), site.folder)
    return site


def body(build: Build) -> Tag:
    found = build.page("deep/which").find(role="main")
    assert found is not None
    return found


def test_a_table_links_to_claims_and_records(built: Build) -> None:
    header, row = body(built).select(".table-wrapper table.analysis tr")
    assert ["What to do", "Measured"] == [cell.get_text() for cell in header("th")]
    advice, measured = row("td")
    (link,) = advice("a")
    assert ("../index.html#copy-is-faster", "use it") == (link["href"], link.get_text())
    assert advice.code.get_text() == "it"
    assert "5.0× of 3.0" == measured.get_text()
    (link,) = measured.select("a.measured")
    assert "../gallery/memory/copy.html#measured" == link["href"]


def test_a_figure_is_that_of_the_plot_directive(built: Build) -> None:
    (figure,) = body(built).select(".cell_output > .plot")
    (drawing,) = figure.select("svg.plot-drawing[role=img]")
    assert ("It rises.", "copied" in str(drawing)) == (drawing["aria-label"], False)
    assert "var(--plot-1)" in str(drawing)
    assert "See <em>this</em>." in str(figure.select_one(".caption"))
    assert "1 KiB" in figure.select_one("details.numbers table").get_text().replace(
        "\u202f", " "
    )
    ids = {tag["id"] for tag in drawing.select("[id]")}
    assert ids
    assert all(str(name).startswith("rising-") for name in ids)


def test_the_code_is_folded_where_its_cell_says_so(built: Build) -> None:
    table, figure, printed = body(built).select("div.cell")
    (folded,) = table.find_all("details", recursive=False)
    assert folded.summary.get_text() == "The code that computed this"
    assert 'load("copy")' in folded.get_text()
    assert "open" not in folded.attrs
    assert figure.find("div", "cell_input", recursive=False)
    assert "printed" in printed.select_one(".cell_output").get_text()
    assert "The code that computed this" in built.text("deep/which")


def test_the_page_is_light_and_has_no_scripts_of_its_own(built: Build) -> None:
    page = built.page("deep/which")
    assert not body(built).find_all("script")
    files = [str(tag["href"]) for tag in page.select("link[rel=stylesheet]")]
    assert files
    assert not [name for name in files if "mystnb" in name]
    other = {tag.get("src") for tag in built.page("index").select("script[src]")}
    scripts = {str(tag["src"]) for tag in page.select("script[src]")}
    assert {f"../{name}" for name in other} == scripts


def test_the_names_in_its_code_are_no_entries_of_the_search(built: Build) -> None:
    index = (built.html / "searchindex.js").read_text()
    entries = index.partition('"indexentries":')[2].partition('"objects"')[0]
    assert entries
    assert "show_table" not in entries


def test_the_strip_says_what_the_page_is_computed_from(built: Build) -> None:
    strip = body(built).select_one("p.strip")
    expected = (
        "computed from 1 record|measured on NVIDIA H200|torch 2.11.0|31 January 2026"
    )
    assert expected == "|".join(item.get_text() for item in strip.select(".item"))


def test_the_twin_holds_the_table_and_the_numbers(built: Build) -> None:
    text = (built.html / "deep" / "which.md").read_text()
    assert "| [use `it`](../index.md#copy-is-faster) | 5.0× of 3.0 |" in text
    assert "*Figure.* It rises." in text
    assert "```python\nfrom evidence.analysis import claim" in text


def test_the_page_runs_only_when_it_is_read(again: Site) -> None:
    build = again.build()
    assert set() == build.read
    assert RAN not in build.output
    again.page(claim(), "Another word.")
    build = again.build()
    assert {"index"} == build.read
    assert RAN not in build.output


def test_the_page_runs_again_when_its_record_changes(again: Site) -> None:
    again.record(measured={**MEASURED, "speedup": timing(6.9, 7.1)})
    build = again.build()
    assert "deep/which" in build.read
    assert 1 == build.output.count(RAN)
    assert "7.0× of 3.0" in build.text("deep/which")


def test_a_value_that_no_cell_names_is_not_used(again: Site) -> None:
    again.record(measured={**MEASURED, "other": Plain(3)})
    expected = (
        "examples/memory/copy.py:1: WARNING: copy.other was measured, but no claim, text "
        "or figure uses it [evidence.unused]"
    )
    assert [expected] == again.build(code=1).warnings


def test_a_live_build_shows_what_it_measured(site: Site) -> None:
    site.script(code=MEASURABLE)
    site.page(claim(expect="== 3", value="copy.copies"))
    cell = 'code:from evidence.analysis import load, show_table\ncopy = load("copy")\n'
    value = 'show_table(["Copies"], [[str(copy.value("copies"))]])'
    site.write("docs/which.md", notebook(cell + value))
    build = site.build(EVIDENCE="live", conf=WITH_A_GPU + ANALYSIS)
    assert "Copies 3" in build.text("which")


#: What is wrong with a cell: its code, the line of it that is named, what the build says.
CELLS = {
    "error": (
        "x = 1\n\n1 / 0",
        3,
        "this cell raises ZeroDivisionError: division by zero",
    ),
    "deep": (
        "def f():\n    raise ValueError('a\\nb')\n\n\nf()",
        2,
        "this cell raises ValueError: a",
    ),
    "syntax": ("x = 1\nx = = 2", 2, "this is not Python: invalid syntax"),
    "magic": ("x = 1\n%time x", 2, "this is not Python: invalid syntax"),
    "torch": ("x = 1\nimport torch", 2, f"torch is imported; {IMPORTS}"),
    "skipped": (
        ":tags: [skip-execution]\n\nx = 1",
        3,
        "the build did not run this cell",
    ),
    "removed": (
        ":tags: [remove-cell]\n\nx = 1\nx.y",
        4,
        "this cell raises AttributeError: ",
    ),
    "expected": (
        "---\ntags: [raises-exception]\n---\nx = 1\nassert x > 1, 'no'",
        5,
        "this cell raises AssertionError: no",
    ),
    "warned": (
        "import numpy as np\nx = np.array([1.0]) / np.array([0.0])",
        1,
        "this cell warns: RuntimeWarning: divide by zero encountered in divide",
    ),
    "dynamic": (
        'from evidence.analysis import load\nname = "copy"\nload(name)',
        3,
        LITERAL,
    ),
    "stem": (
        'from evidence.analysis import load\nload("cpoy")',
        2,
        "nothing was measured as 'cpoy'; did you mean copy?",
    ),
    "value": (
        'from evidence.analysis import load\nx = load("copy")\nx.value("spedup")',
        3,
        "nothing was measured as 'copy.spedup'; did you mean copy.speedup?",
    ),
    "rows": (
        'from evidence.analysis import load\nload("copy").rows("swep")',
        2,
        "no table was measured as 'copy.swep'; did you mean copy.sweep?",
    ),
}
KINDS = {"stem": "claim", "value": "claim", "rows": "claim", "skipped": "unexecuted"}


def test_every_fault_of_a_cell_is_reported_at_its_line_in_every_build(
    tmp_path: Path,
) -> None:
    site = green(tmp_path)
    site.record(measured=MEASURED)
    site.page(claim(), "{measured}`copy.sweep[size_bytes=1024].copy_s`")
    expected = set()
    for name, (code, line, message) in CELLS.items():
        # What follows an error follows from it, and is not reported.
        more = ["code:no_such_name"] if name == "error" else []
        text = notebook("Before.", f"code:{code}", *more)
        site.write(f"docs/{name}.md", text)
        fence = text.splitlines().index("```{code-cell}") + 1
        kind = KINDS.get(name, "analysis")
        said = f"docs/{name}.md:{fence + line}: WARNING: {message}"
        expected.add((said, f"[evidence.{kind}]"))
    first = site.build(conf=ANALYSIS, code=1)
    expected_order = sorted(expected)
    found = sorted(first.warnings)
    assert len(expected) == len(found), first.errors
    for (said, kind), warning in zip(expected_order, found, strict=True):
        assert warning.startswith(said), first.errors
        assert warning.endswith(kind)
    unchanged = site.build(code=1)
    assert not unchanged.read
    assert first.warnings == unchanged.warnings


def test_a_cell_that_takes_too_long_is_reported_in_every_build(site: Site) -> None:
    site.write("docs/slow.md", notebook("code:while True:\n    pass"))
    conf = f"{ANALYSIS}nb_execution_timeout = 2\n"
    said = "this cell takes longer than nb_execution_timeout [evidence.analysis]"
    for build in (site.build(conf=conf, code=1), site.build(code=1)):
        assert re.search(
            rf"docs/slow\.md:1[23]: WARNING: {re.escape(said)}", build.errors
        )


def test_a_dead_kernel_is_no_success(site: Site) -> None:
    site.write("docs/dead.md", notebook("code:import os\nos._exit(0)"))
    for _ in range(2):
        assert (
            "DeadKernelError: Kernel died" in site.build(conf=ANALYSIS, code=2).errors
        )


def test_a_claim_that_does_not_exist_is_no_link(site: Site) -> None:
    cell = 'code:from evidence.analysis import claim, show_table\nshow_table(["a"], '
    site.write("docs/which.md", notebook(cell + '[[claim("copy-is-fast", "it")]])'))
    (warning,) = site.build(conf=ANALYSIS, code=1).warnings
    assert re.match(r"docs/which\.md:1\d: WARNING: 'myst' .*'copy-is-fast'", warning)
