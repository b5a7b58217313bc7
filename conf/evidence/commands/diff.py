"""``diff``: what changed between two sets of records, in folders or in git revisions."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import click

from evidence.commands import CommandError, columns
from evidence.records.compare import builder_words, changes
from evidence.records.model import Record
from evidence.records.store import RecordError, parse

#: What of a revision is read.
EXAMPLES = "examples"


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--exit-code", is_flag=True, help="1 where the same kind of builder now says else"
)
def diff(old: str, new: str, exit_code: bool) -> int:
    """Compare two sets of records: folders, or git revisions whose examples/ are read."""
    before, after = read_records(old), read_records(new)
    rows = changes(before, after)
    table = columns([(at, old, "->", *rest) for at, old, *rest in rows])
    print("\n".join(table or ["no measured value changed"]))
    for records in before, after:
        builders = {builder_words(record.builder) for record in records.values()}
        print(*sorted(builders), sep=" and ")
    alike = {s for s in before.keys() & after.keys() if _same_kind(before[s], after[s])}
    found = ({stem: records[stem] for stem in alike} for records in (before, after))
    return int(exit_code and bool(changes(*found)))


def _same_kind(old: Record, new: Record) -> bool:
    return old.builder.same_kind(new.builder)


def read_records(place: str) -> dict[str, Record]:
    """The records of a folder, or else of a git revision, by stem.

    :raises CommandError: when there is none, two have the same stem, or one cannot be used
    """
    found: dict[str, Record] = {}
    is_folder = bool(place) and Path(place).is_dir()
    paths = sorted(Path(place).rglob("*.json")) if is_folder else ()
    in_folder = ((path.as_posix(), path.read_bytes()) for path in paths)
    for name, data in in_folder if is_folder else _in_revision(place):
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


def _in_revision(revision: str) -> Iterator[tuple[str, bytes]]:
    every = ("ls-tree", "-r", "-z", "--full-tree", "--name-only", "--end-of-options")
    try:
        for name in _git(*every, revision, f"{EXAMPLES}/").decode().split("\0"):
            if name.endswith(".json"):
                place = f"{revision}:{name}"
                yield place, _git("cat-file", "blob", place)
    except (OSError, subprocess.CalledProcessError):
        raise CommandError(
            f"{revision!r} is neither a folder nor a git revision here"
        ) from None


def _git(*arguments: str) -> bytes:
    command = ["git", *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout
