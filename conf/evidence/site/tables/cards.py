"""The pictures in the lists of examples: a figure, or for want of one what the example bears out.

A list of pictures of which most are blank tells nobody anything. So such an example shows the first
claim that rests on it, as text, which follows the page's mode and costs no request.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx

from evidence.judge.verdict import Judgement
from evidence.records.model import Plain, Raised
from evidence.records.units import format_cell
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import MARKS
from evidence.site.nodes import paragraph, span, strong
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
    """The value of the first claim of an example, and the claim's id as words."""
    for judgement in filler.domain.judgements:
        if judgement.claim.stem == stem:
            label = span(judgement.claim.id.replace("-", " "))
            text = paragraph(strong(_brief(judgement)), " ", label)
            return [nodes.container("", text, classes=["card"])]
    return []


def _brief(judgement: Judgement) -> str:
    """A number; a mark for what is none, such as a text or an error's message."""
    first = judgement.findings[0]
    match first.cell:
        case None | Raised() | Plain(value=bool() | str()):
            return MARKS.get(judgement.verdict, "✗")
        case cell:
            return format_cell(first.check.value.quantity, cell)
