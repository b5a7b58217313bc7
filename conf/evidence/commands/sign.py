"""``sign``: the keeper of a builder answers for what it measured."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import click

from evidence.commands import DOCS, EXAMPLES, CommandError
from evidence.judge import passes
from evidence.records import signed
from evidence.records.store import checksum


@click.command()
@EXAMPLES
@DOCS
@click.option(
    "--key",
    required=True,
    help="your private key, or the public one, if an agent holds it",
)
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True))
def sign(examples: Path, docs: Path, key: str, name: str, files: Sequence[Path]) -> int:
    """Sign records and passes that your builder measured, one by one or by folder.

    NAME is what docs/evidence/keepers calls you. What changed since, or went, leaves your list.
    """
    if not shutil.which(signed.PROGRAM):
        raise CommandError(f"there is no {signed.PROGRAM}, which OpenSSH has")
    path = docs / signed.FOLDER / f"{name}.txt"
    # Or what somebody else added to it would be signed now.
    if path.exists() and (wrong := signed.problem(path, docs)):
        raise CommandError(f"{path} {wrong}")
    before = {digest for digest, _ in signed.listed(path)} if path.exists() else set()
    given, now = [file.resolve() for file in files], {}
    for file in (*examples.rglob("*.json"), *(docs / passes.FOLDER).glob("*.json")):
        digest, place = checksum(file.read_bytes()), file.resolve()
        if digest in before or any(place.is_relative_to(each) for each in given):
            now[place.relative_to(docs.resolve().parent).as_posix()] = digest
    text = "".join(f"{digest}  {place}\n" for place, digest in sorted(now.items()))
    signature = signature_of(text.encode(), key)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    Path(f"{path}.sig").write_bytes(signature)
    if wrong := signed.problem(path, docs):
        raise CommandError(f"{path} {wrong}")
    new, gone = set(now.values()) - before, before - set(now.values())
    print(f"{path}: {len(now)} files, {len(new)} of them new; {len(gone)} are gone")
    return 0


def signature_of(data: bytes, key: str) -> bytes:
    """The signature of a keeper, whom ssh-keygen may ask for a passphrase.

    :raises CommandError: when there is none
    """
    command = (signed.PROGRAM, "-Y", "sign", "-n", signed.NAMESPACE, "-f", key)
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise CommandError(f"{signed.PROGRAM} did not sign with {key}")
    return done.stdout
