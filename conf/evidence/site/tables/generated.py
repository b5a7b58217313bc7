"""The tables that the build makes: what is checked, covered, changed, and wrong in the notes."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.judge.verdict import Verdict
from evidence.records import wire
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import (
    Fill,
    Filler,
    file_link,
    late,
    paragraph,
    prose,
    section,
    table,
)
from evidence.site.look.words import _, day
from evidence.site.tables.corrections import changes, corrections
from evidence.site.tables.coverage import coverage, documents
from evidence.site.tables.ledger import ledger, ledgers, totals
from evidence.site.tables.news import news
from evidence.site.tables.symptoms import symptoms


def checked(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The values that the pages show, by what protects them."""
    domain = filler.domain
    known = {address for claim in domain.claims for address in claim.addresses}
    shown = [each for page in domain.pages.values() for each in page.shown]
    found = [each for each in shown if domain.library.is_found(each.address)]
    beside = [each.address in known for each in found if not each.claim]
    inside, given = len(found) - len(beside), len(shown) - len(found)
    checks = sum(len(claim.checks) for claim in domain.claims)
    counts = {
        _("claims"): len(domain.claims),
        _("checks in these claims"): checks,
        _("values in claim sentences, all checked"): inside,
        _("values in other text, checked by a claim elsewhere"): beside.count(True),
        _(
            "values in tables and on the front page that only link to a claim"
        ): beside.count(False),
        _("constants and row keys, which are not measured"): given,
        _("claims that another machine has also measured"): len(
            domain.elsewhere.verdicts
        ),
    }
    told = ((what, f"{count:,}") for what, count in counts.items())
    return [table((_("On this site"), _("Number")), told, "measured-table")]


def passes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The passes that came in, the newest first: which machine, and what its sender saw hold."""
    rows = []
    for sent in filler.domain.elsewhere.sent:
        made, verdicts = sent.builder, map(set, sent.claims.values())
        seen = [found for found in verdicts if Verdict.OUT_OF_SCOPE.value not in found]
        held = f"{seen.count({Verdict.HOLDS.value})}/{len(seen)}"
        gpus = f"{made.gpus} × {made.gpu}" if made.gpus else made.cpu
        when = day(sent.day, filler.config.language)
        own = (sent.machine, gpus, made.driver, made.torch)
        rows.append((sent.day, *own, when, held))
    newest = (cells for _day, *cells in sorted(rows, reverse=True))
    header = (_("Machine"), _("GPUs"), _("Driver"), "torch", _("Day"), _("Claims held"))
    return [table(header, newest)]


def clone(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The commands before ``nox -s verify``; none where the repository has no address."""
    folder = filler.repository.rpartition("/")[2]
    text = f"git clone {filler.repository}\ncd {folder}\npython -m pip install nox"
    block = nodes.literal_block(text, text, language="sh")
    return [block] if filler.repository else []


#: Anchors of earlier sites, whose readers kept the links.
FORMER = {"Value": ("record-plain", "record-table")}


def schema(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What is published as data, and the fields of a record."""
    names = ("claims.json", "claims.schema.json", "record.schema.json")
    links = [part for n in names for part in (file_link(n, n, filler.page), " ")]
    parts = wire.schema()["$defs"]
    return [paragraph(*links), *(_section(name, part) for name, part in parts.items())]


def _section(name: str, part: dict[str, Any]) -> nodes.section:
    """One kind of object: what it is, and its fields with their types."""
    fields = json.dumps(part["properties"], indent=1)
    about = [prose(text) for text in part["description"].split("\n\n")]
    block = nodes.literal_block(fields, fields, language="json")
    made = section(name, *about, block, anchor=f"record-{name.lower()}")
    made["ids"] += FORMER.get(name, ())
    return made


GENERATED: dict[str, Fill] = {
    "evidence-ledger": ledger,
    "evidence-ledgers": ledgers,
    "evidence-totals": totals,
    "evidence-checked": checked,
    "evidence-passes": passes,
    "evidence-clone": clone,
    "evidence-coverage": coverage,
    "evidence-documents": documents,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-symptoms": symptoms,
    "evidence-schema": schema,
    "evidence-news": news,
}


class GeneratedDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; lists can take a chapter's folder."""

    optional_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Mark the place, and the page as one that shows what others say."""
        evidence_of(self.env).reading.generated = True
        return [late(GENERATED[self.name], "".join(self.arguments))]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    for name in GENERATED:
        app.add_directive(name, GeneratedDirective)
    # The ledger's filters, behind what every page has.
    app.add_js_file("ledger.js", priority=600, loading_method="defer")
