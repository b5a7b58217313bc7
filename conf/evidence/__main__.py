"""The command line: ``python -m evidence`` and one of its commands."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click

#: The commands, each with its module: to import them all would delay the start of a server.
COMMANDS = {
    "record": "record",
    "verify": "verify",
    "keep": "keep",
    "sign": "sign",
    "worker": "record",
    "diff": "diff",
    "upstream": "diff",
    "mcp": "mcp",
}


class Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All of them."""
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The one of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"evidence.commands.{COMMANDS[cmd_name]}")
        found: click.Command = getattr(module, cmd_name)
        return found


@click.group(help=__doc__, cls=Commands)
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
    except (KeyboardInterrupt, click.Abort):
        print("interrupted")
        return 130
    except (ValueError, RuntimeError) as error:
        from evidence.examples.script import ScriptError
        from evidence.judge.facts import FactsError
        from evidence.measure.campaign import BuilderError

        if not isinstance(error, (ScriptError, BuilderError, FactsError)):
            raise
        print(f"evidence: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
