"""The commands of ``python -m evidence``, one module each: here measuring meets judging."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

EXAMPLES = click.option(
    "--examples", type=Path, default=Path("examples"), help="their folder"
)


class CommandError(click.ClickException):
    """A command that cannot be carried out as it was given; the message says why."""

    exit_code = 2


def tell(line: str) -> None:
    """Show what was done last, beside the output proper."""
    print(f"  {line}", file=sys.stderr, flush=True)


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each row, its cells aligned and two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
