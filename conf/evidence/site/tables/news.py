"""What changed on this site: the claims that came, went, or gave another value or verdict.

It stands on a page, and in an Atom feed (publish/news.xml) for readers who follow the site.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes

from evidence.judge.facts import Edition
from evidence.site.domain import EvidenceDomain
from evidence.site.look.nodes import Filler, file_link, paragraph, section
from evidence.site.look.words import _, day, in_brackets, shortened
from evidence.words import N_

#: The feed of the editions, where the site knows its address.
FEED = "news.xml"
#: What a change is of, beside the addresses of values.
WHAT = N_("verdict")


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
    judgements, titles = domain.judged.by_id, domain.env.titles
    changed: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, *change in edition.changed:
        changed[name].append((_line(*change), ""))
    # A claim that came may be gone since.
    there = [judgements[name] for name in edition.added if name in judgements]
    pages = Counter(judgement.claim.page for judgement in there)
    came = [
        (titles[p].astext() + in_brackets(f"+{n}"), p) for p, n in sorted(pages.items())
    ]
    went = [(name + in_brackets("−1"), "") for name in edition.removed]
    text = _("Claims: {added} added, {changed} changed, {removed} removed")
    added, removed = len(edition.added), len(edition.removed)
    counted = text.format(added=added, changed=len(changed), removed=removed)
    yield Entry("", counted, came + went)
    for name, lines in changed.items():
        judgement = judgements.get(name)
        title = domain.sentence(judgement.claim) if judgement else name
        yield Entry(name, title, lines)


def _line(what: str, before: str, after: str) -> str:
    text = _("{what}: {before}, now {after}")
    return text.format(what=_(what), before=_(before), after=shortened(_(after)))


def news(filler: Filler, _subject: str) -> list[nodes.Node]:
    """Where the feed is, if there is one, and each edition, the newest first."""
    content: list[nodes.Node] = []
    if filler.config.html_baseurl:
        content.append(paragraph(file_link(_("Atom feed"), FEED, filler.page)))
    for edition in filler.site.news:
        when = day(edition.day, filler.config.language)
        below = section(when, anchor=anchor(edition))
        for name, text, lines in entries(filler.domain, edition):
            judgement = filler.judged.by_id.get(name)
            title = filler.claim(judgement.claim) if judgement else text
            links = (filler.link(line, page) if page else line for line, page in lines)
            about = [paragraph(link, classes=["about"]) for link in links]
            ids = [anchor(edition, name)] if name else []
            below += nodes.container("", paragraph(title), *about, ids=ids)
        content.append(below)
    return content


def feed_address(domain: EvidenceDomain) -> str:
    """Where the feed is; empty where nothing changed yet, or the site does not know its address."""
    base = domain.stable
    return f"{base}{FEED}" if base and domain.site.news else ""
