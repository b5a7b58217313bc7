"""What changed for the claims from one commit of the site to another: an edition of its news.

Editions are committed, so that a build without git, from a source archive, shows the same as any
other. Nothing in them is typed: ``diff --news`` appends them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from evidence.judge.facts import read_toml
from evidence.judge.verdict import Judgement
from evidence.records.model import Date, Part

#: Where they stand, below the folder of the pages: the newest last.
EDITIONS = "evidence/news.toml"

#: A claim, an address that it checks or ``verdict``, and that before and after, in words.
Change: TypeAlias = tuple[str, str, str, str]

#: The judgements of a revision, by the id of the claim.
Judged: TypeAlias = Mapping[str, Judgement]


class Edition(Part, frozen=True):
    """What changed, by the ids of claims; ``day`` is that of the newer commit."""

    day: Date
    old: str
    new: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[Change, ...]


def changed(
    before: Judged, after: Judged, values: Sequence[tuple[str, ...]]
) -> Iterator[Change]:
    """The verdicts and the checked values that are others now, claim by claim.

    :param values: those that changed: address, before, after
    """
    others = {address: (was, found) for address, was, found, _by in values}
    for claim in sorted(before.keys() & after):
        old, new = before[claim], after[claim]
        if old.verdict is not new.verdict:
            yield claim, "verdict", old.verdict.value, new.verdict.value
        checks = ({str(check.value) for check in j.claim.checks} for j in (old, new))
        for address in sorted(set.intersection(*checks) & others.keys()):
            yield claim, address, *others[address]


def read_editions(path: Path) -> list[Edition]:
    """The editions of a file, the newest first.

    :raises FactsError: when it is not what it should be
    """
    return [*reversed(read_toml(path, dict[str, Edition]).values())]
