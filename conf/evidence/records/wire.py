"""A record as its file has it, where that differs from the record itself.

A measured value is an object with one field, which says what it is: ``value``, ``raised``,
``timing`` or ``table``. The columns of a table are a list, because their order carries the
addresses of its rows. And a checksum seals the whole.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from evidence.records import model
from evidence.records.model import LARGEST, Cell, Part, Plain, Raised, Table, Timing

Name: TypeAlias = Annotated[str, Meta(pattern=r"^[^\W\d]\w*$")]


def _has_fields(count: int) -> Meta:
    """For the schema: of the fields that an object may have, exactly so many are there."""
    return Meta(extra_json_schema={"minProperties": count, "maxProperties": count})


class Entry(Part, frozen=True, kw_only=True):
    """What a single value and a column have in common."""

    value: bool | int | float | str | UnsetType = UNSET
    raised: Raised | UnsetType = UNSET
    timing: Timing | UnsetType = UNSET

    def __post_init__(self) -> None:
        table = getattr(self, "table", UNSET)
        if (self.value, self.raised, self.timing, table).count(UNSET) != 3:
            raise ValueError("a measured value is one of value, raised, timing, table")

    def cell(self) -> Cell:
        """The value itself.

        :raises ValueError: when it is too large
        """
        if self.timing is not UNSET:
            return self.timing
        if self.raised is not UNSET:
            return self.raised
        assert self.value is not UNSET
        if not isinstance(self.value, str) and not abs(self.value) <= LARGEST:
            raise ValueError(f"a measured number is at most {LARGEST:g}")
        return Plain(self.value)


class Column(Entry, frozen=True, kw_only=True):
    """One cell in the row of a table: the name of its column, and the value."""

    column: Name


Columns: TypeAlias = tuple[Annotated[Column, _has_fields(2)], ...]


class Value(Entry, frozen=True, kw_only=True):
    """A measured value: one of these fields, which says what it is.

    ``value`` is the same in every process; ``table`` is a sweep, whose first column tells its
    rows apart.
    """

    table: tuple[Columns, ...] | UnsetType = UNSET

    def value_itself(self) -> model.Value:
        """What was measured, without its form in a file.

        :raises ValueError: when it is too large, or rows cannot be told apart
        """
        if self.table is UNSET:
            return self.cell()
        return Table(tuple({c.column: c.cell() for c in row} for row in self.table))


#: What an example measured, by name.
Measured: TypeAlias = dict[Name, Annotated[Value, _has_fields(1)]]


class Record(model.Circumstances, frozen=True, kw_only=True):
    """The result of measuring one example on one builder.

    ``outputs`` holds one entry for each code cell that has a statement, from the most typical
    process (``typical`` is its index in ``processes``). ``names`` maps each name of the script's
    globals to the qualified name of its type. ``recorded`` is the UTC date. ``code_key`` is a
    hash of the code cells and the evidence settings: by it a record belongs to its example, whose
    name was ``stem`` then. ``checksum`` is a hash of all other fields.
    """

    measured: Annotated[Measured, Meta(min_length=1)]
    checksum: model.Sha256

    def record_itself(self) -> model.Record:
        """The record without its form in a file.

        :raises ValueError: when it cannot hold one of its values; the message names it
        """
        builder = self.builder
        if bool(builder.gpus) != bool(builder.gpu and builder.torch and builder.kernel):
            raise ValueError("its GPUs lack a name, a number, a kernel or torch")
        fields = msgspec.structs.asdict(self)
        del fields["checksum"]
        return model.Record(**{**fields, "measured": unpacked(self.measured)})


DECODER = msgspec.json.Decoder(Record)


def schema() -> dict[str, Any]:
    """The JSON Schema of a record's file."""
    described = msgspec.json.schema(Record)
    for part in described["$defs"].values():
        # From Python 3.13 on a docstring is not indented.
        part["description"] = inspect.cleandoc(part["description"])
    return described


def as_data(record: model.Record) -> dict[str, Any]:
    """A record as plain data, all but its checksum."""
    fields = msgspec.structs.asdict(record) | {"measured": packed(record.measured)}
    data: dict[str, Any] = msgspec.to_builtins(fields)
    return data


def unpacked(measured: Mapping[str, Value]) -> dict[str, model.Value]:
    """What was measured, without its form in a file.

    :raises ValueError: when one is too large, or rows cannot be told apart; the message names it
    """
    values = {}
    for name, value in measured.items():
        try:
            values[name] = value.value_itself()
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return values


def packed(measured: Mapping[str, model.Value]) -> dict[str, Any]:
    """Measured values as plain data, as they stand in a record and in ``claims.json``."""
    return {name: _for_file(value) for name, value in measured.items()}


def _for_file(value: model.Value) -> dict[str, Any]:
    if isinstance(value, Table):
        rows = ([{"column": c, **_for_file(row[c])} for c in row] for row in value.rows)
        return {"table": list(rows)}
    data: dict[str, Any] = msgspec.to_builtins(value)
    # A plain value is an object with one field already.
    return data if isinstance(value, Plain) else {type(value).__name__.lower(): data}
