"""The commands of ``python -m evidence``, one module each: here measuring meets judging."""

from __future__ import annotations

from pathlib import Path

import click

EXAMPLES = click.option(
    "--examples", type=Path, default=Path("examples"), help="their folder"
)


class CommandError(click.ClickException):
    """A command that cannot be carried out as it was given; the message says why."""

    exit_code = 2
