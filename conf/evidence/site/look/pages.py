"""The pages as a whole: chapters and what is below them, and a text cut to some length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment

from evidence.site.diagnostics import Kind, warn
from evidence.site.look.nodes import Filler, row
from evidence.site.look.words import _

#: Search engines and previews show about as many characters.
DESCRIPTION = 160


def shortened(text: str, limit: int = DESCRIPTION) -> str:
    """As many whole sentences of a text as fit; the first one, where it is longer."""
    ends = [end.end() for end in re.finditer(r"[.?!](?=\s|$)|[。？！]", text)]
    if not ends and len(text) > limit:
        return f"{(text[:limit].rpartition(' ')[0] or text[:limit]).rstrip(',;')} …"
    return text[: ([end for end in ends if end <= limit] or ends[:1] or [limit])[-1]]


def chapters(env: BuildEnvironment) -> Iterator[tuple[str, list[str]]]:
    """The captions of the landing page's tables of contents, each with all pages below it."""
    for toctree in env.tocs[env.config.root_doc].findall(addnodes.toctree):
        pages = list(_below(env, toctree["includefiles"]))
        yield toctree.get("caption") or _("Pages"), list(dict.fromkeys(pages))


def captions(env: BuildEnvironment) -> dict[str, str]:
    """The caption that each page stands below, in the order of the landing page."""
    return {page: caption for caption, pages in chapters(env) for page in pages}


def _below(env: BuildEnvironment, pages: list[str]) -> Iterator[str]:
    for page in pages:
        yield page
        yield from _below(env, env.toctree_includes.get(page, []))


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
