"""What the site covers: each statement of its sources with its claims, or why it has none."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from docutils import nodes

from evidence.site.nodes import paragraph, prose, row, table
from evidence.site.placeholder import Filler
from evidence.site.sources import Statement
from evidence.site.words import _


def coverage(filler: Filler, _subject: str) -> list[nodes.Node]:
    """How many statements have claims, what their sources are, and each one, by chapter."""
    sources, counted = filler.domain.sources, Counter[str]()
    chapters: list[nodes.Node] = []
    header = (_("Statement"), _("Sources"), _("On this site"))
    for title, items in groupby(sources.statements.items(), lambda it: it[1].chapter):
        section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title)])
        rows = [_row(filler, name, statement) for name, statement in items]
        counted.update(row["classes"][0] for row in rows)
        section += table(header, rows, "changes", "coverage")
        chapters.append(section)
    text = _("{shown} have claims, {open} are open, and {cannot} cannot be shown.")
    known = (_("Source"), _("Document"))
    documents = table(known, sources.documents.items(), "changes")
    return [paragraph(text.format_map(counted)), documents, *chapters]


def _row(filler: Filler, name: str, statement: Statement) -> nodes.row:
    claims = [claim for claim in filler.domain.claims if name in claim.seed]
    links = [part for claim in claims for part in (filler.claim(claim), " ")]
    reason = _("cannot be shown: {why}").format(why=statement.cannot)
    state = "shown" if claims else "cannot" if statement.cannot else "open"
    answers = {"shown": links, "open": _("open"), "cannot": reason}
    said = prose(f"{statement.text} `{name}`").children
    return row([said, ", ".join(statement.sources), answers[state]], [state])
