"""The tables that the build makes: what is checked, covered, changed, and wrong in the notes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from evidence.judge.claim import Claim
from evidence.judge.facts import Seed
from evidence.judge.verdict import Verdict
from evidence.records import wire
from evidence.site.domain import evidence_of
from evidence.site.nodes import (
    Fill,
    Filler,
    file_link,
    late,
    paragraph,
    prose,
    row,
    section,
    table,
)
from evidence.site.publish.text_twins import shortened
from evidence.site.tables.corrections import changes, corrections
from evidence.site.tables.ledger import ledger, totals
from evidence.site.tables.news import news
from evidence.site.tables.symptoms import symptoms
from evidence.site.words import _, day

#: What becomes of a statement: claims, nothing yet, or a reason why there can be none.
STATES = ("shown", "open", "cannot")


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


def coverage(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What the sources state: counted by source, then each statement, by chapter."""
    known, sources = filler.domain.sources.statements, filler.domain.sources.documents
    by_seed: dict[str, list[Claim]] = {name: [] for name in known}
    for claim in filler.domain.claims:
        for name in by_seed.keys() & claim.seed:
            by_seed[name].append(claim)
    rows = {name: _row(filler, name, known[name], by_seed[name]) for name in known}
    header = (_("Statement"), _("Sources"), _("On this site"))
    chapters: list[nodes.Node] = []
    for title, names in groupby(known, lambda name: known[name].chapter):
        own = [rows[name] for name in names]
        listed = table(header, own, "changes", "coverage")
        chapters.append(section(title, paragraph(_counted(own)), listed))
    stated = {s: [rows[n] for n in known if s in known[n].sources] for s in sources}
    documents = ((s, sources[s], _counted(own)) for s, own in stated.items())
    titles = (_("Source"), _("Document"), _("Its statements"))
    every = paragraph(_counted(rows.values()))
    return [every, table(titles, documents, "changes"), *chapters]


def _counted(rows: Iterable[nodes.row]) -> str:
    """How many statements there are in some rows, and how many are covered."""
    counted = Counter(row["classes"][0] for row in rows)
    text = _(
        "Statements: {all} · with claims: {shown} · open: {open} · "
        "cannot be shown: {cannot}"
    )
    return text.format(all=counted.total(), **{s: counted[s] for s in STATES})


def _row(filler: Filler, name: str, statement: Seed, claims: list[Claim]) -> nodes.row:
    sentences = {
        claim: shortened(filler.domain.sentence(claim), 110) for claim in claims
    }
    found = [filler.link(text, c.page, c.id) for c, text in sentences.items()]
    links = [part for link in found for part in (link, " ")]
    reason = _("cannot be shown: {why}").format(why=statement.cannot)
    state = "shown" if claims else "cannot" if statement.cannot else "open"
    answers = dict(zip(STATES, (links, _("open"), reason), strict=True))
    said = prose(f"{statement.text} `{name}`").children
    return row([said, ", ".join(statement.sources), answers[state]], [state])


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
    "evidence-totals": totals,
    "evidence-checked": checked,
    "evidence-passes": passes,
    "evidence-clone": clone,
    "evidence-coverage": coverage,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-symptoms": symptoms,
    "evidence-schema": schema,
    "evidence-news": news,
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
