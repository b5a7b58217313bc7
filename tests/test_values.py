"""From what an example measured to what its record keeps."""

from __future__ import annotations

import datetime
import math
import time
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from evidence.examples.script import Script, Settings
from evidence.measure.values import (
    MeasuredError,
    Run,
    make_record,
    merge,
    most_typical,
    plan,
    reduce_measured,
    timings,
)
from evidence.records.model import (
    SCHEMA,
    Figure,
    Output,
    Plain,
    Process,
    Raised,
    Record,
    Table,
    Timing,
    Value,
)
from evidence.records.store import checksum
from factories import builder, timing

OTHERS = "the processes measured different names or rows"


class OwnError(Exception):
    pass


@pytest.mark.parametrize(
    ("expected", "value"),
    [
        (Plain(3), 3),
        (Plain(2**80), 2**80),
        (Plain(0.5), 0.5),
        (Plain(0.333333), 1 / 3),
        (Plain(True), True),
        (Plain("torch.float16"), "torch.float16"),
        (Plain(3), np.int64(3)),
        (Plain(0.5), np.float32(0.5)),
        (Plain(0.5), Fraction(1, 2)),
        (Raised("ValueError", "no"), ValueError("no")),
        (Raised(f"{__name__}.OwnError", "a: 1"), OwnError("a: 1")),
        (Timing((2.0,), (1.0,), (3,)), {"samples": [1, 2.0, 3]}),
        (Timing((1.5,), (0.5,), (2,)), {"samples": (np.float64(1), 2)}),
        (Timing((7.0,), (0.0,), (1,)), {"samples": [7]}),
        # Rounded once: the median, not what it is taken from.
        (Timing((1.00001,), (1e-6,), (2,)), {"samples": [1.0000044, 1.0000064]}),
        # A Measurement of torch.utils.benchmark.
        (Timing((0.375,), (0.125,), (2,)), SimpleNamespace(times=[0.25, 0.5])),
        (
            Table(({"n": Plain(1), "t_s": Timing((2.0,), (0.0,), (1,))},)),
            {"table": [{"n": 1, "t_s": {"samples": [2]}}]},
        ),
    ],
)
def test_a_measured_value_is_reduced(expected: Value, value: object) -> None:
    (found,) = reduce_measured({"x": value}).values()
    assert expected == found
    if isinstance(expected, Plain):
        assert isinstance(found, Plain)
        assert type(expected.value) is type(found.value)


@pytest.mark.parametrize("measured", [None, {}, [], [1], 3, "x", {1, 2}])
def test_what_is_no_dict_of_values_is_refused(measured: object) -> None:
    with pytest.raises(MeasuredError, match="the last cell must leave a dict"):
        reduce_measured(measured)


@pytest.mark.parametrize("name", [1, "", "a b", "copy-s", "1st", None])
def test_a_name_is_an_identifier(name: object) -> None:
    with pytest.raises(MeasuredError, match="the name must be a Python identifier"):
        reduce_measured({name: 1})
    with pytest.raises(MeasuredError, match="the name must be a Python identifier"):
        reduce_measured({"t": {"table": [{name: 1}]}})


@pytest.mark.parametrize(
    "value",
    [
        None,
        [1, 2],
        (1, 2),
        {1},
        # Its text is an address, another in each process.
        pytest.param(object(), id="object"),
        b"bytes",
        1j,
        {},
        {"sample": [1]},
        {"samples": [1], "unit": "s"},
        {"samples": ["1"]},
        {"samples": [True]},
        {"table": [{"n": [1]}]},
        np.array([1.0]),
    ],
    ids=str,
)
def test_a_value_of_no_known_kind_is_refused(value: object) -> None:
    with pytest.raises(MeasuredError, match=r"measured\['x.* is no number, boolean"):
        reduce_measured({"x": value})


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -1e101, 10**101])
@pytest.mark.parametrize("kind", ["plain", "samples", "table"])
def test_a_number_that_a_record_cannot_hold_is_refused(
    number: float, kind: str
) -> None:
    values: dict[str, object] = {
        "plain": number,
        "samples": {"samples": [1, number]},
        "table": {"table": [{"n": 1, "y": number}]},
    }
    with pytest.raises(
        MeasuredError,
        match=r"^measured\['x.* is too large: a record holds at most 1e\+100$",
    ):
        reduce_measured({"x": values[kind]})


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("no samples", {"samples": []}),
        ("the median of its samples is negative", {"samples": [-1, -1, 2]}),
        ("a table is a list of rows", {"table": 3}),
        ("a table is a list of rows", {"table": {"n": 1}}),
        ("a table is a list of rows, all dicts", {"table": [3]}),
        ("surrogates not allowed", "\udc80"),
        ("surrogates not allowed", ValueError("\ud800")),
    ],
)
def test_what_a_record_cannot_hold_is_refused(message: str, value: object) -> None:
    with pytest.raises(MeasuredError, match=rf"measured\['x.*{message}"):
        reduce_measured({"x": value})


