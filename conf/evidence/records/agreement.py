"""When two records of an example say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.records.model import Cell, Interval, Timing

if TYPE_CHECKING:
    from evidence.records.model import Record


def agrees(old: Record, new: Record) -> bool:
    """Whether the old record may stand, byte for byte, after measuring again.

    It may when it is of the same code and kind of builder, every untimed value is equal, and
    every timing's new interval overlaps the old one. So a review shows change and not noise, and
    no record mixes two runs.
    """
    before, after = old.cells, new.cells
    return (
        old.code_key == new.code_key
        and old.builder.same_kind(new.builder)
        and before.keys() == after.keys()
        and all(_same(before[name], after[name]) for name in before)
    )


def _same(old: Cell, new: Cell) -> bool:
    if isinstance(old, Timing) and isinstance(new, Timing):
        return overlap(old.interval, new.interval)
    return old == new


def overlap(left: Interval, right: Interval) -> bool:
    """Whether two closed intervals have a number in common."""
    return left.low <= right.high and right.low <= left.high
