"""What a record holds.

A record is the committed result of measuring one example on one builder.
These classes are its schema: the store reads and writes exactly these fields.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

SCHEMA = 1

#: Processes in which an example with timings runs, and runs in all where they disagree.
FEW_PROCESSES = 6
MANY_PROCESSES = 12


@dataclass(frozen=True)
class Interval:
    """A closed interval of real numbers; a single number has ``low == high``."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The length of the interval, in the unit of its ends."""
        return self.high - self.low


@dataclass(frozen=True)
class Plain:
    """A value that is the same in every process: number, boolean or string."""

    value: bool | int | float | str


@dataclass(frozen=True)
class Raised:
    """An exception that the example caught and kept."""

    type: str
    message: str


@dataclass(frozen=True)
class Timing:
    """A quantity sampled in several fresh processes, each reduced to its median.

    The three lists run over processes, in the order in which they ran.
    """

    median: tuple[float, ...]
    iqr: tuple[float, ...]
    n: tuple[int, ...]

    @property
    def value(self) -> float:
        """The median of the processes' medians."""
        return statistics.median(self.median)

    @property
    def interval(self) -> Interval:
        """The interval that holds the true median process.

        Of 6 processes the smallest to the largest (96.9 %), of 12 the 3rd to the 10th (96.1 %),
        whatever the distribution: order statistics of the median, exact binomial coverage.
        """
        ordered = sorted(self.median)
        cut = 2 if len(ordered) >= MANY_PROCESSES else 0
        return Interval(ordered[cut], ordered[-1 - cut])

    @property
    def spread(self) -> float:
        """Largest minus smallest process, as a share of the median (0 where that is 0)."""
        return (
            (max(self.median) - min(self.median)) / abs(self.value)
            if self.value
            else 0.0
        )


Cell: TypeAlias = Plain | Raised | Timing
Row: TypeAlias = Mapping[str, Cell]


@dataclass(frozen=True)
class Table:
    """A sweep: rows of named cells."""

    rows: tuple[Row, ...]


Value: TypeAlias = Cell | Table


@dataclass(frozen=True)
class Output:
    """What one code cell gave: its text, the figures it drew, the value of its last line."""

    text: str = ""
    html: str = ""
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A figure that stands beside the record, by file name."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Process:
    """One process of a measuring, and the state of its GPU at the end of its last cell.

    ``sm_clock_hz`` is 0 and ``throttle`` empty where the driver does not tell.
    """

    seconds: float
    sm_clock_hz: int = 0
    throttle: str = ""


@dataclass(frozen=True)
class Builder:
    """The machine on which a record was made. Unknown text is empty, unknown numbers are 0."""

    gpu: str = ""
    gpus: int = 0
    gpu_memory_bytes: int = 0
    capability: str = ""
    driver: str = ""
    cuda: str = ""
    cudnn: str = ""
    torch: str = ""
    python: str = ""
    cpu: str = ""
    cores: int = 0
    kernel: str = ""
    virtualisation: str = ""
    pcie_generation: int = 0
    pcie_width: int = 0

    def same_kind(self, other: Builder) -> bool:
        """Whether two builders measure alike: GPU model, driver, torch and kernel are the same."""
        alike = ("gpu", "driver", "torch", "kernel")
        return all(getattr(self, name) == getattr(other, name) for name in alike)


@dataclass(frozen=True)
class Record:
    """The result of measuring one example on one builder.

    ``outputs`` holds one entry for each code cell that has a statement, from the most typical
    process (``typical`` is its index in ``processes``). ``names`` maps each name of the script's
    globals to the qualified name of its type, so that code links resolve without torch.
    ``recorded`` is the UTC date.
    """

    stem: str
    builder: Builder
    measured: Mapping[str, Value]
    code_key: str
    recorded: str
    outputs: tuple[Output, ...] = ()
    figures: tuple[Figure, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    processes: tuple[Process, ...] = ()
    typical: int = 0
    schema: int = SCHEMA

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """Every single value by its address within the record."""
        return dict(leaves(self.measured))

    @property
    def seconds(self) -> float:
        """Seconds that the most typical process took."""
        return self.processes[self.typical].seconds if self.processes else 0.0


def leaves(measured: Mapping[str, Value]) -> Iterator[tuple[str, Cell]]:
    """Yield every single value with its address; a table's cells as ``name[key=value].column``."""
    for name, value in measured.items():
        if not isinstance(value, Table):
            yield name, value
            continue
        for row in value.rows:
            for column, cell in row.items():
                yield f"{name}[{row_key(row)}].{column}", cell


def row_key(row: Row) -> str:
    """The address of a row: its first column, as ``key=value``."""
    name, cell = next(iter(row.items()))
    return f"{name}={scalar(cell)}"


def scalar(cell: Cell) -> Any:
    """The plain Python value of a cell: a timing's median, an exception's type name."""
    match cell:
        case Plain(value):
            return value
        case Timing():
            return cell.value
        case Raised(type=name):
            return name
