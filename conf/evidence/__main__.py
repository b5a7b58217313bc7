"""The command line: ``python -m evidence`` and one of its commands."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence

import click

from evidence.commands.diff import diff, upstream
from evidence.commands.keep import keep
from evidence.commands.record import record, worker
from evidence.commands.sign import sign
from evidence.commands.verify import verify
from evidence.examples.script import ScriptError
from evidence.judge.facts import FactsError
from evidence.measure.campaign import BuilderError

COMMANDS = [record, verify, keep, sign, worker, diff, upstream]


@click.group(help=__doc__, commands=COMMANDS)
def evidence() -> None:
    """All commands."""


def main(arguments: Sequence[str] | None = None) -> int:
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


if __name__ == "__main__":
    sys.exit(main())
