"""Generated pages are written again when what they show changed, and only then."""

from __future__ import annotations

import logging
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from conftest import Build, Site, claim, green
from docutils import nodes
from evidence.site.judging.outdated import Warned
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

#: Interrupts a build that has read and not yet written, if it is told to: other settings, another
#: record or an error would have the next build start clean.
INTERRUPTIBLE = """
import os
def interrupt(*_):
    raise KeyboardInterrupt
def setup(app):
    if "INTERRUPT" in os.environ:
        app.connect("write-started", interrupt)
"""


SILENT = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "Silent"
msgstr "静"
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A built site with a ledger and a page of changes."""
    site = green(tmp_path_factory.mktemp("outdated") / "kept", preview=True)
    site.page("```{evidence-ledger}\n```", name="ledger", title="Ledger")
    site.page("```{evidence-changes}\n```", name="changes", title="Changes")
    site.page("Nothing measured.", name="silent", title="Silent")
    site.build(conf=INTERRUPTIBLE)
    return site


@pytest.fixture
def built(kept: Site) -> Site:
    """It, where it was built, with all its times."""
    folder = kept.folder.with_name("site")
    if not folder.exists():
        shutil.copytree(kept.folder, folder)
    shutil.rmtree(kept.folder)
    shutil.copytree(folder, kept.folder)
    return kept


def written(build: Build) -> set[str]:
    """The pages that a build wrote."""
    return set(re.findall(r"writing output\.\.\. \[ *\d+%\] (\S+)", build.output))


def told(location: object, kind: str = "") -> set[str]:
    """Where the next build reads again what this warning is about."""
    warned = Warned()
    record = logging.LogRecord("sphinx", logging.WARNING, "", 1, "no", (), None)
    record.__dict__.update({"location": location}, **({"type": kind} if kind else {}))
    warned.emit(record)
    return warned.places


def test_a_page_with_another_warning_is_read_again_and_ours_are_found_anew() -> None:
    node = nodes.paragraph("", "text")
    node.source, node.line = "/site/docs/page.md", 7
    for kind in ("", "ref", "myst"):
        assert {"page"} == told(("page", 3), kind)
        assert {"/site/docs/page.md"} == told("/site/docs/page.md:3", kind)
        assert {"/site/docs/page.md"} == told(node, kind)
        # Where it points nowhere, every page is.
        assert {""} == told(None, kind)
    assert set() == told(("page", 3), "evidence")
    assert set() == told("docs/evidence/upstream.toml:1", "evidence")
    assert set() == told(None, "evidence")
    assert {"/site/docs/page.md"} == told("/site/docs/page.md:3", "evidence")


GENERATED = {"ledger", "changes"}


def test_another_word_of_a_page_leaves_the_ledger_as_it_is(built: Site) -> None:
    built.page("No thing measured.", name="silent", title="Silent")
    expected = {"silent"}
    assert expected == written(built.build()) - {"index"}


def test_nothing_changed_and_nothing_is_written(built: Site) -> None:
    assert not written(built.build())


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "Another title"},
        {"blocks": [claim(expect=">= 3.5")]},
        {"blocks": [claim().replace("faster", "quicker")]},
    ],
)
def test_what_the_ledger_shows_is_written_again(
    built: Site, changes: dict[str, object]
) -> None:
    blocks = changes.pop("blocks", [claim()])
    assert isinstance(blocks, list)
    built.page(*blocks, **changes)  # type: ignore[arg-type]
    assert written(built.build()) >= GENERATED
    assert not written(built.build())


def test_a_page_shows_the_titles_of_those_below_it_as_they_are_now(built: Site) -> None:
    tree = "```{toctree}\nfirst\nsecond\n```"
    built.page(tree, name="above", title="Above")
    for name in ("first", "second"):
        built.page(name=name, title=f"The {name}")
    built.build()
    # What follows the page is the first: of the second only its table of contents tells.
    built.page(name="second", title="The last")
    built.build(code=2, INTERRUPT="1")
    build = built.build()
    assert not build.read
    assert "The first The last" in build.text("above")


def test_another_record_is_shown_in_the_ledger(built: Site) -> None:
    built.record(measured={"speedup": timing(5.9, 6.1)})
    build = built.build()
    assert written(build) >= GENERATED
    assert "6.0×" in build.text("ledger")


def test_a_build_that_broke_off_is_made_up_for(built: Site) -> None:
    built.page(claim(expect=">= 3.5"))
    built.build(code=2, INTERRUPT="1")
    build = built.build()
    assert not build.read
    assert "at least 3.5×" in build.text("ledger")


def test_a_translation_that_changed_has_its_page_read_again(tmp_path: Path) -> None:
    site = green(tmp_path, preview=True)
    site.page("Nothing measured.", name="silent", title="Silent")
    path = site.write("conf/locale/zh_CN/LC_MESSAGES/silent.po", SILENT)
    # As Sphinx compiles it, it is behind the page that it was read for.
    conf = 'language = "zh_CN"\nlocale_dirs = ["../conf/locale"]\n'
    assert "silent" in site.build(conf=conf).read
    assert set() == site.build().read
    path.write_text(SILENT.replace("静", "无声"), "utf-8")
    again = site.build()
    assert {"silent"} == again.read
    assert "无声" in again.text("silent")
