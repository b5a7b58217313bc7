"""What figures write, in another language: each text by its pattern, with its own numbers.

The pattern of ``call 2`` is ``call {0}``. A drawing is judged as its module writes it, and drawn
once more with what its texts are in the language: nothing that is measured depends on a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from typing import Any
from unicodedata import east_asian_width

from evidence.records.units import SUFFIXES

#: The number of a pattern, by its place in the text.
PLACE = re.compile(r"\{(\d+)\}")
#: A number by itself: FP32 is a name.
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*(?!\w)", re.ASCII)
#: What has none of these is a number, a unit, a symbol or a name of capitals in every language.
_WORD = re.compile(r"[a-z]{2}")
_UNITS = {spelling for unit in SUFFIXES.values() for spelling in unit.scales}


class Labels:
    """What stands for each text of a figure; notes the patterns that it is asked for.

    :param said: what a language has for patterns
    """

    def __init__(self, said: Mapping[str, str]) -> None:
        self.said = said
        #: In the order in which they were asked for.
        self.patterns: dict[str, None] = {}
        self._given: set[str] = set()

    def __call__(self, text: str) -> str:
        """What stands for a text: the text itself, if the language has nothing else."""
        if text in self._given or "{" in text:
            return text
        numbers, place = _NUMBER.findall(text), count()
        # Lanes that are called the same differ by spaces at their ends.
        pattern = _NUMBER.sub(lambda _: f"{{{next(place)}}}", text.strip())
        words = PLACE.sub("", pattern).strip()
        if _WORD.search(words) and words not in _UNITS:
            self.patterns[pattern] = None
        said = self.said.get(pattern, text)
        return PLACE.sub(lambda match: numbers[int(match[1])], said)

    def one_line(self, text: str) -> str:
        """What stands for a text, in one line; it is not asked for again."""
        first, *others = self(text).split("\n")
        for line in others:
            # Between two Han there is no space.
            first += " " * (not is_wide(first[-1:]) or not is_wide(line[:1])) + line
        self._given.add(first)
        return first


_LABELS: ContextVar[Labels | None] = ContextVar("labels", default=None)


def labels() -> Labels:
    """The labels of the figure that is drawn now."""
    return _LABELS.get() or Labels({})


@contextmanager
def writing(said: Mapping[str, str]) -> Iterator[Labels]:
    """Have what is drawn meanwhile write what a language has for it."""
    from matplotlib.text import Text

    writer: Any = Text
    found, write = Labels(said), writer.set_text

    def set_text(text: object, content: object) -> None:
        write(text, found(str(content)) if content else content)

    before = _LABELS.set(found)
    # All that matplotlib writes passes here: labels, legends, names of axes and ticks.
    writer.set_text = set_text
    try:
        yield found
    finally:
        writer.set_text = write
        _LABELS.reset(before)


def is_wide(character: str) -> bool:
    """Whether a character is as wide as a Han: an em, twice what a letter takes."""
    return character != "" and east_asian_width(character) in "WF"


def width(text: str) -> int:
    """How many letters are about as wide as a text."""
    return len(text) + sum(map(is_wide, text))
