"""Sentences that say what no check of their claim shows, and leads that no claim shows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from evidence.judge import english
from evidence.judge.claim import Claim
from evidence.judge.direction import unshown
from evidence.judge.english import stems
from evidence.judge.shown import are_exchanged, misnamed, name_of
from evidence.judge.verdict import Verdict
from evidence.records.address import Address
from evidence.records.model import Plain
from evidence.records.units import COUNT, THIN_SPACE, format_cell, unit_of
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain
from evidence.site.reading import quantities

#: How many stems a sentence of a lead shares with a claim that it links to.
SHARED = 2

#: What to do about a sentence that no check shows.
REMEDY = "mend the sentence, or say it in the label of the check that shows it"


def of_directions(domain: EvidenceDomain) -> Iterator[Fault]:
    """Sentences that say what no check of their claim shows."""
    for claim, sentence in _said(domain):
        for what in _unshown(domain, claim, sentence):
            yield _of_sentence(claim, what)


def of_stand_ins(domain: EvidenceDomain) -> Iterator[Fault]:
    """What stands for a sentence, and says all or none where that does not, or more than it."""
    for _, page in sorted(domain.pages.items()):
        for name, text in page.stand_ins:
            if name not in domain.judged.by_id:
                continue
            claim = domain.judged.by_id[name].claim
            keys = (part for one in claim.addresses for part in _row(one).values())
            if text in keys:
                continue  # the name of a setting, such as "none"
            whole = english.SWEEPING.findall(page.sentences.get(name, "").lower())
            more = [w for w in english.SWEEPING.findall(text.lower()) if w not in whole]
            wider = (f"says {word!r}, which its sentence does not" for word in more[:1])
            for what in (*wider, *_unshown(domain, claim, text, is_part=True)):
                yield _of_sentence(claim, f"in {text!r} {what}")


def _unshown(
    domain: EvidenceDomain, claim: Claim, text: str, *, is_part: bool = False
) -> tuple[str, ...]:
    """What a text says and no check shows; a build that goes on asks it of what changed alone."""
    answers: dict[object, tuple[str, ...]] = domain.data["unshown"]
    case = claim, text, is_part
    if case not in answers:
        answers[case] = tuple(unshown(claim, text, is_part=is_part))
    return answers[case]


def _of_sentence(claim: Claim, what: str, remedy: str = REMEDY) -> Fault:
    place = claim.page, claim.line
    return Fault(Kind.UNCHECKED, f"claim {claim.id!r} {what}: {remedy}", place)


def of_labels(domain: EvidenceDomain) -> Iterator[Fault]:
    """Titles and labels that say a number, and labels that say the opposite of their value."""
    for claim in domain.claims:
        sizes = {size for address in claim.addresses for size in _sizes(address)}
        names = re.compile("|".join(rf"(?<![\d.,]){re.escape(s)}\b" for s in sizes))
        texts = (claim.title, *map(name_of, claim.checks))
        bare = (names.sub("", text) if sizes else text for text in texts)
        typed = zip(map(quantities.first, bare), texts, strict=True)
        wrong = [
            f"says {it!r} in {text!r}, checked by nothing" for it, text in typed if it
        ]
        for check in claim.checks:
            if word := misnamed(check):
                wrong.append(f"has the label {word!r} for {check.value.name!r}")
        for what in wrong:
            yield _of_sentence(claim, what, "mend the text")


def _row(address: Address) -> dict[str, str]:
    """What names the row of a sweep that an address is of."""
    parts = address.row.partition("[")[2].rstrip("]").split(", ")
    return {name: value for name, _, value in (part.partition("=") for part in parts)}


def _sizes(address: Address) -> Iterator[str]:
    """The quantities that name a row, as a reader sees them: 4 MiB."""
    for name, value in _row(address).items():
        if value.isdigit() and unit_of(name) is not COUNT:
            yield format_cell(name, Plain(int(value))).replace(THIN_SPACE, " ")


def of_exchanges(domain: EvidenceDomain) -> Iterator[Fault]:
    """Sentences of neighbors, or of the arms of a hazard, that have changed places."""
    said = list(_said(domain))
    by_id = {claim.id: (claim, sentence) for claim, sentence in said}
    arms = [(one, by_id[one[0].control]) for one in said if one[0].control in by_id]
    near = [pair for pair in pairwise(said) if pair[0][0].page == pair[1][0].page]
    for one, other in {(a[0].id, b[0].id): (a, b) for a, b in [*near, *arms]}.values():
        if are_exchanged(*one, *other):
            claim = other[0]
            message = (
                f"the sentences of {one[0].id!r} and {claim.id!r} fit each other's checks "
                f"better than their own: exchange them, or write labels that tell them apart"
            )
            yield Fault(Kind.UNCHECKED, message, (claim.page, claim.line))


def _said(domain: EvidenceDomain) -> Iterator[tuple[Claim, str]]:
    """Each claim that was measured, with its sentence as a reader sees it."""
    for _, page in sorted(domain.pages.items()):
        for claim in page.claims:
            judgement = domain.judged.by_id.get(claim.id)
            is_measured = judgement and judgement.verdict is not Verdict.MISSING
            if is_measured and claim.id in page.sentences:
                yield claim, page.sentences[claim.id]


def of_leads(domain: EvidenceDomain) -> Iterator[Fault]:
    """Sentences of a lead that are no claim, link to none and define no word."""
    sentences = defaultdict[str, str](str)
    for page in domain.pages.values():
        for claim, sentence in page.sentences.items():
            sentences[claim] = f"{claim} {sentence}"
    for name, title in domain.env.titles.items():
        sentences[name] = f"{title.astext()} {domain.pages[name].lead}"
    for name, page in sorted(domain.pages.items()):
        for said in page.leads if page.claims else ():
            told = stems(said.text)
            about = [sentences[target] for target in said.targets]
            is_told = any(len(told & stems(text)) >= SHARED for text in about)
            if not (said.is_shown or is_told):
                start = " ".join(said.text.split()[:6])
                message = (
                    f"the lead says {start!r} …, and no claim shows it: link to one that shares "
                    f"{SHARED} words with it"
                )
                yield Fault(Kind.UNCHECKED, message, (name, said.line))


def of_sentences(domain: EvidenceDomain) -> Iterator[Fault]:
    """What is wrong with sentences; the words are English ones, and a translation has others."""
    if domain.env.config.language == "en":
        for check in (of_directions, of_stand_ins, of_labels, of_exchanges, of_leads):
            yield from check(domain)
