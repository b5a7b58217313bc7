"""What changed: ``diff`` compares two sets of records, ``upstream`` what the claims cite."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path, PurePath

import click
from msgspec.structs import asdict

from evidence.commands import DOCS, CommandError, columns
from evidence.judge.claim import Claim
from evidence.judge.facts import (
    EDITIONS,
    PATCHES,
    UPSTREAM,
    Edition,
    Judged,
    Upstream,
    changed,
    read_toml,
)
from evidence.judge.pages import read_boxes, read_claims
from evidence.judge.verdict import Judgement, judge_all
from evidence.records.address import Records, changes
from evidence.records.model import Record
from evidence.records.store import RecordError, parse, renamed

#: What of a revision is read: a folder, and how the names of the files end.
RECORDS, PAGES = ("examples/", ".json"), ("docs/", ".md")


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--exit-code", is_flag=True, help="1 where the same kind of builder now says else"
)
@click.option("--news", is_flag=True, help=f"of two revisions: add to docs/{EDITIONS}")
def diff(old: str, new: str, exit_code: bool, news: bool) -> int:
    """Compare two sets of records: folders, or git revisions whose examples/ are read."""
    before, after = read_records(old), read_records(new)
    rows = changes(before, after)
    table = columns([(at, was, "->", now) for at, was, now in rows])
    print("\n".join(table or ["no measured value changed"]))
    for records in before, after:
        builders = {str(record.builder) for record in records.values()}
        print(*sorted(builders), sep=" and ")
    if news:
        claims = judged(old, before), judged(new, after)
        append(edition(old, new, *claims, rows), Path("docs", EDITIONS))
    changed_stems = {address.partition(".")[0] for address, *_ in rows}
    both = [(before[s], after[s]) for s in changed_stems & before.keys() & after.keys()]
    says_else = any(was.builder.same_kind(now.builder) for was, now in both)
    return int(exit_code and says_else)


def read_records(place: str) -> dict[str, Record]:
    """The records of a folder, or else of a git revision, by stem.

    :raises CommandError: when there is none, two have the same stem, or one cannot be used
    """
    records: dict[str, Record] = {}
    is_folder = bool(place) and Path(place).is_dir()
    paths = sorted(Path(place).rglob("*.json")) if is_folder else ()
    in_folder = ((path.as_posix(), path.read_bytes()) for path in paths)
    for name, data in in_folder if is_folder else _in_revision(place, RECORDS):
        try:
            record = renamed(parse(data), PurePath(name).stem)
        except RecordError as error:
            raise CommandError(f"{name} {error}") from None
        if record.stem in records:
            raise CommandError(f"{place} holds two records of {record.stem}")
        records[record.stem] = record
    if not records:
        raise CommandError(f"there is no record in {place}")
    return records


def judged(revision: str, records: Records) -> dict[str, Judgement]:
    """The claims of a revision by their ids, judged by its records.

    :raises CommandError: when a claim is written wrongly, or it is no revision
    """
    claims: list[Claim] = []
    for name, data in _in_revision(revision, PAGES):
        claims_of_page, wrong = read_claims(data.decode(), name)
        if wrong:
            raise CommandError(f"{name}:{wrong[0][0]}: {wrong[0][1]}")
        claims += claims_of_page
        claims += [claim for claim, _sentence in read_boxes(data.decode(), name)]
    return {judgement.claim.id: judgement for judgement in judge_all(claims, records)}


def edition(
    old: str, new: str, before: Judged, after: Judged, rows: list[tuple[str, str, str]]
) -> Edition:
    """What changed for the claims between two revisions."""
    earlier = _git("rev-parse", f"{old}^{{commit}}").decode().strip()
    day, commit = _git("show", "-s", "--format=%cs %H", new).decode().split()
    came, went = sorted(after.keys() - before), sorted(before.keys() - after)
    changes_of_claims = changed(before, after, rows)
    return Edition(day, earlier, commit, (*came,), (*went,), (*changes_of_claims,))


def append(latest: Edition, path: Path) -> None:
    """Write an edition behind those of a file."""
    # A list of texts is written in TOML as it is in JSON.
    fields = asdict(latest).items()
    lines = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in fields
    ]
    with path.open("a", encoding="utf-8") as file:
        print("", f"[{latest.new[:8]}]", *lines, sep="\n", file=file)
    print(f"added to {path.as_posix()}: {latest.new[:8]}")


def _in_revision(revision: str, kind: tuple[str, str]) -> Iterator[tuple[str, bytes]]:
    """The files of a revision that are of a kind, by their place."""
    every = ("ls-tree", "-r", "-z", "--full-tree", "--name-only", "--end-of-options")
    folder, suffix = kind
    try:
        for name in _git(*every, revision, folder).decode().split("\0"):
            if name.endswith(suffix):
                place = f"{revision}:{name}"
                yield place, _git("cat-file", "blob", place)
    except (OSError, subprocess.CalledProcessError):
        raise CommandError(
            f"{revision!r} is neither a folder nor a git revision here"
        ) from None


def _git(*arguments: str) -> bytes:
    command = ["git", *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout


@click.command()
@DOCS
@click.argument("checkouts", nargs=-1, required=True, type=click.Path(path_type=Path))
def upstream(docs: Path, checkouts: Sequence[Path]) -> int:
    """Say which paragraphs changed, given checkouts or downloads of upstream's repositories.

    It ends with 0 when all are the same and our patches apply, with 2 with none to look for.
    """
    statements = read_toml(docs / UPSTREAM, Upstream).statements
    paths = {folder / s.path: s for folder in checkouts for s in statements.values()}
    texts = {s.path: f.read_text("utf-8") for f, s in paths.items() if f.is_file()}
    repositories = {s.repository for s in statements.values() if s.path in texts}
    asked = {name: s for name, s in statements.items() if s.repository in repositories}
    changes = {
        name: s.change(texts[s.path]) if s.path in texts else "its file is not there"
        for name, s in asked.items()
    }
    changed = [name for name in asked if changes[name]]
    for name in changed:
        print(f"{name}: {changes[name]} ({asked[name].path}, {asked[name].section!r})")
    looked = f"{len(asked)} of {len(statements)} paragraphs were looked for"
    print(f"{looked}, {len(changed)} changed or are gone")
    failed = [*patch_failures(docs / PATCHES, checkouts)]
    for line in failed:
        print(line)
    return int(bool(changed or failed)) if asked else 2


def patch_failures(patches: Path, checkouts: Sequence[Path]) -> Iterator[str]:
    """The patches of files there that do not apply, and what git says."""
    for folder, patch in product(checkouts, sorted(patches.glob("*.patch"))):
        mended = re.findall(r"(?m)^\+\+\+ b/(.+)$", patch.read_text("utf-8"))
        if all((folder / path).is_file() for path in mended):
            # A download may lie in another repository, whose git would skip the file.
            above = {"GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
            command = ["git", "apply", "--check", str(patch.resolve())]
            checked = subprocess.run(
                command, cwd=folder, env={**os.environ, **above}, capture_output=True
            )
            if checked.returncode:
                first = checked.stderr.decode().partition("\n")[0]
                yield f"{patch.name}: it does not apply ({first})"
