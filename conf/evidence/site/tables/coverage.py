"""What this site covers: each statement of its sources, with the claims about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.judge.facts import Seed
from evidence.site.look.nodes import Filler, paragraph, prose, row, section, table
from evidence.site.look.pages import by_chapter, shortened
from evidence.site.look.words import _

#: What becomes of a statement: claims, nothing yet, or a reason why there can be none.
STATES = ("shown", "open", "cannot")


def documents(filler: Filler, _folder: str) -> list[nodes.Node]:
    """How many statements there are: in all, by document, and on each page below this one."""
    known, rows = filler.domain.site.sources, _rows(filler)
    stated = {
        s: [rows[n] for n, each in known.statements.items() if s in each.sources]
        for s in known.documents
    }
    found = ((s, known.documents[s], _counted(own)) for s, own in stated.items())
    titles = (_("Source"), _("Document"), _("Its statements"))
    folders = {n: each.folder for n, each in known.statements.items()}
    below = {
        folder: [_counted(rows[n] for n in folders if folders[n] == folder)]
        for folder in folders.values()
    }
    pages = table((_("Page"), _("Statements")), by_chapter(filler, below), "changes")
    every = paragraph(_counted(rows.values()))
    return [every, pages, table(titles, found, "changes")]


def coverage(filler: Filler, folder: str) -> list[nodes.Node]:
    """Each statement about a chapter, or all of them, under the headings of the file."""
    known, rows = filler.domain.site.sources.statements, _rows(filler)
    names = [name for name in known if folder in ("", known[name].folder)]
    header = (_("Statement"), _("Sources"), _("On this site"))
    sections: list[nodes.Node] = []
    for title, group in groupby(names, lambda name: known[name].heading):
        own = [rows[name] for name in group]
        listed = table(header, own, "changes", "coverage")
        sections.append(section(title, paragraph(_counted(own)), listed))
    return sections


def _rows(filler: Filler) -> dict[str, nodes.row]:
    """A row for each statement, by its id."""
    statements = filler.domain.site.sources.statements
    about = filler.domain.judged.about
    return {name: _row(filler, name, statements[name], about[name]) for name in about}


def _counted(rows: Iterable[nodes.row]) -> str:
    """How many statements there are in some rows, and how many are covered."""
    counted = Counter(row["classes"][0] for row in rows)
    text = _(
        "Statements: {all} · with claims: {shown} · open: {open} · "
        "cannot be shown: {cannot}"
    )
    return text.format(all=counted.total(), **{s: counted[s] for s in STATES})


def _row(
    filler: Filler, name: str, statement: Seed, claims: Sequence[Claim]
) -> nodes.row:
    sentences = {
        claim: shortened(filler.domain.sentence(claim), 110) for claim in claims
    }
    found = [filler.link(text, c.page, c.id) for c, text in sentences.items()]
    links = [part for link in found for part in (link, " ")]
    reason = _("cannot be shown: {why}").format(why=statement.cannot)
    state = "shown" if claims else "cannot" if statement.cannot else "open"
    answers = dict(zip(STATES, (links, _("open"), reason), strict=True))
    said = prose(f"{statement.text} `{name}`").children
    return row([said, ", ".join(statement.sources), answers[state]], [state])
