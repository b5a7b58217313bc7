"""What a record holds: what measuring one example on one builder gave."""

from __future__ import annotations

import datetime
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct

SCHEMA: Final = 1

#: Processes in which an example with timings runs, and in all where they disagree.
FEW_PROCESSES = 6
MANY_PROCESSES = 12

#: No measured number is larger, so that sums and products of two stay finite.
LARGEST: Final = 1e100
FIGURE_NAME: Final = r"^[A-Za-z0-9_]+-\d+\.svg$"
Size: TypeAlias = Annotated[float, Meta(ge=0, le=LARGEST)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
FigureName: TypeAlias = Annotated[str, Meta(pattern=FIGURE_NAME)]
Sha256: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Date: TypeAlias = Annotated[str, Meta(pattern=r"^20\d\d-\d\d-\d\d$")]


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a record: read, it has these fields and no others."""


class Interval(Struct, frozen=True):
    """A closed interval of real numbers; a single number has ``low == high``."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The length of the interval, in the unit of its ends."""
        return self.high - self.low

    def overlaps(self, other: Interval) -> bool:
        """Whether two intervals have a number in common."""
        return self.low <= other.high and other.low <= self.high


class Plain(Part, frozen=True):
    """A value that is the same in every process: number, boolean or string."""

    value: bool | int | float | str


class Raised(Part, frozen=True):
    """An exception that the example caught and kept."""

    type: str
    message: str

    def __str__(self) -> str:
        """The exception as a traceback ends with it."""
        return f"{self.type}: {self.message}"


class Timing(Part, frozen=True):
    """A quantity sampled in fresh processes, each reduced to its median, in their order."""

    median: Annotated[tuple[Size, ...], Meta(min_length=1)]
    iqr: tuple[Size, ...]
    n: tuple[Annotated[int, Meta(ge=1, le=2**63 - 1)], ...]

    def __post_init__(self) -> None:
        if not len(self.median) == len(self.iqr) == len(self.n):
            raise ValueError("the lists of a timing differ in length")

    @property
    def value(self) -> float:
        """The median of the processes' medians."""
        return statistics.median(self.median)

    @property
    def interval(self) -> Interval:
        """The interval that holds the median process of this builder at this time.

        Of 6 processes the smallest to the largest, of 12 the 3rd to the 10th. Where six more follow
        six that disagree, it holds the median process in 94 to 96.5 % of the cases (simulated).
        """
        ordered = sorted(self.median)
        cut = 2 if len(ordered) >= MANY_PROCESSES else 0
        return Interval(ordered[cut], ordered[-1 - cut])

    @property
    def spread(self) -> float:
        """Largest minus smallest process, as a share of the median (0 where that is 0)."""
        width = max(self.median) - min(self.median)
        return width / abs(self.value) if self.value else 0.0


Cell: TypeAlias = Plain | Raised | Timing
Row: TypeAlias = Mapping[str, Cell]


class Table(Part, frozen=True):
    """A sweep: rows of named cells, each addressed by the first."""

    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        if not all(self.rows) or len({tuple(row) for row in self.rows}) != 1:
            raise ValueError("a table has rows, all of the same columns")
        ((address, count),) = Counter(map(row_key, self.rows)).most_common(1)
        if count > 1:
            raise ValueError(f"two rows of a table share the address {address}")


Value: TypeAlias = Cell | Table


class Output(Part, frozen=True):
    """What one code cell gave: its text, its last value, its figures; ``html`` is empty."""

    text: str = ""
    html: Literal[""] = ""
    figures: tuple[FigureName, ...] = ()


class Figure(Part, frozen=True):
    """A figure that stands beside the record, by file name."""

    name: FigureName
    sha256: Sha256


class Process(Part, frozen=True):
    """One process of a measuring, and the state of its GPU at the end of its last cell.

    ``sm_clock_hz`` is 0 and ``throttle`` empty where the driver does not tell; ``stolen_share`` is
    that of its cores' time which the hypervisor gave to others meanwhile.
    """

    seconds: Size
    sm_clock_hz: Count = 0
    throttle: str = ""
    stolen_share: Size = 0.0


class Builder(Part, frozen=True):
    """The machine on which a record was made. Unknown text is empty, unknown numbers are 0.

    ``share`` is how many of its ``cores`` an example had (0 in older records: all of them),
    ``packed`` the one architecture to which its PyTorch was cut down, if it was (sm_90).
    """

    gpu: str = ""
    gpus: Count = 0
    gpu_memory_bytes: Count = 0
    capability: str = ""
    driver: str = ""
    cuda: str = ""
    cudnn: str = ""
    torch: str = ""
    python: str = ""
    cpu: str = ""
    cores: Count = 0
    kernel: str = ""
    virtualisation: str = ""
    pcie_generation: Count = 0
    pcie_width: Count = 0
    share: Count = 0
    packed: str = ""

    def same_kind(self, other: Builder) -> bool:
        """Whether two builders measure alike: GPU model, driver, torch and kernel are the same."""
        alike = ("gpu", "driver", "torch", "kernel")
        return all(getattr(self, name) == getattr(other, name) for name in alike)

    def versions(self, *names: str) -> list[str]:
        """What runs on it, as far as that is known, each with its name."""
        by_name = {name: getattr(self, name.lower()) for name in names}
        return [f"{name} {version}" for name, version in by_name.items() if version]

    def __str__(self) -> str:
        """It in words: GPU, torch, driver."""
        return ", ".join([self.gpu or "a CPU", *self.versions("torch", "driver")])


class Circumstances(Part, frozen=True, kw_only=True, dict=True):
    """All of a record but what was measured; the record of the wire says what the fields are."""

    stem: str
    builder: Builder
    code_key: Sha256
    recorded: Date
    outputs: tuple[Output, ...]
    figures: tuple[Figure, ...]
    names: Mapping[str, str]
    processes: tuple[Process, ...]
    typical: Count
    schema: Literal[1]

    def __post_init__(self) -> None:
        today = datetime.datetime.now(datetime.UTC).date()
        if datetime.date.fromisoformat(self.recorded) > today:
            raise ValueError(f"{self.recorded}, when it was recorded, is in the future")
        if self.typical and self.typical >= len(self.processes):
            raise ValueError("the most typical process is none of its processes")
        drawn = {name for output in self.outputs for name in output.figures}
        if unknown := drawn - {figure.name for figure in self.figures}:
            raise ValueError(f"a cell shows {min(unknown)}, which is no figure of it")


class Record(Circumstances, frozen=True, kw_only=True):
    """The result of measuring one example on one builder."""

    measured: Mapping[str, Value]

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
            key = row_key(row)
            for column, cell in row.items():
                yield f"{name}[{key}].{column}", cell


def row_key(row: Row) -> str:
    """The address of a row: its first column, as ``key=value``."""
    name, cell = next(iter(row.items()))
    return f"{name}={scalar(cell)}"


def scalar(cell: Cell) -> Any:
    """The plain Python value of a cell: a timing's median, an exception's type name."""
    return cell.type if isinstance(cell, Raised) else cell.value
