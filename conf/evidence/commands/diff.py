"""``diff``: what changed between two sets of records, in folders or in git revisions."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import click

from evidence.commands import CommandError
from evidence.commands.terminal import columns
from evidence.records.compare import builder_changes, compare, spoken_change
from evidence.records.model import Record
from evidence.records.store import RecordError, parse

#: The address of a value, its old form, its new one, and the change: in words.
Told: TypeAlias = tuple[str, str, str, str]

#: What of a revision is read.
EXAMPLES = "examples"

#: What GitHub's Markdown would take for markup, and for the end of a cell.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|~#&])")


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--markdown", is_flag=True, help="write a table for a review")
def diff(old: str, new: str, markdown: bool) -> int:
    """Compare two sets of records: folders, or git revisions whose examples/ are read."""
    before, after = read_records(old), read_records(new)
    changes = [(c.address, *spoken_change(c)) for c in compare(before, after)]
    lines = _table(changes) if markdown else _lines(changes)
    notes = list(_notes(before, after))
    if not changes:
        lines = ["no measured value changed"]
    if markdown:
        notes = ["", *(f"- {_escaped(note)}" for note in notes)]
    print("\n".join([*lines, *notes]))
    return 0


def read_records(place: str) -> dict[str, Record]:
    """The records of a folder, or else of a git revision, by stem.

    :raises CommandError: when there is none, two have the same stem, or one cannot be used
    """
    found: dict[str, Record] = {}
    is_folder = bool(place) and Path(place).is_dir()
    for name, data in _in_folder(Path(place)) if is_folder else _in_revision(place):
        if not _is_record(data):
            continue
        try:
            record = parse(data)
        except RecordError as error:
            raise CommandError(f"{name} {error}") from None
        if record.stem in found:
            raise CommandError(f"{place} holds two records of {record.stem}")
        found[record.stem] = record
    if not found:
        raise CommandError(f"there is no record in {place}")
    return found


def _is_record(data: bytes) -> bool:
    """Whether a file is meant as a record: what is no JSON may be one that was cut off."""
    try:
        raw = json.loads(data)
    except ValueError:
        return True
    return isinstance(raw, dict) and bool({"code_key", "measured"} & raw.keys())


def _in_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*.json")):
        if path.is_file():
            yield path.as_posix(), path.read_bytes()


def _in_revision(revision: str) -> Iterator[tuple[str, bytes]]:
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    try:
        tree = _git(*verify, f"{revision}^{{tree}}").decode().strip()
    except CommandError:
        raise CommandError(
            f"{revision!r} is neither a folder nor a git revision here"
        ) from None
    listed = _git("ls-tree", "-r", "-z", "--full-tree", tree, "--", f"{EXAMPLES}/")
    for entry in filter(None, listed.decode().split("\0")):
        about, _, name = entry.partition("\t")
        if name.endswith(".json"):
            yield f"{revision}:{name}", _git("cat-file", "blob", about.split()[2])


def _git(*arguments: str) -> bytes:
    """What a git command prints.

    :raises CommandError: when it fails, or there is no git
    """
    try:
        return subprocess.run(
            ["git", *arguments], capture_output=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise CommandError(f"git cannot be asked: {error}") from None


def _lines(changes: Iterable[Told]) -> list[str]:
    """Lines in columns for a terminal."""
    return columns(
        [
            (address, old or "added", "->", new or "removed", size)
            for address, old, new, size in changes
        ]
    )


def _table(changes: Iterable[Told]) -> list[str]:
    """A table in Markdown."""
    lines = ["| Value | Old | New | Change |", "|---|--:|--:|--:|"]
    for address, old, new, size in changes:
        # In a code span nothing but the pipe has to be escaped.
        name = address.replace("|", r"\|")
        change = "added" if not old else "removed" if not new else size
        lines.append(f"| `{name}` | {_escaped(old)} | {_escaped(new)} | {change} |")
    return lines


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def _notes(old: Mapping[str, Record], new: Mapping[str, Record]) -> Iterator[str]:
    """Records that only one side holds, how many are the same, and where builders differ."""
    for stem in sorted(new.keys() - old.keys()):
        yield f"record added: {stem} ({len(new[stem].cells)} values)"
    for stem in sorted(old.keys() - new.keys()):
        yield f"record removed: {stem} ({len(old[stem].cells)} values)"
    common = old.keys() & new.keys()
    if same := sum(old[stem] == new[stem] for stem in common):
        yield f"{same} of {len(common)} records are the same on both sides"
    for (before, after), stems in builder_changes(old, new).items():
        which = "" if len(stems) == len(common) else f" ({', '.join(stems)})"
        yield f"builders differ: {before} -> {after}{which}"
