"""Addresses of measured values: ``stem.name``, and of a sweep ``stem.name[key=value].column``.

Behind a prefix that several share, an address begins with a dot or a bracket: ``.name``,
``[key=value].column``. Records are compared by them, value by value.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from evidence.records.model import Cell, Record, Table, Timing
from evidence.records.units import Unit, spoken_cell, unit_of

#: Records by the stem of their example.
Records: TypeAlias = "Mapping[str, Record]"

_CELL = r"\[[^\]]+\]\.[A-Za-z_]\w*"
#: An address as a pattern, with or without its prefix.
ADDRESS = rf"(?:(?:[a-z][a-z0-9_]*)?\.[A-Za-z_]\w*(?:{_CELL})?|{_CELL})"


class AddressError(ValueError):
    """An address at which nothing was measured; the message names those that come near."""


class NoRecordError(AddressError):
    """An address whose example has no record, or does not exist."""


@dataclass(frozen=True, order=True)
class Address:
    """Where a measured value stands: the stem of its example, and the name in its record."""

    stem: str
    name: str

    @classmethod
    def of(cls, text: str, prefix: str = "") -> Address:
        """Read an address as pages write it, perhaps behind a prefix."""
        text = text.strip()
        full = f"{prefix.strip()}{text}" if text.startswith((".", "[")) else text
        stem, _, name = full.partition(".")
        return cls(stem, name)

    def __str__(self) -> str:
        """The address as pages write it."""
        return f"{self.stem}.{self.name}" if self.name else self.stem

    @property
    def top(self) -> str:
        """The name in ``measured``: of a value in a sweep that of the sweep."""
        return self.name.partition("[")[0]

    @property
    def row(self) -> str:
        """The name up to the row of a sweep; empty for a value that stands alone."""
        return self.name.rpartition(".")[0]

    @property
    def quantity(self) -> str:
        """The last part of the name, whose suffix states the unit."""
        return self.name.rpartition(".")[2]

    @property
    def is_key(self) -> bool:
        """Whether the address itself tells the value: it is the one that selects its row."""
        return self.name.partition("[")[2].startswith(f"{self.quantity}=")

    @property
    def unit(self) -> Unit:
        """The unit of the value."""
        return unit_of(self.quantity)


def is_address(text: str) -> bool:
    """Whether a text is written as an address."""
    return re.fullmatch(ADDRESS, text) is not None


def lookup(address: Address, records: Records) -> Cell:
    """The measured value at an address.

    :raises AddressError: when there is none
    """
    cells = _record(address, records).cells
    if address.name not in cells:
        raise _unknown(address, cells)
    return cells[address.name]


def unmeasured(text: str, prefix: str, records: Records) -> AddressError | None:
    """What is wrong with an address in a text: its example has a record, which has not that."""
    for address in (Address.of(name, prefix) for name in re.findall(ADDRESS, text)):
        try:
            lookup(address, records)
        except NoRecordError:
            continue  # which is reported anyway
        except AddressError as error:
            return error
    return None


def lookup_table(address: Address, records: Records) -> Table:
    """The sweep that was measured at an address.

    :raises AddressError: when there is none
    """
    measured = _record(address, records).measured
    table = measured.get(address.name)
    if isinstance(table, Table):
        return table
    names = (name for name, value in measured.items() if isinstance(value, Table))
    raise _unknown(address, names, "no table")


def _record(address: Address, records: Records) -> Record:
    if address.stem in records:
        return records[address.stem]
    hint = did_you_mean(address.stem, records)
    raise NoRecordError(f"nothing was measured as {address.stem!r}{hint}")


def _unknown(
    address: Address, names: Iterable[str], what: str = "nothing"
) -> AddressError:
    ordered = sorted(names)
    place = bisect(ordered, address.name)
    # Of a sweep's thousands, those that begin like it: to compare them all takes seconds.
    around = ordered[max(place - 100, 0) : place + 100]
    hint = did_you_mean(str(address), (f"{address.stem}.{name}" for name in around))
    return AddressError(f"{what} was measured as {str(address)!r}{hint}")


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message about a name that is not known; empty where none is like it."""
    near = difflib.get_close_matches(name, list(names), cutoff=0.5)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def agrees(old: Record, new: Record) -> bool:
    """Whether the old record may stand, byte for byte, after measuring again.

    It may when it is of the same code and kind of builder, and all its values are alike. So a
    review shows change and not noise, and no record mixes two runs.
    """
    names = old.cells.keys() | new.cells.keys()
    return (
        old.code_key == new.code_key
        and old.builder.same_kind(new.builder)
        and all(alike(old.cells.get(name), new.cells.get(name)) for name in names)
    )


def alike(old: Cell | None, new: Cell | None) -> bool:
    """Whether two values are equal, or timings whose intervals overlap."""
    if isinstance(old, Timing) and isinstance(new, Timing):
        return old.interval.overlaps(new.interval)
    return old == new


def changes(old: Records, new: Records) -> list[tuple[str, str, str]]:
    """What changed between two sets of records, by address, in words.

    Each as its address, the old value and the new one. Left out is what is alike.
    """
    before, after = _cells(old), _cells(new)
    rows = []
    for address in sorted(before.keys() | after.keys()):
        was, now = before.get(address), after.get(address)
        if not alike(was, now):
            rows.append((str(address), _spoken(address, was), _spoken(address, now)))
    return rows


def _spoken(address: Address, cell: Cell | None) -> str:
    return "–" if cell is None else spoken_cell(address.quantity, cell)


def _cells(records: Records) -> dict[Address, Cell]:
    return {
        Address(stem, name): cell
        for stem, record in records.items()
        for name, cell in record.cells.items()
    }
