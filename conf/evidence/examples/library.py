"""The examples of this build: each with its record, or the reason for having none."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from evidence.examples.script import (
    PageError,
    Script,
    ScriptError,
    find_scripts,
    read_script,
)
from evidence.records.address import Address
from evidence.records.model import FEW_PROCESSES, MANY_PROCESSES, Plain, Record, Timing
from evidence.records.store import RecordError, checksum, load, record_path
from evidence.records.units import BYTES, COUNT

#: What names a chapter, for sphinx-gallery.
HEADER = "GALLERY_HEADER.rst"

_ANSI = re.compile(r"\x1B(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])")

#: Scripts by path, each with a checksum of its file.
Scripts: TypeAlias = "MutableMapping[Path, tuple[str, Script]]"


@dataclass(frozen=True)
class Example:
    """An example as this build sees it.

    ``problem`` says why it has no usable record; ``mode`` whether its record was measured for this
    build or replayed.
    """

    path: Path
    record_path: Path
    script: Script | None = None
    record: Record | None = None
    problem: str = ""
    mode: str = "replayed"

    @property
    def stem(self) -> str:
        """The name by which pages and records call it."""
        return self.path.stem

    @property
    def stale(self) -> bool:
        """Whether its code changed since its record."""
        record, script = self.record, self.script
        return bool(record and script and record.code_key != script.code_key)


def plain(output: str) -> str:
    """What a cell printed, without the colours of a terminal and with spaces for its tabs."""
    return _ANSI.sub("", output).expandtabs()


@dataclass(frozen=True)
class Library:
    """All examples below a folder, by stem."""

    folder: Path
    examples: Mapping[str, Example] = field(default_factory=dict)

    @cached_property
    def records(self) -> dict[str, Record]:
        """The usable records, stale ones too, by stem."""
        return {stem: e.record for stem, e in self.examples.items() if e.record}

    @cached_property
    def stale(self) -> set[str]:
        """Stems of the examples whose code changed since their record."""
        return {stem for stem, example in self.examples.items() if example.stale}

    def is_found(self, address: Address) -> bool:
        """Whether a value was found by measuring: no key of a row, no constant of its script.

        A typed time, share, text or boolean is a result all the same.
        """
        example = self.examples.get(address.stem)
        record, script = (example.record, example.script) if example else (None, None)
        if address.is_key or record is None or script is None:
            return not address.is_key
        match record.cells.get(address.name):
            case Plain(bool()):
                return True
            case Plain(int() | float() as value) if address.unit in (COUNT, BYTES):
                return bool(value != script.constants.get(address.name))
        return True

    def shown(self, path: Path) -> str:
        """A path for a message: relative to the folder that holds the examples."""
        root = self.folder.parent
        inside = path.is_relative_to(root)
        return path.relative_to(root).as_posix() if inside else path.name

    def page(self, stem: str, gallery: str) -> str:
        """The docname of the gallery page of an example."""
        relative = self.examples[stem].path.relative_to(self.folder)
        return f"{gallery}/{relative.with_suffix('').as_posix()}"


def open_library(
    folder: Path,
    measured: Mapping[str, Path] | None = None,
    kept: Scripts | None = None,
) -> Library:
    """Read every example below a folder, with its record.

    :param measured: records made for this build, by stem; the others are those beside the scripts
    :param kept: the scripts of the last build, of which only those that changed are parsed again;
        those of this build replace them
    :raises PageError: when an example cannot be shown, or its chapter has no title
    """
    newly_measured, kept = measured or {}, {} if kept is None else kept
    paths = find_scripts(folder)
    for chapter in sorted({path.parent for path in paths}):
        if not (chapter / HEADER).is_file():
            place = chapter.relative_to(folder.parent).as_posix()
            raise PageError(f"{place}/ has no {HEADER}, which holds its title")
    for gone in kept.keys() - paths:
        del kept[gone]
    examples = (_example(path, newly_measured.get(path.stem), kept) for path in paths)
    return Library(folder, {example.stem: example for example in examples})


def _example(path: Path, measured: Path | None, kept: Scripts) -> Example:
    beside = record_path(path)
    mode = "replayed" if measured is None else "measured"
    script = record = None
    problem = ""
    try:
        script = _script(path, kept)
        record = _record(measured or beside, script, whole=measured is None)
    except PageError:
        raise
    except (ScriptError, RecordError) as error:
        problem = str(error)
    return Example(path, measured or beside, script, record, problem, mode)


def _script(path: Path, kept: Scripts) -> Script:
    made_from = checksum(path.read_bytes())
    if path not in kept or kept[path][0] != made_from:
        kept[path] = made_from, read_script(path)
    return kept[path][1]


def _record(path: Path, script: Script, *, whole: bool) -> Record:
    """Read a record, which may be stale.

    :param whole: all processes of the plan have to be in it
    """
    record = load(path)
    if record.code_key != script.code_key:
        return record
    outputs, cells = len(record.outputs), len(script.cells)
    if outputs != cells:
        raise RecordError(f"has {outputs} outputs, and its script {cells} cells")
    ran, plan = len(record.processes), script.settings.processes
    counts = {len(c.median) for c in record.cells.values() if isinstance(c, Timing)}
    planned = {plan} if plan else {FEW_PROCESSES, MANY_PROCESSES}
    if whole and counts and not counts == {ran} <= planned:
        runs = f"measuring runs {plan or '6 or 12'}"
        raise RecordError(f"has {ran} processes, a timing {max(counts)}; {runs}")
    return record
