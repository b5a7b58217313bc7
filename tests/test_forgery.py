"""Lies told in figures, records, settings and scripts: each is planted here, and is red."""

from __future__ import annotations

import datetime
import math
import re
from typing import TYPE_CHECKING, Any

import pytest
from conftest import SCRIPT, Site, claim, green
from evidence.examples.library import open_library
from evidence.examples.script import ScriptError, read_script
from evidence.figures import PlotError, drawing
from evidence.figures.drawing import Records
from evidence.figures.marks import GIVEN, REFERENCE, line, ticks
from evidence.records.model import Plain, Process, Table, Timing
from evidence.records.store import RecordError, dump, parse
from evidence.site.reading.plots import draw
from factories import record, sealed, timing
from matplotlib.lines import Line2D

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from evidence.records.model import Row

ROWS = [
    {"size_bytes": Plain(n * 1024), "copy_s": timing(n + 0.5, n + 0.75)}
    for n in (1, 2, 5)
]
SIZES = [row["size_bytes"].value for row in ROWS]  # type: ignore[union-attr]
TIMES = [row["copy_s"] for row in ROWS]
MEDIANS = [cell.value for cell in TIMES]
TWO = REFERENCE | {"label": "two"}


def drawn(painter: Callable[[Any], object], rows: Sequence[Row] = ROWS) -> str:
    def whole(axes: Any) -> Sequence[Row]:
        painter(axes)
        return rows

    return drawing.paint(whole)[0]


def band(axes: Any) -> None:
    line(axes, SIZES, TIMES, "C0")  # type: ignore[arg-type]
    axes.set(xlabel="bytes", ylabel="seconds")


def other_unit(axes: Any) -> None:
    line(axes, [size / 1024 for size in SIZES], TIMES, "C0", unit=1e-3)  # type: ignore[arg-type]
    axes.set(xlabel="KiB", ylabel="ms")


def lying_bars(axes: Any) -> None:
    axes.barh(range(3), [1e3 * value for value in MEDIANS])
    axes.set_yticks(range(3), ["one", "two", "conv2d"])
    axes.set(xlabel="ms")


def dots(axes: Any) -> None:
    axes.scatter(SIZES, MEDIANS)
    axes.set(xlabel="bytes", ylabel="seconds")


def named(axes: Any) -> None:
    axes.bar(["1 KiB", "2 KiB", "5 KiB"], MEDIANS)
    axes.set(ylabel="seconds")


def compared(axes: Any) -> None:
    band(axes)
    axes.axhline(MEDIANS[1], **REFERENCE)
    axes.plot([1024, 5120], [1.1, 3.3], **GIVEN)
    axes.text(2000, 3, f"{MEDIANS[0]} s here, conv2d 1")
    ticks(axes.xaxis, SIZES, "{:.0f}".format)


def gapped(axes: Any) -> None:
    axes.plot([1024, math.nan, 2048, 5120], [1.625, math.nan, *MEDIANS[1:]])
    axes.set(xlabel="bytes", ylabel="seconds")


@pytest.mark.parametrize(
    "painter", [band, other_unit, lying_bars, dots, named, compared, gapped]
)
def test_a_figure_that_draws_what_it_returns_is_green(
    painter: Callable[[Any], object],
) -> None:
    assert "<svg" in drawn(painter)


STRANGE = "draws the point ({}), which is in no row that it returns"


@pytest.mark.parametrize(
    ("message", "painter"),
    [
        (STRANGE.format("5120, 3"), lambda a: a.plot(SIZES, [1, 2, 3], "o-")),
        (
            STRANGE.format("1024, 3.25"),
            lambda a: a.plot(SIZES, [2 * m for m in MEDIANS]),
        ),
        (
            STRANGE.format("1024, 16.25"),
            lambda a: a.plot(SIZES, [10 * m for m in MEDIANS]),
        ),
        (STRANGE.format("1024, 5.625"), lambda a: a.plot(SIZES, MEDIANS[::-1])),
        (STRANGE.format("3000, 1.625"), lambda a: [band(a), a.plot(3000, 1.625, "o")]),
        (STRANGE.format("0, 4.5"), lambda a: [band(a), a.axhline(4.5, **TWO)]),
        (
            STRANGE.format("1024, 3.3"),
            lambda a: [band(a), a.plot(SIZES, [3.3] * 3, **REFERENCE | {"color": "r"})],
        ),
        (
            "draws Table of its own, whose points nothing compares",
            lambda a: [band(a), a.table(cellText=[["5 ms"]])],
        ),
        (
            "draws AxesImage of its own, whose points nothing compares",
            lambda a: [band(a), a.imshow([[0, 1]])],
        ),
        (
            "draws Line2D of its own, whose points nothing compares",
            lambda a: [band(a), a.figure.add_artist(Line2D([0, 1], [0, 1]))],
        ),
        (STRANGE.format("2.25, "), lambda a: [lying_bars(a), a.plot(2.25, 1, "o")]),
        (STRANGE.format("1024, 3"), lambda a: a.scatter(SIZES, [3, 3, 3])),
        (STRANGE.format("1024, 4"), lambda a: a.fill_between(SIZES, [4, 4, 4])),
        (
            "does not draw row 3 of those it returns",
            lambda a: a.plot(SIZES[:2], MEDIANS[:2]),
        ),
        ("does not draw row 1 of those it returns", lambda a: a.text(0.5, 0.5, "3 s")),
        (
            "draws Axes of its own, whose points nothing compares",
            lambda a: [band(a), a.twinx().plot([1, 2])],
        ),
        (
            "draws Axes of its own, whose points",
            lambda a: [band(a), a.inset_axes([0, 0, 1, 1]).plot([1, 2])],
        ),
    ],
)
def test_a_figure_that_draws_other_points_than_it_returns_is_red(
    message: str, painter: Callable[[Any], object]
) -> None:
    with pytest.raises(PlotError, match=f"^{re.escape(message)}"):
        drawn(painter)


