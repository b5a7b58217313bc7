"""The index of the site's own search: what the pages say, passage by passage.

A passage is the prose of a section, the sentence of a claim, or the entry of a term: what a reader
can be led to. Its words are stemmed, and of an identifier the whole and the parts are kept:
``record_stream`` is found as "recordstream", "record stream" and "stream"; of Han, pairs are words.
The index tells of each word where it stands, so that a reader's browser (conf/_static/search.js)
looks at the words that are asked for and at no other: on a phone, to read all texts first would
take seconds. What a passage says in full stands in a file for each page, sent for once a result of
it is shown.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import msgspec
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.search import IndexBuilder

from evidence.site.diagnostics import Kind
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.look.nodes import above, details, grid, lead
from evidence.site.look.words import one_line, shortened
from evidence.site.parts import Passage
from evidence.site.publish import chinese, search_messages
from evidence.site.reading.prose import spans

#: A word, or the parts of an identifier; search.js has the same two.
WORD = re.compile(r"[^\W_]+(?:[-_]+[^\W_]+)*")
SEAM = re.compile(r"[-_]+|(?<=[a-z])(?=[A-Z])")
APOSTROPHE = re.compile("['’]")
IDENTIFIER = re.compile(r"_|[a-z][A-Z]")

#: What a sentence has that says what was not tried.
UNTRIED = re.compile(r"\b(?:was|were) not (?:tried|measured)\b")
#: How the id of a section begins that only leads on to other pages.
LINKS = ("see-also", "read-next", "look-up-the-rest", "scripts")

_TEXTS = (nodes.paragraph, nodes.title, nodes.term)
#: Tables are looked up, not searched: the operators' has a thousand names.
_UNREAD = (nodes.table, grid, nodes.raw, nodes.footnote, details)


def words(
    text: str, stem: Callable[[str], str], stops: set[str], *, whole: bool = False
) -> Iterator[str]:
    """The words of a text as the search compares them, without those that say nothing.

    :param stem: gives the stem of a word in small letters
    :param stops: words that say nothing, without apostrophes
    :param whole: whether an identifier is taken without its parts
    """
    for spelt in WORD.findall(chinese.spaced(APOSTROPHE.sub("", text))):
        if chinese.HAN.match(spelt):
            yield from chinese.pairs(spelt)
            continue
        parts = [part.lower() for part in SEAM.split(spelt)]
        joined = ["".join(parts)] if parts[1:] else []
        rest = [] if whole and IDENTIFIER.search(spelt) else parts
        for word in (*joined, *rest):
            if len(word) > 1 and not word.isdigit() and word not in stops:
                yield stem(word)


def passages(doctree: nodes.document, said: Mapping[str, str]) -> dict[str, list[str]]:
    """The texts of a page by where they stand: in a section, its heading first, or in a claim.

    :param said: the sentences of claims by their id, which a row of a table does not show
    """
    first, found = lead(doctree), defaultdict[str, list[str]](list)
    for text in doctree.findall(lambda node: isinstance(node, _TEXTS)):
        boxes = [*above(text)]
        place = next(filter(None, map(_id, boxes)), "")
        inside = [node["ids"][0] for node in spans(text)]
        place = inside[0] if inside else place
        unread = text is first or any(isinstance(box, _UNREAD) for box in boxes)
        if not unread and not place.startswith(LINKS):
            found[place].append(text.astext())
            for other in inside[1:]:
                found[other].append("")
        else:
            for own in spans(text):
                found[own["ids"][0]].append(said.get(own["ids"][0], own.astext()))
    return dict(found)


def _id(box: Any) -> str:
    """The anchor of a section, a claim or an entry of the glossary; others have none."""
    if isinstance(box, nodes.definition_list_item):
        box = box[0]
    elif not isinstance(box, nodes.section) and "box" not in box["classes"]:
        return ""
    return str(next(iter(box["ids"]), ""))


class Places:
    """In which passages each word stands, by the fields of a passage.

    What belongs to several passages in a row is noted at the first: a heading, and what is said of
    the page.
    """

    def __init__(self) -> None:
        self._places = defaultdict[str, list[list[int]]](lambda: [[], [], [], []])
        self._count = 0

    def note(self, passage: Passage) -> list[Any]:
        """The next passage: its anchor, heading, and how many different words each field has."""
        lengths = []
        for field, said in enumerate(passage.fields):
            for word in said:
                self._places[word][field].append(self._count)
            lengths.append(len({*said}))
        self._count += 1
        return [passage.anchor, passage.heading, *lengths]

    def lines(self) -> Iterator[str]:
        """A line for each word: by field its places, each as its distance from the one before."""
        for word, fields in self._places.items():
            line = [word]
            for places in fields:
                steps = (place - before for before, place in pairwise([0, *places]))
                line.append(" ".join(map(_in_base_36, steps)))
            yield ",".join(line).rstrip(",")


def _in_base_36(number: int) -> str:
    """A number in few letters, as the browser's ``parseInt(text, 36)`` reads it."""
    more = _in_base_36(number // 36) if number >= 36 else ""
    return more + "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36]


def index(env: BuildEnvironment) -> dict[str, Any]:
    """All pages with their title, lead and passages, and of each word where it stands.

    The first passage of a page is its lead, without an anchor. The first page says what the others
    say, and is left out; the best are those that begin a chapter. An example is explained on the
    pages whose claims rest on it.
    """
    domain, root, places = evidence_of(env), env.config.root_doc, Places()
    names = sorted(domain.pages.keys() - {root})
    trees = [tree["entries"][0][1] for tree in env.tocs[root].findall(addnodes.toctree)]
    pages = []
    for name in names:
        page = domain.pages[name]
        noted = [*map(places.note, page.passages)]
        pages.append([name, env.titles[name].astext(), shortened(page.lead), noted])
    return {
        "pages": pages,
        "best": [names.index(name) for name in trees if name in names],
        "explained": dict(_explained(domain, names)),
        "messages": search_messages.listed(domain, names),
        "stops": sorted(language_of(env).stops),
        "words": "\n".join(places.lines()),
    }


def _explained(
    domain: EvidenceDomain, names: Sequence[str]
) -> Iterator[tuple[int, list[int]]]:
    """The numbers of the pages that an example's claims stand on, by that of its own page."""
    for number, name in enumerate(names):
        if name.startswith(f"{domain.site.gallery}/"):
            own = domain.judged.by_stem.get(PurePosixPath(name).name, ())
            pages = {one.claim.page for one in own}.intersection(names)
            if pages:
                yield number, sorted(map(names.index, pages))


class Language(NamedTuple):
    """What splits texts into stems: see :func:`words`; ``script`` does so in a reader's browser."""

    words: Callable[..., Iterator[str]]
    stops: set[str]
    script: str


@cache
def language_of(env: BuildEnvironment) -> Language:
    """The language of the site's search; stems are kept, for most words stand on many pages."""
    config = env.config
    name = config.html_search_language or config.language
    known = IndexBuilder(env, name, config.html_search_options, "")
    stops = {APOSTROPHE.sub("", word) for word in known.lang.stopwords}
    split = partial(words, stem=cache(known.lang.stem), stops=stops)
    return Language(split, stops, known.get_js_stemmer_code())


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note the passages of a page; of an example and a generated table its lead is enough.

    Its hidden words are those that readers search for and the text has not: ``search`` in its front
    matter, by the id of the claim or section that answers them, or ``lead``, and a translation's.
    """
    env = app.env
    name, domain, split = env.docname, evidence_of(env), language_of(env).words
    page, front = domain.reading, str(env.metadata[name].get("search", "{}"))
    hidden = json.loads(front) if front.startswith("{") else {"lead": front}
    page.hidden = hidden
    is_listed = name.startswith((f"{domain.site.gallery}/", "evidence/"))
    texts_of = {} if is_listed else passages(doctree, page.sentences)
    for anchor in sorted(hidden.keys() - {"lead", *texts_of}):
        message = f"search: {anchor!r} is no claim or section of this page"
        domain.note_fault(Kind.MARKUP, message, 1)
    for anchor, more in domain.site.searched.get(name, {}).items():
        hidden[anchor] = f"{hidden.get(anchor, '')} {more}".lstrip()
    titled = split(f"{env.titles[name].astext()} {name.rpartition('/')[2]}")
    known_as = split(hidden.get("lead", ""), whole=True)
    fields = (split(page.lead), (), titled, known_as)
    page.passages = [Passage("", "", *map(list, fields))]
    for anchor, texts in texts_of.items():
        own = 0 if anchor in page.sentences else 1  # a claim has no heading
        heading = " ".join(texts[:own])
        text = " ".join([*texts[own:], hidden.get(anchor, "")])
        # What a passage says twice is not more telling for that.
        once = sorted({*split(text)})
        said = one_line(" ".join(texts[own:])) or page.sentences.get(anchor, "")
        page.texts |= {anchor: said} if said else {}
        found = (one_line(each) for each in texts[own:] if UNTRIED.search(each))
        page.untried += ((anchor, heading, each) for each in found)
        page.passages.append(Passage(anchor, heading, once, [*split(heading)]))


def on_builder_inited(app: Sphinx) -> None:
    """Have Sphinx make no index of its own, which would be read by nobody."""
    app.builder.search = False  # type: ignore[attr-defined]


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the index anew, of all pages, with what stems the words that are asked for."""
    if exception is not None or app.builder.format != "html":
        return
    data = msgspec.json.encode(index(app.env)).decode()
    script = f"{language_of(app.env).script}\nsiteSearch.load({data});\n"
    Path(app.outdir, "_static/search_index.js").write_text(script, encoding="utf-8")
    for name, page in evidence_of(app.env).pages.items():
        path = Path(app.outdir, "_static/passages", f"{name}.json")
        if page.texts:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.encode(page.texts))
