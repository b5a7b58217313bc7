"""What changed since older notes, and where today's notes are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from evidence.site.nodes import paragraph, table
from evidence.site.words import _

if TYPE_CHECKING:
    from evidence.judge.claim import Claim
    from evidence.site.nodes import Inline
    from evidence.site.placeholder import Filler


def changes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What notes of older versions said and no longer holds, by page."""
    claims = {claim.id: claim for claim in filler.domain.claims}
    rows: list[list[Inline]] = [
        [
            note.since,
            f"{note.versions}: {note.statement}",
            _link(filler, claims[note.claim]) if note.claim in claims else note.claim,
        ]
        for note in filler.domain.formerly
    ]
    if not rows:
        return [paragraph(_("No page notes a change yet."))]
    header = (_("Since"), _("What the notes said"), _("What holds"))
    return [table(header, rows, "changes")]


def corrections(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Claims that contradict an upstream page, by that page."""
    found = sorted(
        (
            upstream,
            filler.domain.sentence(claim),
            claim.documented,
            claim.page,
            claim.id,
        )
        for claim in filler.domain.claims
        for upstream in claim.contradicts
    )
    rows: list[list[Inline]] = [
        [nodes.literal("", upstream), filler.link(sentence, page, anchor), documented]
        for upstream, sentence, documented, page, anchor in found
    ]
    if not rows:
        return [paragraph(_("No claim contradicts an upstream page yet."))]
    header = (_("Upstream page"), _("What holds"), _("What it says"))
    return [table(header, rows, "changes")]


def _link(filler: Filler, claim: Claim) -> nodes.reference:
    return filler.link(filler.domain.sentence(claim), claim.page, claim.id)
