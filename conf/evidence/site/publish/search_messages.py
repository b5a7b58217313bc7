"""The messages of the index: what a pasted error is compared with before its words are.

A reader pastes what stood in a terminal: other numbers, a path before it, advice behind it, all in
one line. So a message is kept as its words, a number as a sign for any number, without its type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evidence.site.domain import EvidenceDomain
from evidence.site.tables.indexes import messages, unexplained

#: A word, dotted names as one, or a number; search.js has the same.
TOKEN = re.compile(r"[^\W\d]+(?:\.[^\W\d]+)*|\d+")
TYPE = re.compile(r"(?:[\w.]*(?:Error|Warning)s?: )+")
#: So many words tell a message from all others.
LONGEST = 30


def tokens(text: str) -> list[str]:
    """The words of a message, in small letters; each number is ``#``."""
    found = TOKEN.findall(text.lower())
    return ["#" if each[0].isdigit() else each for each in found]


def plain(text: str) -> str:
    """A message as its first words, without its type."""
    return " ".join(tokens(TYPE.sub("", text, count=1))[:LONGEST])


def listed(domain: EvidenceDomain, names: Sequence[str]) -> list[list[str | int]]:
    """Each message, and where it is explained: pairs of a page's number and an anchor.

    Where pages have it among their hidden words, these are meant; otherwise those with a claim
    that says it, or that rests on an example that does.
    """
    known, found = [*_hidden(domain)], dict[str, dict[str, str]]()
    for text, pages in _said(domain):
        message = plain(text)
        meant = dict[str, str]()
        for said, page, anchor in known:
            if f" {message} " in said:
                meant.setdefault(page, anchor)
        places = meant or pages
        found[message] = {**places, **found.get(message, {})}
    numbers = {name: number for number, name in enumerate(names)}
    return [
        [text, *(part for page in here for part in (numbers[page], places[page]))]
        for text, places in sorted(found.items())
        if (here := [page for page in places if page in numbers])
    ]


def _hidden(domain: EvidenceDomain) -> Iterator[tuple[str, str, str]]:
    """The hidden words of all pages, with the page and the anchor."""
    for name, page in sorted(domain.pages.items()):
        for anchor, said in page.hidden.items():
            place = "" if anchor == "lead" else anchor
            yield f" {' '.join(tokens(said))} ", name, place


def _said(domain: EvidenceDomain) -> Iterator[tuple[str, dict[str, str]]]:
    """Each message, and by page the first claim that says it or rests on its example."""
    yield from messages(domain).items()
    for text, stems in unexplained(domain).items():
        own = [
            one.claim for stem in stems for one in domain.judged.by_stem.get(stem, ())
        ]
        if own:
            yield text, {claim.page: claim.id for claim in reversed(own)}
