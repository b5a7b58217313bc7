"""Builds one after another, each in a process of its own: what changed is read, and only that."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT, SCRIPT, SVG, Build, Site, claim, green
from evidence.records.model import Output, Plain
from evidence.site import outdated
from factories import timing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bs4 import BeautifulSoup

PAGE = "gallery/memory/copy"

FURO = f'html_theme = "furo"\ntemplates_path = ["{ROOT}/conf/_templates"]\n'

PLOT = """\
def draw(axes, records):
    cell = records.value("copy.speedup")
    axes.plot(cell.value, cell.value, "o")
    return [{"speedup": cell}]
"""


def drawn(site: Site, content: bytes, **changes: object) -> None:
    """A record of the example with this figure."""
    outputs = (Output("4.9 to 5.1\n", figures=("copy-1.svg",)),)
    figures = {"copy-1.svg": SVG % content}
    site.record(outputs=outputs, figures=figures, **changes)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, Path]:
    """A site, built once, of which each page uses the example in its own way; and a copy of it."""
    site = green(tmp_path_factory.mktemp("rebuild") / "site", preview=True)
    drawn(site, b"old")
    site.script("other")
    site.record("other", measured={"n": Plain(1), "least_slowdown": timing(2.9, 3.1)})
    site.page(claim("other", "== 1", value="other.n"))
    site.page(claim(), name="claiming", title="Claiming")
    site.page("{measured}`copy.speedup`", name="naming", title="Naming")
    site.write("docs/figure.py", PLOT)
    plot = ":::{plot} figure\n:title: A\n:alt: A line.\n\nCaption.\n:::"
    site.page(plot, name="plotting", title="Plotting")
    compared = claim(
        "another-is-slower", "<= copy.speedup", value="other.least_slowdown"
    )
    compared = compared.replace("faster", "slower")
    site.page(compared, name="comparing", title="Comparing")
    site.page("Nothing measured.", name="silent", title="Silent")
    site.build()
    kept = site.folder.with_name("kept")
    shutil.copytree(site.folder, kept)
    return site, kept


@pytest.fixture
def pages(built: tuple[Site, Path]) -> Site:
    """The site as it was built, where it was built, with all its times."""
    site, kept = built
    shutil.rmtree(site.folder)
    shutil.copytree(kept, site.folder)
    return site


def test_nothing_changed_and_nothing_is_read(pages: Site) -> None:
    build = pages.build()
    assert set() == build.read
    assert "no targets are out of date." in build.output


def test_what_another_build_rendered_is_not_read_again(pages: Site) -> None:
    """A check and a preview keep doctrees of their own, and share the examples' pages."""
    assert PAGE in pages.build("-d", "build/other").read
    assert not {PAGE, "gallery/memory/other"} & pages.build().read


def test_a_changed_word_renders_no_example(
    pages: Site,
) -> None:
    page = page_of(pages.build())
    pages.page("Another word.", name="silent", title="Silent")
    build = pages.build()
    assert "silent" in build.read
    assert not build.read & {PAGE, "plotting"}
    assert "generating gallery for" not in build.output
    assert str(page) == str(page_of(build))


def test_a_changed_record_is_shown_by_the_pages_that_use_it(pages: Site) -> None:
    drawn(pages, b"old", measured={"speedup": timing(5.9, 6.1)})
    build = pages.build()
    for page in ("claiming", "naming", "plotting", "comparing", PAGE):
        assert "6.0" in build.text(page), page
        assert "5.0×" not in build.text(page), page


def test_changed_code_is_stale_on_the_pages_that_use_it(pages: Site) -> None:
    pages.script(code=f"{SCRIPT}\nmore = 1\n")
    build = pages.build(code=1)
    assert {"claiming", "naming", "plotting", "comparing", PAGE} == build.read
    for page in ("claiming", "comparing"):
        assert "✗ stale" in build.text(page), page
    assert "4.9 to 5.1" not in build.text(PAGE)


def test_another_builder_is_told_on_every_page(pages: Site) -> None:
    pages.build(conf=FURO)
    drawn(pages, b"old", recorded="2026-02-01")
    build = pages.build(conf=FURO)
    foot = build.page("silent").select_one(".page-builders")
    assert foot is not None
    assert "last run on 1 February 2026" in foot.text


def figure_of(build: Build) -> str:
    (svg,) = page_of(build).select("svg.recorded")
    return svg.text.strip()


def page_of(build: Build) -> BeautifulSoup:
    return build.page(PAGE)


def test_a_changed_figure_is_shown(pages: Site) -> None:
    drawn(pages, b"new")
    build = pages.build()
    assert figure_of(build) == "new"
    (image,) = build.page("gallery/memory/index").select("img[src*=copy]")
    assert "lazy" == image["loading"], "pictures wait until they are seen"


def test_a_figure_that_is_gone_is_shown_no_more(pages: Site) -> None:
    pages.record()
    build = pages.build()
    assert not page_of(build).select("svg.recorded")
    assert not build.page("gallery/memory/index").select(".examples img[src*=copy]")


def test_a_changed_output_is_shown(pages: Site) -> None:
    outputs = (Output("quite another text\n", figures=("copy-1.svg",)),)
    pages.record(outputs=outputs, figures={"copy-1.svg": SVG % b"old"})
    build = pages.build()
    assert "quite another text" in build.text(PAGE)


def test_a_changed_module_of_a_figure_draws_it_anew(pages: Site) -> None:
    titled = PLOT.replace("    return", '    axes.set_title("drawn anew")\n    return')
    pages.write("docs/figure.py", titled)
    build = pages.build()
    assert {"plotting"} == build.read
    assert "drawn anew" in build.text("plotting")


