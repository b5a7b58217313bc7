"""The commands by name, and how what goes wrong in one ends it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

import click

from evidence import doctor
from evidence.commands.diff import diff, upstream
from evidence.commands.keep import keep
from evidence.commands.record import record, worker
from evidence.commands.sign import sign
from evidence.commands.verify import verify
from evidence.examples.script import ScriptError
from evidence.judge.facts import FactsError
from evidence.measure.campaign import BuilderError


@click.command(
    "doctor",
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    short_help="What of the site applies to this machine, and to a script.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def examine(arguments: Sequence[str]) -> int:
    """Only for the list of commands: it runs without what the others need."""
    return doctor.main(arguments)


COMMANDS = [record, verify, keep, sign, worker, diff, upstream, examine]


@click.group(help="The command line: one of these commands.", commands=COMMANDS)
def evidence() -> None:
    """All commands."""


def run(arguments: Sequence[str] | None) -> int:
    """Run a command; 0 when all went well, 1 when something failed, 2 when it could not run."""
    # SIGTERM (a CI job that is cancelled) cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return int(evidence.main(arguments, "evidence", standalone_mode=False) or 0)
    except click.ClickException as error:
        print(f"evidence: {error.format_message()}", file=sys.stderr)
        return 2
    except (ScriptError, BuilderError, FactsError) as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, click.Abort):
        print("interrupted")
        return 130
