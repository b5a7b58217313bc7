"""Where an analysis page finds what an example measured: in its record, or in ``claims.json``.

A build names its records. Elsewhere they lie in the repository's ``examples/``; a reader who has
downloaded a page as a notebook has ``claims.json`` instead, with the same values in it.
"""

from __future__ import annotations

import difflib
import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from evidence.records import store
from evidence.records.model import Builder, Measured
from evidence.records.store import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Names a JSON file that maps each example to its record in this build, live or replayed.
RECORDS = "EVIDENCE_RECORDS"

#: The file in which a site publishes what was measured, and the schema that is read here.
CLAIMS = "claims.json"
CLAIMS_SCHEMA = 1

#: What gives the values of each example; only those that are asked for are read.
Source: TypeAlias = "dict[str, Callable[[], Measured]]"


def load(stem: str) -> Measured:
    """What the example of this name measured.

    :raises LookupError: when there is no such example, or neither records nor ``claims.json``
    :raises RecordError: when its record or ``claims.json`` cannot be used, in a sentence
    """
    source = _source()
    if stem not in source:
        near = difflib.get_close_matches(stem, source)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise LookupError(f"there is no example {stem!r}{hint}")
    return source[stem]()


def _source() -> Source:
    """What the build names; else what is nearest, from here upward or beside these modules."""
    if RECORDS in os.environ:
        named = json.loads(Path(os.environ[RECORDS]).read_text("utf-8"))
        return {stem: partial(_recorded, Path(path)) for stem, path in named.items()}
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).parents[3]):
        if scripts := sorted((folder / "examples").rglob("[!_]*.py")):
            return {
                path.stem: partial(_recorded, store.record_path(path))
                for path in scripts
            }
        if (folder / CLAIMS).is_file():
            return _published(folder / CLAIMS)
    raise LookupError(
        f"there is neither a folder examples/ nor a file {CLAIMS} here or above: run it in the "
        f"site's repository, or download the site's {CLAIMS} into this folder"
    )


def _recorded(path: Path) -> Measured:
    try:
        return store.load(path)
    except RecordError as error:
        raise RecordError(f"{path.name} {error}") from None


def _published(path: Path) -> Source:
    """The examples of a ``claims.json``."""
    try:
        data = json.loads(path.read_bytes())
    except ValueError as error:
        message = f"{path.name} is not JSON, or was cut off ({error})"
        raise RecordError(message) from None
    found = data.get("schema") if isinstance(data, dict) else None
    if found != CLAIMS_SCHEMA:
        raise RecordError(
            f"{path.name} has schema {found!r}, and {CLAIMS_SCHEMA} is read here: download it "
            "anew, with evidence.zip of the same site"
        )
    try:
        return {
            example["stem"]: partial(_example, example, data["builders"])
            for example in data["examples"]
        }
    except (KeyError, TypeError) as error:
        raise _unfit(error) from None


def _example(example: Mapping[str, Any], builders: Mapping[str, Any]) -> Measured:
    """What ``claims.json`` says of one example."""
    try:
        stem, measured = example["stem"], example["measured"]
        if measured is not None:
            builder = Builder(**builders[example["builder"]])
            return Measured(stem, builder, store.measured_from_json(measured))
    except (KeyError, TypeError, AttributeError) as error:
        raise _unfit(error) from None
    raise RecordError(f"{CLAIMS} has no values of {stem!r}: it had no usable record")


def _unfit(error: Exception) -> RecordError:
    return RecordError(f"{CLAIMS} does not fit schema {CLAIMS_SCHEMA} ({error!r})")
