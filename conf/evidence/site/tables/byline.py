"""The line under a page's lead: how many claims, on which builder, which torch, when."""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx

from evidence.judge.verdict import Judgement
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import verdict_words
from evidence.site.nodes import paragraph, span, strong
from evidence.site.placeholder import Filler, late
from evidence.site.words import _, day


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Make room behind the first paragraph of a page that shows measured values."""
    page = evidence_of(app.env).reading
    section = next(iter(doctree.findall(nodes.section)), None)
    lead = next((n for n in section or () if isinstance(n, nodes.paragraph)), None)
    if section is not None and lead is not None and page.uses and not page.generated:
        section.insert(section.index(lead) + 1, late(byline))


def byline(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The page's claims and verdicts, and the builders and dates of the records it uses."""
    domain, page = filler.domain, filler.page
    claims, known = domain.pages[page].claims, domain.judged
    judged = [known[claim.id] for claim in claims if claim.id in known]
    stems = {address.stem for address in domain.pages[page].uses}
    found = domain.library.records
    records = [found[stem] for stem in sorted(stems & found.keys())]
    versions = (record.builder.torch.partition("+")[0] for record in records)
    days = sorted({record.recorded for record in records})
    parts = [
        _counted(judged, len(records)),
        _named(_("measured on"), (record.builder.gpu for record in records)),
        _named("torch", versions),
        _named("", (day(date, filler.config.language) for date in days)),
    ]
    return [
        paragraph(*(span(part, "item") for part in parts if part), classes=["strip"])
    ]


def _counted(judged: list[Judgement], examples: int) -> list[str | nodes.Node]:
    """How many claims there are and hold; on a page that makes none, how many examples."""
    count = len(judged)
    if not judged:
        return [strong(_("{count} examples").format(count=examples))]
    claims = _("1 claim") if count == 1 else _("{count} claims").format(count=count)
    return [strong(claims), f", {verdict_words(judged)}"]


def _named(before: str, values: Iterable[str]) -> list[str | nodes.Node]:
    different = [value for value in dict.fromkeys(values) if value]
    if not different:
        return []
    shown = different if len(different) < 3 else [different[0], different[-1]]
    joined = (" – " if len(different) > 2 else ", ").join(shown)
    return [span(f"{before} " if before else ""), strong(joined)]
