"""Indexes: from each statement of the sources, and each message that was recorded, to claims.

A message is an error or a warning; where no claim says it, the example is linked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import groupby

from docutils import nodes

from evidence.records.model import Cell, Plain, Raised
from evidence.site.domain import EvidenceDomain
from evidence.site.look.nodes import (
    Filler,
    cross_reference,
    inline,
    paragraph,
    prose,
    row,
    section,
    table,
)
from evidence.site.look.words import _, shortened
from evidence.site.tables.chapters import by_chapter

#: How an error or a warning begins as a text; the lines behind its first are the same for all.
BEGINS = re.compile(r"(?:[\w.]*(?:Error|Warning)s?|CUDA error|CSAN detected)\b")
#: Names of quantities whose texts are messages however they begin.
NAMES = re.compile(r"(?:.*warning|error|message)")

#: What becomes of a statement: claims, nothing yet, or a reason why there can be none.
STATES = ("shown", "open", "cannot")


def documents(filler: Filler, _folder: str) -> list[nodes.Node]:
    """How many statements there are: in all, by document, and on each page below this one."""
    sources = filler.site.sources
    by_folder = defaultdict[str, list[str]](list)
    by_source = defaultdict[str, list[str]](list)
    for name, statement in sources.statements.items():
        by_folder[statement.folder].append(name)
        for source in statement.sources:
            by_source[source].append(name)
    pages = {folder: [_counted(filler, names)] for folder, names in by_folder.items()}
    titled = sources.documents.items()
    rows = [(name, title, _counted(filler, by_source[name])) for name, title in titled]
    titles = (_("Source"), _("Document"), _("Its statements"))
    return [
        paragraph(_counted(filler, sources.statements)),
        table((_("Page"), _("Statements")), by_chapter(filler, pages), "changes"),
        table(titles, rows, "changes"),
    ]


def coverage(filler: Filler, folder: str) -> list[nodes.Node]:
    """Each statement about a chapter, or all of them, under the headings of the file."""
    statements = filler.site.sources.statements
    names = [name for name in statements if folder in ("", statements[name].folder)]
    header = (_("Statement"), _("Sources"), _("On this site"))
    sections: list[nodes.Node] = []
    for title, group in groupby(names, lambda name: statements[name].heading):
        below = [*group]
        rows = [_row(filler, name) for name in below]
        listed = table(header, rows, "changes", "coverage")
        sections.append(section(title, paragraph(_counted(filler, below)), listed))
    return sections


def _state(filler: Filler, name: str) -> str:
    """What became of a statement: one of :data:`STATES`."""
    if filler.judged.about[name]:
        return "shown"
    return "cannot" if filler.site.sources.statements[name].cannot else "open"


def _counted(filler: Filler, names: Iterable[str]) -> str:
    """How many statements there are, and how many are covered."""
    states = Counter(_state(filler, name) for name in names)
    text = _(
        "Statements: {all} · with claims: {shown} · open: {open} · "
        "cannot be shown: {cannot}"
    )
    return text.format(all=states.total(), **{state: states[state] for state in STATES})


def _row(filler: Filler, name: str) -> nodes.row:
    """A statement with its id, who states it, and the claims about it or why there are none."""
    statement, state = filler.site.sources.statements[name], _state(filler, name)
    answer: list[nodes.Node] = []
    for claim in filler.judged.about[name]:
        text = shortened(filler.domain.sentence(claim), 110)
        answer += [filler.link(text, claim.page, claim.id), nodes.Text(" ")]
    if state == "open":
        answer = inline(_("open"))
    elif state == "cannot":
        answer = inline(_("cannot be shown: {why}").format(why=statement.cannot))
    stated = prose(f"{statement.text} `{name}`").children
    return row([stated, ", ".join(statement.sources), answer], [state])


def message(quantity: str, cell: Cell | None) -> str:
    """The first line of an error or a warning; empty where a cell holds neither."""
    match cell:
        case Raised():
            text = str(cell)
        case Plain(str(value)) if BEGINS.match(value):
            text = value.removeprefix("torch.")
        case Plain(str(value)) if NAMES.fullmatch(quantity):
            text = value
        case _:
            return ""
    first = text.partition("\n")[0]
    return first if " " in first else ""


def messages(domain: EvidenceDomain) -> dict[str, dict[str, str]]:
    """Each message with the pages that say it in a claim, and of each the first of these."""
    found = defaultdict[str, dict[str, str]](dict)
    for judgement in domain.judged.judgements:
        claim = judgement.claim
        for finding in judgement.findings:
            text = message(finding.check.value.quantity, finding.cell)
            found[text].setdefault(claim.page, claim.id)
    found.pop("", None)
    # What one example says with its type and another without is one message.
    typed = {text.partition(": ")[2]: text for text in found}
    for text in sorted(found.keys() & typed.keys()):
        found[typed[text]] |= found.pop(text) | found[typed[text]]
    return dict(found)


def unexplained(domain: EvidenceDomain) -> dict[str, list[str]]:
    """Each message that no claim says, with the examples in whose records it is."""
    said, found = messages(domain), defaultdict[str, list[str]](list)
    # A message may be recorded with its type, and elsewhere without.
    explained = {"", *said, *(text.partition(": ")[2] for text in said)}
    for stem, record in domain.site.library.records.items():
        texts = {
            message(n.rpartition(".")[2], cell) for n, cell in record.cells.items()
        }
        for text in texts - explained:
            found[text].append(stem)
    return dict(found)


def symptoms(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Each message once, with the claims that say it; where none does, with the examples."""
    links: dict[str, list[nodes.Node]] = {}
    for text, claims in messages(filler.domain).items():
        links[text] = _links(filler, {**_titled(filler, text), **claims})
    for text, stems in unexplained(filler.domain).items():
        links[text] = _links(filler, _titled(filler, text)) + [
            cross_reference(f"{stem}.py", f"evidence-{stem}", filler.page)
            for stem in stems
        ]
    rows = []
    for text in sorted(links, key=_words):
        parts = [part for link in links[text] for part in (link, " ")]
        rows.append((nodes.literal("", text), parts))
    header = _("Message"), _("Explained in")
    return [table(header, rows, "filtered", "changes", "symptoms")]


def _links(filler: Filler, places: dict[str, str]) -> list[nodes.Node]:
    """Links to places, each by the title of its page."""
    titles = filler.env.titles
    return [filler.link(titles[page].astext(), page, places[page]) for page in places]


def _titled(filler: Filler, text: str) -> dict[str, str]:
    """The beginnings of the pages whose title, up to a colon, a message says."""
    pages = sorted({claim.page for claim in filler.domain.claims})
    titles = {page: filler.env.titles[page].astext() for page in pages}
    begins = {page: title.partition(":")[0] for page, title in titles.items()}
    return {page: "" for page in pages if " " in begins[page] and begins[page] in text}


def _words(text: str) -> tuple[str, str]:
    """What a message is sorted by: its words, then its type."""
    kind, _colon, words = text.rpartition(": ")
    return words.lower(), kind
