"""The index of the site's own search: what the pages say, passage by passage.

A passage is the prose of a section, the sentence of a claim, or the entry of a term: what a reader
can be led to. Its words are stemmed, and of an identifier the whole and the parts are kept:
``record_stream`` is found as "recordstream", "record stream" and "stream". MiniSearch ranks them in
the reader's browser (conf/_static/search.js); where npm could not bring it, the site keeps the
search of Sphinx.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.search import SearchLanguage

from evidence.site.diagnostics import Kind, inform
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above, details, lead

#: Where npm puts MiniSearch, below the folder of its package; both are copied.
SCRIPT, LICENCE = "dist/umd/index.js", "LICENSE.txt"
INDEX = "search_index.js"

#: A word, or the parts of an identifier; search.js has the same two.
WORD = re.compile(r"[^\W_]+(?:[-_]+[^\W_]+)*")
SEAM = re.compile(r"[-_]+|(?<=[a-z])(?=[A-Z])")
APOSTROPHE = re.compile("['’]")

#: How the id of a section begins that only leads on to other pages.
LINKS = "see-also"

_TEXTS = (nodes.paragraph, nodes.title, nodes.term)
#: Tables are looked up, not searched: the operators' has a thousand names.
_UNREAD = (nodes.table, nodes.raw, nodes.footnote, details)


def words(text: str, stem: Callable[[str], str], stops: set[str]) -> Iterator[str]:
    """The words of a text as the search compares them, without those that say nothing.

    :param stem: gives the stem of a word in small letters
    :param stops: words that say nothing, without apostrophes
    """
    for found in WORD.findall(APOSTROPHE.sub("", text)):
        parts = [part.lower() for part in SEAM.split(found)]
        whole = ["".join(parts)] if parts[1:] else []
        for word in (*whole, *parts):
            if len(word) > 1 and not word.isdigit() and word not in stops:
                yield stem(word)


def passages(doctree: nodes.document) -> dict[str, list[str]]:
    """The texts of a page by where they stand: in a section, its heading first, or in a claim."""
    first, found = lead(doctree), defaultdict[str, list[str]](list)
    for text in doctree.findall(lambda node: isinstance(node, _TEXTS)):
        boxes = [*above(text)]
        place = next(filter(None, map(_id, boxes)), "")
        unread = text is first or any(isinstance(box, _UNREAD) for box in boxes)
        if not unread and not place.startswith(LINKS):
            found[place].append(text.astext())
    return dict(found)


def _id(box: Any) -> str:
    """The anchor of a section, a claim or an entry of the glossary; others have none."""
    if isinstance(box, nodes.definition_list_item):
        box = box[0]
    elif not isinstance(box, nodes.section) and "claim" not in box["classes"]:
        return ""
    return str(next(iter(box["ids"]), ""))


def index(env: BuildEnvironment, language: SearchLanguage) -> dict[str, Any]:
    """All pages with their title, lead and hidden words, and the passages of those that explain.

    Of a passage its page's number, anchor, heading and sorted words; a claim has no heading. The
    first page says what the others say, and is left out; the best are those that begin a chapter.
    """
    domain, root = evidence_of(env), env.config.root_doc
    stops = {APOSTROPHE.sub("", word) for word in language.stopwords}
    names = sorted(domain.pages.keys() - {root})
    pages, found = [], []
    for number, name in enumerate(names):
        page, title = domain.pages[name], env.titles[name].astext()
        pages.append([name, title, page.lead, page.hidden.get("lead", "")])
        for anchor, texts in page.passages.items():
            own = 0 if anchor in page.sentences else 1
            text = " ".join([*texts[own:], page.hidden.get(anchor, "")])
            said = sorted({*words(text, language.stem, stops)})
            found.append([number, anchor, " ".join(texts[:own]), " ".join(said)])
    trees = [tree["entries"][0][1] for tree in env.tocs[root].findall(addnodes.toctree)]
    best = [names.index(name) for name in trees if name in names]
    return {"pages": pages, "passages": found, "best": best}


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note the passages of a page; of an example and a generated table its lead is enough.

    Its hidden words are those that readers search for and the text has not: ``search`` in its front
    matter, by the id of the claim or section that answers them, or ``lead``.
    """
    name, domain = app.env.current_document.docname, evidence_of(app.env)
    page, front = domain.page(name), str(app.env.metadata[name].get("search", "{}"))
    page.hidden = json.loads(front) if front.startswith("{") else {"lead": front}
    if not name.startswith((f"{domain.site.gallery}/", "evidence/")):
        page.passages = passages(doctree)
    for anchor in sorted(page.hidden.keys() - {"lead", *page.passages}):
        message = f"search: {anchor!r} is no claim or section of this page"
        domain.note_fault(Kind.MARKUP, message, 1)


def package(app: Sphinx) -> Path | None:
    """The package of MiniSearch, where npm brought it."""
    folder = Path(app.confdir, app.config.evidence_minisearch)
    return folder if (folder / SCRIPT).exists() else None


def on_builder_inited(app: Sphinx) -> None:
    """Say which search the site will have."""
    if package(app) is None:
        inform("no MiniSearch here (npm ci --prefix .ci/npm): the search is Sphinx's")


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the index anew, of all pages, and put MiniSearch beside it with its licence."""
    source, target = package(app), Path(app.outdir, "_static")
    if exception is not None or app.builder.format != "html" or source is None:
        return
    shutil.copyfile(source / SCRIPT, target / "minisearch.js")
    shutil.copyfile(source / LICENCE, target / "minisearch.txt")
    indexer = app.builder.indexer  # type: ignore[attr-defined]
    data = msgspec.json.encode(index(app.env, indexer.lang)).decode()
    (target / INDEX).write_text(f"siteSearch.load({data});\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register the setting and the listeners."""
    app.add_config_value("evidence_minisearch", "", "", str)
    app.connect("builder-inited", on_builder_inited)
    app.connect("doctree-read", on_doctree_read)
    app.connect("build-finished", on_build_finished)
