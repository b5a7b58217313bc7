"""Reading and writing records: canonical JSON beside the script.

Canonical means sorted keys, lists of scalars on one line, a final newline; numbers are rounded
where they are measured. Two writers of the same record write the same bytes, so that the diff of
a record shows what changed and nothing else. The checksum catches accidents (a merge, an edit by
hand).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from evidence.records import wire
from evidence.records.model import FIGURE_NAME, SCHEMA, Figure, Record

_Content = TypeVar("_Content")

#: A record is text for reviewers: more than this is a mistake of the example.
MAX_BYTES = 5_000_000
#: Deeper than anything that is kept is nested.
DEEP = 100

_CHECKSUM = re.compile(rb'^  "checksum": "([0-9a-f]{64})",\n', re.MULTILINE)


class RecordError(Exception):
    """A record that cannot be used; the message says why, in words that follow the file's name."""


def record_path(script: Path) -> Path:
    """Where the record of a script stands: beside it."""
    return script.with_suffix(".json")


def load(path: Path) -> Record:
    """Read a record and check that it is whole.

    It belongs to the example beside which it stands, whatever that was called when it was
    measured: so an example can be renamed, and its record keep its bytes.

    :raises RecordError: when it is missing, too large or not whole, or a figure it names is
        missing or edited
    """
    record = renamed(parse(read(path)), path.stem)
    for figure in record.figures:
        beside = path.with_name(figure.name)
        if not beside.is_file() or checksum(beside.read_bytes()) != figure.sha256:
            raise RecordError(
                f"does not fit its figure {figure.name}: missing or edited"
            )
    return record


def read(path: Path, most: int = MAX_BYTES) -> bytes:
    """The bytes of a file that holds what was measured: at most so many.

    :raises RecordError: when it is missing, too large or cannot be read
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError("does not exist") from None
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}") from None
    if len(data) > most:
        raise RecordError(f"is larger than {most // 1_000_000} MB")
    return data


def renamed(record: Record, stem: str) -> Record:
    """A record as that of an example of this name: its figures are called after it."""

    def name(figure: str) -> str:
        return figure.replace(record.stem, stem, 1)

    outputs = tuple(
        replace(output, figures=tuple(map(name, output.figures)))
        for output in record.outputs
    )
    figures = tuple(Figure(name(each.name), each.sha256) for each in record.figures)
    return replace(record, stem=stem, outputs=outputs, figures=figures)


def find(path: Path) -> Record | None:
    """Read a record, if there is one that can be used."""
    try:
        return load(path)
    except RecordError:
        return None


def parse(data: bytes) -> Record:
    """Read a record from its bytes.

    :raises RecordError: as :func:`unseal` does
    """
    return unseal(data, lambda data: wire.DECODER.decode(data).record_itself(), SCHEMA)


def unseal(
    data: bytes,
    decode: Callable[[bytes], _Content],
    schema: int,
    reason: str = "",
    depth: int = DEEP,
) -> _Content:
    """What a file with a checksum holds.

    :param reason: why no other schema is read
    :param depth: as :func:`canonical` takes it
    :raises RecordError: when it is truncated, of another schema, does not fit it, or was edited
    """
    try:
        content = decode(data)
    except (ValueError, RecursionError) as error:
        raise RecordError(_fault(data, error, schema, reason)) from None
    bare, *seals = _CHECKSUM.split(data, maxsplit=1)
    # Nearly always the bytes are canonical: that is quick to see.
    if seals and checksum(bare + seals[1][:-1]).encode() == seals[0]:
        return content
    raw = msgspec.json.decode(data)
    if raw.pop("checksum") != checksum(canonical(raw, depth).encode()):
        raise RecordError("was edited: its checksum does not match")
    return content


def _fault(data: bytes, error: Exception, schema: int, reason: str) -> str:
    """What is wrong with bytes that do not fit a schema."""
    try:
        raw = msgspec.json.decode(data)
    except (ValueError, RecursionError) as broken:
        return f"is not JSON, or was cut off ({broken})"
    stated = raw.get("schema") if isinstance(raw, dict) else None
    if stated != schema:
        return f"has schema {stated!r}, this site reads {schema}{reason}"
    return f"does not fit schema {schema}: {error}"


def save(record: Record, path: Path, figures: dict[str, bytes]) -> None:
    """Write a record and the figures it names into one folder; remove figures of an older one."""
    data = dump(record)  # before anything is touched
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(f"{record.stem}-*.svg"):
        if old.name not in figures and re.search(FIGURE_NAME, old.name):
            old.unlink()
    for name, content in figures.items():
        (path.parent / name).write_bytes(content)
    path.write_bytes(data)


def dump(record: Record) -> bytes:
    """The canonical bytes of a record."""
    return seal(wire.as_data(record)).encode()


def seal(data: Mapping[str, Any], depth: int = DEEP) -> str:
    """The canonical text of a file, with a checksum of all its other fields."""
    digest = checksum(canonical(data, depth).encode())
    return canonical({**data, "checksum": digest}, depth) + "\n"


def canonical(value: Any, depth: int = DEEP, indent: str = "") -> str:
    """Canonical JSON text: sorted keys, one line for each entry, lists of scalars on one line.

    :param depth: what is nested deeper stands on one line
    :raises ValueError: when a number is not finite
    """
    entries = value if isinstance(value, (list, tuple)) else ()
    nested = any(isinstance(entry, (dict, list)) for entry in entries)
    if len(indent) >= 2 * depth or not (nested or (value and isinstance(value, dict))):
        return _on_one_line(value)
    deeper = indent + "  "
    if nested:
        begin, end = "[]"
        texts = [canonical(entry, depth, deeper) for entry in entries]
    else:
        begin, end = "{}"
        texts = [
            f"{_on_one_line(key)}: {canonical(value[key], depth, deeper)}"
            for key in sorted(value)
        ]
    lines = ",\n".join(f"{deeper}{text}" for text in texts)
    return f"{begin}\n{lines}\n{indent}{end}"


def _on_one_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def rounded(number: float) -> float:
    """A float with the six significant digits that a record keeps."""
    return float(f"{number:.6g}")


def checksum(content: bytes) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
