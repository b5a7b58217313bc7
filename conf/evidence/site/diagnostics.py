"""Every warning of the evidence extension: its kinds, and the one place that logs them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sphinx.util import logging

logger = logging.getLogger("evidence")

Location = str | tuple[str, int] | None


class Kind(Enum):
    """The kinds of warning, as they stand in brackets behind a message."""

    DIVERGED = "diverged"
    """A claim is false for what was measured."""

    NOISY = "noisy"
    """The interval of a measured value straddles the bound of its claim."""

    TIGHT = "tight"
    """The bound of a claim stands too near its value to hold on another machine."""

    WEAK = "weak"
    """The bound of a claim stands so far from its value that it says little."""

    SCOPE = "scope"
    """A claim is out of scope for its own record."""

    UNCHECKED = "unchecked"
    """A sentence shows a measured value that no check protects, or not the one that is checked."""
    ELSEWHERE = "elsewhere"
    """A claim did not hold on another machine, or a file of passes cannot be used."""

    STALE = "stale"
    """The code of an example changed since its record."""

    RECORD = "record"
    """A record is missing or cannot be used."""

    MEASURE = "measure"
    """An example failed while it was measured for this build."""

    CLAIM = "claim"
    """A claim or a reference to a measured value is written wrongly."""

    PLOT = "plot"
    """A figure cannot be drawn."""

    ANALYSIS = "analysis"
    """A cell of an analysis page fails, was not run, or shows what it did not compute."""

    UNEXECUTED = "unexecuted"
    """A page shows Python that nothing runs."""

    MARKUP = "markup"
    """Markup that shows what nothing checks, or hides what is checked."""

    UNUSED = "unused"
    """A measured value that no claim, text or figure uses."""

    COUNT = "count"
    """Scripts, pages, claims or judgements that should be as many are not."""


class Fault(NamedTuple):
    """One warning: its kind, what it says, and where it points."""

    kind: Kind
    message: str
    place: Location = None


def warn(kind: Kind, message: str, location: Location = None) -> None:
    """Log one warning; ``-W`` makes the build fail over it once all are reported."""
    logger.warning(
        "%s", message, type="evidence", subtype=kind.value, location=location
    )


def inform(line: str) -> None:
    """Tell the reader of the build's log something that is no fault."""
    logger.info("evidence: %s", line)
