"""What a figure takes from records, and what it may compute of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from evidence.figures.drawing import PlotError
from evidence.records.address import Address, lookup, lookup_table
from evidence.records.model import Cell, Record, Row, Timing


class Records:
    """The records as a figure's module sees them; what it takes is noted."""

    def __init__(
        self,
        records: Mapping[str, Record],
        change: Callable[[Cell], Cell] = lambda cell: cell,
    ) -> None:
        self.records = records
        self._change = change
        self.uses: set[Address] = set()
        #: What it took, by the names of values and columns.
        self.taken: set[tuple[str, Cell]] = set()

    def value(self, address: str) -> Cell:
        """A single measured value.

        :raises AddressError: when nothing was measured under this address
        """
        used = Address.of(address)
        self.uses.add(used)
        cell = self._change(lookup(used, self.records))
        self.taken.add((used.quantity, cell))
        return cell

    def rows(self, address: str) -> Sequence[Row]:
        """The rows of a sweep.

        :raises AddressError: when nothing was measured under this address
        """
        used = Address.of(address)
        self.uses.add(used)
        table = lookup_table(used, self.records)
        rows = [{name: self._change(row[name]) for name in row} for row in table.rows]
        self.taken.update(cell for row in rows for cell in row.items())
        return rows

    @property
    def measured(self) -> set[tuple[str, Cell]]:
        """All that was measured in the records that it uses."""
        stems = {address.stem for address in self.uses}
        found = (item for stem in stems for item in self.records[stem].cells.items())
        return {(name.rpartition(".")[2], cell) for name, cell in found}


def check_computed(
    painter: Callable[[Any, Records], Sequence[Row]],
    rows: Sequence[Row],
    records: Records,
) -> None:
    """What is computed has a name of its own, and comes from what each process measured.

    :raises PlotError: when a cell of these rows is in no record, and not so
    """
    measured = records.measured
    cells = [cell for row in rows for cell in row.items()]
    computed = [cell for cell in cells if cell not in measured]
    if not computed:
        return
    # Here, for a build that draws nothing does not load it.
    from matplotlib.figure import Figure

    again = painter(Figure().subplots(), Records(records.records, _other))
    changed = [cell for row in again for cell in row.items()]
    for name, cell in computed:
        known = any(name == other or cell == found for other, found in measured)
        if known or not isinstance(cell, Timing) or (name, cell) in changed:
            raise PlotError(f"returns a {name} that is in no record: take it from one")


def _other(cell: Cell) -> Cell:
    """A cell as it might have been measured, too."""
    if not isinstance(cell, Timing):
        return cell
    factor = Random(repr(cell)).uniform(1, 2)
    return replace(cell, median=tuple(factor * median for median in cell.median))
