"""Pictures that explain: what lies where, on a wide screen and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from evidence.figures.sketch import (
    NAME,
    arrow,
    box,
    cases,
    lanes,
    mark,
    moment,
    questions,
)
from matplotlib.figure import Figure

PHONE = pytest.mark.parametrize("phone", [False, True])


def axes_of(*, phone: bool) -> Any:
    return Figure(figsize=(5 if phone else 9, 4)).subplots()


@pytest.fixture
def axes() -> Any:
    return axes_of(phone=False)


def texts(axes: Any) -> dict[str, tuple[float, float]]:
    """Where each text stands."""
    return {text.get_text(): text.get_position() for text in axes.texts}


def dashes(axes: Any) -> list[tuple[list[float], list[float]]]:
    """Where the dashed lines go, across and up."""
    dashed = [line for line in axes.lines if line.is_dashed()]
    return [([*line.get_xdata()], [*line.get_ydata()]) for line in dashed]


@PHONE
def test_the_first_lane_is_on_top_and_all_are_in_sight(*, phone: bool) -> None:
    axes = axes_of(phone=phone)
    apart = 1 + NAME * phone

    at = lanes(axes, ("host", "copies", "kernels"), end=7)

    assert {"host": 0, "copies": -apart, "kernels": -2 * apart} == at
    assert [[0, 7]] * 3 == [[*line.get_xdata()] for line in axes.lines]
    bottom, top = axes.get_ylim()
    assert bottom < at["kernels"] - 0.5 < 0.5 < top
    left, right = axes.get_xlim()
    assert left < 0 < 7 < right
    heights = [place[1] for place in texts(axes).values()]
    assert sorted(heights, reverse=True) == heights


def test_a_phone_gives_a_picture_of_lanes_the_height_of_their_names() -> None:
    heights = []
    for phone in (False, True):
        axes = axes_of(phone=phone)
        lanes(axes, ("host", "copies", "kernels"), end=7)
        heights.append(round(axes.figure.get_figheight(), 3))
    assert [2.8, round(0.72 * 3 * (1 + NAME) + 0.4, 3)] == heights


def test_a_box_lies_from_its_begin_to_its_end_with_its_text_within(axes: Any) -> None:
    box(axes, -3, (2, 9), "kernel", "C1")
    assert [(2, 9, -3)] * 2 == [
        (patch.get_x(), patch.get_x() + patch.get_width(), patch.get_center()[1])
        for patch in axes.patches
    ]
    assert {"kernel": (5.5, -3)} == texts(axes)


def test_an_arrow_points_to_its_end_and_its_text_stands_beside_the_middle(
    axes: Any,
) -> None:
    arrow(axes, (1, -1), (4, -7), "waits")
    drawn, text = axes.texts
    assert ((4, -7), (1, -1)) == (drawn.xy, drawn.xyann)
    assert "-|>" == drawn.arrowprops["arrowstyle"]
    assert ("waits", (2.5, -4)) == (text.get_text(), text.xy)
    assert ((6, 0), "offset points") == (text.xyann, text.anncoords)


def test_a_moment_is_marked_at_its_time_across_all_lanes(axes: Any) -> None:
    at = lanes(axes, ("host", "copies"), end=7)
    mark(axes, 3, "done")
    ((across, (low, high)),) = dashes(axes)
    assert [3, 3] == across
    assert low < at["copies"] - 0.3 < at["host"] + 0.3 < high
    assert 3 == texts(axes)["done"][0]


@PHONE
def test_cases_stand_below_each_other_each_with_its_own_moment(*, phone: bool) -> None:
    axes, names = axes_of(phone=phone), ("host", "kernels")

    one, two = cases(axes, {"in turn": names, "at once": names[:1]}, end=7)

    assert (["host", "kernels"], ["host"]) == ([*one], [*two])
    assert one["host"] > one["kernels"] > two["host"]
    found = texts(axes)
    assert found["in turn"][1] > one["host"]
    assert one["kernels"] > found["at once"][1] > two["host"]
    bottom, top = axes.get_ylim()
    assert bottom < two["host"] - 0.3
    assert found["in turn"][1] < top

    moment(axes, 5, one, "freed")
    moment(axes, 2, two, "read")

    for (across, (low, high)), x, case in zip(
        dashes(axes), (5, 2), (one, two), strict=True
    ):
        assert [x, x] == across
        assert low < min(case.values())
        assert max(case.values()) < high
    assert dashes(axes)[0][1][0] > two["host"] + 0.3
    assert (5, 2) == (texts(axes)["freed"][0], texts(axes)["read"][0])


@PHONE
def test_a_yes_leads_to_the_answer_beside_and_a_no_to_the_next_question(
    *, phone: bool
) -> None:
    axes = axes_of(phone=phone)
    steps = ("pinned?", "copies", "C1"), ("read?", "waits", "C2")

    questions(axes, steps, "neither", phone=5)

    found, wide = texts(axes), 5 if phone else 3.4
    asked = [found[text] for text in ("pinned?", "read?", "neither")]
    assert [(wide / 2, 0), (wide / 2, -1), (wide / 2, -2)] == asked
    answers = [found[text] for text in ("copies", "waits")]
    assert [((wide + 11) / 2, 0), ((wide + 11) / 2, -1)] == answers
    leads = [(t.xyann, t.xy) for t in axes.texts if getattr(t, "arrowprops", None)]
    yes = [((wide, -row), (wide + 1, -row)) for row in (0, 1)]
    assert yes == leads[::2]
    assert all(begin[1] > end[1] for begin, end in leads[1::2])
    bottom, top = axes.get_ylim()
    assert bottom < -2.3 < 0.3 < top


def test_a_picture_of_questions_is_as_high_as_they_are_many() -> None:
    steps = [(f"Is it {n}?", f"Take {n}.", "C0") for n in range(4)]
    heights = []
    for phone, count in ((False, 3), (False, 4), (True, 3)):
        axes = axes_of(phone=phone)
        questions(axes, steps[:count], "Ask.", phone=6)
        heights.append(round(axes.figure.get_figheight(), 3))
    assert [3.2, 4.0, 3.6] == heights
