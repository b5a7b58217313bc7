"""What the site covers: each statement of its sources with its claims, or why it has none."""

from __future__ import annotations

from itertools import chain, groupby

from docutils import nodes

from evidence.site.nodes import Inline, definitions, row, table, table_of
from evidence.site.placeholder import Filler
from evidence.site.sources import Statement
from evidence.site.tables.schema import prose
from evidence.site.words import _

#: What becomes of a statement: a class of its row.
STATES = ("shown", "open", "cannot")


def coverage(filler: Filler, _subject: str) -> list[nodes.Node]:
    """How many statements have claims, what their sources are, and each one, by chapter."""
    sources, counts, chapters = filler.domain.sources, [], nodes.container()
    header = (_("Statement"), _("Sources"), _("On this site"))
    for title, items in groupby(sources.statements.items(), lambda it: it[1].chapter):
        section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title)])
        rows = [_row(filler, name, statement) for name, statement in items]
        section += table_of(header, rows, "changes", "coverage")
        chapters += section
        link = filler.link(title, filler.page, *section["ids"])
        counts.append(_counts(link, section))
    counts.append(_counts(_("All chapters"), chapters))
    states = (_("Chapter"), _("With claims"), _("Open"), _("Cannot be shown"))
    documents = definitions(sources.documents.items(), ["evidence-facts"])
    return [table(states, counts, "schema"), documents, chapters]


def _counts(what: Inline, shown: nodes.Element) -> list[Inline]:
    found = [*chain(*(each["classes"] for each in shown.findall(nodes.row)))]
    return [what, *(str(found.count(state)) for state in STATES)]


def _row(filler: Filler, name: str, statement: Statement) -> nodes.row:
    claims = [claim for claim in filler.domain.claims if name in claim.seed]
    links = [part for claim in claims for part in (filler.claim(claim), " ")]
    reason = _("cannot be shown: {why}").format(why=statement.cannot)
    state = "shown" if claims else "cannot" if statement.cannot else "open"
    answers = {"shown": links, "open": _("open"), "cannot": reason}
    said = prose(f"{statement.text} `{name}`").children
    return row([said, ", ".join(statement.sources), answers[state]], [state])
