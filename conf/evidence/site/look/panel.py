"""The evidence of a claim in prose: a tick like a citation mark, and what it opens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docutils import nodes

from evidence.judge.claim import Check, Claim
from evidence.judge.verdict import Finding, Judgement, Verdict
from evidence.judge.wording import expected_words
from evidence.records.address import lookup
from evidence.records.model import Timing
from evidence.records.units import format_cell, format_interval
from evidence.site.domain import Site
from evidence.site.look.evidence import MARKS, facts, marked, verdict_span
from evidence.site.look.nodes import (
    Filler,
    details,
    inline,
    paragraph,
    span,
    summary,
)
from evidence.site.look.words import (
    _,
    english,
    in_brackets,
    labelled,
    short_model,
)

#: So many values stand in the line below a block; of more, the first, one fewer.
_MOST = 4


def tick(filler: Filler, claim_id: str) -> list[nodes.Element]:
    """The mark behind a sentence, which opens its evidence."""
    return _tick(filler, claim_id, opened(filler, claim_id))


def tick_of_reference(filler: Filler, claim_id: str) -> list[nodes.Element]:
    """The mark behind words that refer to a claim."""
    return _tick(filler, claim_id, referred(filler, claim_id))


def tick_of_row(filler: Filler, claim_id: str) -> list[nodes.Element]:
    """The mark alone: the evidence of a row opens in the next one."""
    return _tick(filler, claim_id, [])


def _tick(
    filler: Filler, claim_id: str, panel: Sequence[nodes.Element]
) -> list[nodes.Element]:
    judgement = filler.judged.by_id.get(claim_id)
    if judgement is None:  # why it could not be judged is reported
        return []
    scope = scope_words(judgement.claim)
    named = labelled(_("evidence")) + _(judgement.verdict.value)
    about = {"aria-label": _(", ").join(filter(None, (named, scope)))}
    shown = summary("", "", nodes.Text(MARKS[judgement.verdict]), html=about)
    if scope:
        shown += span(f" {scope}", "scope")
    classes = ["ev", nodes.make_id(judgement.verdict.value)]
    return [details("", shown, *panel, classes=classes)]


def opened(filler: Filler, subject: str) -> list[nodes.Element]:
    """The panel of a claim's evidence.

    :param subject: its id, and perhaps the row of a sweep, whose values alone are told
    """
    claim_id, _space, row = subject.partition(" ")
    judgement = filler.judged.by_id.get(claim_id)
    if judgement is None:
        return []
    verdict = verdict_span(judgement.verdict, marked(judgement.verdict))
    told_of = _values(filler, judgement, row)
    values = paragraph(verdict, *told_of, classes=["values"])
    return [nodes.container("", values, *_how(filler, judgement), classes=["panel"])]


def referred(filler: Filler, subject: str) -> list[nodes.Element]:
    """The panel where words refer to a claim: its values, and where it is."""
    claim_id, _space, row = subject.partition(" ")
    judgement = filler.judged.by_id.get(claim_id)
    if judgement is None:
        return []
    told_of = _values(filler, judgement, row, short=True)
    values = paragraph(*told_of, classes=["values"])
    link = filler.link(_("the claim and its evidence"), filler.page, claim_id)
    values += [nodes.Text(" "), link]
    return [nodes.container("", values, classes=["panel", "short"])]


def line(filler: Filler, claim_id: str) -> list[nodes.Element]:
    """The line below a block: the values that it checks; it opens to the rest."""
    judgement = filler.judged.by_id.get(claim_id)
    if judgement is None:
        return []
    mark = verdict_span(judgement.verdict, MARKS[judgement.verdict])
    values = [*_values(filler, judgement, short=True)]
    shown = values if len(values) <= _MOST else values[: _MOST - 1]
    left = len(values) - len(shown)
    more = _("{count} more").format(count=left) if left else _("more")
    said = summary("", "", mark, *shown, nodes.Text(" "), span(more, "more"))
    return [details("", said, *opened(filler, claim_id), classes=["line"])]


def scope_words(claim: Claim) -> str:
    """Where a claim holds, shortly; nothing for any GPU. A version alone is not told here."""
    narrow = (part for part in claim.scope.of_any_torch.conditions if part != "any")
    return _(", ").join(map(_short, narrow))


def _short(condition: str) -> str:
    """A condition as it reads beside a tick: H200 or H100, 2 GPUs."""
    subject, _space, bound = condition.partition(" == ")
    if subject == "gpu":
        return str(_(" or ")).join(short_model(gpu) for gpu in bound.split(" or "))
    if condition.startswith("gpus>="):
        return str(_("{count} GPUs")).format(count=condition.removeprefix("gpus>="))
    return condition


def told(
    judgement: Judgement, site: Site, row: str = ""
) -> Iterator[tuple[Check, str, str]]:
    """Each check, with its value, and with its range and what was expected.

    :param row: of a sweep, as an address; nothing else is told, unless nothing of it is checked
    """
    of_row = [f for f in judgement.findings if str(f.check.value).startswith(f"{row}.")]
    for finding in (row and of_row) or judgement.findings:
        check, cell = finding.check, finding.cell
        if cell is None:
            yield check, _("not measured"), ""
            continue
        value = format_cell(check.value.quantity, cell, say=_)
        if check.total:
            whole = lookup(check.total, site.library.records)
            total = format_cell(check.total.quantity, whole, say=_)
            value = _("{count} of {total}").format(count=value, total=total)
        yield check, value, _("; ").join(_more(finding, check, site))


def _more(finding: Finding, check: Check, site: Site) -> Iterator[str]:
    """The interval of a timing, and an expectation that the value does not repeat."""
    if isinstance(finding.cell, Timing):
        yield format_interval(check.value.quantity, finding.cell)
    is_exact = check.expectation.form in ("==", "true", "false")
    if not is_exact or finding.verdict is not Verdict.HOLDS:
        expected = expected_words(check, site.library.records, _)
        yield _("expected {bound}").format(bound=expected)


def _values(
    filler: Filler, judgement: Judgement, row: str = "", *, short: bool = False
) -> Iterator[nodes.Node]:
    for check, value, more in told(judgement, filler.site, row):
        label = english(f" {check.label} ", filler.config.language)
        content: list[str | nodes.Node] = [label, nodes.strong("", value)]
        if more and not short:
            beside = in_brackets(more)
            content += [" " * beside.startswith(" "), span(beside.strip(), "small")]
        yield span(content, "value")


def _how(filler: Filler, judgement: Judgement) -> Iterator[nodes.Element]:
    """Where else it held, what measured it, and what a reader can do with it."""
    claim, record = judgement.claim, judgement.record
    if record is None:
        return
    for term, content in facts(filler, claim, record):
        if content:
            yield paragraph(labelled(term), *inline(content), classes=["how"])
