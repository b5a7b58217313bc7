"""Every warning of the evidence extension: its kinds, and the one place that logs them."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sphinx.util import logging

logger = logging.getLogger("evidence")

Location = str | tuple[str, int] | None


class Kind(Enum):
    """The kinds of warning, as they stand in brackets behind a message."""

    #: A claim is false for what was measured.
    DIVERGED = "diverged"
    #: The interval of a measured value straddles the bound of its claim.
    NOISY = "noisy"
    #: The bound of a claim stands too near its value to hold on another machine.
    TIGHT = "tight"
    #: The bound of a claim stands so far from its value that it says little.
    WEAK = "weak"
    #: A claim is out of scope for its own record.
    SCOPE = "scope"
    #: A sentence shows a measured value that no check protects, or not the one that is checked.
    UNCHECKED = "unchecked"
    #: A claim did not hold on another machine, or a file of passes cannot be used.
    ELSEWHERE = "elsewhere"
    #: The code of an example changed since its record.
    STALE = "stale"
    #: A record is missing or cannot be used.
    RECORD = "record"
    #: An example failed while it was measured for this build.
    MEASURE = "measure"
    #: A claim or a reference to a measured value is written wrongly.
    CLAIM = "claim"
    #: A figure cannot be drawn.
    PLOT = "plot"
    #: A cell of an analysis page fails, was not run, or shows what it did not compute.
    ANALYSIS = "analysis"
    #: A page shows Python that nothing runs.
    UNEXECUTED = "unexecuted"
    #: Markup that shows what nothing checks, or hides what is checked.
    MARKUP = "markup"
    #: A measured value that no claim, text or figure uses.
    UNUSED = "unused"
    #: Scripts, pages, claims or judgements that should be as many are not.
    COUNT = "count"


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
