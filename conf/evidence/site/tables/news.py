"""What changed on this site: the claims that came, went, or gave another value or verdict.

It stands on a page, and in an Atom feed for readers who follow the site.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from docutils import nodes
from sphinx.application import Sphinx

from evidence.judge.facts import Edition
from evidence.site.diagnostics import inform
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.look.nodes import Filler, file_link, paragraph, section
from evidence.site.look.pages import shortened
from evidence.site.look.words import _, day

#: The page of the editions, and the feed of them.
NEWS, FEED = "evidence/news", "news.xml"
ATOM = "http://www.w3.org/2005/Atom"


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
    came = [(f"{titles[p].astext()} (+{n})", p) for p, n in sorted(pages.items())]
    went = [(f"{name} (−1)", "") for name in edition.removed]
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
    for edition in filler.domain.site.news:
        below = section(
            day(edition.day, filler.config.language), anchor=anchor(edition)
        )
        for name, text, lines in entries(filler.domain, edition):
            judgement = filler.domain.judged.by_id.get(name)
            title = filler.claim(judgement.claim) if judgement else text
            links = (filler.link(line, page) if page else line for line, page in lines)
            about = [paragraph(link, classes=["about"]) for link in links]
            ids = [anchor(edition, name)] if name else []
            below += nodes.container("", paragraph(title), *about, ids=ids)
        content.append(below)
    return content


def feed_address(app: Sphinx) -> str:
    """Where the feed is; empty where nothing changed yet, or the site does not know its address."""
    base = app.config.html_baseurl
    return f"{base}{FEED}" if base and evidence_of(app.env).site.news else ""


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the feed, whose addresses are absolute."""
    if exception is not None or app.builder.format != "html":
        return
    if feed_address(app):
        Path(app.outdir, FEED).write_bytes(atom(app))
    else:
        inform(f"{FEED} is not written: html_baseurl is not set, or nothing changed")


def atom(app: Sphinx) -> bytes:
    """The feed: for each edition how many claims changed, and each that did."""
    domain, config = evidence_of(app.env), app.config
    feed = Element("feed", xmlns=ATOM)
    title, newest = config.project, domain.site.news[0]
    _add(feed, newest, id=config.html_baseurl, title=title, generator=title)
    SubElement(SubElement(feed, "author"), "name").text = config.author
    SubElement(feed, "link", href=feed_address(app), rel="self")
    for edition in domain.site.news:
        for name, title, lines in entries(domain, edition):
            place = f"{config.html_baseurl}{NEWS}.html#{anchor(edition, name)}"
            summary = "\n".join(text for text, _page in lines) or title
            entry = SubElement(feed, "entry")
            _add(entry, edition, id=place, title=title, summary=summary)
            SubElement(entry, "link", href=place)
    indent(feed)
    text: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return text


def _add(element: Element, edition: Edition, **texts: str) -> None:
    """Give the feed, or an entry of it, these texts and the day of its edition."""
    texts["updated"] = f"{edition.day}T00:00:00+00:00"
    for name, text in texts.items():
        SubElement(element, name).text = text
