"""The directives ``claim`` and ``hazard``."""

from __future__ import annotations

import re

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import ClaimError, make_claim, read_claims, split_options
from evidence.records.address import unmeasured
from evidence.records.units import THIN_SPACE
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import claim_evidence, wrong_evidence
from evidence.site.look.nodes import late, lead, placeholder

#: So many characters of code fit beside as many.
LONGEST_LINE = 38


class ClaimDirective(SphinxDirective):
    """A documented statement with an expectation on a measured value.

    The argument is the claim's permanent id. Its options stand in the content, where
    :func:`~evidence.judge.claim.split_options` reads them as ``verify`` does.
    """

    has_content = True
    required_arguments = 1

    def run(self) -> list[Node]:
        """Collect the claim; its evidence is filled in once it is judged."""
        page, domain = self.env.docname, evidence_of(self.env)
        options, statement, skipped = split_options(list(self.content))
        self.content = self.content[skipped:]
        self.content_offset += skipped
        try:
            claim = make_claim(self.arguments[0], options, statement, page, self.lineno)
        except ClaimError as error:
            texts = [options.get(name, "") for name in ("value", "expect", "check")]
            records = domain.site.library.records
            cause = unmeasured(" ".join(texts), options.get("of", ""), records)
            message = f"claim {self.arguments[0]!r}: {cause}" if cause else str(error)
            domain.note_fault(Kind.CLAIM, message, self.lineno)
            return []
        domain.reading.claims.append(claim)
        domain.note_uses(claim.addresses)
        labels = self.env.domains.standard_domain
        # It may stand on the page from which it moved here; if it still does, that is reported.
        labels.anonlabels.pop(claim.id, None)
        labels.note_hyperlink_target(claim.id, page, claim.id, claim.id)
        content = self.parse_content_to_nodes()
        evidence = late(claim_evidence, claim.id)
        about = {"classes": ["claim"], "ids": [claim.id], "of": claim.of, "made": True}
        shown = nodes.container("", *content, evidence, **about)
        self.set_source_info(shown)
        return [shown]


class HazardDirective(SphinxDirective):
    """A pair of claims side by side: the code that goes wrong, and its fixed form."""

    has_content = True

    def run(self) -> list[Node]:
        """Show the two claims in a grid; one below the other on a phone, or where code is wide."""
        domain = evidence_of(self.env)
        before = len(domain.reading.claims)
        content = self.parse_content_to_nodes()
        claims = domain.reading.claims[before:]
        if len(claims) != 2 or claims[0].control != claims[1].id:
            message = "a hazard has two claims, the second the :control: of the first"
            domain.note_fault(Kind.CLAIM, message, self.lineno)
        shown = nodes.container("", *content, classes=["hazard"], made=True)
        boxes = [box for box in shown.findall(nodes.container) if "of" in box]
        for box, name in zip(boxes, ("wrong", "right"), strict=False):
            box["classes"].append(name)
        for evidence in [*boxes[0].findall(placeholder)] if boxes else ():
            evidence["fill"] = wrong_evidence
        code = "\n".join(block.astext() for block in shown.findall(nodes.literal_block))
        if any(len(line) > LONGEST_LINE for line in code.splitlines()):
            shown["classes"].append("stacked")
        return [shown]


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note which claims stand in the source of a page, how they are shown, its lead.

    In a translation the sentence is that of the translation.
    """
    env, page = app.env, evidence_of(app.env).reading
    path = env.doc2path(env.docname)
    if path.suffix == ".md" and "{claim}" in (text := path.read_text("utf-8")):
        claims, _ = read_claims(text, env.docname)  # what is wrong is reported already
        page.in_text = {claim.id for claim in claims}
    for node in doctree.findall(nodes.container):
        if node["ids"] and "claim" in node["classes"]:
            page.sentences[node["ids"][0]] = plain(node)
    first = lead(doctree)  # every other page's list of pages shows it
    page.lead = plain(first) if first is not None else ""


def plain(node: nodes.Element) -> str:
    """The paragraphs of a node as plain text, with the measured values in them."""
    said = (p for p in node.findall(nodes.paragraph) if "excerpt" not in p["classes"])
    texts = (paragraph.astext() for paragraph in said)
    # Not str.split: it also splits at spaces that hold a number and its unit together.
    return re.sub(r"[ \n]+", " ", " ".join(texts).replace(THIN_SPACE, "\u00a0")).strip()
