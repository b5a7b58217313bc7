"""The directives ``claim``, ``hazard`` and ``problems``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes
from docutils.nodes import Node
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import (
    Claim,
    ClaimError,
    make_claim,
    read_claims,
    split_options,
)
from evidence.records.address import unmeasured
from evidence.records.units import THIN_SPACE
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import claim_evidence, wrong_evidence
from evidence.site.look.nodes import disclosure, late, lead, placeholder, span

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


class Arm(NamedTuple):
    """One of the two claims of a hazard, with its code and what that was chosen by."""

    claim: Claim
    sentence: str
    code: str = ""
    names: str = ""

    @property
    def checked(self) -> set[str]:
        """The words of the values that it checks, without those of the example."""
        return _words(" ".join(check.value.name for check in self.claim.checks))


def exchanged(wrong: Arm, right: Arm) -> Iterator[str]:
    """What allows that the two claims of a hazard, or their codes, change places."""
    if wrong.sentence.startswith("Right") or right.sentence.startswith("Wrong"):
        yield "the first claim of a hazard is what goes wrong, the second its fixed form"
    # Words that the names in the codes share with their own checks, and crosswise.
    own = crosswise = 0
    for arm, other in ((wrong, right), (right, wrong)):
        part = arm.claim.shows
        if part and (part not in arm.code or part in other.code):
            yield f"the code of {arm.claim.id!r} alone has to show {part!r}"
        names = _words(arm.names) - _words(other.names)
        own += len(names & (arm.checked - other.checked))
        crosswise += len(names & (other.checked - arm.checked))
    told = wrong.claim.shows or right.claim.shows or own > crosswise
    if (wrong.code or right.code) and not told:
        yield (
            f"nothing tells whether its code belongs to {wrong.claim.id!r} or to "
            f"{right.claim.id!r}: write a part of it as ':shows:' of that claim"
        )


def _words(text: str) -> set[str]:
    """How its words begin: "wait" and "waiting" are one."""
    return {word[:4] for word in re.findall(r"[a-z]{2,}|\d+", text.lower())}


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
        arms = []
        for claim, box, name in zip(claims, boxes, ("wrong", "right"), strict=False):
            box["classes"].append(name)
            blocks = [*box.findall(nodes.literal_block)]
            code = "\n".join(block.astext() for block in blocks)
            names = " ".join(block.get("names", "") for block in blocks)
            arms.append(Arm(claim, plain(box), code, names))
            if any(len(line) > LONGEST_LINE for line in code.splitlines()):
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
