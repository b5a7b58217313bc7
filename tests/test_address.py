"""Addresses of measured values are read, written, and looked up in the records."""

from __future__ import annotations

from typing import Any

import pytest
from evidence.records.address import (
    Address,
    AddressError,
    NoRecordError,
    is_address,
    lookup,
    lookup_table,
    unmeasured,
)
from evidence.records.model import Plain, Table
from evidence.records.units import BYTES, COUNT, SECONDS
from factories import record, timing

SWEEP = Table(({"size": Plain(1.5), "pinned_s": timing(1, 2)},))
SPEEDS = {f"speed_{n}": Plain(n) for n in range(1, 5)}
RECORDS = {
    "copy": record("copy", {"speedup": timing(4, 5), "sweep": SWEEP}),
    "paged": record("paged", SPEEDS),
}


@pytest.mark.parametrize(
    ("text", "stem", "name"),
    [
        ("copy.speedup", "copy", "speedup"),
        (" a.b[k=0.5].c\n", "a", "b[k=0.5].c"),
        ("copy", "copy", ""),
        ("", "", ""),
    ],
)
def test_an_address_is_read_and_written(text: str, stem: str, name: str) -> None:
    address = Address.of(text)
    assert Address(stem, name) == address
    assert text.strip() == str(address)


def test_the_parts_of_an_address_are_known() -> None:
    of_cell, of_value = Address.of("a.b_s[k=0.5].c_bytes"), Address.of("a.b_s")
    assert ("b_s", "c_bytes", BYTES) == (of_cell.top, of_cell.quantity, of_cell.unit)
    assert ("b_s", "b_s", SECONDS) == (of_value.top, of_value.quantity, of_value.unit)
    assert COUNT is Address.of("a.calls").unit


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (True, "copy.sweep[size_bytes=64].size_bytes"),
        (True, "copy.sweep[size=4].size"),
        # Its column begins as the key does, and is another.
        (False, "copy.sweep[size_bytes=64].size"),
        (False, "copy.sweep[size=4].size_bytes"),
        (False, "copy.sweep[way=size].size"),
        (False, "copy.size"),
    ],
)
def test_a_key_is_what_selects_its_own_row(expected: bool, text: str) -> None:
    assert expected is Address.of(text).is_key


def test_addresses_are_sorted_by_stem_and_name() -> None:
    expected = ["a.b", "a.c", "b.a"]
    assert expected == [str(a) for a in sorted(map(Address.of, ["b.a", "a.c", "a.b"]))]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        (True, "copy.speedup"),
        (True, "copy_2.Speed_2"),
        (True, "a.b[k=0.5].c"),
        (False, "copy"),
        (False, "copy.2"),
        (False, "2.copy"),
        (False, "a.b[].c"),
        (False, "a.b[k=1]"),
        (False, "a.b.c"),
        (False, "a.b c"),
    ],
)
def test_what_is_written_as_an_address_is_told(expected: bool, text: str) -> None:
    assert expected is is_address(text)


@pytest.mark.parametrize(
    ("expected", "address"),
    [
        (timing(4, 5), "copy.speedup"),
        (timing(1, 2), "copy.sweep[size=1.5].pinned_s"),
        (Plain(3), "paged.speed_3"),
    ],
)
def test_a_value_is_found_at_its_address(expected: object, address: str) -> None:
    assert expected == lookup(Address.of(address), RECORDS)


def test_a_table_is_found_at_its_address() -> None:
    assert SWEEP is lookup_table(Address.of("copy.sweep"), RECORDS)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("copy.spedup", "'copy.spedup'; did you mean copy.speedup?"),
        (
            "copy.sweep[size=2].pinned_s",
            "'copy.sweep[size=2].pinned_s'; did you mean copy.sweep[size=1.5].pinned_s "
            "or copy.sweep[size=1.5].size?",
        ),
        (
            "paged.speed_",
            "'paged.speed_'; did you mean paged.speed_4 or paged.speed_3 or "
            "paged.speed_2?",
        ),
        ("copy.zzzzzzzzzzzzzzzz", "'copy.zzzzzzzzzzzzzzzz'"),
        # Half of the letters are enough.
        ("copacaba.speedup", "'copacaba'; did you mean copy?"),
        ("copacaban.speedup", "'copacaban'"),
    ],
)
def test_an_unknown_address_is_shown_with_those_that_come_near(
    address: str, message: str
) -> None:
    with pytest.raises(AddressError) as error:
        lookup(Address.of(address), RECORDS)
    assert f"nothing was measured as {message}" == str(error.value)


def test_of_thousands_the_nearest_is_still_named() -> None:
    rows = tuple({"size": Plain(n), "paused": Plain(n + 0.5)} for n in range(4_000))
    records = {"copy": record(measured={"sweep": Table(rows)})}
    with pytest.raises(
        AddressError, match=r"did you mean copy\.sweep\[size=1234\]\.paused"
    ):
        lookup(Address.of("copy.sweep[size=1234].pausd"), records)


@pytest.mark.parametrize("look", [lookup, lookup_table])
def test_an_example_without_a_record_is_told_apart(look: Any) -> None:
    expected = "nothing was measured as 'cpoy'; did you mean copy?"
    with pytest.raises(NoRecordError) as error:
        look(Address.of("cpoy.sweep"), RECORDS)
    assert expected == str(error.value)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("copy.swep", "'copy.swep'; did you mean copy.sweep?"),
        ("copy.speedup", "'copy.speedup'; did you mean copy.sweep?"),
        ("copy.zzzzz", "'copy.zzzzz'; did you mean copy.sweep?"),
    ],
)
def test_what_is_no_table_is_shown_with_those_that_come_near(
    address: str, message: str
) -> None:
    with pytest.raises(AddressError) as error:
        lookup_table(Address.of(address), RECORDS)
    assert f"no table was measured as {message}" == str(error.value)


@pytest.mark.parametrize(
    ("expected", "text", "prefix"),
    [
        (None, "faster by `copy.speedup` than `paged.speed_2`, no address", ""),
        (None, ".speedup of .sweep[size=1.5].pinned_s", "copy"),
        # Which has no record: that is reported anyway, and the rest is looked at.
        (None, "cpoy.speedup and .speedup", "copy"),
        ("copy.spedup", "cpoy.speedup, .spedup and .swep", "copy"),
        ("paged.speed_7", "copy.speedup, paged.speed_7 and copy.spedup", ""),
    ],
)
def test_the_first_address_of_a_text_that_its_record_does_not_have_is_told(
    expected: str | None, text: str, prefix: str
) -> None:
    error = unmeasured(text, prefix, RECORDS)

    if expected is None:
        assert error is None
    else:
        assert str(error).startswith(f"nothing was measured as {expected!r}; did you")
