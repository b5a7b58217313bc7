"""The house rules of CONTRIBUTING.md that no linter knows."""

from __future__ import annotations

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import pairwise
from typing import TYPE_CHECKING

from conftest import ROOT, SVG, green
from evidence.examples.library import open_library
from evidence.records.model import Output
from evidence.records.store import record_path
from nox.project import dependency_groups
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinx_gallery.py_source_parser import split_code_and_text_blocks
from test_doctor import code_lines

if TYPE_CHECKING:
    from pathlib import Path

ENGINE = sorted((ROOT / "conf" / "evidence").rglob("*.py"))
EXAMPLES = sorted(ROOT.glob("examples/*/*.py"))


def too_long(source: str) -> list[str]:
    """The functions of more than 40 lines, and a module of more than 250."""
    nodes = ast.walk(ast.parse(source))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    lengths = {node.name: (node.end_lineno or 0) - node.lineno for node in functions}
    long = [name for name, length in lengths.items() if length >= 40]
    return [*long, *(["the module"] if len(source.splitlines()) > 250 else [])]


def bare_cells(script: Path) -> list[int]:
    """The lines of those code cells of an example that no prose stands before."""
    _, blocks = split_code_and_text_blocks(str(script))[:2]
    return [two[2] for one, two in pairwise(blocks) if one[0] == two[0] == "code"]


def imported(source: str) -> set[str]:
    """The packages that a module imports, the standard library and ours left out."""
    names = {"evidence", "__future__"}.union(sys.stdlib_module_names)
    nodes = [*ast.walk(ast.parse(source))]
    direct = (
        alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names
    )
    parts = (
        n.module or "" for n in nodes if isinstance(n, ast.ImportFrom) and not n.level
    )
    return {name.partition(".")[0] for name in (*direct, *parts)} - names


def test_functions_have_40_lines_at_most_and_modules_250() -> None:
    found = {path: too_long(path.read_text("utf-8")) for path in ENGINE}

    assert {} == {path: long for path, long in found.items() if long}
    assert ["f"] == too_long("def f():\n" + "    g()\n" * 40)
    assert ["the module"] == too_long("\n" * 251)


def test_the_server_of_claims_has_200_lines_of_code_at_most() -> None:
    """What reads the data, what judges who asks, and what speaks the protocol."""
    paths = ("commands/mcp.py", "commands/published.py", "judge/asked.py")
    texts = ((ROOT / "conf/evidence" / path).read_text("utf-8") for path in paths)
    assert sum(map(code_lines, texts)) <= 200


def test_an_example_has_120_lines_at_most_and_prose_before_each_cell(
    tmp_path: Path,
) -> None:
    found = {path: bare_cells(path) for path in EXAMPLES}
    # What a page shows: it leaves settings out.
    shown = {
        path: [
            line
            for line in path.read_text("utf-8").splitlines()
            if not line.startswith("# sphinx_gallery_")
        ]
        for path in EXAMPLES
    }
    script = tmp_path / "bare.py"
    script.write_text('"""\nTitle\n=====\n"""\n\na = 1\n\n# %%\n\nb = 2\n')

    assert [] == [path for path, lines in shown.items() if len(lines) > 120]
    assert {} == {path: lines for path, lines in found.items() if lines}
    assert [9] == bare_cells(script)


def test_what_the_engine_imports_is_declared() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = dependency_groups(pyproject, "site", "live", "hosts", "mcp")
    declared = {canonicalize_name(Requirement(text).name) for text in asked}
    sources = (path.read_text("utf-8") for path in ENGINE)
    names = {name for source in sources for name in imported(source)}
    homes = packages_distributions()

    undeclared = {
        name
        for name in names - {"torch", "pynvml"}
        if declared.isdisjoint(map(canonicalize_name, homes.get(name, [name])))
    }

    assert set() == undeclared
    assert {"a", "b"} == imported("import os, a.b\nfrom b.c import d\nfrom . import e")


def orphans(examples: Path) -> list[str]:
    """The records and figures that belong to no example."""
    known = open_library(examples.resolve()).examples.values()
    figures = (
        e.path.with_name(f.name) for e in known if e.record for f in e.record.figures
    )
    owned = {*(record_path(example.path) for example in known), *figures}
    found = {*examples.resolve().rglob("*.json"), *examples.resolve().rglob("*.svg")}
    return sorted(
        path.relative_to(examples.resolve()).as_posix() for path in found - owned
    )


def test_every_record_and_figure_belongs_to_an_example(tmp_path: Path) -> None:
    site = green(tmp_path)
    drawn = Output("drawn\n", figures=("copy-1.svg",))
    site.record(outputs=(drawn,), figures={"copy-1.svg": SVG % b"drawn"})
    examples = tmp_path / "examples"

    assert [] == orphans(ROOT / "examples"), "no example has them: remove them"
    assert [] == orphans(examples)
    strays = ["memory/copy-2.svg", "memory/gone-1.svg", "memory/gone.json", "copy.json"]
    for name in strays:
        (examples / name).write_text("{}")
    assert sorted(strays) == orphans(examples)


def test_the_gallery_links_each_chapter_s_list() -> None:
    header = ROOT.joinpath("examples/GALLERY_HEADER.rst").read_text("utf-8")
    chapters = {path.parent.name for path in EXAMPLES}
    assert set() == {one for one in chapters if f"gallery_{one}`" not in header}


def test_every_page_stands_in_a_list_of_pages() -> None:
    pages = (ROOT / "docs").rglob("*.md")
    heads = {str(path): path.read_text("utf-8").partition("\n---\n") for path in pages}
    assert [] == [path for path, head in heads.items() if "\norphan:" in head[0]]


def functions(source: str) -> dict[str, str]:
    """The functions of a module, by name, without their comments."""
    nodes = ast.parse(source).body
    return {n.name: ast.unparse(n) for n in nodes if isinstance(n, ast.FunctionDef)}


def test_the_program_for_two_gpus_asks_as_the_one_that_readers_paste() -> None:
    """It runs in processes of its own, so it holds the function as a text."""
    folder = ROOT / "examples" / "fix"
    pasted = (folder / "where_a_training_step_spends_its_time.py").read_text("utf-8")
    other = (folder / "sums_of_gradients_may_take_most_of_a_step.py").read_text("utf-8")
    nodes = [node for node in ast.parse(other).body if isinstance(node, ast.Assign)]
    program = ast.literal_eval(nodes[0].value)
    names = ("run", "kinds", "seconds", "where_time_goes")
    expected = functions(pasted)
    assert {name: expected[name] for name in names} == functions(program)