@pytest.mark.parametrize(
    ("message", "rows"),
    [
        ("a table has rows, all of the same columns", []),
        ("a table has rows, all of the same columns", [{}]),
        ("a table has rows, all of the same columns", [{"n": 1}, {"n": 2, "m": 2}]),
        ("two rows of a table share the address n=1", [{"n": 1}, {"n": 1}]),
        # They differ, but not in the digits that are kept.
        ("share the address k=0.333333", [{"k": 1 / 3}, {"k": 0.33333333}]),
    ],
)
def test_rows_that_cannot_be_told_apart_are_refused(
    message: str, rows: list[dict[str, float]]
) -> None:
    with pytest.raises(MeasuredError, match=rf"^measured\['x'\]: .*{message}$"):
        reduce_measured({"x": {"table": rows}})


def test_rows_that_differ_in_their_first_column_only_are_told_apart() -> None:
    table = {"table": [{"n": 1, "y": 0}, {"n": 2, "y": 0}, {"n": "1 ", "y": 0}]}
    expected = 3
    reduced = reduce_measured({"t": table})["t"]
    assert isinstance(reduced, Table)
    assert expected == len(reduced.rows)


def test_untimed_values_that_agree_are_kept_once() -> None:
    raw = reduce_measured({"n": 3, "on": True, "third": 1 / 3, "e": ValueError("no")})
    expected = {
        "n": Plain(3),
        "on": Plain(True),
        "third": Plain(0.333333),
        "e": Raised("ValueError", "no"),
    }
    assert expected == merge([raw, raw])


def test_numbers_are_compared_as_they_are_kept() -> None:
    expected = {"x": Plain(0.333333)}
    raws = [reduce_measured({"x": value}) for value in (1 / 3, 0.33333333)]
    assert expected == merge(raws)


def test_each_process_gives_one_value_for_a_timing() -> None:
    samples: list[list[float]] = [[1, 2, 3, 4, 5], [7], [1.0000004, 1.0000004]]
    merged = merge([reduce_measured({"t_s": {"samples": times}}) for times in samples])
    expected = {"t_s": Timing(median=(3, 7, 1), iqr=(2, 0, 0), n=(5, 1, 2))}
    assert expected == merged


def test_a_table_is_merged_cell_by_cell() -> None:
    raws = [
        reduce_measured({"t": {"table": [{"n": 1, "t_s": {"samples": [time]}}]}})
        for time in (2, 3)
    ]
    row = {"n": Plain(1), "t_s": Timing(median=(2, 3), iqr=(0, 0), n=(1, 1))}
    expected = {"t": Table((row,))}
    assert expected == merge(raws)
    expected_timings = [row["t_s"]]
    assert expected_timings == timings(merge(raws))


@pytest.mark.parametrize(
    ("message", "first", "second"),
    [
        (r"x differs between processes \(1, 2\): give what", 1, 2),
        (r"x differs between processes \('a', 'b'\)", "a", "b"),
        (
            r"x differs between processes \('ValueError: a', 'ValueError: b'\)",
            ValueError("a"),
            ValueError("b"),
        ),
        (r"x differs between processes", ValueError("a"), "a"),
        (r"x differs between processes", {"samples": [1]}, 1),
        (r"x differs between processes", 1, {"samples": [1]}),
        (
            r"x\[y=1\]\.z differs between processes \(3, 4\)",
            {"table": [{"y": 1, "z": 3}]},
            {"table": [{"y": 1, "z": 4}]},
        ),
        (OTHERS, {"table": [{"y": 1}]}, {"table": [{"y": 2}]}),
        (OTHERS, {"table": [{"y": 1}]}, {"table": [{"y": 1}, {"y": 2}]}),
        (OTHERS, {"table": [{"y": 1}]}, {"table": [{"z": 1}]}),
        (OTHERS, {"table": [{"y": 1}]}, 1),
        (OTHERS, 1, {"table": [{"y": 1}]}),
    ],
)
def test_untimed_values_that_differ_give_no_record(
    message: str, first: object, second: object
) -> None:
    raws = [reduce_measured({"x": value}) for value in (first, first, second)]
    with pytest.raises(MeasuredError, match=message):
        merge(raws)


