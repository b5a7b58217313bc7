"""Analysis pages: cells that run in the build, on what was measured, and every way they fail."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT, Build, Site, claim, green
from evidence.records.model import Plain
from evidence.site.reading.notebooks import START, fault
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

#: For conf.py: what the real site sets that cells could disturb.
CONF = 'extensions = ["evidence", "myst_nb"]\n' + "".join(
    line
    for line in (ROOT / "conf" / "conf.py").read_text().splitlines(keepends=True)
    if line.startswith(("nb_", "exclude_patterns", "pygments_style"))
)

READ = """\
import json
import os
from pathlib import Path

data = json.loads(Path(os.environ.get("CLAIMS_JSON", "claims.json")).read_text())
copy = next(each for each in data["examples"] if each["stem"] == "copy")
sorted(copy["measured"]["speedup"]["timing"]["median"])"""

#: What a kernel of another interpreter, or one that runs the home folder's files, does not print.
HERE = f"""\
import sys

print(os.path.samefile(sys.prefix, {sys.prefix!r}), "startup" in globals())"""


def notebook(*cells: str, name: str = "which") -> str:
    """A page of these cells, which links itself as a notebook."""
    head = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\norphan: true\n---"
    fenced = (f"```{{code-cell}}\n{cell}\n```" for cell in cells)
    lead = f"The lead: {{nb-download}}`{name}.ipynb`."
    return "\n\n".join([head, f"# Which {name}?", lead, *fenced]) + "\n"


def write(folder: Path) -> Site:
    """Write a site with two analysis pages."""
    site = green(folder, preview=True)
    site.write("docs/other.md", notebook(READ, name="other"))
    site.write("docs/deep/which.md", notebook(READ, f":tags: [hide-input]\n\n{HERE}"))
    return site


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """A build in parallel, by relative paths, where a home folder has all that could disturb."""
    site = write(tmp_path_factory.mktemp("notebooks") / "site")
    other = {"argv": ["/bin/false"], "display_name": "Other", "language": "python"}
    site.write("home/kernels/python3/kernel.json", json.dumps(other))
    startup = site.write("home/profile_default/startup/first.py", "startup = True\n")
    home = str(site.folder / "home")
    build = site.build(
        "-j2",
        conf=CONF,
        PYTHONPATH=os.path.relpath(ROOT / "conf", site.folder),
        PYTHONSTARTUP=str(startup),
        JUPYTER_DATA_DIR=home,
        JUPYTER_PATH=home,
        IPYTHONDIR=home,
    )
    shutil.copytree(site.folder, site.folder.with_name("kept"))
    return build


@pytest.fixture
def again(built: Build) -> Site:
    """The site as it was built, where it was built, with all its times."""
    site = Site.__new__(Site)
    site.folder, site.preview = built.folder.parent, True
    shutil.rmtree(site.folder)
    shutil.copytree(site.folder.with_name("kept"), site.folder)
    return site


def outputs(build: Build, page: str = "deep/which") -> list[str]:
    return [tag.get_text().strip() for tag in build.page(page).select(".cell_output")]


def test_cells_run_in_this_python_on_what_was_measured(built: Build) -> None:
    assert ["[4.9, 4.9, 5.0, 5.0, 5.1, 5.1]", "True False"] == outputs(built)


def test_only_a_page_with_cells_has_their_style_sheet(built: Build) -> None:
    def styles(page: str) -> list[str]:
        found = (str(tag["href"]) for tag in built.page(page).select("link[href]"))
        return [name for name in found if "mystnb" in name]

    assert styles("deep/which")
    assert not styles("index")


def test_a_build_one_by_one_in_another_folder_gives_the_same_files(
    built: Build, tmp_path: Path
) -> None:
    site = write(tmp_path / "a" / "longer" / "folder")
    other = site.build(conf=CONF)
    one, two = (
        {path.relative_to(html): path.read_bytes() for path in html.rglob("*.*")}
        for html in (built.html, other.html)
    )
    assert {"which.html", "which.ipynb", "which.md"} <= {path.name for path in one}
    assert one.keys() == two.keys()
    assert [] == [path for path in one if one[path] != two[path]]


def test_a_reader_runs_the_notebook_beside_the_claims(
    built: Build, tmp_path: Path
) -> None:
    (link,) = built.page("deep/which").select("a.download")
    made = json.loads((built.html / "deep" / str(link["href"])).read_text())
    first = next(cell for cell in made["cells"] if cell["cell_type"] == "code")
    shutil.copy(built.html / "claims.json", tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", "".join(first["source"][:-1]) + "print(copy['stem'])"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "copy\n" == done.stdout
    assert "[4.9, 4.9, 5.0, 5.0, 5.1, 5.1]" in json.dumps(first["outputs"])


def test_the_cells_run_again_when_what_was_measured_changes(again: Site) -> None:
    again.page(claim(), "Another word.")
    assert {"index"} == again.build().read
    again.record(measured={"speedup": timing(5.9, 6.1)})
    build = again.build()
    assert {"deep/which", "other"} <= build.read
    assert outputs(build)[0].startswith("[5.9,")
    again.script("paged")
    again.record("paged", measured={"n": Plain(1)})
    again.page(claim(), claim("paged", "== 1", value="paged.n"))
    assert {"deep/which", "other"} <= again.build().read


#: What is wrong with a page: its cells, the first line of the cell, what the build says.
FAULTS = {
    "error": (
        ("x = 1", "raise ValueError('a\\nb')", "no_such_name"),
        16,
        "cell 2 raises ValueError: a",
    ),
    "ours": (
        ("from evidence.records import model",),
        12,
        "cell 1 raises ModuleNotFoundError: No module named 'evidence",
    ),
    "torch": (
        ("import torch",),
        12,
        "cell 1 raises ModuleNotFoundError: import of torch",
    ),
    "glue": (
        ("from myst_nb import glue",),
        12,
        "cell 1 raises ModuleNotFoundError: import of myst_nb",
    ),
    "removed": (
        (":tags: [remove-cell]\n\nx.y",),
        12,
        "cell 1 raises NameError: name 'x' is not defined",
    ),
    "expected": (
        (":tags: [raises-exception]\n\n1 / 0",),
        12,
        "cell 1 raises ZeroDivisionError: division by zero",
    ),
    "html": (
        ("class Box:\n    def _repr_html_(self): return '<script>1</script>'\nBox()",),
        12,
        "cell 1 shows text/html: print text, or draw a picture",
    ),
    "typed": (
        ("rate = 3.25", "print(rate, 'as fast')"),
        16,
        "cell 2 shows '3.25', which it did not compute",
    ),
    "skipped": (
        (":tags: [skip-execution]\n\nx = 1",),
        12,
        "the build did not run this cell",
    ),
}


def test_a_fault_of_a_cell_is_reported_at_its_line_in_every_build(site: Site) -> None:
    for name, (cells, _, _) in FAULTS.items():
        site.write(f"docs/{name}.md", notebook(*cells, name=name))
    site.preview = True
    first = site.build(conf=CONF, code=1)
    expected = [
        f"docs/{name}.md:{line}: WARNING: {said}"
        for name, (_, line, said) in sorted(FAULTS.items())
    ]
    for said, warning in zip(expected, first.warnings, strict=True):
        assert warning.startswith(said)
        assert warning.endswith("[evidence.analysis]")
    unchanged = site.build(code=1)
    assert not unchanged.read
    assert first.warnings == unchanged.warnings


def test_a_cell_that_takes_too_long_is_reported_in_every_build(site: Site) -> None:
    site.write("docs/which.md", notebook("while True:\n    pass"))
    for conf in (f"{CONF}nb_execution_timeout = 2\n", ""):
        errors = site.build(conf=conf, code=1).errors
        assert re.search(
            r"docs/which\.md:12: WARNING: .*\[evidence\.analysis\]", errors
        )


def ran(code: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A cell that was run, with what it gave."""
    shown = [{"output_type": "display_data", **output} for output in outputs]
    return {
        "cell_type": "code",
        "source": [code],
        "execution_count": 1,
        "outputs": shown,
    }


