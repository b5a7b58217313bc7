"""What goes on: one line that is written over for a person, plain lines for everything else."""

from __future__ import annotations

import shutil
import sys


def tell(line: str) -> None:
    """Show what was done last, beside the output proper."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        print(f"\r\x1b[K{line[: width - 1]}", end="", file=sys.stderr, flush=True)
    else:
        print(f"  {line}", file=sys.stderr, flush=True)


def clear() -> None:
    """Make room for a line that stays."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
