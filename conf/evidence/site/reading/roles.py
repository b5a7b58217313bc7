"""The ``measured`` role: a measured value in running text."""

from __future__ import annotations

from docutils import nodes
from docutils.nodes import Node, system_message
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator

from evidence.judge.wording import WordingError, addresses, wording
from evidence.records.address import Address, AddressError, NoRecordError
from evidence.site.diagnostics import Kind
from evidence.site.domain import Shown, evidence_of
from evidence.site.look.nodes import above, cross_reference
from evidence.site.look.words import _


class measured(nodes.Inline, nodes.TextElement):  # noqa: N801 - docutils names visitors after nodes
    """A role as it was written, which a translation may replace; in a claim then its words."""


class MeasuredRole(SphinxRole):
    """``{measured}`stem.name```: a measured value with its unit, linked to its record.

    ``{measured}`is … | is not … <stem.name>``` is the first where the value is true;
    ``{measured}`stem.wrong of stem.tries``` is "all 20", "none of the 20" or "7 of 20".
    """

    def run(self) -> tuple[list[Node], list[system_message]]:
        """Keep the text and its line."""
        return [measured(self.rawtext, self.text, line=self.lineno)], []


class NoteMeasured(SphinxTransform):
    """Notes which values a page shows, before a translation replaces its text."""

    default_priority = 19

    def apply(self, **_kwargs: object) -> None:
        """Keep the addresses of all roles in their order."""
        self.document["measured"] = _all_addresses(self.document)


class ShowMeasured(SphinxTransform):
    """Prints the values; a claim's addresses may lack the prefix that it states."""

    default_priority = 25

    def apply(self, **_kwargs: object) -> None:
        """Replace each role by its words, and note for the page what is shown where."""
        domain = evidence_of(self.env)
        if _all_addresses(self.document) != self.document.attributes.pop("measured"):
            message = (
                "the translation shows other values than the page, or in another order"
            )
            domain.note_fault(Kind.CLAIM, message, 1)
        self.rows = [None, *self.document.findall(nodes.row)]
        for node in list(self.document.findall(measured)):
            node.replace_self(self._shown(node))

    def _shown(self, node: measured) -> Node:
        domain, text, boxes = evidence_of(self.env), node.astext(), [*above(node)]
        claim = next((box for box in boxes if "of" in box.attributes), None)
        found = addresses(text, claim["of"] if claim else "")
        domain.note_uses(found)
        row = next((box for box in boxes if isinstance(box, nodes.row)), None)
        block = next((box for box in boxes if isinstance(box, nodes.paragraph)), node)
        name = claim["ids"][0] if claim else ""
        # The place of the row among those of the page; 0 outside of tables.
        about = node["line"], name, _targets(row or block), self.rows.index(row)
        shown = [Shown(address, *about) for address in found]
        prose = any("analysis" in box.get("classes", ()) for box in boxes)
        before = None if row and not prose else preceding(node)
        try:
            around = before, following(node)
            words = wording(text, found, domain.site.library.records, _, *around)
        except NoRecordError:
            # Reported once: at the example, or at the first place that names what is none.
            return nodes.emphasis("", _("not measured"))
        except (AddressError, WordingError) as error:
            mine = (each for each in domain.reading.claims if each.id == name)
            checked = any(a in each.addresses for each in mine for a in found)
            # A value that was not measured is reported with the claim that checks it.
            if not (checked and isinstance(error, AddressError)):
                domain.note_fault(Kind.CLAIM, str(error), node["line"])
            domain.reading.shown += shown if checked else []
            return nodes.problematic(node.rawsource, node.rawsource)
        domain.reading.shown += shown
        label = f"evidence-{found[0].stem}"
        # The line below a claim tells where that was measured, and so does the first in a row.
        if claim or (row and label in _targets(row)):
            return measured("", words, classes=["measured"])
        return cross_reference(words, label, self.env.docname, ["measured"])


def _all_addresses(document: nodes.document) -> list[tuple[Address, ...]]:
    return [addresses(node.astext()) for node in document.findall(measured)]


def _targets(node: nodes.Element) -> frozenset[str]:
    """Where the links in a node lead, as they are written so far."""
    names = ("reftarget", "reftargetid", "refid", "refuri")
    links = [link.get(name) for link in node.findall(nodes.Element) for name in names]
    return frozenset(str(link).rpartition("#")[2] for link in links)


def preceding(node: Node) -> str:
    """The text before a node, in its paragraph."""
    place = node.parent.index(node)
    return "".join(child.astext() for child in node.parent.children[:place])


def following(node: Node) -> str:
    """The text behind a node, in its paragraph."""
    place = node.parent.index(node)
    return "".join(child.astext() for child in node.parent.children[place + 1 :])


def _write_nothing(_translator: HTML5Translator, _node: nodes.Element) -> None:
    """A value in the sentence of a claim is its text."""


def setup(app: Sphinx) -> None:
    """Register the role, and what prints it."""
    app.add_role("measured", MeasuredRole())
    app.add_node(measured, html=(_write_nothing, _write_nothing))
    app.add_transform(NoteMeasured)
    app.add_transform(ShowMeasured)
