"""The ledger: every claim in a table, and the chapters in numbers."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby
from textwrap import shorten

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.judge.passes import Outcome, held_of
from evidence.judge.verdict import Finding, Judgement
from evidence.judge.wording import expected_words
from evidence.records.model import Timing
from evidence.records.units import format_cell, format_interval
from evidence.site.look.evidence import (
    MARKS,
    Content,
    strip,
    verdict_span,
    verdict_words,
)
from evidence.site.look.nodes import (
    Filler,
    Inline,
    file_link,
    inline,
    paragraph,
    row,
    span,
    table,
)
from evidence.site.look.panel import scope_words
from evidence.site.look.words import _, english, in_brackets, short_model
from evidence.site.tables.chapters import by_chapter, captions, folder_of
from evidence.words import N_

#: An error may have a message of ten lines.
MEASURED = 60
#: What is said of a margin.
BOUNDS = {"tight": N_("tight bound"), "weak": N_("weak bound")}


def ledger(filler: Filler, folder: str) -> list[nodes.Node]:
    """Every claim of a folder, or of all, by chapter and page: expected, measured, verdict, margin.

    Chapter, scope and builder stand in the rows as text: ledger.js filters by what is read.
    """
    caption_of = captions(filler.env)
    places = {page: place for place, page in enumerate(caption_of)}
    judgements = [
        j for j in filler.judged.judgements if folder in ("", folder_of(j.claim.page))
    ]
    judgements.sort(key=lambda judgement: places.get(judgement.claim.page, -1))
    usual, kinds = _usual(filler), filler.judged.elsewhere.kinds
    measured: Content = [_("Measured")]
    measured += [" ", span(short_model(usual), "builder")] if usual else []
    own = (_("Claim"), _("Expected"), measured, _("Verdict"), _("Margin"))
    names = [short_model(gpu) + _(", sent in") * sent_in for gpu, sent_in in kinds]
    listed = table((*own, *names), [], "filtered", "ledger")
    listed["style"] = _models(names, len(own) + 1)
    columns = len(own) + len(kinds)
    # A body for each page: a browser lays out those in sight.
    bodies: list[nodes.Node] = []
    above = ""
    for page, judged in groupby(judgements, lambda judgement: judgement.claim.page):
        caption = caption_of.get(page, "")
        if caption != above:
            bodies.append(nodes.tbody("", _heading(caption, columns, "chapter")))
        above = caption
        link = filler.link(filler.env.titles[page].astext(), page)
        rows = [row(_cells(filler, one, usual), bare=True) for one in judged]
        bodies.append(nodes.tbody("", _heading(link, columns, "group"), *rows))
    next(listed.findall(nodes.tbody)).replace_self(bodies)
    return [_strip(filler, judgements), listed]


def _models(names: Sequence[str], first: int) -> str:
    """On a phone, where no header is in sight, ledger.css names the model in each cell."""
    on = [_(" on {gpu}").format(gpu=gpu) for gpu in names]
    return "; ".join(f"--on-{place}: '{gpu}'" for place, gpu in enumerate(on, first))


def ledgers(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The chapters, with what became of their claims, and all of them in numbers."""
    of_folder = defaultdict[str, list[Judgement]](list)
    for judgement in filler.judged.judgements:
        of_folder[folder_of(judgement.claim.page)].append(judgement)
    counts = {}
    for folder, judgements in of_folder.items():
        disputed = sum(bool(judgement.claim.contradicts) for judgement in judgements)
        counts[folder] = [verdict_words(judgements), str(disputed or "")]
    header = (_("Chapter"), _("Claims"), _("Contradict the notes"))
    listed = table(header, by_chapter(filler, counts), "filtered", "chapters")
    return [_strip(filler, filler.judged.judgements), listed]


def _strip(filler: Filler, judgements: Sequence[Judgement]) -> nodes.paragraph:
    data = file_link("claims.json", "claims.json", filler.page)
    return strip(verdict_words(judgements), filler.site.builders, data)


