"""The statements that the site sets out to show, with the documents that make them: one file.

A claim's ``:seed:`` names one or several of them by id.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from evidence.records.store import read_toml

#: Where they stand, from the repository's root.
SOURCES = "docs/evidence/sources.toml"


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """What sources state, in our words.

    ``sources`` are names of documents, and threads as ``owner/repository#number``; ``cannot``
    says why the site cannot show whether it is true.
    """

    chapter: str
    sources: list[str]
    text: str
    cannot: str = ""


class Sources(Struct, frozen=True, forbid_unknown_fields=True):
    """The titles of the documents by name, and the statements by id, chapter after chapter."""

    documents: dict[str, str] = {}
    statements: dict[str, Statement] = {}


def read_sources(root: Path) -> Sources:
    """Read the file of statements below the repository's root.

    :raises FactsError: when it is not what it should be
    """
    return read_toml(root / SOURCES, Sources)
