"""The index by symptom: every error and warning that was recorded, and where it is explained."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain

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
    measured = record.measured.items()
    tables = (value.rows for _name, value in measured if isinstance(value, Table))
    rows = [{n: v for n, v in measured if not isinstance(v, Table)}, *chain(*tables)]
    return {message(*each) for row in rows for each in row.items()}


def symptoms(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Each message once, with the claims that say it; where none does, with the examples."""
    found: dict[str, dict[str, nodes.Node]] = defaultdict(dict)
    for judgement in filler.domain.judged.judgements:
        page, anchor = judgement.claim.page, judgement.claim.id
        link = filler.link(filler.env.titles[page].astext(), page, anchor)
        for finding in judgement.findings:
            said = message(finding.check.value.quantity, finding.cell)
            found[said].setdefault(page, link)
    # A message may be recorded with its type, and elsewhere without.
    explained = {"", *found, *(said.partition(": ")[2] for said in found)}
    for stem, record in filler.domain.site.library.records.items():
        for said in recorded(record) - explained:
            place = f"evidence-{stem}"
            found[said][stem] = cross_reference(f"{stem}.py", place, filler.page)
    rows = [
        (nodes.literal("", said), joined(found[said]))
        for said in sorted(found.keys() - {""}, key=_words)
    ]
    return [table((_("Message"), _("Explained in")), rows, "changes", "symptoms")]


def joined(links: Mapping[str, nodes.Node]) -> list[nodes.Node]:
    """Links with a space between them."""
    copies = (link.deepcopy() for link in links.values())
    return [part for link in copies for part in (link, nodes.Text(" "))]


def _words(said: str) -> tuple[str, str]:
    """What a message is sorted by: its words, then its type."""
    kind, _colon, words = said.rpartition(": ")
    return words.lower(), kind
