"""The line under a page's lead: how many claims, on which builder, which torch, when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from evidence.judge.verdict import Verdict
from evidence.site.domain import evidence_of
from evidence.site.nodes import paragraph, span
from evidence.site.placeholder import late
from evidence.site.words import _, day

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

    from evidence.judge.verdict import Judgement
    from evidence.site.placeholder import Filler


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room behind the first paragraph of a page that makes claims."""
    page = app.env.current_document.docname
    section = next(iter(doctree.findall(nodes.section)), None)
    lead = next((n for n in section or () if isinstance(n, nodes.paragraph)), None)
    if (
        section is not None
        and lead is not None
        and evidence_of(app.env).page(page).claims
    ):
        section.insert(section.index(lead) + 1, late(byline, page))


def byline(filler: Filler, page: str) -> list[nodes.Node]:
    """The page's claims and verdicts, and the builders and dates of their records."""
    judged = [j for j in filler.domain.judgements if j.claim.page == page]
    records = [judgement.record for judgement in judged if judgement.record is not None]
    versions = (record.builder.torch.partition("+")[0] for record in records)
    days = sorted({record.recorded for record in records})
    parts = [
        _verdicts(judged),
        _named(_("measured on"), (record.builder.gpu for record in records)),
        _named("torch", versions),
        _named("", (day(date, filler.config.language) for date in days)),
    ]
    items = [nodes.inline("", "", *part, classes=["item"]) for part in parts if part]
    return [paragraph(*items, classes=["strip"])] if judged else []


def _verdicts(judged: list[Judgement]) -> list[nodes.Node]:
    count = len(judged)
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in judged)
    claims = _("1 claim") if count == 1 else _("{count} claims").format(count=count)
    verdict = _("all hold") if held == count else _("{held} hold").format(held=held)
    return [nodes.strong("", claims), nodes.Text(f", {verdict}")]


def _named(before: str, values: Iterable[str]) -> list[nodes.Node]:
    different = [value for value in dict.fromkeys(values) if value]
    if not different:
        return []
    shown = different if len(different) < 3 else [different[0], different[-1]]
    joined = (" – " if len(different) > 2 else ", ").join(shown)
    return [span(f"{before} " if before else ""), nodes.strong("", joined)]
