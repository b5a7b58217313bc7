"""Each claim at an address of its own, light enough to be shared, embedded, cited and fetched.

What previews a link asks for it without its fragment, so that a claim needs an address. Its page
leads to the one that explains it, and names that as canonical: it is in no table of contents, in no
search and in no sitemap. It is written with that page, and so by as many processes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.template import FileRenderer

from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.judging.data import as_json
from evidence.site.look.builders import builder_facts
from evidence.site.look.evidence import marked, told, verdict_words
from evidence.site.look.nodes import paragraph
from evidence.site.look.pages import shortened
from evidence.site.look.words import _, day
from evidence.site.publish import cards
from evidence.site.publish.claims_json import SCHEMA

FOLDER = "claims"
CARD = "card.png"
TEMPLATES = FileRenderer([Path(__file__).parent])


def write(app: Sphinx, page: str) -> None:
    """Write the claims of a page, for people, as badges and as data; also as cards once released.

    A preview of a link asks for its picture by the full address, which only a released site knows.
    """
    domain = evidence_of(app.env)
    for entry in domain.published["claims"]:
        if entry["page"] == page:
            claim, name = alone(domain, entry), f"{FOLDER}/{entry['id']}"
            said = {**claim, **words(domain, claim)}
            texts = {k: TEMPLATES.render(f"claim.{k}", said) for k in ("html", "svg")}
            for kind, text in {**texts, "json": as_json(claim)}.items():
                target = Path(app.outdir, f"{name}.{kind}")
                target.parent.mkdir(exist_ok=True)
                target.write_text(f"{text.strip()}\n", "utf-8")
            draw(app, f"{name}.png", said["number"], said["statement"], said["line"])
    if page == app.config.root_doc:
        counted, lead = verdict_words(domain.judgements), domain.pages[page].lead
        draw(app, CARD, counted, lead, domain.builders)


def alone(domain: EvidenceDomain, entry: dict[str, Any]) -> dict[str, Any]:
    """A claim as ``claims.json`` has it, with its schema, its machine and the day of its record."""
    schema, record = f"../{SCHEMA.name}#/$defs/claim", domain.judged[entry["id"]].record
    machine = domain.published["builders"].get(entry["builder"])
    recorded = record.recorded if record else None
    return {"$schema": schema, **entry, "machine": machine, "recorded": recorded}


def words(domain: EvidenceDomain, claim: dict[str, Any]) -> dict[str, Any]:
    """What the templates say of a claim, and with what."""
    judgement = domain.judged[claim["id"]]
    found = [check["measured"] for check in claim["checks"]]
    numbers = [m["text"] for m in found if m and type(m.get("value")) in (int, float)]
    checks, machine = [], [""]
    if record := judgement.record:
        machine = [
            *builder_facts(record.builder),
            day(record.recorded, domain.env.config.language),
        ]
        for each in judgement.findings:
            shown = told(each, judgement.claim, domain.library.records)
            checks.append((each.check.value, paragraph(*shown).astext()))
    return {
        "number": [*numbers, _(claim["verdict"])][0],
        "checks": checks,
        "machine": " · ".join(machine),
        "line": " · ".join([marked(judgement.verdict), machine[0], machine[-1]]),
        "title": domain.env.titles[claim["page"]].astext(),
        "config": domain.env.config,
        "say": _,
        "shortened": shortened,
    }


def draw(app: Sphinx, name: str, *texts: str) -> None:
    """Draw a card, where the site knows its address."""
    outdir = Path(app.outdir)
    if app.config.html_baseurl:
        cards.write(outdir / name, outdir.parent / "cards", app.config.project, *texts)


def card(app: Sphinx, page: str) -> str:
    """The address of a page's card: that of its first claim, or else of the site."""
    base = str(app.config.html_baseurl)
    judged = (each.claim for each in evidence_of(app.env).judgements)
    own = [f"{FOLDER}/{claim.id}.png" for claim in judged if claim.page == page]
    return base and base + [*own, CARD][0]
