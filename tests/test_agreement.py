"""An old record stands while it and a new one say the same."""

from __future__ import annotations

import pytest
from evidence.records.address import agrees
from evidence.records.model import (
    Interval,
    Output,
    Plain,
    Process,
    Raised,
    Record,
    Table,
    Value,
)
from evidence.records.store import dump, parse
from factories import builder, quick, record, records, timing
from hypothesis import given

MEASURED: dict[str, Value] = {
    "same_bytes": Plain(4096),
    "is_async": Plain(True),
    "copy_s": timing(1.0, 1.1),
    "error": Raised("ValueError", "too large"),
    "sweep": Table(
        ({"n": Plain(1), "t_s": timing(1, 2)}, {"n": Plain(2), "t_s": timing(2, 3)})
    ),
}


def rows(*cells: Value) -> Table:
    return Table(tuple({"n": Plain(i), "t_s": cell} for i, cell in enumerate(cells, 1)))


@quick
@given(records)
def test_a_record_agrees_with_itself_as_it_is_read_back(given_record: Record) -> None:
    assert agrees(parse(dump(given_record)), given_record)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("copy_s", timing(1.1, 1.2)),
        ("copy_s", timing(0.9, 1.0)),
        ("copy_s", timing(1.04, 1.05)),
        ("copy_s", timing(0.5, 2)),
        ("copy_s", timing(*[0.9] * 2, *[1.05] * 8, *[9.0] * 2)),
        ("sweep", rows(timing(1.5, 9), timing(3, 4))),
    ],
)
def test_timings_that_overlap_agree(name: str, value: Value) -> None:
    old, new = record(measured=MEASURED), record(measured={**MEASURED, name: value})
    assert agrees(old, new)
    assert agrees(new, old)


@pytest.mark.parametrize(
    "change",
    [
        {"builder": builder(python="3.11.0", cpu="Other", gpus=8, pcie_width=8)},
        {"recorded": "2026-02-01"},
        {"outputs": (Output("took 4.9 s"),)},
        {"processes": (Process(2.5),) * 6, "typical": 3},
    ],
)
def test_what_changes_with_each_run_does_not_matter(change: dict[str, object]) -> None:
    assert agrees(record(measured=MEASURED), record(measured=MEASURED, **change))


def test_other_code_disagrees() -> None:
    assert not agrees(record(), record(code_key="1" * 64))


@pytest.mark.parametrize("name", ["gpu", "driver", "torch", "kernel"])
def test_another_kind_of_builder_disagrees(name: str) -> None:
    assert not agrees(record(), record(builder=builder(**{name: "another"})))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("same_bytes", Plain(4097)),
        ("same_bytes", Plain("4096")),
        ("is_async", Plain(False)),
        ("error", Raised("ValueError", "too small")),
        ("error", Raised("TypeError", "too large")),
        ("error", Plain("too large")),
        ("same_bytes", timing(4096, 4096)),
        ("copy_s", Plain(1.05)),
        ("copy_s", timing(1.11, 1.2)),
        ("copy_s", timing(0.8, 0.99)),
        ("copy_s", timing(*[1.0] * 2, *[1.2] * 8, *[1.3] * 2)),
        ("sweep", rows(timing(1, 2), timing(3.1, 4))),
        ("sweep", rows(timing(1, 2))),
        ("sweep", rows(timing(1, 2), timing(2, 3), timing(3, 4))),
        ("another", Plain(1)),
    ],
)
def test_another_value_disagrees(name: str, value: Value) -> None:
    old, new = record(measured=MEASURED), record(measured={**MEASURED, name: value})
    assert not agrees(old, new)
    assert not agrees(new, old)


def test_a_value_that_is_no_longer_measured_disagrees() -> None:
    fewer = {name: MEASURED[name] for name in list(MEASURED)[1:]}
    assert not agrees(record(measured=MEASURED), record(measured=fewer))


def test_the_order_of_names_does_not_matter() -> None:
    turned = dict(reversed(MEASURED.items()))
    new = record(measured=turned)
    assert agrees(record(measured=MEASURED), new)
    assert agrees(parse(dump(new)), new)


@pytest.mark.parametrize(
    ("expected", "left", "right"),
    [
        (True, (1, 2), (2, 3)),
        (True, (2, 3), (1, 2)),
        (True, (1, 4), (2, 3)),
        (True, (2, 3), (1, 4)),
        (True, (1, 1), (1, 1)),
        (False, (1, 2), (2.1, 3)),
        (False, (2.1, 3), (1, 2)),
        (False, (-1, -0.5), (0, 1)),
    ],
)
def test_closed_intervals_overlap_when_they_share_a_number(
    expected: bool, left: tuple[float, float], right: tuple[float, float]
) -> None:
    assert expected is Interval(*left).overlaps(Interval(*right))
