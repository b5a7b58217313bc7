"""What figures draw alike: lines in the axis's unit, names beside points, ticks, byte sizes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from evidence.figures import INKS
from evidence.figures.marks import (
    APART,
    INK,
    MUTED,
    arms,
    binary,
    label,
    line,
    lines,
    names,
    ticks,
)
from factories import timing
from matplotlib.figure import Figure


@pytest.fixture
def axes() -> Any:
    return Figure().subplots()


def test_a_line_has_its_medians_and_its_band_in_the_unit_of_the_axis(axes: Any) -> None:
    cells = [timing(2e9, 4e9), timing(5e9, 9e9)]
    end = line(axes, [1, 2], cells, "C1", unit=1e9)
    (drawn,), (band,) = axes.lines, axes.collections
    medians = [cell.value / 1e9 for cell in cells]
    assert medians == list(drawn.get_ydata())
    assert (2, medians[-1]) == end
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert {(1, 2), (1, 4), (2, 5), (2, 9)} == corners
    assert drawn.get_color() == "C1"


#: Processes whose interval is not from the smallest to the largest: of twelve it is narrower.
TWELVE = tuple(timing(*(base + n for n in range(12))) for base in (20.0, 50.0))


def test_the_band_of_a_line_is_the_interval_of_many_processes_too(axes: Any) -> None:
    line(axes, [1, 2], TWELVE, "C1")
    (band,) = axes.collections
    corners = {tuple(corner) for corner in band.get_paths()[0].vertices}
    assert {(1, 22), (1, 29), (2, 52), (2, 59)} == corners


def test_the_bar_of_an_arm_is_the_interval_of_many_processes_too(axes: Any) -> None:
    one, two = TWELVE
    named = {"fast": ("Fast", "C0"), "slow": ("Slow", "C1")}
    arms(axes, [{"fast": one, "slow": two}], named, ["first"])
    bars = axes.lines[::2]
    assert [[22, 29], [52, 59]] == [list(bar.get_xdata()) for bar in bars]


def test_the_columns_of_a_sweep_are_lines_whose_ends_can_be_named(axes: Any) -> None:
    rows = [{"a": timing(n, n), "b": timing(2 * n, 2 * n)} for n in (1e3, 3e3)]

    ends = lines(axes, [1, 2], rows, {"b": ("two", "C2"), "a": ("one", "C1")}, 1e3)

    assert [("two", (2, 6.0), "C2"), ("one", (2, 3.0), "C1")] == ends
    assert [[2, 6], [1, 3]] == [list(drawn.get_ydata()) for drawn in axes.lines]
    assert ["C2", "C1"] == [drawn.get_color() for drawn in axes.lines]


@pytest.mark.parametrize(
    ("offset", "more", "expected"),
    [
        ((10, 0), {}, ("left", "center")),
        ((0, 6), {}, ("left", "baseline")),
        ((-10, 0), {"ha": "right"}, ("right", "center")),
        ((0, 14), {"va": "center"}, ("left", "center")),
    ],
)
def test_a_name_stands_beside_its_point(
    axes: Any, offset: tuple[int, int], more: dict[str, str], expected: tuple[str, str]
) -> None:
    label(axes, "pinned", (3, 4), "C2", offset, **more)
    (text,) = axes.texts
    assert ("pinned", (3, 4), offset) == (text.get_text(), text.xy, text.xyann)
    assert expected == (text.get_ha(), text.get_va())


def test_a_name_outside_the_axes_is_drawn(axes: Any) -> None:
    axes.set(xlim=(0, 1))
    label(axes, "pinned", (3, 0.5), "C2")
    assert axes.texts[0].get_annotation_clip() is False


def heights(axes: Any) -> dict[str, tuple[float, float]]:
    """Where each text begins and ends, upwards, in points."""
    boxes = {text.get_text(): text.get_window_extent() for text in axes.texts}
    scale = 72 / axes.figure.dpi
    return {text: (box.y0 * scale, box.y1 * scale) for text, box in boxes.items()}


@pytest.mark.parametrize(
    "ends",
    [
        {"one": 0.5, "two": 0.51},
        {"two": 0.51, "one": 0.5},
        {"one": 0.5, "two": 0.5, "three": 0.52, "two\nlines": 0.53},
        {"axis": 0.0, "near\nit": 0.01},
    ],
)
def test_names_of_lines_that_end_close_together_stand_apart(
    axes: Any, ends: dict[str, float]
) -> None:
    axes.set(xlim=(0, 1), ylim=(0, 1))
    names(axes, [(text, (1, y), "C1") for text, y in ends.items()])
    found = sorted(heights(axes).values())
    assert len(ends) == len(found)
    assert all(below[1] <= above[0] for below, above in pairwise(found))
    bottom = axes.bbox.y0 * 72 / axes.figure.dpi
    assert found[0][0] >= bottom - 1


def test_without_names_they_would_not(axes: Any) -> None:
    axes.set(xlim=(0, 1), ylim=(0, 1))
    for text, y in {"one": 0.5, "two": 0.51}.items():
        label(axes, text, (1, y), "C1")
    below, above = sorted(heights(axes).values())
    assert below[1] > above[0]


@pytest.mark.parametrize("step", [1, -1], ids=["upwards", "downwards"])
def test_names_keep_the_order_and_the_colours_of_their_lines(
    axes: Any, step: int
) -> None:
    axes.set(xlim=(0, 1), ylim=(1, 1000), yscale="log")
    names(axes, [("low", (1, 10), "C1"), ("high", (1, 11), "C2")][::step])
    found = heights(axes)
    assert found["low"] < found["high"]
    assert ["C1", "C2"] == [text.get_color() for text in axes.texts]


def test_names_of_lines_that_end_far_apart_stand_at_their_ends(axes: Any) -> None:
    axes.set(xlim=(0, 1), ylim=(0, 1))
    names(axes, [("low", (1, 0.2), "C1"), ("high", (1, 0.8), "C2")])
    assert [(10, 0), (10, 0)] == [text.xyann for text in axes.texts]


@pytest.mark.parametrize(("columns", "longest"), [(2, 19), (1, 20)])
def test_on_a_phone_the_highest_line_is_named_first_in_its_colour(
    columns: int, longest: int
) -> None:
    axes, long = Figure(figsize=(5, 4.4)).subplots(), "x" * longest
    ends = ("low\nend", (1, 3), "C1"), (long, (2, 9), "C2"), ("mid", (3, 5), "C3")
    names(axes, ends)  # type: ignore[arg-type]
    legend = axes.get_legend()
    found = [(text.get_text(), text.get_color()) for text in legend.get_texts()]
    assert [(long, "C2"), ("mid", "C3"), ("low end", "C1")] == found
    assert columns == legend._ncols


def test_all_rows_of_arms_are_in_sight_the_first_on_top(axes: Any) -> None:
    rows = [{"fast": timing(n, n + 1)} for n in (2, 5, 9)]
    arms(axes, rows, {"fast": ("Fast", "C0")}, ["a", "b", "c"])
    assert (2.5, -0.5) == axes.get_ylim()


def test_no_lines_have_no_names(axes: Any) -> None:
    names(axes, [])
    assert not axes.texts


def test_the_arms_of_a_row_stand_around_its_middle(axes: Any) -> None:
    rows = [{"fast": timing(2, 3), "slow": timing(1, 1)} for _ in range(2)]
    named = {"fast": ("Fast", "C0"), "slow": ("Slow", "C1")}

    below = arms(axes, rows, named, ["first", "second"])

    assert {"fast": -APART / 2, "slow": APART / 2} == below
    intervals, dots = axes.lines[::2], axes.lines[1::2]
    assert [[2, 3], [2, 3], [1, 1], [1, 1]] == [list(x.get_xdata()) for x in intervals]
    heights = [-APART / 2, 1 - APART / 2, APART / 2, 1 + APART / 2]
    assert heights == [dot.get_ydata()[0] for dot in dots]
    assert ["first", "second"] == [text.get_text() for text in axes.get_yticklabels()]
    assert axes.yaxis_inverted()


def test_a_logarithmic_axis_has_the_ticks_it_was_given_alone(axes: Any) -> None:
    axes.set(xscale="log", xlim=(1, 5000))
    assert len(axes.get_xticks(minor=True))
    ticks(axes.xaxis, [4, 1024], binary)
    assert [4, 1024] == list(axes.get_xticks())
    assert not len(axes.get_xticks(minor=True))
    texts = [text.get_text() for text in axes.get_xticklabels()]
    assert ["4 B", "1 KiB"] == texts


@pytest.mark.parametrize(
    ("expected", "count"),
    [
        ([0, 1, 2], 3),
        ([0, 1, 2, 3], 4),
        ([0, 2, 4], 5),
        ([0, 2, 4, 6], 7),
        ([0, 3, 6], 9),
    ],
)
def test_a_phone_has_four_ticks_at_most_across_and_all_of_them_up(
    expected: list[int], count: int
) -> None:
    axes, given = Figure(figsize=(5, 4.4)).subplots(), list(range(count))
    axes.set(xlim=(0, count), ylim=(0, count))
    ticks(axes.xaxis, given, str)
    ticks(axes.yaxis, given, str)
    assert (expected, given) == (list(axes.get_xticks()), list(axes.get_yticks()))


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (64, "64 B"),
        (2**10 - 1, "1023 B"),
        (2**10, "1 KiB"),
        (2**20, "1 MiB"),
        (256 * 2**20, "256 MiB"),
        (2**30, "1 GiB"),
        (2.0**42, "4096 GiB"),
    ],
)
def test_a_size_has_its_binary_unit(size: float, expected: str) -> None:
    assert expected == binary(size)


def test_the_named_inks_follow_the_page() -> None:
    assert ("var(--color-foreground-primary)", "var(--plot-muted)") == (
        INKS[INK],
        INKS[MUTED],
    )
