"""The commands by name, and how what goes wrong in one ends it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib import import_module

import click

#: The commands, each with its module: to import them all would delay the start of a server.
COMMANDS = {
    "record": "evidence.commands.record",
    "verify": "evidence.commands.verify",
    "keep": "evidence.commands.keep",
    "sign": "evidence.commands.sign",
    "worker": "evidence.commands.record",
    "diff": "evidence.commands.diff",
    "upstream": "evidence.commands.diff",
    "mcp": "evidence.commands.mcp",
}


class Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All of them."""
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The one of this name."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(import_module(COMMANDS[cmd_name]), cmd_name)
        return found


@click.group(help="The command line: one of these commands.", cls=Commands)
def evidence() -> None:
    """All commands."""


@evidence.command(
    "doctor",
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    short_help="What of the site applies to this machine, and to a script.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def examine(arguments: Sequence[str]) -> int:
    """Only for the list of commands: it runs without what the others need."""
    from evidence import doctor

    return doctor.main(arguments)


def run(arguments: Sequence[str] | None) -> int:
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
