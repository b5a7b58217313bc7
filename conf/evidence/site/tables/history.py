"""What changed since older notes, and where today's notes are wrong."""

from __future__ import annotations

from docutils import nodes

from evidence.site.nodes import Inline, inline, table, with_literals
from evidence.site.placeholder import Filler, file_link
from evidence.site.publish.reports import REPORTS
from evidence.site.words import _, day


def changes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What notes of older versions said and no longer holds, by page."""
    claims = {claim.id: claim for claim in filler.domain.claims}
    rows: list[list[Inline]] = [
        [
            note.since,
            f"{note.versions}: {note.statement}",
            filler.claim(claims[note.claim]) if note.claim in claims else note.claim,
        ]
        for note in filler.domain.formerly
    ]
    header = (_("Since"), _("What the notes said"), _("What holds"))
    return [table(header, rows, "changes")]


def corrections(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The statements of upstream that claims contradict: each once, in its context."""
    rows: list[list[Inline]] = []
    for name, claims in filler.domain.contradicted.items():
        said = filler.domain.upstream[name]
        date = day(said.read, filler.config.language)
        read = _("read {date} at {version}").format(date=date, version=said.version[:8])
        place = nodes.reference("", f"{said.page}: {said.section}", refuri=said.address)
        where = (place, ", ", nodes.reference("", read, refuri=said.source))
        text = inline([*with_literals(said.says), f" “{said.words}”"])
        found = [part for claim in claims for part in (filler.claim(claim), " ")]
        report = file_link(_("report"), f"{REPORTS}/{name}.md", filler.page)
        entry = nodes.inline("", "", *text, ids=[name])
        rows.append([entry, where, [*found, report]])
    header = (_("What it says"), _("Where"), _("What holds"))
    return [table(header, rows, "changes")]
