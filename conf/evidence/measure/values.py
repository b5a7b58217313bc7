"""From what an example measured to what a record keeps.

Within a process: check ``measured`` and reduce each timing to one number. Across processes: one
value for each name, where timings keep one number a process and everything else must agree.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from numbers import Integral, Real

from evidence.records.model import (
    LARGEST,
    Cell,
    Plain,
    Raised,
    Row,
    Table,
    Timing,
    Value,
    leaves,
    scalar,
)
from evidence.records.store import rounded


class MeasuredError(ValueError):
    """Something in ``measured`` that is not a measured value, or differs between processes."""


def reduce_measured(measured: object) -> dict[str, Value]:
    """Check the ``measured`` of one process and reduce it to values.

    :raises MeasuredError: when it is not a mapping of names to values, or a value is of no known
        kind or more than a record can hold
    """
    if not isinstance(measured, Mapping) or not measured:
        raise MeasuredError(
            "the last cell must leave a dict `measured` with at least one value"
        )
    return {_name(name): _reduce(name, value) for name, value in measured.items()}


def _name(name: object) -> str:
    if not isinstance(name, str) or not name.isidentifier():
        raise MeasuredError(f"measured[{name!r}]: the name must be a Python identifier")
    return name


def _reduce(name: str, value: object) -> Value:
    if not isinstance(value, Mapping) or set(value) != {"table"}:
        return _reduce_cell(name, value)
    rows = value["table"]
    if not isinstance(rows, (list, tuple)) or not all(
        isinstance(row, Mapping) for row in rows
    ):
        raise MeasuredError(f"measured[{name!r}]: a table is a list of rows, all dicts")
    reduced = [_reduce_row(f"{name}[{i}]", row) for i, row in enumerate(rows)]
    return _table(name, reduced)


def _table(name: str, rows: Sequence[Row]) -> Table:
    try:
        return Table(tuple(rows))
    except ValueError as error:
        raise MeasuredError(f"measured[{name!r}]: {error}") from None


def _reduce_row(name: str, row: Mapping[object, object]) -> Row:
    return {_name(key): _reduce_cell(f"{name}.{key}", row[key]) for key in row}


def _reduce_cell(name: str, value: object) -> Cell:
    if isinstance(value, BaseException):
        kind = type(value)
        # Builtins are written bare, as in a traceback.
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        return Raised(f"{module}{kind.__qualname__}", _encodable(name, str(value)))
    times = getattr(value, "times", None)  # torch.utils.benchmark.Measurement
    if isinstance(value, Mapping) and set(value) == {"samples"}:
        times = value["samples"]
    if times is not None:
        return _timing(name, [float(_number(name, sample)) for sample in times])
    if isinstance(value, bool):
        return Plain(value)
    if isinstance(value, str):
        return Plain(_encodable(name, value))
    number = _number(name, value)
    return Plain(rounded(number) if isinstance(number, float) else number)


def _timing(name: str, samples: Sequence[float]) -> Timing:
    """One process's samples as their median."""
    if not samples:
        raise MeasuredError(f"measured[{name!r}]: no samples")
    low = high = samples[0]
    if len(samples) > 1:
        low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    median = statistics.median(samples)
    return Timing((rounded(median),), (rounded(high - low),), (len(samples),))


def _encodable(name: str, text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise MeasuredError(f"measured[{name!r}] is no text: {error}") from None
    return text


def _number(name: str, value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise MeasuredError(
            f"measured[{name!r}]: {value!r:.80} is no number, boolean, string, exception, "
            'Measurement, {"samples": [...]} or {"table": [...]}'
        )
    number = int(value) if isinstance(value, Integral) else float(value)
    if not abs(number) <= LARGEST:
        raise MeasuredError(
            f"measured[{name!r}] is {number}: a record holds at most {LARGEST:g}"
        )
    return number


def merge(processes: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """One value for each name, from the values of every process.

    :raises MeasuredError: when the processes measured other names, or an untimed value differs
    """
    first = processes[0]
    if any(list(other) != list(first) for other in processes):
        raise MeasuredError("the processes measured different names")
    return {
        name: _merge(name, [values[name] for values in processes]) for name in first
    }


def _merge(name: str, values: Sequence[Value]) -> Value:
    tables = [value for value in values if isinstance(value, Table)]
    cells = [value for value in values if not isinstance(value, Table)]
    if not tables:
        return _merge_cell(name, cells)
    shapes = [[list(row) for row in table.rows] for table in tables]
    if cells or any(shape != shapes[0] for shape in shapes):
        raise MeasuredError(
            f"measured[{name!r}]: the processes gave different rows or columns"
        )
    sweeps = enumerate(zip(*(table.rows for table in tables), strict=True))
    return _table(name, [_merge_row(f"{name}[{i}]", rows) for i, rows in sweeps])


def _merge_row(name: str, rows: Sequence[Row]) -> Row:
    return {
        column: _merge_cell(f"{name}.{column}", [row[column] for row in rows])
        for column in rows[0]
    }


def _merge_cell(name: str, cells: Sequence[Cell]) -> Cell:
    timed = [cell for cell in cells if isinstance(cell, Timing)]
    if len(timed) == len(cells):
        return Timing(
            median=sum((timing.median for timing in timed), ()),
            iqr=sum((timing.iqr for timing in timed), ()),
            n=sum((timing.n for timing in timed), ()),
        )
    if any(cell != cells[0] for cell in cells):
        shown = ", ".join(dict.fromkeys(map(_shown, cells)))
        raise MeasuredError(
            f"measured[{name!r}] differs between processes ({shown}): "
            'give what varies as {"samples": [...]}'
        )
    return cells[0]


def _shown(cell: Cell) -> str:
    if isinstance(cell, Raised):
        return f"{cell.type}: {cell.message}"
    return str(scalar(cell))


def timings(measured: Mapping[str, Value]) -> list[Timing]:
    """Every timing among the values, those in tables too."""
    return [cell for _, cell in leaves(measured) if isinstance(cell, Timing)]


def most_typical(measured: Mapping[str, Value], processes: int) -> int:
    """The index of the process that lies nearest to the medians, over all timings."""

    def distance(index: int) -> float:
        return sum(
            abs(timing.median[index] - timing.value) / abs(timing.value)
            for timing in timings(measured)
            if timing.value
        )

    return min(range(processes), key=distance)