def test_a_claim_that_is_gone_is_forgotten(pages: Site) -> None:
    for name in ("claiming", "naming", "plotting", "comparing"):
        pages.page("No claim.", name=name, title="Gone")
    build = pages.build(code=1)
    assert "evidence: 1 claims judged, 1 hold" in build.output
    unused = [text for text in build.warnings if text.endswith("[evidence.unused]")]
    expected = ["copy.speedup", "other.least_slowdown"]
    assert expected == [text.split()[2] for text in unused]


def test_a_claim_can_move_to_a_page_that_is_read_before_its_own(pages: Site) -> None:
    assert "another" < "claiming"
    pages.page("Moved.", name="claiming", title="Claiming")
    controlled = claim("controlled", control="copy-is-faster")
    pages.page(f"{claim()}\n\n{controlled}", name="another", title="Another")
    (link,) = pages.build().page("another").select("a[href='#copy-is-faster']")[:1]
    assert link


def test_nothing_is_left_of_a_page_that_is_gone(pages: Site) -> None:
    (pages.folder / "docs" / "claiming.md").unlink()
    build = pages.build()
    assert "evidence: 2 claims judged, 2 hold" in build.output
    assert not list(build.html.rglob("claiming*"))


def test_a_link_to_a_claim_that_is_gone_is_red_on_a_page_that_did_not_change(
    pages: Site,
) -> None:
    pages.page("[see](#copy-is-faster)", name="silent", title="Silent")
    pages.build()
    pages.page(claim("renamed"), name="claiming", title="Claiming")
    build = pages.build(code=1)
    assert "silent" not in build.read
    (warning,) = build.warnings
    assert "'myst' cross-reference target not found: 'copy-is-faster'" in warning


def test_an_example_that_was_removed_can_come_back(pages: Site) -> None:
    folder, kept = pages.folder / "examples", pages.folder / "kept"
    shutil.copytree(folder, kept)
    for path in folder.rglob("copy*"):
        path.unlink()
    pages.build(code=1)
    shutil.rmtree(folder)
    kept.rename(folder)
    assert "evidence: 3 claims judged, 3 hold" in pages.build().output


def test_an_edit_of_a_file_beside_the_settings_starts_clean(pages: Site) -> None:
    pages.write("conf/_static/more.css", "p {}")
    settings = 'html_static_path = ["_static"]\n'
    pages.build(conf=settings)
    pages.write("conf/_static/more.css", "p { color: red }")
    build = pages.build(conf=settings)
    assert {"claiming", "silent"} <= build.read
    assert "red" in (build.html / "_static" / "more.css").read_text()


def test_a_strict_build_starts_clean(pages: Site) -> None:
    left = [
        pages.write(f"{folder}/left.txt", "")
        for folder in ("build/html", "build/doctrees", "docs/gallery")
    ]
    pages.preview = False
    assert {"claiming", "silent"} <= pages.build().read
    assert not [path for path in left if path.exists()]


def test_a_strict_build_publishes_no_path_of_a_package_and_knows_its_folder(
    pages: Site,
) -> None:
    assert (pages.folder / "build" / "html" / ".buildinfo").exists()
    pages.preview = False
    build = pages.build()
    assert not (build.html / ".buildinfo").exists()
    left = pages.write("build/html/left.txt", "")
    pages.build()
    assert not left.exists()


def test_a_folder_that_no_build_made_is_not_emptied(tmp_path: Path) -> None:
    site = green(tmp_path)
    mine = site.write("build/html/mine.txt", "mine")
    site.build()
    assert "mine" == mine.read_text()


#: A tree that cannot be written to, also for whoever may write everywhere.
READ_ONLY = """
import errno, os, pathlib

def refuse(path, *_, **__):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

pathlib.Path.mkdir = refuse
"""


def test_a_tree_that_cannot_be_written_to_is_told_in_a_sentence(site: Site) -> None:
    errors = site.build(code=2, conf=READ_ONLY).errors
    expected = "cannot be written to (Read-only file system): build a copy that can\n"
    assert f"sphinx.errors.ConfigError: build/doctrees {expected}" in errors
    assert "EROFS" not in errors


def test_two_builds_of_the_same_pages_wait_for_each_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "sphinx.evidence")
    lock = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    threading.Timer(0.2, os.close, (lock,)).start()
    ends: list[Callable[[], None]] = []
    app = SimpleNamespace(
        srcdir=tmp_path, connect=lambda _, end, **_priority: ends.append(end)
    )

    outdated._wait_for_others(app)  # type: ignore[arg-type]

    for end in ends:
        end()
    assert ["evidence: waiting for another build of these pages"] == caplog.messages


def test_a_record_that_comes_back_is_shown(pages: Site) -> None:
    path = pages.folder / "examples" / "memory" / "copy.json"
    data = path.read_bytes()
    path.unlink()
    assert "not measured" in pages.build(code=1).text("naming")
    path.write_bytes(data)
    assert "5.0×" in pages.build().text("naming")


def test_a_translation_takes_the_gallery_that_the_english_build_drew(
    pages: Site,
) -> None:
    pages.preview = False
    chinese = ("-D", "language=zh_CN", "-d", "build/doctrees-zh")
    page = pages.folder / "docs/gallery/memory/copy.rst"
    pages.build()
    first = page.stat().st_ino
    pages.build(*chinese)
    assert first == page.stat().st_ino
    pages.build()
    assert first != page.stat().st_ino

    pages.record(outputs=(Output("7.9 to 8.1\n"),))
    assert "7.9 to 8.1" in pages.build(*chinese).text(PAGE)
