"""Two clean replays in two folders give the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import SVG, claim, green
from evidence.records.model import Output, Plain, Table
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

PLOT = """\
def draw(axes, records):
    rows = records.rows("copy.sweep")
    xs = [row["size_bytes"].value for row in rows]
    ys = [row["copy_s"].value for row in rows]
    axes.plot(xs, ys, "o-", label="pinned")
    axes.fill_between(xs, ys, [2 * y for y in ys], alpha=0.2)
    axes.legend()
    return rows
"""

ROWS = tuple({"size_bytes": Plain(n), "copy_s": timing(n, n + 1)} for n in (1, 2, 4))


def written(folder: Path, seed: int) -> dict[str, bytes]:
    """Build a site of every feature; give what a server would serve."""
    site = green(folder)
    measured = {"speedup": timing(4.9, 5.1), "sweep": Table(ROWS)}
    outputs = (Output("said\n", "<b>html</b>", ("copy-1.svg",)),)
    figures = {"copy-1.svg": SVG % b"drawn"}
    site.record(measured=measured, outputs=outputs, figures=figures)
    site.write("docs/figure.py", PLOT)
    plot = ":::{plot} figure\n:alt: A line.\n\nCaption.\n:::"
    hazard = f"::::{{hazard}}\n\n{claim('wrong')}\n\n{claim('right')}\n::::"
    site.page(claim(), hazard, plot, "{measured}`copy.speedup`")
    fixed = {"PYTHONHASHSEED": str(seed), "SOURCE_DATE_EPOCH": "1767225600"}
    build = site.build(**fixed)
    return {
        path.relative_to(build.html).as_posix(): path.read_bytes()
        for path in build.html.rglob("*")
        if path.is_file()
    }


def test_two_clean_replays_in_two_folders_are_the_same_bytes(tmp_path: Path) -> None:
    one = written(tmp_path / "one", seed=1)
    two = written(tmp_path / "a" / "longer" / "folder", seed=2)
    assert {"index.html", "gallery/memory/copy.html", "searchindex.js"} <= set(one)
    assert sorted(one) == sorted(two)
    different = sorted(name for name in one if one[name] != two[name])
    known = [name for name in different if name.endswith(".buildinfo")]
    assert known == different


def test_a_page_names_no_folder_of_the_machine(tmp_path: Path) -> None:
    pages = written(tmp_path, seed=3)
    named = [name for name, data in pages.items() if str(tmp_path).encode() in data]
    assert not named
