"""What upstream's documentation gets wrong, today and formerly: entries that can be quoted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.site.domain import Formerly
from evidence.site.judging.data import REPORTS
from evidence.site.look.builders import builders_words
from evidence.site.look.evidence import evidence
from evidence.site.look.nodes import (
    Filler,
    file_link,
    inline,
    paragraph,
    section,
    table,
    with_literals,
)
from evidence.site.look.pages import chapters
from evidence.site.look.words import _, day

#: The page of what is wrong today; those of the chapters stand in a folder of this name.
CORRECTIONS = "evidence/corrections"

#: What comes of following a wrong statement, the worst first.
HARMS = {
    "results": _("Wrong results or errors"),
    "speed": _("Lost speed"),
    "neither": _("Only misleading"),
}


def under_captions(
    filler: Filler, entries: Iterable[tuple[str, nodes.Node]]
) -> Iterator[tuple[str, list[nodes.Node]]]:
    """Entries under the captions of the landing page, in the order of the pages they belong to."""
    known = {page: each for each, pages in chapters(filler.env) for page in pages}
    order, others = [*known], str(_("Other pages"))
    found = sorted(entries, key=lambda e: order.index(e[0]) if e[0] in known else -1)
    grouped = groupby(found, key=lambda entry: known.get(entry[0], others))
    return ((title, [*map(itemgetter(1), each)]) for title, each in grouped)


def page_of(filler: Filler, name: str) -> str:
    """The page where a wrong statement has its entry: its chapter's, if there is one."""
    folder = filler.domain.judged.contradicting[name][0].page.rpartition("/")[0]
    chapter = f"{CORRECTIONS}/{folder}"
    return chapter if chapter in filler.env.titles else CORRECTIONS


def corrections(filler: Filler, folder: str) -> list[nodes.Node]:
    """The statements of upstream that claims of a chapter contradict, each in its context.

    Without a chapter, all are counted; those of a chapter with a page of its own are only named.
    """
    if folder:
        whole = _entries(filler, f"{CORRECTIONS}/{folder}")
        return [entry for _, each in whole for entry in each]
    found = filler.domain.judged.contradicting
    said = [filler.domain.site.upstream[name] for name in found]
    counted = Counter[tuple[str, str]]((each.page, each.harm) for each in said)
    counted.update((_("All of them"), each.harm) for each in said)
    pages = [*sorted({each.page for each in said}), _("All of them")]
    rows = [[p, *(str(counted[p, harm] or "–") for harm in HARMS)] for p in pages]
    header = (_("Documentation"), *HARMS.values())
    elsewhere = [n for n in found if page_of(filler, n) != CORRECTIONS]
    named = ((found[n][0].page, _named(filler, n)) for n in elsewhere)
    return [
        table(header, rows, "measured-table", "harms"),
        *(
            section(title, nodes.bullet_list("", *each))
            for title, each in under_captions(filler, named)
        ),
        *(section(title, *each) for title, each in _entries(filler, CORRECTIONS)),
    ]


def _entries(filler: Filler, page: str) -> Iterator[tuple[str, list[nodes.Node]]]:
    """The entries of a page, by chapter."""
    found = filler.domain.judged.contradicting
    here = [name for name in found if page_of(filler, name) == page]
    made = ((found[n][0].page, _correction(filler, n, found[n])) for n in here)
    return under_captions(filler, made)


def _named(filler: Filler, name: str) -> nodes.list_item:
    """A statement in the list of all: what holds instead, and what comes of following it."""
    said = filler.domain.site.upstream[name]
    link = filler.link("", page_of(filler, name), name)
    link += inline(with_literals(said.title or said.words))
    return nodes.list_item("", paragraph(link, f" · {HARMS[said.harm]}"), ids=[name])


def _correction(filler: Filler, name: str, claims: Sequence[Claim]) -> nodes.section:
    """What a statement says, what was measured, and what to do instead."""
    said, language = filler.domain.site.upstream[name], filler.config.language
    read = _("{version}, accessed {date}").format(
        date=day(said.read, language), version=said.version[:8]
    )
    place = nodes.reference("", f"{said.page}: {said.section}", refuri=said.address)
    source = nodes.reference("", read, refuri=said.source)
    since = _("known since {date}").format(date=day(said.known or said.read, language))
    report = file_link(_("report"), f"{REPORTS}/{name}.md", filler.page)
    text = f"{said.says} “{said.words}”"
    return section(
        with_literals(said.title or said.words),
        paragraph(f"{HARMS[said.harm]} · {since} · ", report, classes=["about"]),
        _told(_("Documented"), *with_literals(text), " (", place, "; ", source, ")"),
        *(part for claim in claims for part in _measured(filler, claim)),
        _told(_("Better wording"), *with_literals(said.suggestion)),
        anchor=name,
    )


def _told(label: str, *content: str | nodes.Node) -> nodes.paragraph:
    return paragraph(nodes.strong("", f"{label}:"), " ", *content)


def _measured(filler: Filler, claim: Claim) -> Iterator[nodes.Element]:
    """A claim's sentence, its evidence with the builder in sight, and where to read on."""
    records = filler.domain.site.library.records
    yield _told(_("Measured"), filler.domain.sentence(claim))
    yield from evidence(filler, claim.id)
    made = [records[stem] for stem in sorted(claim.stems & records.keys())]
    page = filler.link(filler.env.titles[claim.page].astext(), claim.page, claim.id)
    builders = builders_words(made, filler.config.language)
    yield paragraph(f"{builders} · ", _("what to do:"), " ", page, classes=["about"])


def changes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What notes of older versions said and no longer holds, by chapter."""
    notes = filler.domain.formerly
    entries = under_captions(
        filler, ((note.page, _change(filler, note)) for note in notes)
    )
    return [section(title, *each) for title, each in entries]


def _change(filler: Filler, note: Formerly) -> nodes.section:
    """What notes said, until when, and what was measured."""
    claims = (claim for claim in filler.domain.claims if claim.id == note.claim)
    return section(
        _("Until PyTorch {since}").format(since=note.since),
        _told(note.versions, filler.domain.sentence(note)),
        *(part for claim in claims for part in _measured(filler, claim)),
        anchor=nodes.make_id(f"since-{note.since}-{note.claim}"),
    )
