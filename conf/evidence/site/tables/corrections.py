"""What we propose to correct in upstream, and what was true formerly: entries to be quoted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.judge.facts import Former, Statement
from evidence.judge.verdict import Verdict
from evidence.records.versions import release
from evidence.site.judging.data import REPORTS
from evidence.site.look.evidence import differing, sent_in
from evidence.site.look.nodes import (
    Filler,
    file_link,
    inline,
    paragraph,
    section,
    table,
    with_literals,
)
from evidence.site.look.panel import line
from evidence.site.look.words import _, builders_words, day, in_brackets, labelled
from evidence.site.tables.chapters import anchors, captions

#: The page of all corrections; those of the chapters stand in a folder of this name.
CORRECTIONS = "evidence/corrections"

#: Where a statement and what was measured part.
FAULTS = {
    "docs": _("The documentation is wrong"),
    "code": _("The code does not do what the documentation says"),
    "older": _("True of an older release only"),
    "slip": _("A slip of the pen"),
}

#: The same in a word, where their numbers stand in a line.
SHORT = {
    "docs": _("docs"),
    "code": _("code"),
    "older": _("older"),
    "slip": _("slips"),
}

#: What comes of following such a statement, the worst first.
HARMS = {
    "results": _("Wrong results or errors"),
    "speed": _("Lost speed"),
    "neither": _("Outdated or imprecise"),
}


def under_captions(
    filler: Filler, entries: Iterable[tuple[str, nodes.Node]]
) -> dict[str, list[nodes.Node]]:
    """Entries under the captions of the landing page, in the order of the pages they belong to."""
    caption_of = captions(filler.env)
    places = {page: place for place, page in enumerate(caption_of)}
    under: dict[str, list[nodes.Node]] = defaultdict(list)
    for page, entry in sorted(entries, key=lambda pair: places.get(pair[0], -1)):
        under[caption_of.get(page, _("Other pages"))].append(entry)
    return under


def page_of(filler: Filler, name: str) -> str:
    """The page where a statement has its entry: its chapter's, if there is one."""
    folder = filler.judged.contradicting[name][0].page.rpartition("/")[0]
    chapter = f"{CORRECTIONS}/{folder}"
    return chapter if chapter in filler.env.titles else CORRECTIONS


def corrections(filler: Filler, folder: str) -> list[nodes.Node]:
    """The statements of upstream that claims of a chapter contradict, each in its context.

    Without a chapter, all are counted; those of a chapter with a page of its own are only named.
    """
    here = f"{CORRECTIONS}/{folder}" if folder else CORRECTIONS
    named, whole = [], []
    for name, claims in filler.judged.contradicting.items():
        page = page_of(filler, name)
        if page == here:
            whole.append((claims[0].page, _correction(filler, name, claims)))
        elif not folder:
            named.append((claims[0].page, _named(filler, name, page)))
    entries = under_captions(filler, whole)
    if folder:
        return [entry for chapter in entries.values() for entry in chapter]
    lists = under_captions(filler, named)
    listed = {title: [nodes.bullet_list("", *of)] for title, of in lists.items()}
    return [_faults(filler), *sections(filler, listed), *sections(filler, entries)]


def sections(
    filler: Filler, under: Mapping[str, Sequence[nodes.Node]]
) -> Iterator[nodes.section]:
    """A section for each caption."""
    ids = anchors(filler.env) | {str(_("Other pages")): "other-pages"}
    for title, below in under.items():
        yield section(title, *below, anchor=ids.get(title, ""))


def faults(filler: Filler) -> Iterator[tuple[str, int]]:
    """How many statements are under each label."""
    upstream = filler.site.upstream
    counts = Counter[str](upstream[name].fault for name in filler.judged.contradicting)
    return ((what, counts[fault]) for fault, what in SHORT.items() if counts[fault])


def _faults(filler: Filler) -> nodes.table:
    """How many statements of each of upstream's pages are under each label."""
    upstream, all_of_them = filler.site.upstream, _("All of them")
    said = [upstream[name] for name in filler.judged.contradicting]
    counts = Counter[tuple[str, str]]((each.page, each.fault) for each in said)
    counts.update((all_of_them, each.fault) for each in said)
    pages = [*sorted({each.page for each in said}), all_of_them]
    rows = [[p, *(str(counts[p, fault] or "–") for fault in FAULTS)] for p in pages]
    header = (_("Documentation"), *FAULTS.values())
    return table(header, rows, "measured-table", "faults")


