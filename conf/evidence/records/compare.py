"""Records compared: whether two say the same, and by how much two sets of them differ."""

from __future__ import annotations

from collections.abc import Mapping

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


def changes(
    old: Mapping[str, Record], new: Mapping[str, Record]
) -> list[tuple[str, ...]]:
    """What changed between two sets of records, by address, in words.

    Each as its address, the old value, the new one and the change. Left out is what is alike.
    """
    before, after = _cells(old), _cells(new)
    differences = []
    for address in sorted(before.keys() | after.keys()):
        pair = before.get(address), after.get(address)
        if not alike(*pair):
            words = (
                "–" if c is None else spoken_cell(address.quantity, c) for c in pair
            )
            differences.append((str(address), *words, _change(*pair)))
    return differences


def _cells(records: Mapping[str, Record]) -> dict[Address, Cell]:
    return {
        Address(stem, name): cell
        for stem, record in records.items()
        for name, cell in record.cells.items()
    }


def _change(old: Cell | None, new: Cell | None) -> str:
    """By how much a number changed; of anything else nothing."""
    if old is None or new is None:
        return ""
    before, after = scalar(old), scalar(new)
    if not {type(before), type(after)} <= {int, float} or before * after <= 0:
        return ""
    percent = 100 * (after - before) / abs(before)
    return f"{percent:+,.0f} %" if abs(percent) >= 10 else f"{percent:+.2g} %"


def versions(builder: Builder, *names: str) -> list[str]:
    """What runs on a builder, as far as that is known, each with its name."""
    by_name = {name: getattr(builder, name.lower()) for name in names}
    return [f"{name} {version}" for name, version in by_name.items() if version]


def builder_words(builder: Builder) -> str:
    """A builder in words: GPU, torch, driver."""
    return ", ".join([builder.gpu or "a CPU", *versions(builder, "torch", "driver")])


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
