"""Facts that people wrote down: what upstream says that claims contradict, and what to show.

Statements of upstream stand in ``upstream.toml``, each once, under the id by which claims name it,
and what older versions of it said, under the claim that refutes or limits that; what the site sets
out to show stands in ``sources.toml``: a claim's ``:seed:`` names it.

Nobody types ``news.toml``: ``diff --news`` appends editions to it. They are committed, so that a
build without git, from a source archive, shows the same as any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from evidence.judge.verdict import Judgement
from evidence.records.model import Date, Part, Sha256
from evidence.records.store import checksum

_Content = TypeVar("_Content")

#: Where statements of upstream stand, below the folder of the pages.
UPSTREAM = "evidence/upstream.toml"

#: Where patches of upstream's files stand, below the same folder.
PATCHES = "evidence/reports"

#: Indentation, and the mark of a comment or heading; what stands between paragraphs.
_MARGIN = re.compile(r"^[ \t#]+", re.MULTILINE)
_BETWEEN = re.compile(r'\n{2,}|"""')


class FactsError(ValueError):
    """A file of facts that cannot be understood."""


def read_toml(path: Path, kind: type[_Content]) -> _Content:
    """What people wrote into a file of facts; one that does not exist is empty.

    :raises FactsError: when it does not fit its kind; the message names it
    """
    text = path.read_bytes() if path.exists() else b""
    try:
        return msgspec.toml.decode(text, type=kind)
    except ValueError as error:
        raise FactsError(f"{path.parent.name}/{path.name}: {error}") from None


class Statement(Part, frozen=True):
    """A statement, and the paragraph in which it was read.

    ``address`` is where a reader finds it, ``version`` the tag or commit at which it was read;
    ``says`` is a paraphrase with the statement's own limits, ``words`` at most twelve of its own;
    ``title`` is what holds instead, ``fault`` where the two part, ``harm`` comes of following it,
    ``known`` the day on which a claim first refuted it. Where ``path`` does not name its patch,
    ``mends`` does: another file, or a path and a topic.
    """

    page: str
    section: str
    address: str
    repository: str
    path: str
    version: str
    read: Date
    digest: Sha256
    says: str
    words: Annotated[str, Meta(pattern=r"^\S+( \S+){0,11}$")]
    suggestion: str = ""
    title: Annotated[str, Meta(pattern=r"^(\S+( \S+){0,9})?$")] = ""
    fault: Literal["docs", "code", "older", "slip", ""] = ""
    harm: Literal["results", "speed", "neither"] = "neither"
    known: Date | None = None
    mends: str = ""

    @property
    def source(self) -> str:
        """The address of the text that was read."""
        return f"https://github.com/{self.repository}/blob/{self.version}/{self.path}"

    @property
    def patch(self) -> str:
        """The name of its patch."""
        return f"{(self.mends or self.path).replace('/', '-')}.patch"

    def change(self, source: str) -> str:
        """What became of the paragraph in another text of its file; empty where it is the same."""
        texts = _BETWEEN.split(_MARGIN.sub("", source))
        paragraphs = [" ".join(text.split()) for text in texts]
        if self.digest in (checksum(paragraph.encode()) for paragraph in paragraphs):
            return ""
        here = self.section in " ".join(paragraphs).replace("`", "")
        return "its paragraph changed" if here else "its section is gone"


class Former(Part, frozen=True):
    """What older versions said, in our words.

    ``notes`` are these versions, ``since`` the first one of which it is no longer true; links to
    ``anchor`` on the page of the claim are older than this file.
    """

    notes: str
    since: str
    said: str
    anchor: str = ""


class Upstream(Struct, frozen=True, forbid_unknown_fields=True):
    """The statements by id, and what was said formerly by the claim that refutes or limits it."""

    statements: dict[str, Statement] = {}
    formerly: dict[str, Former] = {}


#: Where what is to be shown stands, from the repository's root.
SOURCES = "docs/evidence/sources.toml"


class Seed(Struct, frozen=True, forbid_unknown_fields=True):
    """What sources state, in our words.

    ``chapter`` is the folder of the chapter that shows it, and a heading; ``sources`` are names of
    documents, and threads as ``owner/repository#number``; ``cannot`` says why the site cannot show
    whether it is true.
    """

    chapter: str
    sources: list[str]
    text: str
    cannot: str = ""

    @property
    def folder(self) -> str:
        """The folder of the chapter that shows it."""
        return self.chapter.rpartition("/")[0]

    @property
    def heading(self) -> str:
        """What it stands under in the list of statements."""
        return self.chapter.rpartition("/")[2]


class Sources(Struct, frozen=True, forbid_unknown_fields=True):
    """The titles of the documents by name, and the statements by id, chapter after chapter."""

    documents: dict[str, str] = {}
    statements: dict[str, Seed] = {}


#: Where editions stand, below the folder of the pages: the newest last.
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
    before: Judged, after: Judged, values: Sequence[tuple[str, str, str]]
) -> Iterator[Change]:
    """The verdicts and the checked values that are others now, claim by claim.

    :param values: those that changed: address, before, after
    """
    spoken = {address: (was, now) for address, was, now in values}
    for claim in sorted(before.keys() & after):
        old, new = before[claim], after[claim]
        if old.verdict is not new.verdict:
            yield claim, "verdict", old.verdict.value, new.verdict.value
        checks = ({str(check.value) for check in j.claim.checks} for j in (old, new))
        for address in sorted(set.intersection(*checks) & spoken.keys()):
            yield claim, address, *spoken[address]


def read_editions(path: Path) -> list[Edition]:
    """The editions of a file, the newest first.

    :raises FactsError: when it is not what it should be
    """
    return [*reversed(read_toml(path, dict[str, Edition]).values())]
