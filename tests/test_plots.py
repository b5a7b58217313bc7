"""A page's figure: drawn from records, in the page's inks, with its numbers below."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from conftest import Build, Site, claim, green
from evidence.figures import INKS, PlotError, drawing
from evidence.figures.marks import GIVEN, names, ticks
from evidence.records.model import Plain, Raised, Table
from evidence.records.units import THIN_SPACE
from evidence.site.reading.plots import picture
from factories import timing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from evidence.records.model import Row

SWEEP = """\
from evidence.figures.marks import binary, ticks

def draw(axes, records):
    rows = records.rows("copy.sweep")
    sizes = [row["size_bytes"].value for row in rows]
    copied = [row["copy_s"].value for row in rows]
    axes.plot(sizes, copied, "o-", label="copied")
    axes.fill_between(sizes, copied, hatch="/", color="C1")
    axes.legend()
    axes.set_ylabel("seconds")
    ticks(axes.xaxis, sizes, binary)
    return rows
"""

SINGLE = """\
def draw(axes, records):
    cell = records.value("copy.speedup")
    axes.plot([0, cell.value], [0, cell.value], "o-", color="C3", label="faster")
    axes.set(title="One value", ylabel="a < b & c")
    axes.annotate("here", (0, 0))
    return [{"kind": records.value("copy.kind"), "speedup": cell}]
"""

ALT = 'Rises, then "falls" & rests < 3.'

ROWS = tuple(
    {
        "size_bytes": Plain(2**n),
        "copy_s": timing(n / 10, n / 10),
        "late": Raised("ValueError", "x, y"),
    }
    for n in (10, 20, 30)
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = green(tmp_path_factory.mktemp("plots"))
    measured = {"speedup": timing(4.9, 5.1), "kind": Plain("a"), "sweep": Table(ROWS)}
    site.record(measured=measured)
    site.write("docs/sweep.py", SWEEP)
    site.write("docs/single.py", SINGLE)
    figures = [
        f":::{{plot}} {name}\n:title: The *{name}*\n:alt: {ALT}\n\nThe caption of *{name}*.\n:::"
        for name in ("sweep", "single")
    ]
    site.page(claim(), *figures)
    return site.build()


def test_two_figures_on_a_page_share_no_id(shown: Build) -> None:
    counted = Counter(tag["id"] for tag in shown.page().select("[id]"))
    assert not [name for name, count in counted.items() if count > 1]
    assert len(counted) > 20


def test_what_a_drawing_refers_to_exists(shown: Build) -> None:
    source = (shown.html / "index.html").read_text()
    referred = set(re.findall(r'xlink:href="#([^"]+)"|url\(#([^)]+)\)', source))
    names = {first or second for first, second in referred}
    ids = {str(tag["id"]) for tag in shown.page().select("[id]")}
    assert names
    assert names <= ids


def test_a_drawing_takes_the_inks_of_the_page(shown: Build) -> None:
    source = (shown.html / "index.html").read_text()
    assert not [ink for ink in INKS if ink in source]
    used = [ink for ink in INKS.values() if ink in source]
    assert {"var(--color-foreground-primary)", "var(--plot-1)"} <= set(used)
    drawings = "".join(str(tag) for tag in shown.page().select("svg[role=img]"))
    # White, black and matplotlib's own grey would not follow the dark mode.
    assert not re.findall(r"(?:fill|stroke): ?#(?:0{6}|f{6}|cccccc)", drawings)


def test_a_drawing_has_its_words_as_text(shown: Build) -> None:
    sweep, single = shown.page().select("svg.wide")
    assert "copied" in sweep.get_text()
    assert "One value" in single.get_text()
    assert "a < b & c" in single.get_text()
    assert "DejaVu" not in str(sweep) + str(single)


def test_a_drawing_has_its_alternative_text(shown: Build) -> None:
    drawings = shown.page().select("svg[role=img]")
    expected = [ALT] * 4
    assert expected == [drawing["aria-label"] for drawing in drawings]


def test_a_phone_gets_a_drawing_of_its_own(shown: Build) -> None:
    wide, phone = shown.page().select("svg.wide"), shown.page().select("svg.phone")
    expected = ["662", "360"]
    for drawings in zip(wide, phone, strict=True):
        assert expected == [d["viewbox"].split()[2].partition(".")[0] for d in drawings]  # type: ignore[union-attr]


def test_names_stand_beside_their_lines_and_on_a_phone_above_them() -> None:
    def painter(axes: Any) -> Sequence[Row]:
        axes.plot([1, 1], [1, 2], "o")
        names(axes, [("low", (1, 1), "C0"), ("high", (1, 2), "C1")])
        return DRAWN

    wide, phone = (drawing.paint(painter, phone=phone)[0] for phone in (False, True))
    place = re.compile(r'y="([\d.]+)"[^>]*>(low|high)<')
    heights = [
        {name: float(y) for y, name in place.findall(svg)} for svg in (wide, phone)
    ]
    assert heights[0]["high"] < heights[0]["low"]
    # In one row, above the frame of the data.
    assert heights[1]["high"] == heights[1]["low"] < 30


def test_the_title_stands_above(shown: Build) -> None:
    titles = [title.get_text() for title in shown.page().select(".plot > p.plot-title")]
    assert ["The *sweep*", "The *single*"] == titles


def test_the_caption_stands_below(shown: Build) -> None:
    text = shown.text()
    assert "The caption of sweep ." in text
    assert text.index("copied") < text.index("The caption of sweep")


def test_the_numbers_stand_in_a_table_below(shown: Build) -> None:
    sweep, single = shown.page().select("details.numbers")
    header, *rows = [
        [
            cell.get_text().strip().replace(THIN_SPACE, " ")
            for cell in row.select("th, td")
        ]
        for row in sweep.select("tr")
    ]
    assert ["size", "copy", "late"] == header
    expected = [
        [f"1 {p}iB", f"{n}.000 s", "ValueError: x, y"] for n, p in enumerate("KMG", 1)
    ]
    assert expected == rows
    assert "a" in single.get_text()


def test_the_numbers_stand_as_csv_in_base_units(shown: Build) -> None:
    block = shown.page().select_one("details.numbers pre")
    assert block is not None
    expected = [
        ["size_bytes", "copy_s", "late"],
        *([str(2**n), str(n / 10), "ValueError"] for n in (10, 20, 30)),
    ]
    assert expected == list(csv.reader(io.StringIO(block.get_text())))


def test_a_value_that_only_a_figure_uses_is_used(shown: Build) -> None:
    """The build of these figures has no warning, so that ``kind`` and ``sweep`` count."""
    assert "evidence: 1 claims judged, 1 hold" in shown.output


PICTURE = """\
from evidence.figures.sketch import arrow, box, lanes, mark