@pytest.mark.parametrize(
    "other", [{"a": 1}, {"a": 1, "b": 1, "c": 1}, {"a": 1, "c": 1}]
)
def test_every_process_measures_the_same_names(other: dict[str, int]) -> None:
    raws = [reduce_measured({"a": 1, "b": 1}), reduce_measured(other)]
    with pytest.raises(MeasuredError, match=OTHERS):
        merge(raws)


def typical(measured: dict[str, Value], processes: int) -> int:
    return most_typical(timings(measured), processes)


def test_the_most_typical_process_lies_nearest_to_all_medians() -> None:
    one = {"a_s": timing(1, 9, 3, 4, 8)}
    both = {**one, "b_s": timing(200, 100, 100, 900, 100), "zero_s": timing(*[0] * 5)}
    expected = (3, 2)
    assert expected == (typical(one, 5), typical(both, 5))


def test_the_distance_from_a_median_is_a_share_of_it() -> None:
    # In seconds the second process is the nearest: its call is only 4 µs off, five times too slow.
    measured = {"copy_s": timing(1.0, 1.01, 1.02), "call_s": timing(1e-6, 5e-6, 1e-6)}
    expected = 0
    assert expected == typical(measured, 3)


def test_without_timings_the_first_process_is_typical() -> None:
    expected = 0
    assert expected == most_typical([], 2)


STEADY = timing(1.0, 1.1)
EDGE = timing(19, 21)  # by 10 % to the last digit
UNSTEADY = timing(1.0, 1.12)
PLAIN = Plain(1)


@pytest.mark.parametrize(
    ("expected", "values", "done"),
    [
        (2, [PLAIN], 1),
        (2, [PLAIN, PLAIN], 2),
        (6, [STEADY], 1),
        (6, [UNSTEADY], 5),
        (6, [STEADY], 6),
        (6, [EDGE, PLAIN], 6),
        (12, [UNSTEADY], 6),
        (12, [STEADY, UNSTEADY, PLAIN], 6),
        *[(12, [STEADY], done) for done in range(7, 13)],
        (12, [UNSTEADY], 12),
    ],
)
def test_the_plan_is_fixed_before_the_run(
    expected: int, values: list[Value], done: int
) -> None:
    assert expected == plan({f"v{i}": value for i, value in enumerate(values)}, done)


SCRIPT = Script(Path("examples/memory/copy.py"), (), Settings(), "7" * 64)


def test_a_record_shows_the_most_typical_process() -> None:
    runs = [
        Run(
            (Output(f"of {n}\n"),),
            {},
            {"torch": f"torch-{n}"},
            Process(n + 0.5, n),
            {name: f"{name} of {n}".encode() for name in ("copy-2.svg", "copy-1.svg")},
        )
        for n in range(3)
    ]
    measured: dict[str, Value] = {"copy_s": timing(9, 4, 5), "wait_s": timing(1, 3, 2)}
    today = datetime.datetime.now(datetime.UTC).date()

    made = make_record(SCRIPT, builder(gpu="NVIDIA L4"), runs, measured)

    assert datetime.date.fromisoformat(made.recorded) - today < datetime.timedelta(2)
    drawn = [
        Figure(name, checksum(f"{name} of 2".encode()))
        for name in ("copy-1.svg", "copy-2.svg")
    ]
    expected = Record(
        stem="copy",
        code_key="7" * 64,
        recorded=made.recorded,
        builder=builder(gpu="NVIDIA L4"),
        measured=measured,
        outputs=(Output("of 2\n"),),
        figures=tuple(drawn),
        names={"torch": "torch-2"},
        processes=(Process(0.5, 0), Process(1.5, 1), Process(2.5, 2)),
        typical=2,
        schema=SCHEMA,
    )
    assert expected == made


@pytest.mark.parametrize("ahead", [-12, 14])
def test_the_date_of_a_record_is_that_of_utc(
    monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    run = Run((), {}, {}, Process(1.0), {})
    today = datetime.datetime.now(datetime.UTC).date()
    # At any hour one of the two zones has another date.
    monkeypatch.setenv("TZ", f"There{-ahead:+d}")
    time.tzset()
    try:
        made = make_record(SCRIPT, builder(), [run], {"x": PLAIN})
    finally:
        monkeypatch.undo()
        time.tzset()
    days = {today, datetime.datetime.now(datetime.UTC).date()}
    assert datetime.date.fromisoformat(made.recorded) in days
