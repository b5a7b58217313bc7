"""``upstream``: which of the paragraphs that claims name have changed since they were read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from evidence.commands import DOCS
from evidence.judge.facts import UPSTREAM, Upstream, read_toml


@click.command()
@DOCS
@click.argument("checkouts", nargs=-1, required=True, type=click.Path(path_type=Path))
def upstream(docs: Path, checkouts: Sequence[Path]) -> int:
    """Say which paragraphs changed, given checkouts or downloads of upstream's repositories.

    It ends with 0 when all are the same, with 2 when there was none to look for.
    """
    statements = read_toml(docs / UPSTREAM, Upstream).statements
    paths = {folder / s.path: s for folder in checkouts for s in statements.values()}
    texts = {s.path: f.read_text("utf-8") for f, s in paths.items() if f.is_file()}
    repositories = {s.repository for s in statements.values() if s.path in texts}
    asked = {name: s for name, s in statements.items() if s.repository in repositories}
    changes = {name: s.change(texts.get(s.path, "")) for name, s in asked.items()}
    changed = [name for name in asked if changes[name]]
    for name in changed:
        print(f"{name}: {changes[name]} ({asked[name].path}, {asked[name].section!r})")
    looked = f"{len(asked)} of {len(statements)} paragraphs were looked for"
    print(f"{looked}, {len(changed)} changed or are gone")
    return int(bool(changed)) if asked else 2