FIGURE = """\
from evidence.records.model import Plain, Timing

def draw(axes, records):
    {ask}
    cell = {cell}
    axes.plot(cell.value, 0, "o")
    axes.set_title({title})
    return [{{"{name}": cell}}]
"""

COPY, NOTHING = "copied = records.value('copy.speedup')", "pass"
TYPED = (
    "returns a {} that is in no record: take it from one, or compute it: "
    "records.computed()"
)


def figure(
    ask: str = COPY, cell: str = "copied", name: str = "speedup", title: str = "''"
) -> str:
    """A module of a figure."""
    return FIGURE.format(ask=ask, cell=cell, name=name, title=title)


def records() -> Records:
    """What a figure sees of a record."""
    return Records({"copy": record()})


@pytest.mark.parametrize(
    ("ask", "cell", "name"),
    [
        (NOTHING, "Timing((9,), (0,), (1,))", "speedup"),
        (COPY, "Plain(9)", "speedup"),
        (COPY, "Timing((9,), (0,), (1,))", "gain"),
        (COPY, "Timing(copied.median, (0,) * 6, (1,) * 6)", "gain"),
        (COPY, "records.computed(lambda x: 2 * x, copied)", "speedup"),
        (COPY, "copied", "slowdown"),
    ],
)
def test_a_figure_that_ignores_the_records_is_red(
    tmp_path: Path, ask: str, cell: str, name: str
) -> None:
    module = tmp_path / "figure.py"
    module.write_text(figure(ask, cell, name))
    with pytest.raises(PlotError, match=f"^{re.escape(TYPED.format(name))}$"):
        draw(module, records())


@pytest.mark.parametrize(
    ("cell", "name"),
    [("copied", "speedup"), ("records.computed(lambda x: 2 * x, copied)", "gain")],
)
def test_a_figure_may_compute_from_the_records(
    tmp_path: Path, cell: str, name: str
) -> None:
    module = tmp_path / "figure.py"
    module.write_text(figure(COPY, cell, name))
    assert "<svg" in draw(module, records()).svgs[0]


def test_what_a_figure_computes_depends_on_the_records(tmp_path: Path) -> None:
    module = tmp_path / "figure.py"
    module.write_text(figure(COPY, "records.computed(lambda _: 9.0, copied)", "gain"))
    message = "computes a value that does not depend on what it took"
    with pytest.raises(PlotError, match=f"^{message}$"):
        draw(module, records())


def test_a_figure_may_return_what_a_sweep_of_dotted_names_measured(
    tmp_path: Path,
) -> None:
    calls = ("torch.empty", "torch.cuda.Event")
    rows = [
        {"call": Plain(n), "speedup": timing(i, i + 0.5)}
        for i, n in enumerate(calls, 3)
    ]
    module = tmp_path / "figure.py"
    ask = "*_, copied = (row['speedup'] for row in records.rows('copy.by_call'))"
    module.write_text(figure(ask))
    known = Records({"copy": record(measured={"by_call": Table(tuple(rows))})})
    assert [{"speedup": rows[-1]["speedup"]}] == draw(module, known).rows


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("'7 times', which it took from no record", "'Copies:\\n7 times faster'"),
        ("'42', which it took from no record", "'42'"),
        ("'64 GB/s', which it took from no record", "{1: 'link: 64 GB/s'}[1]"),
        ("'4.5', which it took from no record", "f'{copied.value} of 4.5'"),
        ("'50×', which it took from no record", "f'{10 * copied.value:.0f}×'"),
        ("'✓', which only the build may", "'✓ holds'"),
    ],
)
def test_a_figure_that_draws_what_is_typed_is_red(
    tmp_path: Path, said: str, title: str
) -> None:
    module = tmp_path / "figure.py"
    module.write_text(figure(title=title))
    with pytest.raises(PlotError, match=f"^draws {re.escape(said)}$"):
        draw(module, records())


