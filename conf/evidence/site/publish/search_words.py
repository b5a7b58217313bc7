"""Identifiers in the search: each leads to the section that says the most about it.

Sphinx's search knows which pages hold a word, and puts those first that have it in their title. An
identifier such as ``non_blocking`` stands in no title and on many pages. So every section is rated
by how often it has the identifier, and the best one gets an entry in the index, which the search
puts first and which leads to the section.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search import IndexBuilder

from evidence.site.domain import Page, evidence_of
from evidence.site.look.nodes import above

#: Names with an underscore, and names below torch: what readers look for by its spelling.
IDENTIFIER = re.compile(r"\btorch(?:\.\w+)+|\b[A-Za-z]\w*_\w*\b")

#: What a mention of an identifier says about it, by the kind of the block.
HEADING, SENTENCE, CODE = 20, 4, 1


def rate(doctree: nodes.document) -> Counter[tuple[str, str]]:
    """How much each section of a page says about each identifier, by name and section."""
    found: Counter[tuple[str, str]] = Counter()
    for code in doctree.findall(_is_code):
        sections = (box for box in above(code) if isinstance(box, nodes.section))
        weight = CODE if isinstance(code, nodes.literal_block) else SENTENCE
        if isinstance(code.parent, nodes.title):
            weight = HEADING
        for section in islice(sections, 1):
            found.update({(name, section["ids"][0]): weight for name in _names(code)})
    return found


def _is_code(node: nodes.Node) -> bool:
    if isinstance(node, nodes.literal_block):
        return "python" in str(node.get("language", "")).lower()
    return isinstance(node, nodes.literal)


def _names(node: nodes.Node) -> set[str]:
    """The identifiers in a text; of a dotted one also its last part, if it is no plain word."""
    found = set(IDENTIFIER.findall(node.astext()))
    last = {name.rpartition(".")[2] for name in found}
    return found | {name for name in last if "_" in name or name != name.lower()}


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Rate the page that was read; the generated ones hold every word and explain none."""
    page, domain = app.env.current_document.docname, evidence_of(app.env)
    if not page.startswith((f"{domain.site.gallery}/", "evidence/")):
        domain.page(page).names = rate(doctree)


def entries(pages: Mapping[str, Page]) -> dict[str, list[tuple[str, str, str]]]:
    """For each page the identifiers that no other says more about: name, section, and "main"."""
    best: dict[str, tuple[int, str, str]] = {}
    for page in sorted(pages):
        for (name, section), rating in pages[page].names.items():
            if name not in best or rating > best[name][0]:
                best[name] = rating, page, section
    found: dict[str, list[tuple[str, str, str]]] = {page: [] for page in sorted(pages)}
    for name, (_rating, page, section) in sorted(best.items()):
        found[page].append((name, section, "main"))
    return found


def on_html_collect_pages(app: Sphinx) -> list[Any]:
    """Give the search its entries, of all pages: an incremental build knows only those it wrote."""
    indexer: IndexBuilder = app.builder.indexer  # type: ignore[attr-defined]
    indexer._index_entries = entries(evidence_of(app.env).pages)
    return []


def setup(app: Sphinx) -> None:
    """Register the listeners."""
    app.connect("doctree-read", on_doctree_read)
    app.connect("html-collect-pages", on_html_collect_pages)
