"""From what an example measured to what a record keeps.

Within a process: check ``measured`` and reduce it to plain data. Across processes: one value for
each name, where timings keep one number a process and everything else must agree.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any

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
)
from evidence.records.store import rounded

#: Plain data of one value in one process, as JSON.
Raw = dict[str, Any]


class MeasuredError(ValueError):
    """Something in ``measured`` that is not a measured value, or differs between processes."""


def reduce_measured(measured: object) -> dict[str, Raw]:
    """Check the ``measured`` of one process and reduce it to plain data.

    :raises MeasuredError: when it is not a mapping of names to values, or a value is of no known
        kind or not finite
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


def _reduce(name: str, value: object) -> Raw:
    if not isinstance(value, Mapping) or set(value) != {"table"}:
        return _reduce_cell(name, value)
    rows = value["table"]
    if not isinstance(rows, (list, tuple)) or not all(
        isinstance(row, Mapping) for row in rows
    ):
        raise MeasuredError(f"measured[{name!r}]: a table is a list of rows, all dicts")
    return {"table": [_reduce_row(f"{name}[{i}]", row) for i, row in enumerate(rows)]}


def _reduce_row(name: str, row: Mapping[object, object]) -> Raw:
    return {_name(key): _reduce_cell(f"{name}.{key}", row[key]) for key in row}


def _reduce_cell(name: str, value: object) -> Raw:
    if isinstance(value, BaseException):
        kind = type(value)
        # Builtins are written bare, as in a traceback.
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        return {
            "raised": {
                "type": f"{module}{kind.__qualname__}",
                "message": _encodable(name, str(value)),
            }
        }
    times = getattr(value, "times", None)  # torch.utils.benchmark.Measurement
    if isinstance(value, Mapping) and set(value) == {"samples"}:
        times = value["samples"]
    if times is not None:
        samples = [_finite(name, sample) for sample in times]
        if not samples:
            raise MeasuredError(f"measured[{name!r}]: no samples")
        return {"samples": [float(sample) for sample in samples]}
    if isinstance(value, str):
        return {"value": _encodable(name, value)}
    return {"value": value if isinstance(value, bool) else _finite(name, value)}


def _encodable(name: str, text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise MeasuredError(f"measured[{name!r}] is no text: {error}") from None
    return text


def _finite(name: str, value: object) -> int | float:
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


def merge(processes: Sequence[Mapping[str, Raw]]) -> dict[str, Value]:
    """One value for each name, from the reduced data of every process.

    :raises MeasuredError: when the processes measured other names, or an untimed value differs
    """
    first = processes[0]
    for other in processes[1:]:
        if list(other) != list(first):
            raise MeasuredError("the processes measured different names")
    return {
        name: _merge(name, [process[name] for process in processes]) for name in first
    }


def _merge(name: str, raws: Sequence[Raw]) -> Value:
    if not any("table" in raw for raw in raws):
        return _merge_cell(name, raws)
    tables = [raw.get("table") for raw in raws]
    shapes = [table and [list(row) for row in table] for table in tables]
    if any(shape != shapes[0] for shape in shapes):
        raise MeasuredError(
            f"measured[{name!r}]: the processes gave different rows or columns"
        )
    rows = tuple(
        _merge_row(f"{name}[{i}]", rows)
        for i, rows in enumerate(zip(*tables, strict=True))
    )
    try:
        return Table(rows)
    except ValueError as error:
        raise MeasuredError(f"measured[{name!r}]: {error}") from None


def _merge_row(name: str, rows: Sequence[Raw]) -> Row:
    return {
        column: _merge_cell(f"{name}.{column}", [row[column] for row in rows])
        for column in rows[0]
    }


def _merge_cell(name: str, raws: Sequence[Raw]) -> Cell:
    first = raws[0]
    if all("samples" in raw for raw in raws):
        samples = [raw["samples"] for raw in raws]
        return Timing(
            median=tuple(rounded(statistics.median(times)) for times in samples),
            iqr=tuple(rounded(_iqr(times)) for times in samples),
            n=tuple(len(times) for times in samples),
        )
    if any(_comparable(raw) != _comparable(first) for raw in raws):
        shown = ", ".join(dict.fromkeys(str(_comparable(raw)) for raw in raws))
        raise MeasuredError(
            f"measured[{name!r}] differs between processes ({shown}): "
            'give what varies as {"samples": [...]}'
        )
    if "raised" in first:
        return Raised(**first["raised"])
    return Plain(_comparable(first))


def _comparable(raw: Raw) -> Any:
    value = raw.get("value", raw.get("raised"))
    return rounded(value) if isinstance(value, float) else value


def _iqr(samples: Sequence[float]) -> float:
    if len(samples) < 2:
        return 0.0
    low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    return high - low


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
