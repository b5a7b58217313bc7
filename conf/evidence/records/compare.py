"""Records compared: whether two say the same, and by how much two sets of them differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from evidence.records import units
from evidence.records.address import Address
from evidence.records.model import Builder, Cell, Record, Timing, scalar


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

    address: Address
    old: Cell | None
    new: Cell | None

    @property
    def within_noise(self) -> bool:
        """Whether nothing is seen to have changed."""
        return alike(self.old, self.new)

    @property
    def size(self) -> float:
        """By which factor the value changed, up or down; what has no factor is endless.

        A rate that fell to a tenth changed as much as one that rose tenfold.
        """
        old, new = _number(self.old), _number(self.new)
        if not old or not new or old * new < 0:
            return math.inf
        return max(new / old, old / new)


def compare(old: Mapping[str, Record], new: Mapping[str, Record]) -> list[Change]:
    """The changes between records that both sets hold, the largest first.

    Left out are records that are the same, and untimed values that are equal. Values that only
    one side measured come last.
    """
    changes = [
        Change(Address(stem, leaf), before.get(leaf), after.get(leaf))
        for stem in old.keys() & new.keys()
        if old[stem] != new[stem]
        for before, after in [(old[stem].cells, new[stem].cells)]
        for leaf in before.keys() | after.keys()
    ]
    return sorted(filter(_tells, changes), key=_rank)


def _tells(change: Change) -> bool:
    return isinstance(change.old, Timing) or change.old != change.new


def _rank(change: Change) -> tuple[bool, bool, bool, float, Address]:
    """Changed first, then added, then removed; among the changed by size."""
    lacks = change.new is None, change.old is None
    return *lacks, change.within_noise, -change.size, change.address


def builder_words(builder: Builder) -> str:
    """A builder in words: GPU, torch, driver."""
    named = (("torch", builder.torch), ("driver", builder.driver))
    known = [f"{name} {version}" for name, version in named if version]
    return ", ".join([builder.gpu or "a CPU", *known])


def spoken_cell(name: str, cell: Cell) -> str:
    """A measured value for a terminal, with its interval: ``5.05× (4.92–5.18×)``."""
    text = spoken_value(name, cell)
    if not isinstance(cell, Timing) or len(cell.median) == 1:
        return text
    return f"{text} ({_one_line(units.format_interval(name, cell))})"


def spoken_value(name: str, cell: Cell) -> str:
    """A measured value for a terminal, on one line: ``5.05×``."""
    return _one_line(units.format_cell(name, cell)) or '""'


def _one_line(text: str) -> str:
    return " ".join(text.split())


def spoken_change(change: Change) -> tuple[str, str, str]:
    """The old value, the new one, and the change: in words, empty where there is none."""
    name, cells = change.address.quantity, (change.old, change.new)
    old, new = ("" if cell is None else spoken_cell(name, cell) for cell in cells)
    return old, new, _told(change)


def _told(change: Change) -> str:
    if change.old is None:
        return "added"
    if change.new is None:
        return "removed"
    if change.within_noise:
        return "~"
    old, new = _number(change.old), _number(change.new)
    if not old or new is None:
        return ""
    percent = 100 * (new - old) / abs(old)
    return f"{percent:+,.0f} %" if abs(percent) >= 10 else f"{percent:+.2g} %"


def _number(cell: Cell | None) -> float | None:
    value = None if cell is None else scalar(cell)
    return value if type(value) in (int, float) else None
