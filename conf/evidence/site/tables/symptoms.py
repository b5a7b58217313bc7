"""The index by symptom: every error and warning that was recorded, and where it is explained."""

from __future__ import annotations

import re
from collections import defaultdict

from docutils import nodes

from evidence.records.model import Cell, Plain, Raised, Record, Table
from evidence.site.look.nodes import Filler, cross_reference, table
from evidence.site.look.words import _

#: How an error or a warning begins as a text; the lines behind its first are the same for all.
BEGINS = re.compile(r"(?:[\w.]*(?:Error|Warning)s?|CUDA error|CSAN detected)\b")
#: Names of quantities whose texts are messages however they begin.
NAMES = re.compile(r"(?:.*warning|error|message)")


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


def recorded(record: Record) -> set[str]:
    """Every message that an example measured."""
    messages = set()
    for quantity, value in record.measured.items():
        rows = value.rows if isinstance(value, Table) else ({quantity: value},)
        for row in rows:
            messages |= {message(column, cell) for column, cell in row.items()}
    return messages


def symptoms(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Each message once, with the claims that say it; where none does, with the examples."""
    links: dict[str, dict[str, nodes.Node]] = defaultdict(dict)
    for judgement in filler.domain.judged.judgements:
        page, anchor = judgement.claim.page, judgement.claim.id
        title = filler.env.titles[page].astext()
        for finding in judgement.findings:
            text = message(finding.check.value.quantity, finding.cell)
            # A page is linked once: where it says so first.
            links[text].setdefault(page, filler.link(title, page, anchor))
    # A message may be recorded with its type, and elsewhere without.
    explained = {"", *links, *(text.partition(": ")[2] for text in links)}
    for stem, record in filler.domain.site.library.records.items():
        for text in recorded(record) - explained:
            place = f"evidence-{stem}"
            links[text][stem] = cross_reference(f"{stem}.py", place, filler.page)
    rows = []
    for text in sorted(links.keys() - {""}, key=_words):
        places = [part for link in links[text].values() for part in (link, " ")]
        rows.append((nodes.literal("", text), places))
    return [table((_("Message"), _("Explained in")), rows, "changes", "symptoms")]


def _words(text: str) -> tuple[str, str]:
    """What a message is sorted by: its words, then its type."""
    kind, _colon, words = text.rpartition(": ")
    return words.lower(), kind
