"""Two sets of records compared: what changed between them, and by how much."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence.records.agreement import overlap
from evidence.records.model import Cell, Interval, Plain, Raised, Timing, scalar
from evidence.records.units import (
    THIN_SPACE,
    digits_for,
    format_cell,
    format_interval,
    format_number,
    unit_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evidence.records.model import Builder, Record


@dataclass(frozen=True)
class Change:
    """A measured value before and after; None where it was not measured."""

    address: str
    old: Cell | None
    new: Cell | None

    @property
    def name(self) -> str:
        """The last part of the address, whose suffix states the unit."""
        return self.address.rpartition(".")[2]

    @property
    def within_noise(self) -> bool:
        """Whether both are timings whose intervals overlap: nothing is seen to have changed."""
        return (
            isinstance(self.old, Timing)
            and isinstance(self.new, Timing)
            and overlap(self.old.interval, self.new.interval)
        )

    @property
    def share(self) -> float | None:
        """The change as a share of the old value; None where that makes no sense."""
        old, new = _number(self.old), _number(self.new)
        if old is None or new is None or old == 0:
            return None
        return (new - old) / abs(old)

    @property
    def size(self) -> float:
        """By which factor the value changed, up or down; what has no factor is endless.

        A rate that fell to a tenth changed as much as one that rose tenfold.
        """
        if self.within_noise:
            return 1.0
        old, new = _number(self.old), _number(self.new)
        if not old or not new or (old > 0) is not (new > 0):
            return math.inf
        return max(new / old, old / new)


def compare(old: Mapping[str, Record], new: Mapping[str, Record]) -> list[Change]:
    """The changes between records that both sets hold, the largest first.

    Left out are records that are the same, and untimed values that are equal. Values that only
    one side measured come last.
    """
    changes = [
        Change(f"{stem}.{leaf}", before.get(leaf), after.get(leaf))
        for stem in old.keys() & new.keys()
        if old[stem] != new[stem]
        for before, after in [(old[stem].cells, new[stem].cells)]
        for leaf in before.keys() | after.keys()
    ]
    return sorted(filter(_tells, changes), key=_rank)


def _tells(change: Change) -> bool:
    return isinstance(change.old, Timing) or change.old != change.new


def _rank(change: Change) -> tuple[int, bool, float, str]:
    """Changed first, then added, then removed; among the changed by size."""
    part = 0 if change.old and change.new else 1 if change.new else 2
    return part, change.within_noise, -change.size, change.address


def builder_changes(
    old: Mapping[str, Record], new: Mapping[str, Record]
) -> dict[tuple[str, str], list[str]]:
    """The stems whose records are of different builders, by both builders in words."""
    found: dict[tuple[str, str], list[str]] = {}
    for stem in sorted(old.keys() & new.keys()):
        pair = builder_words(old[stem].builder), builder_words(new[stem].builder)
        if pair[0] != pair[1]:
            found.setdefault(pair, []).append(stem)
    return found


def builder_words(builder: Builder) -> str:
    """A builder in words: GPU, torch, driver."""
    named = (("torch", builder.torch), ("driver", builder.driver))
    known = [f"{name} {version}" for name, version in named if version]
    return ", ".join([builder.gpu or "a CPU", *known])


def spoken(name: str, cell: Cell) -> str:
    """A measured value for a terminal, with its interval: ``5.05× (4.92–5.18×)``."""
    if isinstance(cell, Timing) and len(cell.median) > 1:
        return spoken_number(name, cell.value, cell.interval)
    return spoken_value(name, cell)


def spoken_value(name: str, cell: Cell) -> str:
    """A measured value for a terminal, on one line: ``5.05×``."""
    return _one_line(format_cell(name, cell)) or '""'


def spoken_number(name: str, value: float, interval: Interval) -> str:
    """A number with its interval."""
    unit, digits = unit_of(name), digits_for(value, interval)
    ends = format_interval(interval, unit, digits)
    return _one_line(f"{format_number(value, unit, digits)} ({ends})")


def _one_line(text: str) -> str:
    return " ".join(text.replace(THIN_SPACE, " ").split())


def spoken_change(change: Change) -> tuple[str, str, str]:
    """The old value, the new one, and the change in per cent; empty where there is none."""
    if change.old is None or change.new is None:
        old, new = (_or_nothing(change.name, cell) for cell in (change.old, change.new))
        return old, new, ""
    old, new = (spoken(change.name, cell) for cell in (change.old, change.new))
    if old == new and not change.within_noise:
        # They differ in a digit that is not shown to people.
        old, new = repr(_exact(change.old)), repr(_exact(change.new))
    return old, new, _per_cent(change)


def _or_nothing(name: str, cell: Cell | None) -> str:
    return "" if cell is None else spoken(name, cell)


def _per_cent(change: Change) -> str:
    share = change.share
    if change.within_noise or share is None:
        return "~" if change.within_noise else ""
    percent = 100 * share
    if abs(percent) >= 10:
        return f"{percent:+,.0f} %"
    return f"{percent:+.1f} %" if abs(percent) >= 0.1 else f"{percent:+.1g} %"


def _exact(cell: Cell) -> object:
    return cell.message if isinstance(cell, Raised) else scalar(cell)


def _number(cell: Cell | None) -> float | None:
    match cell:
        case Timing():
            return cell.value
        case Plain(value=int() | float() as number) if not isinstance(number, bool):
            return number
    return None
