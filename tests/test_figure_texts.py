"""What a figure says beside its points: each lie is planted here, and is red."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT
from evidence.figures import PlotError, texts
from evidence.figures.drawing import paint
from evidence.figures.marks import (
    GIVEN,
    REFERENCE,
    binary,
    label,
    line,
    lines,
    names,
    ticks,
)
from evidence.records.model import Plain, scalar
from factories import timing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from evidence.records.model import Row

ROWS: list[Row] = [
    {
        "size_bytes": Plain(n * 2**20),
        "pinned_bytes_per_s": timing((n + 20) * 1e9, (n + 21) * 1e9),
        "pageable_bytes_per_s": timing((n + 3.25) * 1e9, (n + 3.5) * 1e9),
        "gain_speedup": timing(n + 1.1, n + 1.3),
        "way": Plain(f"way{n} of GPU 4090"),
    }
    for n in (1, 2, 7)
]
SIZES = [n * 2**20 for n in (1, 2, 7)]
#: What the figure takes from another record, too.
LINK = ("link_bytes_per_s", Plain(63e9))
COLUMNS = {
    "pinned_bytes_per_s": ("pinned", "C0"),
    "pageable_bytes_per_s": ("pageable", "C1"),
}


def drawn(*changes: Callable[[Any], object], phone: bool = False) -> str:
    """A figure of two lines in GB/s over the size, changed by these."""

    def painter(axes: Any) -> Sequence[Row]:
        lines(axes, SIZES, ROWS, COLUMNS, unit=1e9)
        axes.set(ylabel="GB/s", ylim=(0, 80))
        ticks(axes.xaxis, SIZES[:2], binary)
        ticks(axes.yaxis, [10, 30], "{:g}".format)
        for change in changes:
            change(axes)
        return ROWS

    return paint(painter, taken=[LINK], phone=phone)[0]


def gains(*changes: Callable[[Any], object]) -> str:
    """A figure of ratios over the size, changed by these."""

    def painter(axes: Any) -> Sequence[Row]:
        cells = [row["gain_speedup"] for row in ROWS]
        line(axes, SIZES, cells, "C0")  # type: ignore[arg-type]
        ticks(axes.xaxis, SIZES[:2], binary)
        ticks(axes.yaxis, [2, 4], "{:g}×".format)
        for change in changes:
            change(axes)
        return ROWS

    return paint(painter)[0]


def bars(*changes: Callable[[Any], object]) -> str:
    """A figure of a bar for each row, which stands at a height without a number."""

    def painter(axes: Any) -> Sequence[Row]:
        for place, row in enumerate(ROWS):
            axes.barh(place, scalar(row["gain_speedup"]), height=0.6)
        axes.set_yticks(range(3), [scalar(row["way"]) for row in ROWS])
        for change in changes:
            change(axes)
        return ROWS

    return paint(painter)[0]


def named(*texts: str) -> Callable[[Any], None]:
    """Write these beside the ends of the two lines."""

    def change(axes: Any) -> None:
        last = [(SIZES[-1], cell.get_ydata()[-1]) for cell in axes.lines[:2]]
        ends = zip(texts, last, ("C0", "C1"), strict=True)
        names(axes, [*ends])

    return change


def test_a_figure_that_says_what_it_took_is_green() -> None:
    own = "PCIe 5: 63 GB/s, 27.5 GB/s at best, copy 1, conv2d, GPU 4090"
    rounded = "10.4 GB/s"
    for phone in (False, True):
        assert "63 GB/s" in drawn(
            lambda axes: axes.axhline(63, **REFERENCE),
            lambda axes: axes.plot([0, 9e6], [5, 70], **GIVEN),
            lambda axes: axes.plot([2e6, 7e6], [63, 63], **REFERENCE),
            lambda axes: label(axes, own, (SIZES[0], 63), "C0"),
            lambda axes: label(axes, rounded, (SIZES[0], 50), "C0"),
            named("pinned, kept", "pageable"),
            phone=phone,
        )
    assert "way7" in bars(lambda axes: axes.axvline(1, **REFERENCE))
    assert "2×" in gains(lambda axes: axes.axhline(1, **REFERENCE))


@pytest.mark.parametrize(
    ("unit", "texts"),
    [
        (1.0, ["−1", "1", "1e+00"]),
        (0.25, ["¼", "0.25", "25e-2"]),
        (0.01, ["10⁻²", "0.01", r"$\mathdefault{10^{-2}}$"]),
        (2048.0, ["2,048", "2 Ki", "2048"]),
        (3e6, ["3 million", "3M", "3,000,000"]),
    ],
)
def test_a_tick_is_the_number_of_its_place_in_whatever_form(
    unit: float, texts: list[str]
) -> None:
    counted: list[Row] = [{"count": Plain(unit * factor)} for factor in (-1, 1, 2)]
    for text in texts:

        def painter(axes: Any, text: str = text) -> Sequence[Row]:
            axes.plot([scalar(row["count"]) for row in counted], range(3), "o")
            axes.set_yticks([])
            ticks(axes.xaxis, [-unit if text.startswith("−") else unit], lambda _: text)
            return counted

        assert "<svg" in paint(painter)[0]


TICK = "labels {} of {} as {!r}, where the axis says {!r}"
RATES = "pageable_bytes_per_s and pinned_bytes_per_s"
STRANGE = "draws {!r}, which it took from no record"
REFERRED = (
    "draws a reference at {}, which it took from no record: take it from one, or "
    "draw it as GIVEN"
)


@pytest.mark.parametrize(
    ("message", "change"),
    [
        (
            TICK.format("1e+10", RATES, "20", "GB/s"),
            lambda a: ticks(a.yaxis, [10, 30], lambda place: f"{2 * place:g}"),
        ),
        # A hundredth may be rounded off, and no more.
        (
            TICK.format("3e+10", RATES, "30.6", "GB/s"),
            lambda a: ticks(
                a.yaxis, [10, 30], lambda place: {10: "10.1"}.get(place, "30.6")
            ),
        ),
        (
            TICK.format("1.04858e+06", "size_bytes", "1 KiB", ""),
            lambda a: ticks(a.xaxis, SIZES, lambda place: f"{place / 2**20:.0f} KiB"),
        ),
        (
            TICK.format("1.04858e+06", "size_bytes", "1048576", ""),
            lambda a: ticks(a.xaxis, SIZES, "{:.0f}".format),
        ),
        (
            TICK.format("1.04858e+06", "size_bytes", "1.048576e+06 s", ""),
            lambda a: ticks(a.xaxis, SIZES, lambda _: "1.048576e+06 s"),
        ),
        (
            TICK.format("1e+10", RATES, "10", "MB/s"),
            lambda a: a.set_ylabel("MB/s"),
        ),
        (TICK.format("1e+10", RATES, "10", "ms"), lambda a: a.set_ylabel("ms")),
        (TICK.format("1e+10", RATES, "10", ""), lambda a: a.set_ylabel("")),
        (
            TICK.format("3e+10", RATES, "many", "GB/s"),
            lambda a: ticks(
                a.yaxis, [10, 30], lambda place: {10: "10"}.get(place, "many")
            ),
        ),
        (
            STRANGE.format("630 GB/s"),
            lambda a: label(a, f"link: {10 * 63} GB/s", (SIZES[0], 63), "C0"),
        ),
        (STRANGE.format("63 MB/s"), lambda a: a.text(SIZES[0], 50, "63 MB/s")),
        (STRANGE.format("63"), lambda a: a.set_title("63 kernels")),
        (STRANGE.format("5×"), lambda a: a.legend(a.lines[:1], ["5× as fast"])),
        (STRANGE.format("-40 GB/s"), lambda a: a.figure.text(0.5, 0.5, "−40 GB/s")),
        (REFERRED.format("21"), lambda a: a.axhline(63 / 3, **REFERENCE)),
        (REFERRED.format("2000000"), lambda a: a.axvline(2e6, **REFERENCE)),
        (
            "draws a reference that is not level: draw it as GIVEN",
            lambda a: a.plot(SIZES[:2], [63, 62], **REFERENCE),
        ),
    ],
)
def test_a_figure_that_says_what_is_not_so_is_red(
    message: str, change: Callable[[Any], object]
) -> None:
    with pytest.raises(PlotError, match=f"^{re.escape(message)}$"):
        drawn(change)


def test_a_number_is_rounded_to_its_last_digit_and_no_further_off() -> None:
    last = (SIZES[-1], 8.2)
    assert "8×" in gains(lambda axes: label(axes, "8×", last, "C0"))
    with pytest.raises(PlotError, match=f"^{re.escape(STRANGE.format('9×'))}$"):
        gains(lambda axes: label(axes, "9×", last, "C0"))


def said(*texts: str) -> str:
    """A figure of a share that says these, beside values of each unit."""
    row: Row = {
        "kept_share": Plain(0.37),
        "left_share": Plain(0.61),
        "wait_s": Plain(0.0042),
        "gain_speedup": Plain(8.46),
        "sent_bytes": Plain(5 * 2**20),
        "tries": Plain(6 * 2**20),
    }

    def painter(axes: Any) -> Sequence[Row]:
        axes.barh(0, 0.37)
        axes.set_yticks([])
        ticks(axes.xaxis, [0.37], "{:g}".format)
        for text in texts:
            axes.text(0.1, 0, text)
        return [row]

    return paint(painter)[0]


def test_units_may_be_written_in_words_and_numbers_as_powers() -> None:
    right = (
        *("37 per cent", "37 %", "4.2 milliseconds", "0.0042 seconds", "4e-3 s"),
        *("8.46-fold", "8 times", "8.5×", "5 MiB", "6 Mi tries", "6144 Ki"),
        *("6.3 million", "6.3e6 tries"),
    )
    assert "tries" in said(*right)


@pytest.mark.parametrize(
    "wrong",
    [
        *("36 per cent", "3.7 per cent", "4.3 milliseconds", "42 milliseconds"),
        *("5e-3 s", "9 times", "9-fold", "16.9-fold", "5.3 MiB", "6.3 Mi", "0.61"),
    ],
)
def test_a_number_that_is_nearly_right_is_red(wrong: str) -> None:
    with pytest.raises(PlotError, match=f"^{re.escape(STRANGE.format(wrong))}$"):
        said(wrong)


def test_a_label_of_a_row_has_no_number_of_its_own() -> None:
    with pytest.raises(PlotError, match=f"^{re.escape(STRANGE.format('80×'))}$"):
        bars(lambda axes: axes.set_yticks(range(3), ["one", "two", "about 80×"]))


def test_a_reference_of_ratios_is_at_a_measured_one_or_at_no_change() -> None:
    with pytest.raises(PlotError, match=f"^{re.escape(REFERRED.format('2'))}$"):
        gains(lambda axes: axes.axhline(2, **REFERENCE))


def test_reviewers_have_seen_each_line_that_no_record_has() -> None:
    modules = {*(ROOT / "docs").rglob("*.py")} - {*(ROOT / "docs/gallery").rglob("*")}
    drawn = {path.stem for path in modules if "GIVEN" in path.read_text("utf-8")}
    # What upstream says, the border of a format, and a theory.
    assert {"pinning_by_threads", "gradients_by_exponent", "prefetch_gain"} == drawn


@pytest.mark.parametrize(
    ("name", "unit", "factor"),
    [
        *(("copies", "", 1), ("copies", "Ki", 2**10), ("copies", "Mi", 2**20)),
        *(("copies", "M", 1e6), ("copies", "million", 1e6), ("x_bytes", "B", 1)),
        *(("x_s", "milliseconds", 1e-3), ("x_s", "seconds", 1), ("x_s", "µs", 1e-6)),
        *(("x_share", "per cent", 0.01), ("x_share", "%", 0.01)),
        *(("x_speedup", "times", 1), ("x_speedup", "fold", 1), ("x_speedup", "×", 1)),
        *(("x_bytes", "MiB", 2**20), ("x_bytes_per_s", "GB/s", 1e9)),
    ],
)
def test_a_number_is_read_with_its_unit(name: str, unit: str, factor: float) -> None:
    for value in (3.0, 5.0):
        texts._check_numbers([f"{value} {unit}"], [(name, Plain(value * factor))])
    for other in (1.1, 0.9):
        with pytest.raises(PlotError, match=f"draws '7.0 ?{unit}', which it took from"):
            texts._check_numbers([f"7.0 {unit}"], [(name, Plain(7 * factor * other))])
