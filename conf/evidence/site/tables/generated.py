"""The tables that the build makes: what is checked, covered, changed, and wrong in the notes."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import Claim
from evidence.judge.facts import Seed
from evidence.records import wire
from evidence.site.domain import evidence_of
from evidence.site.nodes import (
    Fill,
    Filler,
    Inline,
    file_link,
    inline,
    late,
    paragraph,
    prose,
    row,
    table,
    with_literals,
)
from evidence.site.publish.claims_json import REPORTS
from evidence.site.tables.ledger import ledger, totals
from evidence.site.tables.symptoms import symptoms
from evidence.site.words import _, day


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
    told = ((what, str(count)) for what, count in counts.items())
    return [table((_("On this site"), _("Number")), told, "measured-table")]


def coverage(filler: Filler, _subject: str) -> list[nodes.Node]:
    """How many statements have claims, what their sources are, and each one, by chapter."""
    sources, counted = filler.domain.sources, Counter[str]()
    by_seed: dict[str, list[Claim]] = defaultdict(list)
    for claim in filler.domain.claims:
        for name in claim.seed:
            by_seed[name].append(claim)
    chapters: list[nodes.Node] = []
    header = (_("Statement"), _("Sources"), _("On this site"))
    for title, items in groupby(sources.statements.items(), lambda it: it[1].chapter):
        section = nodes.section("", nodes.title("", title), ids=[nodes.make_id(title)])
        rows = [_row(filler, name, said, by_seed[name]) for name, said in items]
        counted.update(row["classes"][0] for row in rows)
        section += table(header, rows, "changes", "coverage")
        chapters.append(section)
    text = _("{shown} have claims, {open} are open, and {cannot} cannot be shown.")
    known = (_("Source"), _("Document"))
    documents = table(known, sources.documents.items(), "changes")
    return [paragraph(text.format_map(counted)), documents, *chapters]


def _row(filler: Filler, name: str, statement: Seed, claims: list[Claim]) -> nodes.row:
    links = [part for claim in claims for part in (filler.claim(claim), " ")]
    reason = _("cannot be shown: {why}").format(why=statement.cannot)
    state = "shown" if claims else "cannot" if statement.cannot else "open"
    answers = {"shown": links, "open": _("open"), "cannot": reason}
    said = prose(f"{statement.text} `{name}`").children
    return row([said, ", ".join(statement.sources), answers[state]], [state])


def changes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What notes of older versions said and no longer holds, by page."""
    claims = {claim.id: claim for claim in filler.domain.claims}
    rows: list[list[Inline]] = []
    for note in filler.domain.formerly:
        said = f"{note.versions}: {filler.domain.sentence(note)}"
        claim = claims.get(note.claim)
        rows.append([note.since, said, filler.claim(claim) if claim else note.claim])
    header = (_("Since"), _("What the notes said"), _("What holds now"))
    return [table(header, rows, "changes", "since")]


def corrections(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The statements of upstream that claims contradict: each once, in its context."""
    rows: list[list[Inline]] = []
    for name, claims in filler.domain.contradicted.items():
        said = filler.domain.upstream[name]
        date = day(said.read, filler.config.language)
        read = _("{version}, accessed {date}").format(
            date=date, version=said.version[:8]
        )
        place = nodes.reference("", f"{said.page}: {said.section}", refuri=said.address)
        where = (place, ", ", nodes.reference("", read, refuri=said.source))
        text = inline(with_literals(f"{said.says} “{said.words}”"))
        found = [part for claim in claims for part in (filler.claim(claim), " ")]
        report = file_link(_("report"), f"{REPORTS}/{name}.md", filler.page)
        entry = nodes.inline("", "", *text, ids=[name])
        rows.append([entry, where, [*found, report]])
    header = (_("What it says"), _("Where"), _("What holds"))
    return [table(header, rows, "changes")]


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
    section = nodes.section(ids=[f"record-{name.lower()}", *FORMER.get(name, ())])
    section += nodes.title("", name)
    section += [prose(text) for text in part["description"].split("\n\n")]
    fields = json.dumps(part["properties"], indent=1)
    section += nodes.literal_block(fields, fields, language="json")
    return section


GENERATED: dict[str, Fill] = {
    "evidence-ledger": ledger,
    "evidence-totals": totals,
    "evidence-checked": checked,
    "evidence-coverage": coverage,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-symptoms": symptoms,
    "evidence-schema": schema,
}


class GeneratedDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; they take nothing."""

    def run(self) -> list[nodes.Node]:
        """Mark the place, and the page as one that shows what others say."""
        evidence_of(self.env).reading.generated = True
        return [late(GENERATED[self.name])]


def setup(app: Sphinx) -> None:
    """Register the directives."""
    for name in GENERATED:
        app.add_directive(name, GeneratedDirective)
    # The ledger's filters, behind what every page has.
    app.add_js_file("ledger.js", priority=600, loading_method="defer")
