"""Permanent ids: fail when a claim of a git revision is no longer on the pages, or says less.

A claim that is given up leaves its link behind: ``(the-id)=`` above what took its place. One that
checks what it checked keeps its control, its statements of upstream and its scope, unless a commit
since names it and says why.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from evidence.judge.claim import STATEMENTS, Claim, directives, read_claims
from evidence.judge.scope import Scope

DOCS = "docs"
#: A target of MyST, which a link to a claim may have become.
TARGET = re.compile(r"^\(([\w.-]+)\)=\s*$", re.MULTILINE)


def claims(text: str) -> set[str]:
    """The ids of the claims of a page, well written or not."""
    return {part.argument for part in directives(text) if part.name == "claim"}


def git(*arguments: str) -> str:
    """What a git command says."""
    done = subprocess.run(["git", *arguments], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def pages_of(revision: str) -> Iterator[tuple[str, str]]:
    """The pages of a git revision: name and text."""
    listing = ("ls-tree", "-r", "-z", "--name-only", revision, f"{DOCS}/")
    for name in git(*listing).split("\0"):
        if name.endswith(".md"):
            yield name, git("cat-file", "blob", f"{revision}:{name}")


def gone(base: str) -> list[str]:
    """What to say of each claim that a revision has, and the pages here have not or have less."""
    texts = [path.read_text("utf-8") for path in Path(DOCS).rglob("*.md")]
    kept = {name for text in texts for name in (*claims(text), *TARGET.findall(text))}
    now = {claim.id: claim for text in texts for claim in read_claims(text, "")[0]}
    reasons = git("log", "--format=%B", f"{base}..HEAD")
    said = []
    for page, text in pages_of(base):
        said += [
            f"{page}: claim {name!r} is gone since {base}: ids are links, which never change; "
            f"give it back, or write ({name})= above what took its place"
            for name in sorted(claims(text) - kept)
        ]
        said += [
            f"{page}: claim {old.id!r} {less} since {base}, and checks the same: give it back, "
            "or say why in the message of the commit, with its id"
            for old in read_claims(text, page)[0]
            if old.id in now and old.id not in reasons
            if checks(old) == checks(now[old.id])
            for less in lost(old, now[old.id])
        ]
    return said


def checks(claim: Claim) -> set[tuple[str, str]]:
    """What a claim expects of which values."""
    return {(str(check.value), check.expect) for check in claim.checks}


def lost(old: Claim, new: Claim) -> Iterator[str]:
    """What a claim said and no longer does, beside its checks."""
    if old.control and not new.control:
        yield "has lost its :control:"
    for name in STATEMENTS:
        if gone := ", ".join(sorted({*getattr(old, name)} - {*getattr(new, name)})):
            yield f"no longer {name} {gone}"
    if parts(new.scope) - parts(old.scope):
        yield f"holds for {new.scope.text!r} instead of {old.scope.text!r}"


def parts(scope: Scope) -> set[str]:
    """The conditions of a scope as they are written, spaces apart."""
    return {part.replace(" ", "") for part in scope.text.split(",")} - {"any"}


if __name__ == "__main__":
    sys.exit("\n".join(gone(sys.argv[1])) or None)
