"""What a record says about its values."""

from __future__ import annotations

import random

import pytest
from evidence.records.model import (
    Interval,
    Plain,
    Process,
    Raised,
    Table,
    leaves,
    row_key,
    scalar,
)
from factories import builder, quick, record, timing
from hypothesis import given
from hypothesis import strategies as st


def test_of_six_processes_the_interval_is_the_smallest_to_the_largest() -> None:
    assert Interval(1.0, 6.0) == timing(3, 1, 6, 2, 5, 4).interval


def test_of_twelve_processes_the_interval_is_the_third_to_the_tenth() -> None:
    shuffled = random.Random(0).sample(range(1, 13), 12)
    assert Interval(3.0, 10.0) == timing(*shuffled).interval


def test_the_value_is_the_median_of_the_processes() -> None:
    expected = 3.5
    assert expected == timing(1, 2, 3, 4, 5, 6).value


@pytest.mark.parametrize(
    ("spread", "medians"),
    [
        (0.0, (2, 2, 2)),
        (0.1, (9.5, 10, 10.5)),
        (0.1, (-9.5, -10, -10.5)),
        (0.0, (-1, 0, 1)),
    ],
)
def test_the_spread_is_a_share_of_the_median(
    spread: float, medians: tuple[float, ...]
) -> None:
    assert pytest.approx(spread) == timing(*medians).spread


@quick
@given(st.lists(st.floats(-1e9, 1e9), min_size=6, max_size=12))
def test_the_value_lies_in_the_interval(medians: list[float]) -> None:
    cell = timing(*medians)
    assert cell.interval.low <= cell.value <= cell.interval.high
    assert 0 <= cell.interval.width <= max(medians) - min(medians)


def test_leaves_are_addressed_by_name_row_and_column() -> None:
    rows = (
        {"size": Plain(1024), "copy_s": timing(1, 2)},
        {"size": Plain(2048), "copy_s": Plain(3)},
    )
    measured = {"dtype": Plain("float32"), "sweep": Table(rows)}
    expected = {
        "dtype": Plain("float32"),
        "sweep[size=1024].size": Plain(1024),
        "sweep[size=1024].copy_s": timing(1, 2),
        "sweep[size=2048].size": Plain(2048),
        "sweep[size=2048].copy_s": Plain(3),
    }
    assert expected == dict(leaves(measured))


@pytest.mark.parametrize(
    ("key", "cell"),
    [
        ("k=3", Plain(3)),
        ("k=0.5", Plain(0.5)),
        ("k=pinned", Plain("pinned")),
        ("k=True", Plain(True)),
    ],
)
def test_a_row_is_addressed_by_its_first_column(key: str, cell: Plain) -> None:
    assert key == row_key({"k": cell, "other": Plain(1)})


@pytest.mark.parametrize(
    ("expected", "cell"),
    [(3, Plain(3)), (1.5, timing(1, 2)), ("ValueError", Raised("ValueError", "no"))],
)
def test_a_cell_has_a_plain_python_value(expected: object, cell: Plain) -> None:
    assert expected == scalar(cell)


@pytest.mark.parametrize("name", ["gpu", "driver", "torch", "kernel"])
def test_builders_that_measure_differently_are_of_another_kind(name: str) -> None:
    assert not builder().same_kind(builder(**{name: "another"}))


def test_builders_may_differ_in_what_does_not_matter() -> None:
    assert builder().same_kind(builder(python="3.11.7", cores=4, gpus=8))


def test_the_seconds_of_a_record_are_those_of_the_typical_process() -> None:
    processes = (Process(1.0), Process(3.0), Process(2.0))
    expected = 3.0
    assert expected == record(processes=processes, typical=1).seconds
    assert not record().seconds
