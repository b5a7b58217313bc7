"""Permanent ids: fail when a claim of a git revision is no longer on the pages.

A claim that is given up leaves its link behind: ``(the-id)=`` above what took its place.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from evidence.judge.claim import directives

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
    """What to say of each id that a revision has and the pages here have not."""
    texts = [path.read_text("utf-8") for path in Path(DOCS).rglob("*.md")]
    kept = {name for text in texts for name in (*claims(text), *TARGET.findall(text))}
    return [
        f"{page}: claim {name!r} is gone since {base}: ids are links, which never change; "
        f"give it back, or write ({name})= above what took its place"
        for page, text in pages_of(base)
        for name in sorted(claims(text) - kept)
    ]


if __name__ == "__main__":
    sys.exit("\n".join(gone(sys.argv[1])) or None)
