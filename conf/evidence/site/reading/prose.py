"""Claims in prose: a span with an id, or a block, whose checks stand in a ``checks`` block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from docutils.nodes import Node
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective

from evidence.judge import english
from evidence.judge.pages import make_claims
from evidence.records.address import unmeasured
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above, inline, late, made, para, span
from evidence.site.look.panel import (
    line,
    opened,
    referred,
    tick,
    tick_of_reference,
)
from evidence.site.look.words import _
from evidence.site.reading.claims import arm, exchanged
from evidence.site.reading.sweeps import faults_of_row, into_row
from evidence.site.reading.values import texts_around
from evidence.words import N_

#: Punctuation that stays with the sentence before its tick.
_STOP = re.compile(r"[.,;:!?)”’]+")
#: The class of a span that only refers to a claim, which is its other class: ``[…]{.row .its-id}``.
REFERENCE = "row"
#: The word that the first paragraph of an arm begins with.
MARKS = {"wrong": N_("Wrong."), "right": N_("Right.")}


class ChecksDirective(SphinxDirective):
    """``{checks} example``: what the claims above expect, a label and a check in a line."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[Node]:
        """Collect the claims; nothing is shown here."""
        page, domain = self.env.docname, evidence_of(self.env)
        argument = self.arguments[0] if self.arguments else ""
        body = "\n".join(self.content)
        claims, wrong = make_claims(argument, body, page, self.lineno + 1)
        for number, message in wrong:
            # An address that is spelt wrongly has no unit: that is no fault of its bound.
            check = body.splitlines()[number - self.lineno - 1].partition(":")[2]
            if cause := unmeasured(check, argument, domain.site.library.records):
                message = f"{message.partition(': ')[0]}: {cause}"
            domain.note_fault(Kind.CLAIM, message, number)
        labels = self.env.domains.standard_domain
        for claim in claims:
            domain.reading.claims.append(claim)
            domain.note_uses(claim.addresses)
            labels.anonlabels.pop(claim.id, None)
            labels.note_hyperlink_target(claim.id, page, claim.id, claim.id)
        return []


