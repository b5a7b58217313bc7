"""The chapters, with what stands below each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment

from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import Filler, row
from evidence.site.look.words import _


def chapters(env: BuildEnvironment) -> dict[str, list[str]]:
    """The chapters with their pages, and the groups of the landing page with what is in none.

    A folder whose landing page lists others of it is a chapter, wherever these are listed as well:
    one may be among what to decide, another among the tables.
    """
    trees = [*env.tocs[env.config.root_doc].findall(addnodes.toctree)]
    homes = {}
    for home in (page for tree in trees for page in tree["includefiles"]):
        folder, _slash, name = home.rpartition("/")
        below = env.toctree_includes.get(home, [])
        if name == "index" and any(folder_of(page) == folder for page in below):
            homes[folder] = env.titles[home].astext()
    found: dict[str, dict[str, None]] = {}
    for page, caption in _listed(env, trees, deep=False):
        is_home = page.endswith("/index")
        name = homes.get(folder_of(page), caption) if is_home else caption
        found.setdefault(name, {})
    for page, caption in _listed(env, trees, deep=True):
        found[homes.get(folder_of(page), caption)][page] = None
    return {name: [*pages] for name, pages in found.items() if pages}


def _listed(
    env: BuildEnvironment, trees: Sequence[addnodes.toctree], *, deep: bool
) -> Iterator[tuple[str, str]]:
    """Each page that tables of contents list, or that stands below one, and its caption."""
    for tree in trees:
        own = tree["includefiles"]
        for page in _below(env, own) if deep else own:
            yield page, tree.get("caption") or _("Pages")


def captions(env: BuildEnvironment) -> dict[str, str]:
    """The chapter or group that each page stands in, in the order of the landing page."""
    named = chapters(env).items()
    return {page: name for name, pages in named for page in pages}


def anchors(env: BuildEnvironment) -> dict[str, str]:
    """The anchors of chapters and groups, by their names: in each language those of English."""
    trees = env.tocs[env.config.root_doc].findall(addnodes.toctree)
    pages = evidence_of(env).pages
    homes = [page for page in pages if page.endswith("/index")]
    names = {env.titles[home].astext(): pages[home].title for home in homes}
    names |= {tree.get("caption", ""): tree.get("rawcaption", "") for tree in trees}
    return {name: nodes.make_id(english) for name, english in names.items()}


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


def folder_of(page: str) -> str:
    """The folder that a page stands in, of which a chapter has its name."""
    return page.rpartition("/")[0]
