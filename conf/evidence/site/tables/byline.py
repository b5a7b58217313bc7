"""The thin strip under a page's lead: how many claims, on which builder, which torch, when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from evidence.judge.verdict import Verdict, judge
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import day
from evidence.site.nodes import paragraph, span
from evidence.site.reading.claims import judge_all

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

    from evidence.judge.verdict import Judgement
    from evidence.records.model import Record


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Put the strip behind the first paragraph of a page that makes claims."""
    domain, page = evidence_of(app.env), app.env.current_document.docname
    library = domain.library
    judgements, _ = judge_all(
        domain.data["claims"].get(page, []),
        lambda claim: judge(claim, library.records, library.stale),
    )
    section = next(iter(doctree.findall(nodes.section)), None)
    lead = next((n for n in section or () if isinstance(n, nodes.paragraph)), None)
    if not judgements or section is None or lead is None:
        return
    records = [judgement.record for judgement in judgements]
    found = [record for record in records if record is not None]
    strip = _strip(_verdicts(judgements), found)
    section.insert(section.index(lead) + 1, strip)


def _verdicts(judgements: list[Judgement]) -> list[nodes.Node]:
    held = sum(judgement.verdict is Verdict.HOLDS for judgement in judgements)
    verdict = "all hold" if held == len(judgements) else f"{held} hold"
    count = "1 claim" if len(judgements) == 1 else f"{len(judgements)} claims"
    return [nodes.strong("", count), nodes.Text(f", {verdict}")]


def _strip(first: list[nodes.Node], records: list[Record]) -> nodes.paragraph:
    parts: list[list[nodes.Node]] = [
        first,
        _named("measured on ", (record.builder.gpu for record in records)),
        _named(
            "torch ", (record.builder.torch.partition("+")[0] for record in records)
        ),
        _named("", (day(d) for d in sorted({record.recorded for record in records}))),
    ]
    items = [nodes.inline("", "", *part, classes=["item"]) for part in parts if part]
    return paragraph(*items, classes=["strip"])


def _named(before: str, values: Iterable[str]) -> list[nodes.Node]:
    different = [value for value in dict.fromkeys(values) if value]
    if not different:
        return []
    shown = different if len(different) < 3 else [different[0], different[-1]]
    joined = (" – " if len(different) > 2 else ", ").join(shown)
    return [span(before), nodes.strong("", joined)]
