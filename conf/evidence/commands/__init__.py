"""The commands of ``python -m evidence``, one module each: here measuring meets judging."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

if TYPE_CHECKING:
    from evidence.examples.script import Script
    from evidence.measure.campaign import Campaign
    from evidence.measure.hosts import Hosts

#: What measures: this machine, or the workers of a scheduler.
Measuring: TypeAlias = "Campaign | Hosts"

EXAMPLES = click.option(
    "--examples", type=Path, default=Path("examples"), help="their folder"
)
DOCS = click.option(
    "--docs", type=Path, default=Path("docs"), help="the folder of the pages"
)
SCHEDULER = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="measure on the workers of this scheduler of dask, which each host joins by"
    " `python -m evidence worker ADDRESS`",
)


class CommandError(click.ClickException):
    """A command that cannot be carried out as it was given; the message says why."""

    exit_code = 2


def tell(*lines: str) -> None:
    """Show what was done last, beside the output proper."""
    for line in lines:
        print(f"  {line}", file=sys.stderr, flush=True)


def campaign(
    scripts: Iterable[Script], scheduler: str | None, **limits: Any
) -> Measuring:
    """The campaign that a command asks for, on this machine or on the workers of a scheduler.

    :raises BuilderError: when there is none that could measure
    :raises CommandError: when what a scheduler needs is not installed
    """
    # Late: to serve what was published, nothing that measures is needed.
    from evidence.measure.campaign import Campaign

    if scheduler is None:
        return Campaign.here(scripts, tell, **limits)
    try:
        from evidence.measure.hosts import Hosts
    except ImportError as error:
        raise CommandError(f"--scheduler needs the group 'hosts': {error}") from None
    return Hosts(scheduler, tell, **limits)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each row, its cells aligned and two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
