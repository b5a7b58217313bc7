"""What changed since older notes, and where today's notes are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from evidence.judge.report import statement
from evidence.site.nodes import paragraph, row, table_of

if TYPE_CHECKING:
    from evidence.judge.claim import Claim
    from evidence.site.tables.filler import Filler


def changes(filler: Filler) -> list[nodes.Node]:
    """What notes of older versions said and no longer holds, newest change first."""
    notes = sorted(filler.domain.formerly, key=lambda note: (note.page, note.line))
    if not notes:
        return [paragraph(nodes.Text("No page notes a change yet."))]
    claims = {claim.id: claim for claim in filler.domain.claims}
    rows = [
        row(
            [
                [nodes.Text(note.since)],
                [nodes.Text(f"{note.versions}: {note.statement}")],
                [
                    filler.link(
                        _sentence(filler, claims[note.claim]), note.page, note.claim
                    )
                ]
                if note.claim in claims
                else [nodes.Text(note.claim)],
            ]
        )
        for note in notes
    ]
    return [
        table_of(
            ("Since", "What the notes said", "What holds"), rows, classes=["changes"]
        )
    ]


def corrections(filler: Filler) -> list[nodes.Node]:
    """Claims that contradict an upstream page, by that page."""
    rows = [
        row(
            [
                [nodes.literal("", upstream)],
                [filler.link(_sentence(filler, claim), claim.page, claim.id)],
                [nodes.Text(claim.documented)],
            ]
        )
        for claim in filler.domain.claims
        for upstream in claim.contradicts
    ]
    if not rows:
        return [paragraph(nodes.Text("No claim contradicts an upstream page yet."))]
    rows.sort(key=lambda entry: entry.astext())
    return [
        table_of(
            ("Upstream page", "What holds", "What it says"), rows, classes=["changes"]
        )
    ]


def _sentence(filler: Filler, claim: Claim) -> str:
    return statement(claim, filler.domain.library.records)
