"""Two sets of records are compared value by value."""

from __future__ import annotations

import pytest
from evidence.records.address import alike, changes
from evidence.records.model import Cell, Plain, Raised, Record, Table, Timing, Value
from evidence.records.units import spoken_cell
from factories import builder, record, timing

#: Two processes, not the ends of six.
TWO = Timing((2.0, 3.0), iqr=(0.0, 0.0), n=(9, 9))


def both(
    old: dict[str, Value], new: dict[str, Value]
) -> tuple[dict[str, Record], dict[str, Record]]:
    """Two sets of one record each."""
    return {"copy": record("copy", old)}, {"copy": record("copy", new)}


def change(
    old: Cell | None, new: Cell | None, name: str = "speedup"
) -> tuple[str, ...]:
    """How a change of one value is told, beside one that is always there."""
    before = {name: old} if old is not None else {}
    after = {name: new} if new is not None else {}
    same: dict[str, Value] = {"same": Plain(1)}
    (row,) = changes(*both({**same, **before}, {**same, **after}))
    return row[1:]


def test_a_record_that_is_the_same_has_no_changes() -> None:
    old, new = both({"speedup": timing(4, 5)}, {"speedup": timing(4, 5)})
    expected = []
    assert expected == changes(old, new)


def test_values_that_are_alike_are_left_out() -> None:
    old, new = both(
        {"speedup": timing(4, 5), "calls": Plain(20), "pinned": Plain(True)},
        {"speedup": timing(4.1, 5), "calls": Plain(20), "pinned": Plain(False)},
    )
    expected = ["pinned"]
    assert expected == [row[0].removeprefix("copy.") for row in changes(old, new)]


def test_cells_of_a_table_are_compared_by_their_row() -> None:
    def table(*times: float) -> Table:
        rows = ({"size": Plain(n), "s": timing(t, t)} for n, t in enumerate(times))
        return Table(tuple(rows))

    old, new = both({"sweep": table(1, 2)}, {"sweep": table(1, 3)})
    expected = [
        (
            "copy.sweep[size=1].s",
            "2.000 s (2.000–2.000 s)",
            "3.000 s (3.000–3.000 s)",
        ),
    ]
    assert expected == changes(old, new)


def test_changes_are_sorted_by_address() -> None:
    old = {s: record(s, {"x": Plain(1)}) for s in ("b", "c", "a")}
    new = {s: record(s, {"x": Plain(2)}) for s in ("c", "a", "b")}
    expected = ["a.x", "b.x", "c.x"]
    assert expected == [row[0] for row in changes(old, new)]


@pytest.mark.parametrize(
    ("within", "old", "new"),
    [
        (True, timing(4, 5), timing(5, 6)),
        (False, timing(4, 5), timing(5.1, 6)),
        (True, timing(4, 5), timing(4.2, 4.4)),
        (False, Plain(4), timing(3, 5)),
        (False, timing(3, 5), None),
    ],
)
def test_timings_whose_intervals_overlap_are_within_noise(
    within: bool, old: Cell, new: Cell | None
) -> None:
    assert within is alike(old, new)


@pytest.mark.parametrize(
    ("expected", "old", "new"),
    [
        (
            ("4.5× (4.0–5.0×)", "6.5× (6.0–7.0×)"),
            timing(4, 5),
            timing(6, 7),
        ),
        (("4.500×", "6.000×"), timing(4.5), timing(6.0)),
        (("20.00×", "19.00×"), Plain(20), Plain(19)),
        (("1.000×", "2,000×"), Plain(1), Plain(2000)),
        (("0×", "1.000×"), Plain(0), Plain(1)),
        (("yes", "no"), Plain(True), Plain(False)),
        (('""', "b"), Plain(""), Plain("b")),
        (("–", '""'), None, Plain("")),
        (("20.00×", "–"), Plain(20), None),
        (
            ("ValueError: one two", "no"),
            Raised("ValueError", "one\n  two"),
            Plain(False),
        ),
    ],
)
def test_a_change_is_told_in_two_words(
    expected: tuple[str, str], old: Cell | None, new: Cell | None
) -> None:
    assert expected == change(old, new)


@pytest.mark.parametrize(
    ("expected", "old", "new"),
    [
        (("10", "11"), Plain(10), Plain(11)),
        (("1,000", "1,099"), Plain(1000), Plain(1099)),
        (("10,000", "10,105"), Plain(10_000), Plain(10_105)),
        (("2.5 (2.0–3.0)", "5.000"), TWO, timing(5.0)),
    ],
)
def test_a_change_is_told_at_the_edges_of_its_digits(
    expected: tuple[str, str], old: Cell, new: Cell
) -> None:
    assert expected == change(old, new, "calls")


def test_a_value_is_told_in_its_unit_and_stands_within_its_interval() -> None:
    expected = "11.5 GB/s (11.3–11.7 GB/s)"
    assert expected == spoken_cell("read_bytes_per_s", timing(11.3e9, 11.5e9, 11.7e9))
    expected = "5.0 ms (4.8–5.2 ms)"
    assert expected == spoken_cell("copy_s", timing(4.8e-3, 5e-3, 5.2e-3))


def test_a_builder_without_a_gpu_is_a_cpu() -> None:
    expected = "a CPU"
    assert expected == str(builder(gpu="", torch="", driver=""))
