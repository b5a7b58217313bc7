"""Reading and writing records: canonical JSON beside the script.

Canonical means sorted keys, floats of six significant digits, lists of scalars on one line, a
final newline. Two writers of the same record write the same bytes, so that the diff of a record
shows what changed and nothing else. The checksum catches accidents (a merge, an edit by hand).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import re
from typing import TYPE_CHECKING, Any

from evidence.records.model import (
    SCHEMA,
    Builder,
    Cell,
    Figure,
    Output,
    Plain,
    Process,
    Raised,
    Record,
    Table,
    Timing,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: A record is text for reviewers: more than this is a mistake of the example.
MAX_BYTES = 5_000_000

_FIGURE_NAME = re.compile(r"[A-Za-z0-9_]+-\d+\.svg")
_CHECKSUM = re.compile(rb'^  "checksum": "[0-9a-f]{64}",\n', re.MULTILINE)
#: What may be a number that is not finite: JSON has none, Python's reader takes them.
_ENDLESS = re.compile(rb"NaN|Infinity|[\s\[-][0-9][0-9.]*[eE]\+?[0-9]{3}")
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


class RecordError(Exception):
    """A record that cannot be used; the message says why, in words that follow the file's name."""


def record_path(script: Path) -> Path:
    """Where the record of a script stands: beside it."""
    return script.with_suffix(".json")


def load(path: Path) -> Record:
    """Read a record and check that it is whole.

    :raises RecordError: when it is missing, too large, truncated, of another schema, edited,
        names a file outside its folder, or a figure it names is missing or edited
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise RecordError("does not exist") from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"is larger than {MAX_BYTES // 1_000_000} MB")
    record = parse(data)
    for figure in record.figures:
        beside = path.with_name(figure.name)
        if not beside.exists() or checksum(beside.read_bytes()) != figure.sha256:
            raise RecordError(
                f"does not fit its figure {figure.name}: missing or edited"
            )
    return record


def parse(data: bytes) -> Record:
    """Read a record from its bytes.

    :raises RecordError: see :func:`load`
    """
    try:
        raw = json.loads(data)
    except ValueError as error:
        raise RecordError(f"is not JSON, or was cut off ({error})") from None
    if not isinstance(raw, dict) or raw.get("schema") != SCHEMA:
        found = raw.get("schema") if isinstance(raw, dict) else None
        raise RecordError(f"has schema {found!r}, this site reads {SCHEMA}")
    checksum = raw.pop("checksum", None)
    if not _as_written(data, checksum) and not _intact(raw, checksum):
        raise RecordError("was edited: its checksum does not match")
    try:
        record = _from_json(raw)
    except (KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"does not fit schema {SCHEMA} ({error!r})") from None
    named = [figure.name for figure in record.figures]
    for output in record.outputs:
        named += output.figures
    for name in named:
        if not _FIGURE_NAME.fullmatch(name):
            raise RecordError(f"names a file outside its folder: {name!r}")
    return record


def save(record: Record, path: Path, figures: dict[str, bytes]) -> None:
    """Write a record and the figures it names into one folder; remove figures of an older one."""
    data = dump(record)  # before anything is touched
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(f"{record.stem}-*.svg"):
        if old.name not in figures and _FIGURE_NAME.fullmatch(old.name):
            old.unlink()
    for name, content in figures.items():
        (path.parent / name).write_bytes(content)
    path.write_bytes(data)


def dump(record: Record) -> bytes:
    """The canonical bytes of a record."""
    raw = _to_json(record)
    return (canonical({**raw, "checksum": _checksum(raw)}) + "\n").encode()


def canonical(value: Any, indent: str = "") -> str:
    """Canonical JSON text: sorted keys, one line for each entry, lists of scalars on one line.

    :raises ValueError: when a number is not finite
    """
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        entries = (
            f"{deeper}{_scalar(str(key))}: {canonical(value[key], deeper)}"
            for key in sorted(value)
        )
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)) and any(
        isinstance(x, (dict, list)) for x in value
    ):
        entries = (deeper + canonical(entry, deeper) for entry in value)
        return "[\n" + ",\n".join(entries) + f"\n{indent}]"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_scalar(entry) for entry in value) + "]"
    return _scalar(value)


def rounded(number: float) -> float:
    """A float with the six significant digits that a record keeps."""
    return float(f"{number:.6g}")


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a finite number")
        return repr(rounded(value))
    # A site has some hundred thousand of them, and an encoder takes longer to make than to use.
    return repr(value) if type(value) is int else _ENCODER.encode(value)


def checksum(content: bytes) -> str:
    """SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _as_written(data: bytes, written: object) -> bool:
    """Whether these are the canonical bytes themselves, as nearly always: quick to see."""
    bare = _CHECKSUM.sub(b"", data, count=1)[:-1]
    return checksum(bare) == written and not _ENDLESS.search(data)


def _intact(raw: dict[str, Any], written: object) -> bool:
    """Whether the content is as it was written, however it is laid out."""
    try:
        return written == _checksum(raw)
    except ValueError:  # NaN and 1e999 can be read, and are never written
        return False


def _checksum(raw: dict[str, Any]) -> str:
    return checksum(canonical(raw).encode())


def _to_json(record: Record) -> dict[str, Any]:
    raw = dataclasses.asdict(record)
    raw["measured"] = measured_to_json(record.measured)
    return raw


def _from_json(raw: dict[str, Any]) -> Record:
    return Record(
        **{
            **raw,
            "builder": Builder(**raw["builder"]),
            "measured": measured_from_json(raw["measured"]),
            "outputs": tuple(
                Output(**{**output, "figures": tuple(output["figures"])})
                for output in raw["outputs"]
            ),
            "figures": tuple(Figure(**figure) for figure in raw["figures"]),
            "processes": tuple(Process(**process) for process in raw["processes"]),
        }
    )


def measured_to_json(measured: Mapping[str, Value]) -> dict[str, Any]:
    """Measured values as they stand in a record, and in ``claims.json``."""
    return {name: _value_to_json(value) for name, value in measured.items()}


def measured_from_json(raw: dict[str, Any]) -> dict[str, Value]:
    """The values that :func:`measured_to_json` wrote.

    :raises KeyError, TypeError, AttributeError: when it wrote something else
    """
    return {name: _value(value) for name, value in raw.items()}


def _value_to_json(value: Value) -> dict[str, Any]:
    match value:
        case Plain(value=plain):
            return {"value": plain}
        case Raised(type=name, message=message):
            return {"raised": {"type": name, "message": message}}
        case Timing(median=median, iqr=iqr, n=n):
            return {"timing": {"median": list(median), "iqr": list(iqr), "n": list(n)}}
        case Table(rows=rows):
            # A list of pairs, because the order of the columns carries the row's address.
            return {
                "table": [
                    [
                        {"column": name, **_value_to_json(cell)}
                        for name, cell in row.items()
                    ]
                    for row in rows
                ]
            }


def _value(raw: dict[str, Any]) -> Value:
    if "table" not in raw:
        return _cell(raw)
    return Table(
        tuple({pair["column"]: _cell(pair) for pair in row} for row in raw["table"])
    )


def _cell(raw: dict[str, Any]) -> Cell:
    if "timing" in raw:
        timing = raw["timing"]
        return Timing(tuple(timing["median"]), tuple(timing["iqr"]), tuple(timing["n"]))
    if "raised" in raw:
        return Raised(**raw["raised"])
    return Plain(raw["value"])
