"""Lists that are too long for one page: a page for each chapter, below one that counts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from docutils import nodes

from evidence.site.diagnostics import Kind, warn
from evidence.site.look.nodes import Filler, row


def by_chapter(
    filler: Filler, counts: Mapping[str, Sequence[str]]
) -> Iterator[nodes.row]:
    """A row for each page below this one: its link, and the counts of the chapter of its name.

    A chapter that has counts and no page is a fault: its claims would be on no list. So is a page
    that has none: it would be empty.
    """
    below = filler.env.toctree_includes.get(filler.page, [])
    pages = {PurePosixPath(page).name: page for page in below}
    for folder in sorted(counts.keys() - pages):
        message = f"{filler.page}/{folder}.md is missing: nothing lists that chapter"
        warn(Kind.COUNT, message, filler.page)
    for folder, page in pages.items():
        if folder not in counts:
            warn(Kind.COUNT, f"{page}.md lists nothing: no chapter has its name", page)
            continue
        title = filler.env.titles[page].astext()
        yield row([filler.link(title, page), *counts[folder]])
