"""What was counted, on which machines: of a page, of the site; and its data, with their fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from evidence.judge.claim import VARIATIONS, Claim
from evidence.judge.verdict import Judgement
from evidence.records import wire
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import Judged, evidence_of
from evidence.site.look.evidence import strip, verdict_words
from evidence.site.look.nodes import (
    Filler,
    file_link,
    late,
    lead,
    para,
    paragraph,
    prose,
    section,
    span,
    table,
)
from evidence.site.look.panel import scope_words, tick
from evidence.site.look.words import _, builders_words, day
from evidence.site.tables.corrections import CORRECTIONS, faults, page_of

#: Of the variations, the one that passes on other machines try.
OTHER_GPUS = "other GPUs"
#: Anchors of earlier sites, whose readers kept the links.
FORMER = {"Value": ("record-plain", "record-table")}


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room behind the lead of a page with measured values."""
    page = evidence_of(app.env).reading
    first = lead(doctree)
    if first is not None and page.uses and not page.generated:
        first.parent.insert(first.parent.index(first) + 1, late(byline))


def byline(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The page's claims and verdicts, and the builders and dates of the records it uses."""
    page, records = filler.domain.pages[filler.page], filler.site.library.records
    used = [records[stem] for stem in {use.stem for use in page.uses} & records.keys()]
    counted = _("{count} examples").format(count=len(used))
    judgements = filler.judged.by_page.get(filler.page, ())
    if judgements:
        counted = verdict_words(judgements)
    resting = [judgement.record for judgement in judgements if judgement.record]
    line = strip(counted, builders_words(used, filler.config.language, resting))
    line += [nodes.Text(f"· {text} ") for text in limits(page.claims)]
    if missing := untried(filler, page.claims):
        text = _("not tried: {words}").format(words=", ".join(missing))
        line.append(nodes.Text(f"· {text} "))
    # A link to what the page proposes to correct in upstream's documentation.
    contradicting = filler.judged.contradicting.items()
    names = [n for n, claims in contradicting if any(c in claims for c in page.claims)]
    if names and CORRECTIONS in filler.env.titles:
        text = _("corrections of PyTorch’s docs: {count}").format(count=len(names))
        link = filler.link(text, page_of(filler, names[0]), names[0])
        line += [nodes.Text("· "), link]
    return [line]


def limits(claims: Sequence[Claim]) -> Iterator[str]:
    """How far the claims of a page go."""
    narrow = sum(bool(scope_words(claim)) for claim in claims)
    if narrow == 0 < len(claims):
        yield _("all should hold on any GPU")
    elif 0 < narrow == len(claims):
        yield _("each should hold on what is named at its ✓")
    elif narrow:
        text = _("{count} should hold on any GPU, {narrow} on what is named at their ✓")
        yield text.format(count=len(claims) - narrow, narrow=narrow)


def untried(filler: Filler, claims: Sequence[Claim]) -> list[str]:
    """What nobody tried, in words; a pass on another model tries other GPUs for its claims."""
    missing, judged = not_tried(claims), filler.judged
    judgements = judged.by_page.get(filler.page, ())
    ran = sum(ran_elsewhere(judged, judgement) for judgement in judgements)
    words = [_(word) for word in missing]
    if OTHER_GPUS in missing and ran:
        left, place = len(claims) - ran, missing.index(OTHER_GPUS)
        text = _("other GPUs for {count} of {total} claims")
        told = [text.format(count=left, total=len(claims))] if left else []
        words[place : place + 1] = told
    return words


def ran_elsewhere(judged: Judged, judgement: Judgement) -> bool:
    """Whether a pass tried a claim on another model of GPU than its record's."""
    own = judgement.record and judgement.record.builder.gpu
    outcomes = judged.elsewhere.by_kind(judgement.claim.id)
    return any(gpu != own for gpu, _is_sent_in in outcomes)


def not_tried(claims: Sequence[Claim]) -> list[str]:
    """The variations that no claim of a page tried."""
    tried = {word for claim in claims for word in claim.tried}
    # Where no claim says what it tried, nobody has looked at that yet.
    return [word for word in VARIATIONS if tried and word not in tried]


def totals(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The site in a line: claims, examples, the builder; how it knows, and what it corrects."""
    claims, _space, verdicts = verdict_words(filler.judged.judgements).partition(" ")
    figures = [
        (claims, verdicts),
        (str(len(filler.site.library.examples)), _("scripts you can run")),
    ]
    line = paragraph(classes=["totals"])
    for figure, what in figures:
        line += span([nodes.strong("", figure), f" {what}"], "total")
        line += nodes.Text(" ")
    line += span(filler.site.builders, "total")
    of = ", ".join(f"{what} {count}" for what, count in faults(filler))
    corrected = _("{count} corrections: {of}")
    ways = {
        "how_this_site_knows": _("How this site knows"),
        CORRECTIONS: corrected.format(count=len(filler.judged.contradicting), of=of),
    }
    for page, text in ways.items():
        if page in filler.env.titles:
            line += [nodes.Text(" "), span([filler.link(text, page)], "total")]
    return [line]


def quote(filler: Filler, claim_id: str) -> list[nodes.Node]:
    """A claim as its page makes it, with its evidence open."""
    if claim_id not in filler.judged.by_id:
        message = f"no claim is called {claim_id!r}, or it could not be judged"
        warn(Kind.COUNT, message, filler.page)
        return []
    claim = filler.judged.by_id[claim_id].claim
    sentence = filler.link(filler.domain.sentence(claim), claim.page, claim.id)
    marks = tick(filler, claim_id)
    for mark in marks:
        mark["open"] = True
    return [para("", "", sentence, *marks, classes=["para", "quoted"])]


def checked(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The values that the pages show, by what protects them."""
    claims, pages = filler.domain.claims, filler.domain.pages.values()
    checked_values = {address for claim in claims for address in claim.addresses}
    in_sentences = checked_elsewhere = linked = given = 0
    for value in (value for page in pages for value in page.shown):
        if not filler.site.library.is_found(value.address):
            given += 1
        elif value.claim:
            in_sentences += 1
        elif value.address in checked_values:
            checked_elsewhere += 1
        else:
            linked += 1
    outcomes = filler.judged.elsewhere.outcomes.values()
    ours = sum(any(outcome.keeper for outcome in of) for of in outcomes)
    counts = {
        _("claims"): len(claims),
        _("checks in these claims"): sum(len(claim.checks) for claim in claims),
        _("values in claim sentences, all checked"): in_sentences,
        _("values in other text, checked by a claim elsewhere"): checked_elsewhere,
        _("values in tables that only link to a claim"): linked,
        _("constants and row keys, which are not measured"): given,
        _("claims that another machine of ours has also measured"): ours,
        _("claims that only others measured as well, as sent in"): len(outcomes) - ours,
    }
    rows = ((what, f"{count:,}") for what, count in counts.items())
    return [table((_("On this site"), _("Number")), rows, "measured-table")]


def passes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The passes that came in, the newest first: which machine, and what its sender saw hold."""
    rows = []
    for machine, keeper, run in filler.judged.elsewhere.runs:
        made = run.builder
        gpus = f"{made.gpus} × {made.gpu}" if made.gpus else made.cpu
        when = day(run.day, filler.config.language)
        own = (machine, gpus, made.driver, made.torch)
        who = _("our builder") if keeper else _("sent in")
        rows.append((run.day, *own, when, f"{run.held}/{run.of}", who))
    newest = (cells for _day, *cells in sorted(rows, reverse=True))
    header = (_("Machine"), _("GPUs"), _("Driver"), "torch", _("Day"), _("Claims held"))
    return [table((*header, _("From")), newest)]


def signed(filler: Filler, _subject: str) -> list[nodes.Node]:
    """How many records and passes the keepers of builders answer for."""
    known, examples = filler.site.signed, filler.site.library.examples.values()
    if not known.is_checked:
        text = _("This build had no ssh-keygen, and did not check the signatures.")
        return [paragraph(text)]
    records = [known.keeper(each.record_path) for each in examples if each.record]
    of_passes = [keeper for _machine, keeper, _run in filler.judged.elsewhere.runs]
    text = _("Signed by our builder: {records} records, {passes} passes.")
    of = _("{count:,} of {total:,}").format
    counts = [
        of(count=len([*filter(None, each)]), total=len(each))
        for each in (records, of_passes)
    ]
    return [paragraph(text.format(records=counts[0], passes=counts[1]))]


def clone(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The commands before ``nox -s verify``; none where the repository has no address."""
    folder = filler.repository.rpartition("/")[2]
    text = f"git clone {filler.repository}\ncd {folder}\npython -m pip install nox"
    block = nodes.literal_block(text, text, language="sh")
    return [block] if filler.repository else []


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
