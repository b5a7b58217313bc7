"""sphinx-gallery renders records through one seam, and executes nothing."""

from __future__ import annotations

import json
import re
import runpy
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CONF, ROOT, SCRIPT, SVG, Build, Site, claim
from evidence.records.model import Output

if TYPE_CHECKING:
    from pathlib import Path

ANNOUNCED = (
    "USDT:2026-11-28 20:37:59 4032:4032 SyncHandler.cpp:39] profiler_start\n"
    "USDT:2026-11-28 20:37:59 4033:4033 SyncHandler.cpp:46] profiler_stop\n"
)
TEXT = "is <b>bold</b> & \x1b[31mred\x1b[0m, \ufffd, {0}, \\n, *em* `x`_ |sub|\n"

EXAMPLE = '''\
"""
A copy
======

How fast is a copy?
"""

# sphinx_gallery_evidence = {"timeout": 30}
from pathlib import Path

Path("FOLDER/executed").touch()
raise SystemExit(0)

# %%
# A cell that holds no statement:

# nothing but a comment

# %%
# The next one draws:

draw(no_such_name)

# %%
# The last one shows nothing:

measured = {}
'''

PAGE = "gallery/memory/copy"


def settings_of(path: Path) -> dict[str, Any]:
    return runpy.run_path(str(path))


def test_the_tiny_site_renders_as_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text(CONF)
    tiny = settings_of(tmp_path / "conf.py")["sphinx_gallery_conf"]
    real = settings_of(ROOT / "conf" / "conf.py")["sphinx_gallery_conf"]
    for name in ("filename_pattern", "ignore_pattern"):
        assert real[name] == tiny[name], name


def test_the_real_site_suppresses_no_warning() -> None:
    assert "suppress_warnings" not in settings_of(ROOT / "conf" / "conf.py")


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = Site(tmp_path_factory.mktemp("seam"))
    site.page(claim())
    site.script(code=EXAMPLE.replace("FOLDER", str(site.folder)))
    outputs = (
        Output(f"{ANNOUNCED}the first cell {TEXT}{ANNOUNCED}"),
        Output(figures=("copy-1.svg", "copy-2.svg")),
        Output(),
    )
    figures = {"copy-1.svg": SVG % b"one", "copy-2.svg": SVG % b"two"}
    site.record(outputs=outputs, figures=figures)
    return site.build()


def test_nothing_is_executed(shown: Build) -> None:
    assert not (shown.folder.parent / "executed").exists()


def test_each_output_follows_its_own_cell(shown: Build) -> None:
    text = shown.text(PAGE)
    order = ["SystemExit", "the first cell", "no statement", "nothing but a comment"]
    order += ["no_such_name", "The last one", "measured", "speedup"]
    assert sorted(map(text.index, order)) == [text.index(part) for part in order]


def test_what_the_profiler_announces_is_left_out(shown: Build) -> None:
    assert "USDT" not in shown.text(PAGE)


def test_the_text_of_an_output_is_escaped(shown: Build) -> None:
    source = (shown.html / f"{PAGE}.html").read_text()
    shown_as = (
        "is &lt;b&gt;bold&lt;/b&gt; &amp; red, \ufffd, {0}, \\n, *em* `x`_ |sub|\n"
    )
    assert f"the first cell {shown_as}</pre>" in source


def test_figures_are_drawn_on_the_page(shown: Build) -> None:
    main = shown.page(PAGE).find(role="main")
    assert not main.find_all("img")
    assert [svg.text.strip() for svg in main.select("svg.recorded")] == ["one", "two"]


def test_the_first_figure_is_the_thumbnail(shown: Build) -> None:
    (image,) = shown.page("gallery/memory/index").find(role="main").find_all("img")
    assert image["src"].endswith("sphx_glr_copy_thumb.svg")
    path = shown.html / "gallery" / "memory" / image["src"]
    assert "<svg" in path.read_text("utf-8")
    assert "one" not in path.read_text("utf-8"), "too small to be read"


def test_script_notebook_and_record_can_be_downloaded(shown: Build) -> None:
    tags = shown.page(PAGE).select("a[download], .evidence-record a")
    links = [link["href"] for link in tags]
    files = {
        href.rpartition("/")[2]: shown.html / "gallery" / "memory" / href
        for href in links
    }
    assert {"copy.py", "copy.ipynb", "copy.zip", "copy.json"} == set(files)
    examples = shown.folder.parent / "examples" / "memory"
    assert (examples / "copy.py").read_bytes() == files["copy.py"].read_bytes()
    assert (examples / "copy.json").read_bytes() == files["copy.json"].read_bytes()
    cells = json.loads(files["copy.ipynb"].read_text())["cells"]
    assert any("draw(no_such_name)" in "".join(cell["source"]) for cell in cells)


def test_the_page_says_how_long_the_example_ran(shown: Build) -> None:
    line = "Total running time of the script: (0 minutes 2.500 seconds)"
    assert line in shown.text(PAGE)


def test_the_settings_of_an_example_are_not_shown(shown: Build) -> None:
    assert "sphinx_gallery_evidence" not in shown.text(PAGE)


def named_cause(build: Build) -> str:
    """The one line that says why a build could not begin."""
    match = re.search(r"sphinx\.errors\.ConfigError: (.*)", build.errors)
    assert match is not None, build.errors
    return match[1]


def test_the_folder_of_examples_may_be_a_link(site: Site) -> None:
    folder = site.folder / "examples"
    folder.symlink_to(folder.rename(site.folder / "elsewhere"))
    assert "4.9 to 5.1" in site.build().text("gallery/memory/copy")


def test_a_chapter_has_no_space_in_its_name(site: Site) -> None:
    site.script("another", chapter="host memory")
    expected = "spaces in file names will break some links. List of files: {}"
    spaces = [text for text in site.build(code=1).warnings if "spaces" in text]
    assert expected.format(["host memory/another.py"]) in spaces[0]


def test_a_chapter_has_a_title(site: Site) -> None:
    site.write("examples/new/other.py", SCRIPT)
    expected = "examples/new/ has no GALLERY_HEADER.rst, which holds its title"
    assert expected == named_cause(site.build(code=2))


def test_two_examples_have_two_stems(site: Site) -> None:
    site.script(chapter="transfer")
    expected = "two examples have the stem 'copy': memory/copy.py and transfer/copy.py"
    assert expected == named_cause(site.build(code=2))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (f"{SCRIPT}\nx = = 3\n", "cannot be read: invalid syntax (broken.py, line 17)"),
        (
            f"{SCRIPT}\n# sphinx_gallery_evidence = {{'gpu': 1}}\n",
            "sphinx_gallery_evidence: Object contains unknown field `gpu`; "
            "known are gpus, processes, timeout, fresh, expected_warnings, all_gpus",
        ),
        ('"""\nA copy\n======\n"""\n', "has no code, and so nothing to measure"),
    ],
)
def test_a_script_that_cannot_be_read_is_named(
    code: str, message: str, site: Site
) -> None:
    site.script("broken", code)
    build = site.build(code=1)
    (warning,) = build.warnings
    assert warning.startswith("examples/memory/broken.py:1: WARNING: broken.py")
    assert warning.endswith(f"{message} [evidence.record]")
    shown = "This example has no usable record" in build.text("gallery/memory/broken")
    assert shown is ("import" in code)  # below text there is no place for it
    assert "✓ holds how fast 5.0×" in build.text().replace("\u202f", " ")
