"""The command line: ``python -m evidence record``, ``verify`` and ``diff``."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from evidence.commands import CommandError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: A number of times.
COUNT = click.IntRange(min=1)
EXAMPLES = click.option(
    "--examples", type=Path, default=Path("examples"), help="their folder"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 when all went well, 1 when something failed, 2 when it could not run."""
    # SIGTERM (a CI job that is cancelled) cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return int(evidence.main(arguments, "evidence", standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return 2
    except CommandError as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, click.Abort):
        print("interrupted")
        return 130


@click.group(help=__doc__)
def evidence() -> None:
    """All commands."""


# Each is imported when it runs: diff needs neither psutil nor sphinx-gallery.


@evidence.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@EXAMPLES
def record(examples: Path, names: Sequence[str]) -> int:
    """Measure the named examples or chapters, or all, and write their records."""
    from evidence.commands.record import record

    return record(examples, names)


@evidence.command()
@EXAMPLES
@click.option("--docs", type=Path, default=Path("docs"), help="the folder of the pages")
@click.option(
    "-k",
    "expressions",
    metavar="EXPR",
    multiple=True,
    help="only claims with this in their id, page or example; given twice, either will do",
)
@click.option(
    "--processes",
    type=COUNT,
    default=None,
    help="run each example in so many processes instead of as many as are planned",
)
@click.option("--repeat", type=COUNT, default=1, help="judge so many times over")
@click.option("--json", "target", type=Path, help="write the verdicts as data too")
def verify(
    examples: Path,
    docs: Path,
    expressions: Sequence[str],
    processes: int | None,
    repeat: int,
    target: Path | None,
) -> int:
    """Judge every claim on this machine."""
    from evidence.commands.verify import verify

    return verify(
        examples,
        docs,
        expressions,
        processes=processes or 0,
        repeat=repeat,
        target=target,
    )


@evidence.command()
@click.argument("old")
@click.argument("new")
@click.option("--markdown", is_flag=True, help="write a table for a review")
def diff(old: str, new: str, markdown: bool) -> int:
    """Compare two sets of records: folders, or git revisions whose examples/ are read."""
    from evidence.commands.diff import diff

    return diff(old, new, markdown=markdown)


if __name__ == "__main__":
    sys.exit(main())
