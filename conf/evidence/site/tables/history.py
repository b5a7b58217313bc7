"""What changed since older notes, and where today's notes are wrong."""

from __future__ import annotations

from collections.abc import Sequence

from docutils import nodes

from evidence.site.nodes import Inline, paragraph, table
from evidence.site.placeholder import Filler
from evidence.site.words import _


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
    return _table(header, rows, _("No page notes a change yet."))


def corrections(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Claims that contradict an upstream page, by that page."""
    domain = filler.domain
    found = [(page, claim) for claim in domain.claims for page in claim.contradicts]
    found.sort(key=lambda pair: (pair[0], domain.sentence(pair[1])))
    rows: list[list[Inline]] = [
        [nodes.literal("", page), filler.claim(claim), claim.documented]
        for page, claim in found
    ]
    header = (_("Upstream page"), _("What holds"), _("What it says"))
    return _table(header, rows, _("No claim contradicts an upstream page yet."))


def _table(
    header: Sequence[str], rows: Sequence[Sequence[Inline]], nothing: str
) -> list[nodes.Node]:
    return [table(header, rows, "changes") if rows else paragraph(nothing)]
