"""The library: every example read, and parsed only when it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import Site, green
from evidence.examples import library
from evidence.examples.library import Scripts, open_library, plain
from evidence.examples.script import PageError
from evidence.records.model import Output

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stems of the scripts that were parsed."""
    stems: list[str] = []

    def read(path: Path) -> library.Script:
        stems.append(path.stem)
        return original(path)

    original = library.read_script
    monkeypatch.setattr(library, "read_script", read)
    return stems


@pytest.fixture
def site(tmp_path: Path) -> Site:
    made = green(tmp_path)
    made.script("other")
    made.record("other")
    return made


def test_only_a_changed_script_is_parsed_again(site: Site, parsed: list[str]) -> None:
    scripts: Scripts = {}
    folder = site.folder / "examples"
    first = open_library(folder, kept=scripts)
    assert ["copy", "other"] == sorted(parsed)
    parsed.clear()

    assert first == open_library(folder, kept=scripts)
    assert [] == parsed

    path = next(folder.rglob("copy.py"))
    path.write_text(path.read_text() + "more = 1\n")
    changed = open_library(folder, kept=scripts)
    assert ["copy"] == parsed
    assert {"copy"} == changed.stale


def test_a_script_that_is_gone_is_not_kept(site: Site) -> None:
    scripts: Scripts = {}
    folder = site.folder / "examples"
    open_library(folder, kept=scripts)
    next(folder.rglob("other.py")).unlink()

    open_library(folder, kept=scripts)

    assert ["copy"] == [path.stem for path in scripts]


def test_a_record_of_as_much_code_has_an_output_for_each_cell(site: Site) -> None:
    site.script("short")
    site.record("other", outputs=[Output(f"{n}\n") for n in range(3)])
    site.record("short", outputs=[Output("one\n"), Output("two\n")])
    examples = open_library(site.folder / "examples").examples
    assert {
        "copy": "",
        "other": "has 3 outputs, and its script 2 cells",
        "short": "",
    } == {stem: example.problem for stem, example in examples.items()}


def test_a_tab_reaches_as_far_behind_a_colour_as_without_one() -> None:
    printed = "\x1b[31mred\x1b[0m\t5\nplain\t7\n"
    assert "red     5\nplain   7\n" == plain(printed)


def test_what_has_no_page_ends_the_reading_and_what_has_no_code_does_not(
    site: Site,
) -> None:
    site.script("other", code='"""\nNo code\n=======\n"""\n')
    examples = open_library(site.folder / "examples").examples
    assert {"copy": "", "other": "other.py has no code, and so nothing to measure"} == {
        stem: example.problem for stem, example in examples.items()
    }

    site.script("other", code="x = 1\n")
    with pytest.raises(PageError, match=r"^other\.py has no docstring"):
        open_library(site.folder / "examples")