def data(kind: str, text: str = "x") -> dict[str, Any]:
    return {"data": {kind: text}}


@pytest.mark.parametrize(
    "kind",
    [
        "text/html",
        "text/markdown",
        "text/latex",
        "image/svg+xml",
        "application/javascript",
        "application/papermill.record/text/plain",
    ],
)
def test_a_cell_shows_text_and_pictures_alone(kind: str) -> None:
    expected = f"cell 1 shows {kind}: print text, or draw a picture"
    assert expected == fault(ran("x", data("text/plain"), data(kind)))
    assert "" == fault(ran("x", data("text/plain"), data("image/png")))


@pytest.mark.parametrize(
    ("forged", "code", "shown"),
    [
        ("✓", "print(mark)", "✓ holds"),
        ("✅", "print(mark)", "✅"),
        ("3 times", "print('3 times faster')", "3 times faster"),
        ("42 GB/s", "x = '42 GB/s'", ""),
        ("twice as fast", "# twice as fast", ""),
    ],
)
def test_a_cell_forges_no_verdict_and_no_quantity(
    forged: str, code: str, shown: str
) -> None:
    for output in (data("text/plain", shown), {"name": "stdout", "text": shown}):
        found = fault(ran(code, output))
        assert f"cell 1 shows {forged!r}, which it did not compute" == found