def _heading(content: str | nodes.Node, columns: int, kind: str) -> nodes.row:
    entry = nodes.entry("", paragraph(content), morecols=columns - 1)
    return nodes.row("", entry, classes=[kind])


def _cells(filler: Filler, judgement: Judgement, usual: str) -> list[Inline]:
    claim, elsewhere = judgement.claim, filler.judged.elsewhere
    records = filler.site.library.records
    # What several checks say alike is said once, with their number.
    pairs = Counter(
        (expected_words(finding.check, records, _), _found(finding))
        for finding in judgement.findings
        if finding.cell
    )
    expected, measured = [], []
    for (words, value), count in pairs.items():
        times = in_brackets(f"{count} ×" * (count > 1))
        expected.append(words + times)
        measured.append(value + times)
    verdict = f"{MARKS[judgement.verdict]} {_(judgement.verdict.value)}"
    bound = in_brackets(_(BOUNDS[judgement.margin])) if judgement.margin else ""
    outcomes = elsewhere.by_kind(claim.id)
    return [
        _claim(filler, claim),
        [*_lines(expected), " ", *_where(judgement, usual)],
        _lines(measured),
        [verdict_span(judgement.verdict, verdict), bound],
        _margin(judgement.factor),
        *(_held(outcomes.get(kind, ())) for kind in elsewhere.kinds),
    ]


def _claim(filler: Filler, claim: Claim) -> Content:
    """A link to a claim by its name; the Markdown twin, which the filter reads, has the sentence.

    The sentences of four hundred claims would be two thirds of their page's weight.
    """
    link = filler.link("", claim.page, claim.id)
    link += inline(english(claim.id.replace("-", " "), filler.config.language))
    link += nodes.raw("", filler.domain.sentence(claim), format="markdown")
    note = span(_("contradicts the notes"), "contradicts")
    return [link, " ", note] if claim.contradicts else [link]


def _found(finding: Finding) -> str:
    """What was measured for a check, with its interval; how often, the claim's page says."""
    name, cell = finding.check.value.quantity, finding.cell
    assert cell is not None
    interval = format_interval(name, cell) if isinstance(cell, Timing) else ""
    text = format_cell(name, cell, say=_) + in_brackets(interval)
    return text if len(text) <= MEASURED else shorten(text, MEASURED, placeholder=" …")


def _usual(filler: Filler) -> str:
    """The GPU of most records, which stands in the head alone; empty where all have the same."""
    gpus = Counter(r.builder.gpu for r in filler.site.library.records.values())
    return max(sorted(gpus), key=gpus.__getitem__) if len(gpus) > 1 else ""


def _where(judgement: Judgement, usual: str) -> list[nodes.inline]:
    """The scope of a claim, and its builder where that is not the usual one."""
    scope, record = scope_words(judgement.claim), judgement.record
    where = [span(scope, "scope")] if scope else []
    if record and usual and record.builder.gpu != usual:
        where.append(span(short_model(record.builder.gpu), "builder"))
    return where


def _margin(factor: float) -> str:
    """How far the nearest bound stands off; nothing where a claim has none."""
    if factor >= 10:
        return "" if math.isinf(factor) else "> 10×"
    return f"{factor:.2f}×" if factor < 2 else f"{factor:.1f}×"


def _held(outcomes: Sequence[Outcome]) -> str:
    """In how many passes a claim held, of how many; empty where there is none."""
    if not outcomes:
        return ""
    held, passes = held_of(outcomes)
    return f"{held}/{passes}"


def _lines(texts: Sequence[str]) -> Content:
    """A line for each check; where lines are lost, as in Markdown, a space stands between."""
    if len(texts) == 1:
        return [*texts]
    return [part for text in texts for part in (span(text, "check"), nodes.Text(" "))]
