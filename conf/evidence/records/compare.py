"""Records compared: whether two say the same, and by how much two sets of them differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from evidence.records import units
from evidence.records.model import (
    Builder,
    Cell,
    Interval,
    Plain,
    Raised,
    Record,
    Timing,
    scalar,
)


def agrees(old: Record, new: Record) -> bool:
    """Whether the old record may stand, byte for byte, after measuring again.

    It may when it is of the same code and kind of builder, and all its values are alike. So a
    review shows change and not noise, and no record mixes two runs.
    """
    before, after = old.cells, new.cells
    return (
        old.code_key == new.code_key
        and old.builder.same_kind(new.builder)
        and before.keys() == after.keys()
        and all(alike(before[name], after[name]) for name in before)
    )


def alike(old: Cell | None, new: Cell | None) -> bool:
    """Whether two values are equal, or timings whose intervals overlap."""
    if isinstance(old, Timing) and isinstance(new, Timing):
        return old.interval.overlaps(new.interval)
    return old == new


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
        """Whether nothing is seen to have changed."""
        return alike(self.old, self.new)

    @property
    def share(self) -> float | None:
        """The change as a share of the old value; None where that makes no sense."""
        old, new = _number(self.old), _number(self.new)
        return None if not old or new is None else (new - old) / abs(old)

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


def spoken_cell(name: str, cell: Cell) -> str:
    """A measured value for a terminal, with its interval: ``5.05× (4.92–5.18×)``."""
    if isinstance(cell, Timing) and len(cell.median) > 1:
        return spoken_number(name, cell.value, cell.interval)
    return spoken_value(name, cell)


def spoken_value(name: str, cell: Cell) -> str:
    """A measured value for a terminal, on one line: ``5.05×``."""
    return _one_line(units.format_cell(name, cell)) or '""'


def spoken_number(name: str, value: float, interval: Interval) -> str:
    """A number with its interval."""
    unit, digits = units.unit_of(name), units.digits_for(value, interval)
    ends = units.format_interval(interval, unit, digits)
    return _one_line(f"{units.format_number(value, unit, digits)} ({ends})")


def _one_line(text: str) -> str:
    return " ".join(text.replace(units.THIN_SPACE, " ").split())


def spoken_change(change: Change) -> tuple[str, str, str]:
    """The old value, the new one, and the change in per cent; empty where there is none."""
    cells = (change.old, change.new)
    old, new = ("" if c is None else spoken_cell(change.name, c) for c in cells)
    if old == new and not change.within_noise:
        # They differ in a digit that is not shown to people.
        old, new = (repr(_exact(cell)) for cell in cells)
    return old, new, _per_cent(change)


def _per_cent(change: Change) -> str:
    if change.within_noise:
        return "~"
    if change.share is None:
        return ""
    percent = 100 * change.share
    if abs(percent) >= 10:
        return f"{percent:+,.0f} %"
    return f"{percent:+.1f} %" if abs(percent) >= 0.1 else f"{percent:+.1g} %"


def _exact(cell: Cell | None) -> object:
    if isinstance(cell, Raised):
        return cell.message
    return None if cell is None else scalar(cell)


def _number(cell: Cell | None) -> float | None:
    match cell:
        case Timing():
            return cell.value
        case Plain(value=int() | float() as number) if not isinstance(number, bool):
            return number
    return None