def test_a_cell_forges_nothing_in_an_output_before_its_last() -> None:
    forged = data("text/plain", "✓ holds")
    found = fault(ran("print(mark)", forged, data("text/plain", "holds")))
    assert "cell 1 shows '✓', which it did not compute" == found
    for last in (data("text/plain", "4.5"), data("image/png")):
        found = fault(ran("x", data("text/plain", "in 42 of them"), last), {"42"})
        assert "cell 1 shows '42', which it did not compute" == found


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("", "4.5 1 3, 13.5 and 3.51, C42"),
        ("42", "in 42 of them"),
        ("3.5", "[3.5, 1]"),
    ],
)
def test_a_number_that_the_code_types_is_not_shown(number: str, shown: str) -> None:
    expected = f"cell 1 shows {number!r}, which it did not compute" if number else ""
    assert expected == fault(ran("x", data("text/plain", shown)), {"42", "3.5", "3"})


def test_an_empty_cell_need_not_run_and_an_error_may_have_no_words() -> None:
    empty = {"cell_type": "code", "source": ["\n", " "], "execution_count": None}
    assert "" == fault(empty)
    assert "the build did not run this cell" == fault({**empty, "source": ["x"]})
    error = {"output_type": "error", "ename": "KeyboardInterrupt", "evalue": ""}
    assert "cell 1 raises KeyboardInterrupt" == fault(ran("x", error))
    error |= {"ename": "ValueError", "evalue": "not so:\nbut so"}
    assert "cell 1 raises ValueError: not so" == fault(ran("x", error))


def test_a_cell_of_raw_html_is_not_run() -> None:
    raw = {"cell_type": "raw", "source": ["<b>x</b>"], "metadata": {}}
    assert "the build did not run this cell" == fault(raw)


def test_a_kernel_finds_its_packages_where_the_interpreter_has_none() -> None:
    start = START.split("runpy.run_module")[0] + "import ipykernel"
    bare = sys.executable, "-ESc"  # neither PYTHONPATH nor packages of its own
    subprocess.run([*bare, start], check=True)
    assert 0 != subprocess.run([*bare, "import ipykernel"], check=False).returncode