def draw(axes):
    at = lanes(axes, ("host", "GPU"), end=4)
    box(axes, at["host"], (0, 1), "call", "C0")
    box(axes, at["GPU"], (1, 3), "kernel 1", "C1")
    arrow(axes, (1, at["host"]), (1, at["GPU"]), "then")
    mark(axes, 3, "done")
"""


def test_a_picture_explains_without_numbers(site: Site) -> None:
    site.write("docs/lanes.py", PICTURE)
    site.page(
        claim(), f":::{{picture}} lanes\n:title: Lanes\n:alt: {ALT}\n\nCaption.\n:::"
    )
    page = site.build().page()
    for kind in ("wide", "phone"):
        drawing = page.select_one(f"svg.{kind}")
        assert drawing is not None
        words = {text.get_text(strip=True) for text in drawing.select("text")}
        assert {"host", "GPU", "call", "kernel 1", "then", "done"} == words
    assert not page.select("details.numbers")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"call"',
            '"42 calls"',
            "draws '42 calls', which is typed: a picture measures nothing",
        ),
        ("(1, 3)", "(1, 30)", "beyond its axes: widen their limits"),
        ("end=4", "end=-", "pictured.py raised SyntaxError: invalid syntax"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_reported(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    module = tmp_path / "pictured.py"
    module.write_text(PICTURE.replace(old, new))
    with pytest.raises(PlotError) as error:
        picture(module)
    assert message in str(error.value)


#: What is wrong with a figure: its module, its options, and what the build says.
FIGURES = {
    "silent": ("", "", "it needs an alternative text, :alt:"),
    "telling": (
        "",
        ":title: t\n:alt: It falls to 5 ms.",
        "says '5 ms' in :alt:, which nothing checks: say less",
    ),
    "untitled": ("", ":alt: x", "it needs a title that says what is seen, :title:"),
    "absent": (None, ":title: t\n:alt: x", "there is no absent.py beside the page"),
    "raising": (
        "def draw(axes, records):\n    1 / 0\n",
        ":title: t\n:alt: x",
        "raising.py raised ZeroDivisionError: division by zero",
    ),
    "empty": ("", ":title: t\n:alt: x", "empty.py raised KeyError: 'draw'"),
    "numberless": (
        "def draw(axes, records):\n    return []\n",
        ":title: t\n:alt: x",
        "gave no numbers: draw() must return those it drew",
    ),
    "guessing": (
        "def draw(axes, records):\n    return [{'x': records.value('copy.x')}]\n",
        ":title: t\n:alt: x",
        "nothing was measured as 'copy.x'; did you mean copy.speedup?",
    ),
}


def test_a_figure_that_cannot_be_drawn_is_reported_in_every_build(site: Site) -> None:
    for name, (module, _, _) in FIGURES.items():
        if module is not None:
            site.write(f"docs/{name}.py", module)
    plots = [
        f":::{{plot}} {name}\n{option}\n\nCaption.\n:::".replace("\n\n\n", "\n\n")
        for name, (_, option, _) in FIGURES.items()
    ]
    page = site.page(claim(), *plots).read_text().splitlines()
    expected = [
        f"docs/index.md:{line}: WARNING: plot {name!r}: {message} [evidence.plot]"
        for name, (_, _, message) in FIGURES.items()
        for line in [page.index(f":::{{plot}} {name}") + 1]
    ]
    assert expected == site.build(code=1).warnings
    assert expected == site.build(code=1).warnings


def test_what_is_computed_depends_on_what_it_took() -> None:
    records = drawing.Records({})
    same, other = timing(3.0, 5.0), timing(3.0, 7.0)

    gain = records.computed(lambda one, two: one / two, same, same)
    more = records.computed(lambda one, two: one - two, other, same)

    assert [(1.0,) * 6, (0.0, 0.0, 1.0, 1.0, 2.0, 2.0)] == [gain.median, more.median]
    for constant in (lambda *_: 4.0, lambda one, _: one - one):
        with pytest.raises(PlotError, match="does not depend on what it took"):
            records.computed(constant, same, other)


#: What a figure draws from 1 to 2 along both axes, or beyond the axes on purpose.
SHAPES: dict[str, Callable[[Any], object]] = {
    "line": lambda axes: axes.plot([1, 2], [1, 2]),
    "band": lambda axes: axes.fill_between([1, 2], [1, 1], [2, 2]),
    "bar": lambda axes: axes.bar([1.5], [1], width=1, bottom=1),
    "lying bar": lambda axes: axes.barh([1.5], [1], height=1, left=1),
}
BEYOND: dict[str, Callable[[Any], object]] = {
    "line across": lambda axes: axes.axhline(1.7, **GIVEN),
    "band across": lambda axes: axes.axvspan(1, 1.5),
    "text": lambda axes: axes.annotate("here", (2.1, 2), annotation_clip=False),
    "point of its own": lambda axes: axes.plot(
        [9], [9], transform=axes.transAxes, **GIVEN
    ),
}


#: The row that they draw.
DRAWN = [{"least": Plain(1), "most": Plain(2), "middle": Plain(1.5)}]


def painted(shape: Callable[[Any], object], **limits: object) -> str:
    def painter(axes: Any) -> Sequence[Row]:
        axes.plot(1, 2, "o")
        shape(axes)
        axes.set(**limits)
        for axis in (axes.xaxis, axes.yaxis):
            ticks(axis, [1, 2], "{:g}".format)
        return DRAWN

    return drawing.paint(painter)[0]


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize(
    ("limits", "wider"),
    [((1.1, 3), (1, 3)), ((0.5, 1.9), (0.5, 2)), ((3, 1.1), (3, 1))],
    ids=["too late", "too early", "upside down"],
)
@pytest.mark.parametrize("axis", "xy")
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_limits_give_way_to_what_was_measured(
    shape: Callable[[Any], object],
    limits: tuple[float, float],
    wider: tuple[float, float],
    axis: str,
    scale: str,
) -> None:
    right = painted(shape, **{f"{axis}scale": scale, f"{axis}lim": wider})
    assert right == painted(shape, **{f"{axis}scale": scale, f"{axis}lim": limits})


@pytest.mark.parametrize("axis", "xy")
def test_an_axis_that_is_turned_stays_so(axis: str) -> None:
    usual, turned = (
        painted(SHAPES["bar"], **{f"{axis}lim": limits}) for limits in [(0, 3), (3, 0)]
    )
    assert usual != turned


@pytest.mark.filterwarnings("ignore:Attempt to set non-positive")
def test_what_an_axis_cannot_show_is_refused() -> None:
    with pytest.raises(PlotError, match="beyond its axes: widen their limits"):
        painted(lambda axes: axes.plot([0, 2], [1, 2]), xscale="log", xlim=(1, 2))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("limits", [(1, 2), (2, 1)], ids=["just", "upside down"])
def test_what_fits_the_axes_is_drawn(
    shape: Callable[[Any], object], limits: tuple[float, float]
) -> None:
    assert "<svg" in painted(shape, xlim=limits, ylim=limits)


@pytest.mark.parametrize("shape", BEYOND.values(), ids=BEYOND)
def test_what_is_no_measurement_may_lie_anywhere(
    shape: Callable[[Any], object],
) -> None:
    assert "<svg" in painted(shape, xlim=(1, 2), ylim=(1, 2))
