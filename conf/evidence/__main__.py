"""The command line: ``python -m evidence record``, ``verify`` and ``diff``."""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from evidence.commands import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 when all went well, 1 when something failed, 2 when it could not run."""
    options = _parser().parse_args(arguments)
    # SIGTERM (a CI job that is cancelled) cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except CommandError as error:
        print(f"evidence: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted")
        return 130


# Each command is imported when it runs: diff needs neither psutil nor sphinx-gallery.


def _record(options: argparse.Namespace) -> int:
    from evidence.commands.record import record

    return record(options.examples, options.names)


def _verify(options: argparse.Namespace) -> int:
    from evidence.commands.verify import verify

    return verify(
        options.examples,
        options.docs,
        options.expressions,
        processes=options.processes,
        repeat=options.repeat,
        target=options.json,
    )


def _diff(options: argparse.Namespace) -> int:
    from evidence.commands.diff import diff

    return diff(options.old, options.new, markdown=options.markdown)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evidence", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser(
        "record", help="measure examples and write their records"
    )
    record.set_defaults(run=_record)
    record.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="examples or chapters to measure; all when none is named",
    )
    _add_examples(record)
    verify = commands.add_parser("verify", help="judge every claim on this machine")
    verify.set_defaults(run=_verify)
    _add_examples(verify)
    _add_verify(verify)
    diff = commands.add_parser("diff", help="compare two sets of records")
    diff.set_defaults(run=_diff)
    _add_diff(diff)
    return parser


def _add_examples(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--examples", type=Path, default=Path("examples"), help="their folder"
    )


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--docs", type=Path, default=Path("docs"), help="the folder of the pages"
    )
    parser.add_argument(
        "-k",
        dest="expressions",
        metavar="EXPR",
        action="append",
        default=[],
        help="only claims with this in their id, page or example; given twice, either will do",
    )
    parser.add_argument(
        "--processes",
        type=_count,
        default=0,
        metavar="N",
        help="run each example in N processes instead of as many as are planned",
    )
    parser.add_argument(
        "--repeat", type=_count, default=1, metavar="N", help="judge N times over"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="write the verdicts as data too"
    )


def _add_diff(parser: argparse.ArgumentParser) -> None:
    about = "a folder with records, or a git revision, whose examples/ are read"
    parser.add_argument("old", metavar="OLD", help=about)
    parser.add_argument("new", metavar="NEW", help=about)
    parser.add_argument(
        "--markdown", action="store_true", help="write a table for a review"
    )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
