"""The directives ``claim``, ``hazard`` and ``problems``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from docutils.nodes import Node
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import ClaimError, make_claim
from evidence.judge.pages import read_claims, split_options
from evidence.records.address import unmeasured
from evidence.site.diagnostics import Kind
from evidence.site.domain import Said, evidence_of
from evidence.site.look.evidence import claim_evidence, wrong_evidence
from evidence.site.look.nodes import disclosure, late, lead, placeholder, span
from evidence.site.look.words import one_line
from evidence.site.reading.arms import arm, exchanged, plain
from evidence.site.reading.prose import spans


_END = re.compile(r"(?<=[.!?])\s+")


class ClaimDirective(SphinxDirective):
    """A documented statement with an expectation on a measured value.

    The argument is the claim's permanent id. Its options stand in the content, where
    :func:`~evidence.judge.pages.split_options` reads them as ``verify`` does.
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
        blocks = [
            box
            for box in content
            if "box" in getattr(box, "attributes", {}).get("classes", ())
        ]
        if blocks:  # their checks come later: see prose.Spans
            return [
                nodes.container("", *content, classes=["hazard", "pair"], made=True)
            ]
        if len(claims) != 2 or claims[0].control != claims[1].id:
            message = "a hazard has two claims, the second the :control: of the first"
            domain.note_fault(Kind.CLAIM, message, self.lineno)
        shown = nodes.container("", *content, classes=["hazard"], made=True)
        boxes = [box for box in shown.findall(nodes.container) if "of" in box]
        arms = []
        for claim, box, name in zip(claims, boxes, ("wrong", "right"), strict=False):
            box["classes"].append(name)
            arms.append(arm(claim, box))
            if arms[-1].is_wide:
                shown["classes"] = ["hazard", "stacked"]
        for evidence in [*boxes[0].findall(placeholder)] if boxes else ():
            evidence["fill"] = wrong_evidence
        for message in exchanged(*arms) if len(arms) == 2 else ():
            domain.note_fault(Kind.CLAIM, message, self.lineno)
        return [shown]


class ProblemsDirective(SphinxDirective):
    """``:::{problems} Moving data``: a definition list of problems, in the reader's words.

    Its heading opens and closes it: on a phone all are closed at first, so that the topics fit a
    screen.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[Node]:
        """The heading with the number of problems, and the list."""
        (topic,), content = self.arguments, self.parse_content_to_nodes()
        listed = nodes.container("", *content).findall(nodes.definition_list_item)
        heading = nodes.rubric("", topic, **{"heading-level": 3})
        line = [heading, span(str(len([*listed])), "count")]
        about = {"classes": ["problems"], "ids": [nodes.make_id(topic)], "open": True}
        return [disclosure(line, *content, **about)]


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note which claims stand in the source of a page, how they are shown, its lead.

    In a translation the sentence is that of the translation.
    """
    env, page = app.env, evidence_of(app.env).reading
    path = env.doc2path(env.docname)
    text = path.read_text("utf-8") if path.suffix == ".md" else ""
    if "{claim}" in text or "{checks}" in text:
        claims, _ = read_claims(text, env.docname)  # what is wrong is reported already
        page.in_text = {claim.id for claim in claims}
    for node in doctree.findall(nodes.container):
        if node["ids"] and "claim" in node["classes"]:
            page.sentences[node["ids"][0]] = plain(node)
    for said in spans(doctree):
        page.sentences[said["ids"][0]] = one_line(said.astext())
    for claim in page.claims:
        if claim.title:
            page.sentences[claim.id] = claim.title
    first = lead(doctree)  # every other page's list of pages shows it
    page.lead = plain(first) if first is not None else ""
    page.leads = list(_sentences(first)) if first is not None else []


def _sentences(paragraph: nodes.paragraph) -> Iterator[Said]:
    """The sentences of a lead, with what each links to."""
    text, targets, is_shown, line = "", set[str](), False, paragraph.line or 1
    for node in paragraph.children:
        text += node.astext()
        if isinstance(node, nodes.Text):
            *ended, text = _END.split(text)
            for end in ended:
                yield Said(one_line(end), line, frozenset(targets), is_shown)
                targets, is_shown = set(), False
        if isinstance(node, nodes.Element):
            for link in node.findall(pending_xref):
                anchor = link.get("reftargetid")
                targets.add(anchor if isinstance(anchor, str) else link["reftarget"])
            classes = node["classes"]
            is_shown |= "claim-text" in classes or isinstance(node, nodes.emphasis)
    if text.strip(" .!?"):
        yield Said(one_line(text), line, frozenset(targets), is_shown)
