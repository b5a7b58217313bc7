"""Identifiers in the search: each leads to the section that says the most about it.

Sphinx's search knows which pages hold a word, and puts those first that have it in their title. An
identifier such as ``non_blocking`` stands in no title and on many pages. So every section is rated
by where it has the identifier, and the best one gets an entry in the index, which the search puts
first and which leads to the section.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx import addnodes
from sphinx.environment.collectors import EnvironmentCollector
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from typing import Any

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

#: Names with an underscore, and names below torch: what readers look for by its spelling.
IDENTIFIER = re.compile(r"\btorch(?:\.\w+)+|\b[A-Za-z]\w*_\w*\b")

#: What a place says about an identifier in it, by the kind of the block.
HEADING, LEAD, SENTENCE, CODE = 20, 8, 4, 1

Ratings = dict[str, dict[str, tuple[int, str]]]


def rate(doctree: nodes.document) -> dict[str, tuple[int, str]]:
    """For each identifier of a page its best section there, as rating and id."""
    found: dict[tuple[str, str], int] = {}
    for node in doctree.findall(nodes.TextElement):
        kind = _weight(node)
        section = _section(node)
        if not kind or section is None:
            continue
        for name in _names(node):
            found[name, section["ids"][0]] = (
                found.get((name, section["ids"][0]), 0) + kind
            )
    best: dict[str, tuple[int, str]] = {}
    for (name, place), rating in found.items():
        if rating > best.get(name, (0, ""))[0]:
            best[name] = (rating, place)
    return best


def _weight(node: nodes.TextElement) -> int:
    if isinstance(node, nodes.literal_block):
        return CODE if "python" in str(node.get("language", "")).lower() else 0
    if not isinstance(node, nodes.literal):
        return 0
    block = node.parent
    if isinstance(block, nodes.title):
        return HEADING
    section = block.parent
    is_lead = isinstance(section, nodes.section) and isinstance(
        section.parent, nodes.document
    )
    return LEAD if is_lead else SENTENCE


def _section(node: nodes.Node) -> nodes.section | None:
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    return node


def _names(node: nodes.Node) -> set[str]:
    """The identifiers in a text; of a dotted one also its last part, if it is no plain word."""
    found = set(IDENTIFIER.findall(node.astext()))
    last = {name.rpartition(".")[2] for name in found}
    return found | {name for name in last if "_" in name or name != name.lower()}


class SearchWords(EnvironmentCollector):
    """Keeps the ratings of each page between builds."""

    def process_doc(self, app: Sphinx, doctree: nodes.document) -> None:
        """Rate the page that was read; the generated ones hold every word and explain none."""
        page = app.env.current_document.docname
        if not page.startswith(
            (app.config.sphinx_gallery_conf["gallery_dirs"], "evidence/")
        ):
            ratings_of(app.env)[page] = rate(doctree)

    def clear_doc(self, _app: Sphinx, env: BuildEnvironment, docname: str) -> None:
        """Forget a page, before it is read again."""
        ratings_of(env).pop(docname, None)

    def merge_other(
        self,
        _app: Sphinx,
        env: BuildEnvironment,
        docnames: AbstractSet[str],
        other: BuildEnvironment,
    ) -> None:
        """Take over what another process rated."""
        found = ratings_of(other)
        ratings_of(env).update({page: found[page] for page in docnames & found.keys()})


def ratings_of(env: Any) -> Ratings:
    """The ratings of all pages, which live on the environment."""
    if not hasattr(env, "evidence_search_words"):
        env.evidence_search_words = {}
    found: Ratings = env.evidence_search_words
    return found


class IndexWords(SphinxPostTransform):
    """Enters the identifiers that no page says more about than this one."""

    default_priority = 5
    formats = ("html",)

    def run(self, **_: object) -> None:
        """Add the entries; they are seen by the search alone."""
        ratings = ratings_of(self.env)
        page = self.env.docname
        entries = [
            ("single", name, place, "main", None)
            for name, (_rating, place) in sorted(ratings.get(page, {}).items())
            if page == _leader(name, ratings)
        ]
        self.document.append(addnodes.index(entries=entries))


def _leader(name: str, ratings: Ratings) -> str:
    rated = {page: found[name][0] for page, found in ratings.items() if name in found}
    return min(rated, key=lambda page: (-rated[page], page))


def setup_search_words(app: Sphinx) -> None:
    """Register the collector and the transform."""
    app.add_env_collector(SearchWords)
    app.add_post_transform(IndexWords)
