"""The parts of a page that a build notes: shown values, sentences of a lead, and passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evidence.records.address import Address


@dataclass(frozen=True)
class Shown:
    """A measured value as a page shows it: in which claim's sentence, in a table or in neither.

    ``links`` are the targets of the links beside it, in its paragraph or row; ``row`` is the
    number of its row among those of the page, and 0 outside of tables; ``beside`` are the claims in
    prose that stand in its paragraph, if it is in none.
    """

    address: Address
    line: int
    claim: str = ""
    links: frozenset[str] = frozenset()
    row: int = 0
    beside: frozenset[str] = frozenset()


class Passage(NamedTuple):
    """What the search can lead to on a page, and its words by where they stand.

    ``text`` and ``headed`` are those of a section, a claim or a lead, the others those of the page
    that it opens: its title and name, and what else readers call it.
    """

    anchor: str
    heading: str
    text: Sequence[str]
    headed: Sequence[str]
    titled: Sequence[str] = ()
    hidden: Sequence[str] = ()

    @property
    def fields(self) -> Sequence[Sequence[str]]:
        """Its words, field by field; those of the page where it opens one."""
        return self[2:] if not self.anchor else self[2:4]


class Said(NamedTuple):
    """A sentence of a lead: what its links lead to, and whether it is a claim or defines a word."""

    text: str
    line: int
    targets: frozenset[str]
    is_shown: bool
