"""Two clean replays on two machines and in two folders, one with a strange name: the same bytes."""

from __future__ import annotations

import json
import runpy
import subprocess
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

from conftest import ROOT, SVG, claim, green, hazard
from evidence.records.model import Output, Plain, Table
from evidence.site.gallery import links
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

PLOT = """\
def draw(axes, records):
    rows = records.rows("copy.sweep")
    xs = [row["size_bytes"].value for row in rows]
    ys = [row["copy_s"].value for row in rows]
    axes.plot(xs, ys, "o-", label="pinned")
    axes.fill_between(xs, ys, alpha=0.2)
    axes.legend()
    axes.set(xlabel="bytes", ylabel="seconds")
    return rows
"""

ROWS = tuple(
    {"size_bytes": Plain(n), "copy_s": timing(n + 0.25, n + 0.75)} for n in (1, 2, 4)
)


#: For conf.py: sphinx-gallery takes another Python for the one that builds.
OTHER_PYTHON = """
from types import SimpleNamespace
from sphinx_gallery import notebook

notebook.sys = SimpleNamespace(version_info=(3, 99, 7))
"""

#: Two machines: their hash seeds, clocks, languages, encodings, and how many processes build.
HERE = {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C", "jobs": "1"}
#: Python then takes the names of files for ASCII.
HERE["PYTHONUTF8"] = "0"
THERE = {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "LC_ALL": "", "jobs": "2"}


def foreign_locale() -> str:
    """A locale with other names of months, where this machine has one."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=True)
    others = [name for name in known.stdout.split() if name.endswith(".utf8")]
    return next(
        (name for name in others if not name.startswith(("C", "en"))), "C.UTF-8"
    )


def written(folder: Path, machine: dict[str, str], conf: str = "") -> dict[str, bytes]:
    """Build a site of every feature; give what a server would serve."""
    site = green(folder)
    measured = {"speedup": timing(4.9, 5.1), "sweep": Table(ROWS)}
    outputs = (Output("said\n", figures=("copy-1.svg",)),)
    figures = {"copy-1.svg": SVG % b"drawn"}
    site.record(measured=measured, outputs=outputs, figures=figures)
    site.write("docs/figure.py", PLOT)
    plot = ":::{plot} figure\n:title: A\n:alt: A line.\n\nCaption.\n:::"
    site.page(claim(), hazard(), plot, "{measured}`copy.speedup`")
    settings = {**machine, "SOURCE_DATE_EPOCH": "1767225600"}
    address = 'html_baseurl = "https://example.org/"\n'  # with it cards are drawn
    build = site.build("-j", settings.pop("jobs"), conf=conf + address, **settings)
    return {
        path.relative_to(build.html).as_posix(): path.read_bytes()
        for path in build.html.rglob("*")
        if path.is_file()
    }


def test_two_clean_replays_on_two_machines_are_the_same_bytes(tmp_path: Path) -> None:
    there = {**THERE, "LC_ALL": foreign_locale()}
    one = written(tmp_path / "one or zwö", HERE)
    two = written(tmp_path / "a" / "longer" / "folder", there, OTHER_PYTHON)

    assert {"index.html", "gallery/memory/copy.html"} <= set(one)
    assert {"_static/search_index.js", "cards/index.png", "claims/right.svg"} <= set(
        one
    )
    assert sorted(one) == sorted(two)
    assert [] == sorted(name for name in one if one[name] != two[name])
    # Nor do both name the folder that they share.
    assert [] == [name for name in one if str(tmp_path).encode() in one[name]]


def test_a_notebook_names_the_python_that_ran_the_example(tmp_path: Path) -> None:
    site = green(tmp_path)
    folder = site.build(conf=OTHER_PYTHON).html / "_downloads"
    (notebook,) = (path.read_bytes() for path in folder.rglob("copy.ipynb"))
    (archive,) = (path.read_bytes() for path in folder.rglob("copy.zip"))

    assert "3.12.1" == json.loads(notebook)["metadata"]["language_info"]["version"]
    with zipfile.ZipFile(BytesIO(archive)) as files:
        assert notebook == files.read("copy.ipynb")


def test_what_is_in_an_archive_can_be_read_and_by_its_owner_written(
    tmp_path: Path,
) -> None:
    page = tmp_path / "copy.rst"
    notebook = {"metadata": {"language_info": {"version": "3.13.0"}}}
    for name, text in (("copy.ipynb", json.dumps(notebook)), ("copy.py", "x = 1\n")):
        page.with_name(name).write_text(text)
        with zipfile.ZipFile(page.with_suffix(".zip"), "a") as archive:
            archive.writestr(name, text)

    links.fix_downloads(page, "3.12.1")

    with zipfile.ZipFile(page.with_suffix(".zip")) as archive:
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
        changed = json.loads(archive.read("copy.ipynb"))
    assert {"copy.ipynb": 0o644, "copy.py": 0o644} == modes
    assert "3.12.1" == changed["metadata"]["language_info"]["version"]


def test_no_setting_names_a_folder() -> None:
    settings = runpy.run_path(str(ROOT / "conf" / "conf.py"))

    named = [name for name, value in settings.items() if str(ROOT) in repr(value)]
    assert ["__file__"] == named
