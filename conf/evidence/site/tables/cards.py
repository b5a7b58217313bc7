"""The pictures in the lists of examples: a figure, or for want of one what the example bears out.

A list of pictures of which most are blank tells nobody anything. So such an example shows the first
claim that rests on it, as text, which follows the page's mode and costs no request.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx

from evidence.records.model import Timing
from evidence.records.units import format_cell
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import MARKS
from evidence.site.nodes import paragraph
from evidence.site.placeholder import Filler, late

_THUMBNAIL = re.compile(r"sphx_glr_(?P<stem>\w+)_thumb\.\w+")


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room for a card in the place of each thumbnail whose example has no figure."""
    domain = evidence_of(app.env)
    for image in list(doctree.findall(nodes.image)):
        match = _THUMBNAIL.fullmatch(PurePosixPath(image["uri"]).name)
        example = domain.library.examples.get(match["stem"]) if match else None
        if example is None:
            continue
        domain.reading.generated = True
        if example.record is not None and not example.record.figures:
            image.replace_self(late(card, example.stem))


def card(filler: Filler, stem: str) -> list[nodes.Node]:
    """The first claim of an example: its number or its verdict, and its id as words."""
    for judgement in filler.domain.judgements:
        if judgement.claim.stem == stem:
            name, cell = (
                judgement.claim.checks[0].value.quantity,
                judgement.findings[0].cell,
            )
            mark = MARKS.get(judgement.verdict, "✗")
            shown = format_cell(name, cell) if isinstance(cell, Timing) else mark
            words = judgement.claim.id.replace("-", " ")
            text = paragraph(nodes.strong("", shown), " ", words)
            return [nodes.container("", text, classes=["card"])]
    return []
