"""Measured values as a page shows them in its text: the ``measured`` role."""

from __future__ import annotations

from docutils import nodes
from docutils.nodes import Node, system_message
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator

from evidence.judge.choices import WordingError
from evidence.judge.wording import addresses, wording
from evidence.records.address import AddressError, NoRecordError
from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above, cross_reference
from evidence.site.look.words import _
from evidence.site.parts import Shown


class measured(nodes.Inline, nodes.TextElement):  # noqa: N801 - docutils names visitors after nodes
    """A role as it was written, which a translation may replace; in a claim then its words."""


class MeasuredRole(SphinxRole):
    """``{measured}`stem.name```: a measured value with its unit, linked to its record.

    ``{measured}`is … | is not … <stem.name>``` is the first where the value is true;
    ``{measured}`stem.wrong of stem.tries``` is "all 20", "none of the 20" or "7 of 20";
    ``{measured}`is always … | is … in # of # | is never … <stem.wrong of stem.tries>``` and
    ``{measured}`no … | one … | # … <stem.skipped>``` are words that the count chooses.
    A speedup whose checks hold it within a tenth of 1 is "about", before "as fast".
    """

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Keep the text and its line."""
        return [measured(self.rawtext, self.text, line=self.lineno)], []


class ShowMeasured(SphinxTransform):
    """Prints the values; a claim's addresses may lack the prefix that it states."""

    default_priority = 25

    def apply(self, **_kwargs: object) -> None:
        """Replace each role by its words, and note for the page what is shown where."""
        # A row's number is its place among those of the page; 0 outside of tables.
        self.rows = [None, *self.document.findall(nodes.row)]
        domain = evidence_of(self.env)
        self.records = domain.site.library.records
        self.checks = [c for claim in domain.reading.claims for c in claim.checks]
        for node in list(self.document.findall(measured)):
            shown = self._shown(node)
            shown["support_smartquotes"] = False  # a message's quotes stay as they are
            node.replace_self(shown)

    def _shown(self, node: measured) -> nodes.Element:
        domain, text, place = evidence_of(self.env), node.astext(), _Place(node)
        values = addresses(text, place.prefix)
        domain.note_uses(values)
        name = place.claims[0] if place.claim else ""
        beside = frozenset() if name or place.row else frozenset(place.claims)
        links, row = _targets(place.block), self.rows.index(place.row)
        about = node["line"], name, links.union(place.claims), row, beside
        shown = [Shown(address, *about) for address in values]
        before, behind = texts_around(node)
        around = None if place.is_of_numbers else before, behind
        try:
            say = _ if place.is_translated else str
            words = wording(
                text, values, self.records, say, *around, checks=self.checks
            )
        except NoRecordError:
            # Reported once: at the example, or at the first place that names what is none.
            return nodes.emphasis("", _("not measured"))
        except (AddressError, WordingError) as error:
            own = [c.addresses for c in domain.reading.claims if c.id == name]
            is_checked = any(value in checked for checked in own for value in values)
            domain.reading.shown += shown if is_checked else []
            # A value that was not measured is reported with the claim that checks it.
            if not (is_checked and isinstance(error, AddressError)):
                domain.note_fault(Kind.CLAIM, str(error), node["line"])
            return nodes.problematic(node.rawsource, node.rawsource)
        domain.reading.shown += shown
        label = f"evidence-{values[0].stem}"
        # The line below a claim tells where that was measured, and so does the first in a row.
        if place.claims or (place.row and label in _targets(place.row)):
            return measured("", words, classes=["measured"])
        return cross_reference(words, label, self.env.docname, ["measured"])


class _Place:
    """Where a role stands: in the claim of a box or span, if any, or beside some, and in which row.

    A sentence beside a claim, in its paragraph or row, may show more of the same example.
    """

    def __init__(self, node: measured) -> None:
        boxes = [*above(node)]
        self.claim = next((box for box in boxes if "of" in box.attributes), None)
        self.row = next((box for box in boxes if isinstance(box, nodes.row)), None)
        block = (box for box in boxes if isinstance(box, nodes.paragraph))
        self.block: nodes.Element = self.row or next(block, node)
        # In English words where the page has no others, whatever its language.
        known = (box["translated"] for box in boxes if "translated" in box.attributes)
        self.is_translated = next(known, True)
        said = [self.claim] if self.claim else self.block.findall(nodes.inline)
        spans = [span for span in said if "of" in span.attributes]
        self.claims = [str(span["claim"]) for span in spans]
        shared = {span["of"] for span in spans}
        self.prefix = shared.pop() if len(shared) == 1 else ""
        in_prose = any("analysis" in box.get("classes", ()) for box in boxes)
        self.is_of_numbers = self.row is not None and not in_prose


def _targets(node: nodes.Element) -> frozenset[str]:
    """Where the links in a node lead, as they are written so far."""
    names = ("reftarget", "reftargetid", "refid", "refuri")
    links = [link.get(name) for link in node.findall(nodes.Element) for name in names]
    return frozenset(str(link).rpartition("#")[2] for link in links)


def texts_around(node: Node) -> tuple[str, str]:
    """The text before a node and the text behind it, in its paragraph."""
    place, siblings = node.parent.index(node), node.parent.children
    before, behind = siblings[:place], siblings[place + 1 :]
    return "".join(n.astext() for n in before), "".join(n.astext() for n in behind)


def write_nothing(_translator: HTML5Translator, _node: nodes.Element) -> None:
    """A value in the sentence of a claim is its text."""
