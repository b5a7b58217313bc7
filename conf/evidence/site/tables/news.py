"""What changed on this site: the claims that came, went, or gave another value or verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from docutils import nodes

from evidence.judge.news import Edition
from evidence.site.domain import EvidenceDomain
from evidence.site.look.nodes import Filler, file_link, paragraph, section
from evidence.site.look.pages import shortened
from evidence.site.look.words import _, day

#: The page of the editions, and the feed of them.
NEWS, FEED = "evidence/news", "news.xml"


def anchor(edition: Edition, claim: str = "") -> str:
    """Where an edition stands on its page, or a claim that changed in it."""
    return f"news-{edition.new[:8]}-{claim}".rstrip("-")


class Entry(NamedTuple):
    """A claim that changed, or with an empty id all that did; lines with the page they are of."""

    claim: str
    title: str
    lines: list[tuple[str, str]]


def entries(domain: EvidenceDomain, edition: Edition) -> Iterator[Entry]:
    """What came and went, by page, then each claim that changed."""
    known, titles = domain.judged.by_id, domain.env.titles
    changed = {name: [*each] for name, each in groupby(edition.changed, itemgetter(0))}
    pages = Counter(known[name].claim.page for name in edition.added if name in known)
    came = [(f"{titles[p].astext()} (+{n})", p) for p, n in sorted(pages.items())]
    went = [(f"{name} (−1)", "") for name in edition.removed]
    kinds = {"added": edition.added, "changed": changed, "removed": edition.removed}
    text = _("Claims: {added} added, {changed} changed, {removed} removed")
    counted = text.format(**{kind: len(names) for kind, names in kinds.items()})
    yield Entry("", counted, came + went)
    for name, each in changed.items():
        said = domain.sentence(known[name].claim) if name in known else name
        yield Entry(name, said, [(_line(*change), "") for change in each])


def _line(_claim: str, what: str, before: str, after: str) -> str:
    text = _("{what}: {before}, now {after}")
    return text.format(what=_(what), before=_(before), after=shortened(_(after)))


def news(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Where the feed is, if there is one, and each edition, the newest first."""
    shown: list[nodes.Node] = []
    if filler.config.html_baseurl:
        shown.append(paragraph(file_link(_("Atom feed"), FEED, filler.page)))
    for edition in filler.domain.site.news:
        made = section(day(edition.day, filler.config.language), anchor=anchor(edition))
        for name, said, lines in entries(filler.domain, edition):
            judged = filler.domain.judged.by_id.get(name)
            title = filler.claim(judged.claim) if judged else said
            links = (filler.link(text, page) if page else text for text, page in lines)
            about = [paragraph(link, classes=["about"]) for link in links]
            ids = [anchor(edition, name)] if name else []
            made += nodes.container("", paragraph(title), *about, ids=ids)
        shown.append(made)
    return shown
