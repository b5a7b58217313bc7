"""From what an example measured to its record.

Within a process: check ``measured`` and reduce each timing to one number. Across processes: one
value for each name, where timings keep one number a process and everything else must agree.
"""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

from msgspec import Struct

from evidence.examples.script import Script
from evidence.records import model, wire
from evidence.records.model import Cell, Plain, Raised, Table, Timing, Value
from evidence.records.store import checksum, rounded
from evidence.records.units import exact

Made = TypeVar("Made")

#: Six values of a timing that spread over more than this share of their median call for six more.
SPREAD = 0.10
#: Processes of an example without timings: two, or nothing could ever be seen to differ.
UNTIMED_PROCESSES = 2


class Run(Struct, frozen=True):
    """What one process of an example gave, with the contents of its figures by file name."""

    outputs: tuple[model.Output, ...]
    measured: dict[str, wire.Value]
    names: dict[str, str]
    process: model.Process
    figures: dict[str, bytes]


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
    return _each("measured", measured, _reduce)


def _each(
    place: str, values: Mapping[Any, object], make: Callable[[object], Made]
) -> dict[str, Made]:
    """Make something of every value; an error says of which."""
    results = {}
    for name, value in values.items():
        try:
            if not isinstance(name, str) or not name.isidentifier():
                raise ValueError("the name must be a Python identifier")
            results[name] = make(value)
        except ValueError as error:
            raise MeasuredError(f"{place}[{name!r}]: {error}") from None
    return results


def _reduce(value: object) -> Value:
    if not isinstance(value, Mapping) or set(value) != {"table"}:
        return _reduce_cell(value)
    rows = value["table"]
    is_list = isinstance(rows, (list, tuple))
    if not (is_list and all(isinstance(row, Mapping) for row in rows)):
        raise ValueError("a table is a list of rows, all dicts")
    reduced = (_each(f"table[{i}]", row, _reduce_cell) for i, row in enumerate(rows))
    return Table(tuple(reduced))


def _reduce_cell(value: object) -> Cell:
    if isinstance(value, BaseException):
        kind = type(value)
        # Builtins are written bare, as in a traceback.
        module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
        return Raised(f"{module}{kind.__qualname__}", _text(str(value)))
    times = getattr(value, "times", None)  # torch.utils.benchmark.Measurement
    if isinstance(value, Mapping) and set(value) == {"samples"}:
        times = value["samples"]
    if times is not None:
        return _timing([float(_number(sample)) for sample in times])
    if isinstance(value, bool):
        return Plain(value)
    if isinstance(value, str):
        return Plain(_text(value))
    number = _number(value)
    return Plain(rounded(number) if isinstance(number, float) else number)


def _timing(samples: Sequence[float]) -> Timing:
    """One process's samples as their median."""
    if not samples:
        raise ValueError("no samples")
    low = high = samples[0]
    if len(samples) > 1:
        low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    if (median := statistics.median(samples)) < 0:
        raise ValueError("the median of its samples is negative")
    return Timing((rounded(median),), (rounded(high - low),), (len(samples),))


def _text(text: str) -> str:
    text.encode()  # raises an error where it holds half a character
    return text


def _number(value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(
            f"{value!r:.80} is no number, boolean, string, exception, "
            'Measurement, {"samples": [...]} or {"table": [...]}'
        )
    number = int(value) if isinstance(value, Integral) else float(value)
    if not abs(number) <= model.LARGEST:
        raise ValueError(
            f"{number} is too large: a record holds at most {model.LARGEST:g}"
        )
    return number


def merge(processes: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """One value for each name, from the values of every process.

    :raises MeasuredError: when the processes measured other names, or an untimed value differs
    """
    first, *others = (dict(model.leaves(measured)) for measured in processes)
    if any(list(other) != list(first) for other in others):
        raise MeasuredError("the processes measured different names or rows")
    merged = (
        _merge_cell(address, [cell, *(other[address] for other in others)])
        for address, cell in first.items()
    )
    return {name: _rebuilt(value, merged) for name, value in processes[0].items()}


def _rebuilt(value: Value, cells: Iterator[Cell]) -> Value:
    """A value of this form, of the next cells."""
    if not isinstance(value, Table):
        return next(cells)
    rows = ({column: next(cells) for column in row} for row in value.rows)
    return Table(tuple(rows))


def _merge_cell(address: str, cells: Sequence[Cell]) -> Cell:
    timed = [cell for cell in cells if isinstance(cell, Timing)]
    if len(timed) == len(cells):
        return Timing(
            median=sum((timing.median for timing in timed), ()),
            iqr=sum((timing.iqr for timing in timed), ()),
            n=sum((timing.n for timing in timed), ()),
        )
    if any(cell != cells[0] for cell in cells):
        values = ", ".join(dict.fromkeys(map(exact, cells)))
        raise MeasuredError(
            f"{address} differs between processes ({values}): "
            'give what varies as {"samples": [...]}, and seed what a fresh example draws'
        )
    return cells[0]


def most_typical(timings: Sequence[Timing], processes: int) -> int:
    """The index of the process that lies nearest to the medians, over all timings."""

    def distance(index: int) -> float:
        return sum(abs(t.median[index] / t.value - 1) for t in timings if t.value)

    return min(range(processes), key=distance)


def plan(measured: Mapping[str, Value], done: int) -> int:
    """How many processes an example needs in all, given what the first ``done`` measured.

    A rule of the measuring alone: it knows no claim, and is fixed before the run.
    """
    timed = timings(measured)
    if not timed:
        return UNTIMED_PROCESSES
    unsteady = any(timing.spread > SPREAD for timing in timed)
    # Once the second half is begun it is finished: stopping early would choose among results.
    more = done > model.FEW_PROCESSES or (done == model.FEW_PROCESSES and unsteady)
    return model.MANY_PROCESSES if more else model.FEW_PROCESSES


def timings(measured: Mapping[str, Value]) -> list[Timing]:
    """Every timing among the values, those in tables too."""
    cells = (cell for _, cell in model.leaves(measured))
    return [cell for cell in cells if isinstance(cell, Timing)]


def make_record(
    script: Script,
    builder: model.Builder,
    runs: Sequence[Run],
    measured: Mapping[str, Value],
) -> model.Record:
    """Make the record of an example from what its processes gave."""
    typical = most_typical(timings(measured), len(runs))
    shown_run = runs[typical]
    drawn = sorted(shown_run.figures.items())
    return model.Record(
        stem=script.stem,
        code_key=script.code_key,
        recorded=datetime.datetime.now(datetime.UTC).date().isoformat(),
        builder=builder,
        measured=measured,
        outputs=shown_run.outputs,
        figures=tuple(model.Figure(name, checksum(content)) for name, content in drawn),
        names=shown_run.names,
        processes=tuple(run.process for run in runs),
        typical=typical,
        schema=model.SCHEMA,
    )
