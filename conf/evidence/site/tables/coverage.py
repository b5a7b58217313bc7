"""What this site covers: each statement of its sources, with the claims about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import groupby

from docutils import nodes

from evidence.site.look.nodes import (
    Filler,
    inline,
    paragraph,
    prose,
    row,
    section,
    table,
)
from evidence.site.look.pages import by_chapter, shortened
from evidence.site.look.words import _

#: What becomes of a statement: claims, nothing yet, or a reason why there can be none.
STATES = ("shown", "open", "cannot")


def documents(filler: Filler, _folder: str) -> list[nodes.Node]:
    """How many statements there are: in all, by document, and on each page below this one."""
    sources = filler.domain.site.sources
    by_source, by_folder = (
        defaultdict[str, list[str]](list),
        defaultdict[str, list[str]](list),
    )
    for name, statement in sources.statements.items():
        by_folder[statement.folder].append(name)
        for source in statement.sources:
            by_source[source].append(name)
    pages = {folder: [_counted(filler, names)] for folder, names in by_folder.items()}
    documents = sources.documents.items()
    rows = [
        (name, title, _counted(filler, by_source[name])) for name, title in documents
    ]
    titles = (_("Source"), _("Document"), _("Its statements"))
    return [
        paragraph(_counted(filler, sources.statements)),
        table((_("Page"), _("Statements")), by_chapter(filler, pages), "changes"),
        table(titles, rows, "changes"),
    ]


def coverage(filler: Filler, folder: str) -> list[nodes.Node]:
    """Each statement about a chapter, or all of them, under the headings of the file."""
    statements = filler.domain.site.sources.statements
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
    if filler.domain.judged.about[name]:
        return "shown"
    return "cannot" if filler.domain.site.sources.statements[name].cannot else "open"


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
    statement, state = filler.domain.site.sources.statements[name], _state(filler, name)
    answer: list[nodes.Node] = []
    for claim in filler.domain.judged.about[name]:
        text = shortened(filler.domain.sentence(claim), 110)
        answer += [filler.link(text, claim.page, claim.id), nodes.Text(" ")]
    if state == "open":
        answer = inline(_("open"))
    elif state == "cannot":
        answer = inline(_("cannot be shown: {why}").format(why=statement.cannot))
    stated = prose(f"{statement.text} `{name}`").children
    return row([stated, ", ".join(statement.sources), answer], [state])