def _named(filler: Filler, name: str, page: str) -> nodes.list_item:
    """A statement in the list of all: what holds instead, its label, and what comes of it."""
    statement = filler.site.upstream[name]
    link = filler.link("", page, name)
    link += inline(with_literals(statement.title or statement.words))
    about = f" · {_about(statement)}"
    return nodes.list_item("", paragraph(link, about), ids=[name])


def _about(statement: Statement) -> str:
    """Where it and what was measured part, and what comes of following it."""
    fault, harm = FAULTS.get(statement.fault), HARMS[statement.harm]
    return f"{fault} · {harm}" if fault else f"{harm}"


def _correction(filler: Filler, name: str, claims: Sequence[Claim]) -> nodes.section:
    """What a statement says, what was measured, and what to do instead."""
    statement, language = filler.site.upstream[name], filler.config.language
    read = _("{version}, accessed {date}").format(
        date=day(statement.read, language), version=statement.version[:8]
    )
    where = f"{statement.page}: {statement.section}"
    place = nodes.reference("", where, refuri=statement.address)
    source = nodes.reference("", read, refuri=statement.source)
    known = day(statement.known or statement.read, language)
    since = _("known since {date}").format(date=known)
    report = file_link(_("report"), f"{REPORTS}/{name}.md", filler.page)
    patch = file_link(_("patch"), f"{REPORTS}/{statement.patch}", filler.page)
    about = f"{_about(statement)} · {since} · "
    text = f"{statement.says} “{statement.words}”"
    before, between, behind = in_brackets(_("; ").join("\0" * 2)).split("\0")
    return section(
        with_literals(statement.title or statement.words),
        paragraph(about, report, " · ", patch, classes=["about"]),
        _told(
            _("Documented"),
            *with_literals(text),
            before,
            place,
            between,
            source,
            behind,
        ),
        *(part for claim in claims for part in _measured(filler, claim)),
        _told(_("Proposed wording"), *with_literals(statement.suggestion)),
        anchor=name,
    )


def _told(label: str, *content: str | nodes.Node) -> nodes.paragraph:
    named = labelled(label)
    space = " " * named.endswith(" ")
    return paragraph(nodes.strong("", named.rstrip()), space, *content)


def _measured(filler: Filler, claim: Claim) -> Iterator[nodes.Element]:
    """A claim's sentence, its evidence with the builder in sight, and where to read on."""
    records = filler.site.library.records
    yield _told(_("Measured"), filler.domain.sentence(claim))
    yield from line(filler, claim.id)
    made = [records[stem] for stem in claim.stems & records.keys()]
    page = filler.link(filler.env.titles[claim.page].astext(), claim.page, claim.id)
    builders = builders_words(made, filler.config.language)
    about = labelled(_("what to do"))
    yield paragraph(f"{builders} · ", about, page, classes=["about"])


def changes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """What older versions did or their notes said and no longer holds, by chapter.

    What they did is known where a pass with one ran the same script, and a claim does not hold.
    """
    formerly, judgements = filler.site.formerly, filler.judged.by_id
    # A claim that is not there, or cannot be judged, is reported.
    claims = [judgements[name].claim for name in formerly if name in judgements]
    entries = [(c.page, _change(filler, c, formerly[c.id])) for c in claims]
    entries += _differences(filler)
    return [*sections(filler, under_captions(filler, entries))]


def _differences(filler: Filler) -> Iterator[tuple[str, nodes.section]]:
    """What another PyTorch gave instead, of claims whose scope leaves it out."""
    for name, others in filler.judged.elsewhere.others.items():
        differs = [s for s, j in others.items() if j.verdict is not Verdict.HOLDS]
        if differs and name not in filler.site.formerly:
            claim = filler.judged.by_id[name].claim
            newest = max(differs, key=release)
            told = [
                _told(f"PyTorch {s}{sent_in(filler.judged, s)}", differing(others[s]))
                for s in differs
            ]
            entry = section(
                _("Not with PyTorch {series}").format(series=newest),
                *told,
                *_measured(filler, claim),
                anchor=nodes.make_id(f"not-with-{newest}-{claim.id}"),
            )
            yield claim.page, entry


def _change(filler: Filler, claim: Claim, former: Former) -> nodes.section:
    """What notes said, until when, and what was measured."""
    return section(
        _("Until PyTorch {since}").format(since=former.since),
        _told(former.notes, *with_literals(former.said)),
        *_measured(filler, claim),
        anchor=nodes.make_id(f"since-{former.since}-{claim.id}"),
    )
