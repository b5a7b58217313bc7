"""A record as its file has it, where that differs from the record itself.

A measured value is an object with one field, which says what it is: ``value``, ``raised``,
``timing`` or ``table``. The columns of a table are a list, because their order carries the
addresses of its rows. And a checksum seals the whole.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from evidence.records import model
from evidence.records.model import (
    LARGEST,
    Cell,
    Part,
    Plain,
    Raised,
    Sha256,
    Table,
    Timing,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[^\W\d]\w*$")]

KINDS = ("value", "raised", "timing", "table")


class Entry(Part, frozen=True, kw_only=True):
    """What a single value and a column have in common."""

    value: bool | int | float | str | UnsetType = UNSET
    raised: Raised | UnsetType = UNSET
    timing: Timing | UnsetType = UNSET

    def __post_init__(self) -> None:
        if sum(getattr(self, kind, UNSET) is not UNSET for kind in KINDS) != 1:
            raise ValueError(f"a measured value is one of {', '.join(KINDS)}")

    def cell(self) -> Cell:
        """The value itself.

        :raises ValueError: when a record cannot hold it
        """
        if self.timing is not UNSET:
            return self.timing
        if self.raised is not UNSET:
            return self.raised
        assert self.value is not UNSET
        if not isinstance(self.value, str) and not abs(self.value) <= LARGEST:
            raise ValueError("a measured number is at most 1e100")
        return Plain(self.value)


class Column(Entry, frozen=True, kw_only=True):
    """One cell in the row of a table: the name of its column, and the value."""

    column: Name


_Column: TypeAlias = Annotated[
    Column, Meta(extra_json_schema={"minProperties": 2, "maxProperties": 2})
]
_Row: TypeAlias = Annotated[tuple[_Column, ...], Meta(min_length=1)]


class Value(Entry, frozen=True, kw_only=True):
    """A measured value: one of these fields, which says what it is.

    ``value`` is the same in every process; ``table`` is a sweep, whose first column tells its
    rows apart.
    """

    table: Annotated[tuple[_Row, ...], Meta(min_length=1)] | UnsetType = UNSET

    def opened(self) -> model.Value:
        """The value itself.

        :raises ValueError: when a record cannot hold it
        """
        if self.table is UNSET:
            return self.cell()
        return Table(tuple({c.column: c.cell() for c in row} for row in self.table))


_Value: TypeAlias = Annotated[
    Value, Meta(extra_json_schema={"minProperties": 1, "maxProperties": 1})
]


class Record(model.Record, frozen=True, kw_only=True):
    """The result of measuring one example on one builder.

    ``outputs`` holds one entry for each code cell that has a statement, from the most typical
    process (``typical`` is its index in ``processes``). ``names`` maps each name of the script's
    globals to the qualified name of its type. ``recorded`` is the UTC date. ``code_key`` is a
    hash of the code cells and the evidence settings; ``checksum`` of all other fields.
    """

    measured: dict[Name, _Value]  # type: ignore[assignment]
    checksum: Sha256

    def opened(self) -> model.Record:
        """The record itself.

        :raises ValueError: when it cannot hold one of its values
        """
        known = {name: getattr(self, name) for name in model.Record.__struct_fields__}
        return model.Record(**{**known, "measured": open_values(self.measured)})


_RECORD = msgspec.json.Decoder(Record)


def decode(data: bytes) -> Record:
    """Read a record as its file has it.

    :raises ValueError, RecursionError: when it is not JSON, or does not fit the schema
    """
    return _RECORD.decode(data)


def schema() -> dict[str, Any]:
    """The JSON Schema of a record's file."""
    found = msgspec.json.schema(Record)
    for part in found["$defs"].values():
        # From Python 3.13 on a docstring is not indented.
        part["description"] = inspect.cleandoc(part["description"])
    return found


def open_values(measured: Mapping[str, Value]) -> dict[str, model.Value]:
    """The values themselves.

    :raises ValueError: when a record cannot hold one; the message names it
    """
    opened = {}
    for name, value in measured.items():
        try:
            opened[name] = value.opened()
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return opened


def as_data(record: model.Record) -> dict[str, Any]:
    """A record as plain data, all but its checksum."""
    known = msgspec.structs.asdict(record)
    data = msgspec.to_builtins({**known, "measured": wrap_values(record.measured)})
    assert isinstance(data, dict)
    return data


def wrap_values(measured: Mapping[str, model.Value]) -> dict[str, Any]:
    """Measured values as plain data, as they stand in a record and in ``claims.json``."""
    return {name: _wrapped(value) for name, value in measured.items()}


def _wrapped(value: model.Value) -> dict[str, Any]:
    match value:
        case Plain(value=plain):
            return {"value": plain}
        case Raised():
            return {"raised": msgspec.to_builtins(value)}
        case Timing():
            return {"timing": msgspec.to_builtins(value)}
        case Table(rows=rows):
            return {
                "table": [
                    [{"column": name, **_wrapped(cell)} for name, cell in row.items()]
                    for row in rows
                ]
            }
