"""An Atom feed of the claims that changed, for readers who follow the site."""

from __future__ import annotations

from pathlib import Path

from feedgen.feed import FeedGenerator
from sphinx.application import Sphinx

from evidence.site.diagnostics import inform
from evidence.site.domain import evidence_of
from evidence.site.tables.news import FEED, NEWS, anchor, entries


def address(app: Sphinx) -> str:
    """Where the feed is; empty where nothing changed yet, or the site does not know its address."""
    base = app.config.html_baseurl
    return f"{base}{FEED}" if base and evidence_of(app.env).site.news else ""


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the feed, whose addresses are absolute."""
    if exception is not None or app.builder.format != "html":
        return
    if address(app):
        Path(app.outdir, FEED).write_bytes(atom(app))
    else:
        inform(f"{FEED} is not written: html_baseurl is not set, or nothing changed")


def atom(app: Sphinx) -> bytes:
    """The feed: for each edition how many claims changed, and each that did."""
    domain, config = evidence_of(app.env), app.config
    feed = FeedGenerator()
    feed.id(config.html_baseurl)
    feed.title(config.project)
    feed.author(name=config.author)
    feed.generator(config.project)
    feed.link(href=address(app), rel="self")
    feed.updated(f"{domain.site.news[0].day}T00:00:00Z")
    for edition in domain.site.news:
        for name, said, lines in entries(domain, edition):
            place = f"{config.html_baseurl}{NEWS}.html#{anchor(edition, name)}"
            entry = feed.add_entry(order="append")
            entry.id(place)
            entry.link(href=place)
            entry.title(said)
            entry.summary("\n".join(text for text, _page in lines) or said)
            entry.updated(f"{edition.day}T00:00:00Z")
    text: bytes = feed.atom_str(pretty=True)
    return text