@pytest.mark.parametrize(
    "title", ["f'{copied.value:.3g}× faster, copy 1'", "'copy' or '42 GB/s'", "'TF32'"]
)
def test_a_figure_may_write_what_it_measured(tmp_path: Path, title: str) -> None:
    module = tmp_path / "figure.py"
    module.write_text(figure(title=title))
    assert "<svg" in draw(module, records()).svgs[0]


def test_the_build_names_page_and_line_of_a_figure_that_lies(site: Site) -> None:
    site.write("docs/lie.py", figure(cell="Plain(9)"))
    page = site.page(claim(), ":::{plot} lie\n:title: Lie\n:alt: x\n\nCaption.\n:::")
    number = page.read_text().splitlines().index(":::{plot} lie") + 1
    lie = TYPED.format("speedup")
    expected = f"docs/index.md:{number}: WARNING: plot 'lie': {lie} [evidence.plot]"
    assert [expected] == site.build(code=1).warnings


def resealed(**changes: object) -> bytes:
    known = record(processes=(Process(1.0),) * 6)
    return sealed(dump(known), **changes)


def test_a_record_of_the_future_is_refused() -> None:
    now = datetime.datetime.now(datetime.UTC).date()
    later = str(now + datetime.timedelta(days=1))
    message = f"does not fit schema 1: {later}, when it was recorded, is in the future"
    with pytest.raises(RecordError, match=f"^{message}"):
        parse(resealed(recorded=later))
    assert str(now) == parse(resealed(recorded=str(now))).recorded


@pytest.mark.parametrize(
    ("message", "count", "ran", "setting"),
    [
        ("", 6, 6, ""),
        ("", 12, 12, ""),
        ("", 3, 3, '{"processes": 3}'),
        ("has 5 processes, a timing 5; measuring runs 6 or 12", 5, 5, ""),
        ("has 6 processes, a timing 12; measuring runs 6 or 12", 12, 6, ""),
        ("has 0 processes, a timing 6; measuring runs 6 or 12", 6, 0, ""),
        ("has 6 processes, a timing 6; measuring runs 3", 6, 6, '{"processes": 3}'),
    ],
)
def test_a_record_has_as_many_processes_as_measuring_runs(
    tmp_path: Path, message: str, count: int, ran: int, setting: str
) -> None:
    made = green(tmp_path)
    comment = (
        f"# sphinx_gallery_evidence = {setting}\nimport no" if setting else "import no"
    )
    made.script(code=SCRIPT.replace("import no", comment))
    speedup = Timing((5.0,) * count, (0.0,) * count, (20,) * count)
    made.record(measured={"speedup": speedup}, processes=(Process(1.0),) * ran)
    examples = open_library(tmp_path / "examples").examples
    assert message == examples["copy"].problem


@pytest.mark.parametrize(
    "comment",
    [
        "start_ignore",
        "end_ignore",
        "dummy_images = 1",
        "thumbnail_path = 'x.png'",
        "capture_repr = ()",
    ],
)
def test_no_comment_hides_a_line_of_a_script(tmp_path: Path, comment: str) -> None:
    path = tmp_path / "copy.py"
    path.write_text(
        SCRIPT.replace("import no", f"  # sphinx_gallery_{comment}\nimport no")
    )
    name = comment.split()[0]
    message = (
        f"copy.py: sphinx_gallery_{name} is unknown here; write sphinx_gallery_evidence"
    )
    with pytest.raises(ScriptError, match=f"^{message}$"):
        read_script(path)


@pytest.mark.parametrize("hidden", ["evidence", "evidence.tight", "myst.xref_missing"])
def test_no_setting_hides_a_fault(site: Site, hidden: str) -> None:
    build = site.build("-D", f"suppress_warnings={hidden}", code=2)
    said = f"suppress_warnings hides {hidden}: mend what it warns of"
    assert f"sphinx.errors.ConfigError: {said}" in build.errors


def test_no_setting_makes_a_strict_build_a_preview(site: Site) -> None:
    site.script(code=f"{SCRIPT}\nmore = 1\n")
    build = site.build(
        "-D", "evidence_preview=1", code=1, conf="evidence_preview = True\n"
    )
    assert any(text.endswith("[evidence.stale]") for text in build.warnings)


def test_a_strict_build_that_was_interrupted_after_reading_is_red_the_next_time(
    site: Site,
) -> None:
    site.page(claim(), "{nonsense}`x`")
    die = (
        "\ndef stop(*_):\n    raise KeyboardInterrupt\n"
        "\ndef setup(app):\n    app.connect('env-check-consistency', stop)\n"
    )
    site.build(code=2, conf=die)
    (again,) = site.build(code=1, conf="\n").warnings
    assert 'Unknown interpreted text role "nonsense"' in again
