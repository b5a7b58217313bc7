"""Drawings that an earlier build made, kept by all that a drawing is made of.

What is red is not kept: it is drawn anew, and told, in every build. That a module asks for more
than its records, such as the time, is not seen.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from evidence.records.store import checksum

T = TypeVar("T")

_ENGINE = Path(__file__).resolve().parents[1]
#: What draws and compares, and the packages that it draws with.
_ROOMS = ("figures", "records", "site/reading")
_FILES = sorted(path for room in _ROOMS for path in (_ENGINE / room).iterdir())
DRAWN_BY = (
    [path.read_bytes() for path in _FILES if path.is_file()],
    [version(package) for package in ("matplotlib", "numpy")],
)


def kept(path: Path, made_of: object, draw: Callable[[], T]) -> T:
    """What an earlier build left in a file, if it is made of the same; else what is drawn now.

    :param made_of: all that it is made of but the engine, told by its ``repr``
    """
    key = checksum(repr((DRAWN_BY, made_of)).encode()).encode()
    if path.exists():
        before, _, content = path.read_bytes().partition(b"\n")
        if before == key:
            known: T = pickle.loads(content)
            return known
    drawn = draw()
    path.parent.mkdir(exist_ok=True)
    # Who reads it meanwhile, or interrupts, finds the whole of it or nothing.
    begun = path.with_name(f"{path.name}.{os.getpid()}")
    begun.write_bytes(key + b"\n" + pickle.dumps(drawn))
    begun.replace(path)
    return drawn
