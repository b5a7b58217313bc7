"""The command line: ``python -m evidence`` and one of its commands."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 when all went well, 1 when something failed, 2 when it could not run."""
    given = sys.argv[1:] if arguments is None else arguments
    # On a stranger's machine, nothing is installed that the other commands need.
    if given[:1] == ["doctor"]:
        from evidence import doctor

        try:
            return doctor.main(given[1:])
        except KeyboardInterrupt:
            print("interrupted")
            return 130
    from evidence.commands.line import run

    return run(given)


if __name__ == "__main__":
    sys.exit(main())