class BlockDirective(SphinxDirective):
    """``:::{wrong} id``, ``{right}`` and ``{result}``: a claim that is a block."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[Node]:
        """The block; its checks, and with them its evidence, come later on the page."""
        (name,) = self.arguments
        content = self.parse_content_to_nodes()
        if self.name == "result":
            content = _headline(content)
        about = {"classes": ["box", self.name], "ids": [name], "made": True}
        shown = nodes.container("", *content, late(line, name), **about)
        self.set_source_info(shown)
        return [shown]


def _headline(content: list[Node]) -> list[Node]:
    """A large number, from the first paragraph, and what it is, from the second."""
    for block, name in zip(content, ("number", "what"), strict=False):
        if isinstance(block, nodes.Element):
            block["classes"].append(name)
    return content


class Spans(SphinxTransform):
    """Makes each span whose id has checks a claim, with a tick behind it.

    Behind translations, which replace the text, and before measured values are printed.
    """

    default_priority = 22

    def apply(self, **_kwargs: object) -> None:
        """Mark the spans and blocks of the page, and report those that have no checks."""
        domain = evidence_of(self.env)
        self.claims = {claim.id: claim for claim in domain.reading.claims}
        self.seen: set[str] = set()
        for box in self.document.findall(nodes.container):
            if "box" in box["classes"] and "made" in box:
                _mark(box)
                self._note(box, box["ids"][0])
        for node in list(self.document.findall(nodes.inline)):
            if named(node):
                self._span(node)
        for pair in self.document.findall(nodes.container):
            if "hazard" in pair["classes"]:
                self._pair(pair)
        for name in sorted(self.claims.keys() - self.seen):
            message = f"claim {name!r} has checks and no text: write [its sentence]{{#{name}}}"
            domain.note_fault(Kind.CLAIM, message, self.claims[name].line)

    def _fault(self, node: nodes.Element, message: str) -> None:
        """Note what is wrong with a span or block."""
        evidence_of(self.env).note_fault(Kind.CLAIM, message, node.line or 1)

    def _pair(self, pair: nodes.container) -> None:
        """Report what allows that the arms of a hazard change places."""
        boxes = [box for box in pair.findall(nodes.container) if "claim" in box]
        arms = [arm(self.claims[box["claim"]], box) for box in boxes]
        names = [box["classes"][-1] for box in boxes]
        in_order = names == ["wrong", "right"]
        if not in_order or arms[0].claim.control != arms[1].claim.id:
            self._fault(pair, "a hazard is a {wrong} and a {right}, its ':control:'")
            return
        if any(each.is_wide for each in arms):
            pair["classes"].append("stacked")
        for message in exchanged(*arms):
            self._fault(pair, message)

    def _note(self, node: nodes.Element, name: str) -> bool:
        """Note the claim of a span or block, and what all of its addresses share, if it is one."""
        claim = self.claims.get(name)
        if claim is None:
            message = f"{name!r} has a text and no checks: write them below it, or take its id out"
            refused = f"claim {name!r}: "  # whose checks are wrong, and reported
            faults = evidence_of(self.env).reading.faults
            if not any(fault.message.startswith(refused) for fault in faults):
                self._fault(node, message)
            return False
        if REFERENCE not in node["classes"]:
            # docutils reports a span of the same name as another, but no block.
            if name in self.seen:
                refer = f"refer to it with {{.{REFERENCE} .{name}}}"
                self._fault(node, f"claim {name!r} stands twice: {refer}")
            self.seen.add(name)
        node["of"], node["claim"] = claim.of, name
        return True

    def _span(self, node: nodes.inline) -> None:
        refers = REFERENCE in node["classes"]
        others = (each for each in node["classes"] if each != REFERENCE)
        name = next(iter(node["names"] or others), "")
        for known in (self.document.nameids, self.document.nametypes):
            known.pop(name, None)  # the claim is the label, see ChecksDirective
        if not self._note(node, name):
            return
        node["names"], node["ids"] = [], [] if refers else [name]
        node["classes"], node["made"] = ["claim-text"], True
        row = next((box for box in above(node) if isinstance(box, nodes.row)), None)
        if row is not None:
            for message in faults_of_row(row, self.claims[name], refers=refers):
                self._fault(node, message)
            into_row(row, name, referred if refers else opened)
            return
        holder = next(box for box in above(node) if isinstance(box, nodes.TextElement))
        if not isinstance(holder, nodes.paragraph):
            where = f"is within {holder.tagname}: write it into a paragraph"
            self._fault(node, f"claim {name!r} {where}")
            return
        before, behind = texts_around(node)
        if english.TAKING_BACK.search(before) or english.TAKEN_BACK.match(behind):
            why = "is denied by the words beside it: say so in its span"
            self._fault(node, f"claim {name!r} {why}")
        _behind(node, late(tick_of_reference if refers else tick, name))
        if not isinstance(holder, para):
            made = para(holder.rawsource, "", *holder.children, **holder.attributes)
            made.source, made.line = holder.source, holder.line
            made["classes"].append("para")
            holder.replace_self(made)


def _mark(box: nodes.container) -> None:
    """Begin an arm of a hazard with its word, which a translation would replace before."""
    first, word = box[0], MARKS.get(box["classes"][-1])
    if word and isinstance(first, nodes.paragraph):
        said = _(word)
        first.insert(0, nodes.Text(" " * said.endswith(".")))
        first.insert(0, made(nodes.strong("", said, classes=["mark"])))


def named(node: nodes.inline) -> str:
    """What names a span that is a claim or refers to one, as a page writes it; else nothing."""
    if REFERENCE in node["classes"]:
        return " ".join(f".{each}" for each in node["classes"])
    return f"#{node['names'][0]}" if node["names"] else ""


def _behind(node: nodes.inline, mark: Node) -> None:
    """Put a tick behind a span, and behind the punctuation that follows it."""
    siblings, place = node.parent, node.parent.index(node)
    after = siblings[place + 1] if place + 1 < len(siblings) else None
    stop = _STOP.match(after.astext()) if isinstance(after, nodes.Text) else None
    if stop and after is not None:
        rest = inline(after.astext()[stop.end() :])
        # By its place: an equal text may stand earlier, behind a link.
        siblings[place + 1 : place + 2] = [made(span(stop[0], "stop")), mark, *rest]
    else:
        siblings.insert(place + 1, mark)


def spans(doctree: nodes.Node) -> Iterator[nodes.inline]:
    """The spans that are claims, in their order, without those that refer to one."""
    for node in doctree.findall(nodes.inline):
        if "claim-text" in node["classes"] and node["ids"]:
            yield node
