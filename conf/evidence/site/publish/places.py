"""Where each word of an index stands, in few letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from evidence.site.parts import Passage


class Places:
    """In which passages each word stands, by the fields of a passage.

    What belongs to several passages in a row is noted at the first: a heading, and what is said of
    the page.
    """

    def __init__(self) -> None:
        self._places = defaultdict[str, list[list[int]]](lambda: [[], [], [], []])
        self._count = 0

    def note(self, passage: Passage) -> list[Any]:
        """The next passage: its anchor, heading, and how many different words each field has."""
        lengths = []
        for field, said in enumerate(passage.fields):
            for word in said:
                self._places[word][field].append(self._count)
            lengths.append(len({*said}))
        self._count += 1
        return [passage.anchor, passage.heading, *lengths]

    def lines(self) -> Iterator[str]:
        """A line for each word: by field its places, each as its distance from the one before."""
        for word, fields in self._places.items():
            line = [word]
            for places in fields:
                steps = (place - before for before, place in pairwise([0, *places]))
                line.append(" ".join(map(_in_base_36, steps)))
            yield ",".join(line).rstrip(",")


def _in_base_36(number: int) -> str:
    """A number in few letters, as the browser's ``parseInt(text, 36)`` reads it."""
    more = _in_base_36(number // 36) if number >= 36 else ""
    return more + "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]
