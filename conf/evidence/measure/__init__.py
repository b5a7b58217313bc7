"""Measuring: running the examples on a GPU, each process on its own, and making records of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from evidence.examples.script import Script
from evidence.records.model import Record

if TYPE_CHECKING:
    from evidence.measure.values import Run


class Reason(Enum):
    """The kinds of failure that are treated unalike."""

    ERROR = "error"
    OUT_OF_MEMORY = "out of memory"
    #: The example itself said that this machine is none for it.
    SKIPPED = "skipped"
    #: The campaign ended before the example did.
    STOPPED = "stopped"


class Cause(Struct, frozen=True):
    """Why an example gave nothing, in words that follow the name of its file, and of what kind."""

    text: str
    reason: Reason = Reason.ERROR

    def __str__(self) -> str:
        """The words alone."""
        return self.text


@dataclass(frozen=True)
class Recording:
    """A record just made of an example, with the contents of its figures by file name.

    ``runs`` is what each of its processes gave, to which later ones can be added.
    """

    script: Script
    record: Record
    figures: Mapping[str, bytes] = field(default_factory=dict)
    runs: Sequence[Run] = ()


@dataclass(frozen=True)
class Failure:
    """An example that gave no record: why, and the last lines of what it wrote."""

    script: Script
    cause: Cause
    tail: str = ""

    def __str__(self) -> str:
        """One line, then the output indented."""
        lines = [f"{self.script.path.name} {self.cause}"]
        return "\n".join(lines + [f"    | {line}" for line in self.tail.splitlines()])
