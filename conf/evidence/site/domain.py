"""What a build knows: what the site is made from, what its pages say, and what was judged.

A :class:`Site` is made before pages are read, and :class:`Judged` after; both are frozen. What a
:class:`Page` says is noted while it is read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment

from evidence.examples.library import Example, Library
from evidence.judge.choices import WordingError
from evidence.judge.claim import Claim
from evidence.judge.facts import Edition, Former, Sources, Statement
from evidence.judge.passes import Elsewhere
from evidence.judge.verdict import Judgement
from evidence.judge.wording import addresses, wording
from evidence.records.address import Address, AddressError
from evidence.records.signed import NOTHING, Signed
from evidence.site.diagnostics import Fault, Kind
from evidence.site.parts import Passage, Said, Shown

#: The role of a measured value in a title.
_MEASURED = re.compile(r"\{measured\}`([^`]+)`")


@dataclass(frozen=True)
class Site:
    """What the site is made from.

    ``upstream`` is what upstream says, by id, and ``formerly`` what it said, by the claim that
    refutes or limits it; ``news`` is what changed here, the newest first; ``version`` the torch
    that the site documents, as in its address (2.11), and ``versions`` all that have a site;
    ``redirects`` the old names of pages, and those of what took their place; ``builders`` what
    measured the records, in words; ``gallery`` the folder of the examples' pages, and ``rendered``
    holds the examples whose page this build wrote, by page; ``signed`` what the keepers of builders
    answer for; ``searched`` what is searched for in a translation.
    """

    library: Library
    upstream: Mapping[str, Statement]
    sources: Sources
    gallery: str
    formerly: Mapping[str, Former] = field(default_factory=dict)
    builders: str = ""
    version: str = ""
    versions: Sequence[str] = ()
    news: Sequence[Edition] = ()
    redirects: Mapping[str, str] = field(default_factory=dict)
    rendered: Mapping[Path, Example] = field(default_factory=dict)
    signed: Signed = NOTHING
    searched: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def _grouped(
    judgements: Iterable[Judgement], key: Callable[[Judgement], str]
) -> Mapping[str, Sequence[Judgement]]:
    groups = defaultdict(list)
    for judgement in judgements:
        groups[key(judgement)].append(judgement)
    return dict(groups)


@dataclass(frozen=True)
class Judged:
    """Every claim with its judgement, by page and line, and what passes on other machines say.

    ``contradicting`` holds the claims that contradict a statement of upstream, ``about`` those
    about one that the site sets out to show: by the statement's id, in the order of its file.
    """

    judgements: Sequence[Judgement] = ()
    elsewhere: Elsewhere = field(default_factory=Elsewhere)
    contradicting: Mapping[str, Sequence[Claim]] = field(default_factory=dict)
    about: Mapping[str, Sequence[Claim]] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> Mapping[str, Judgement]:
        """The judgement of a claim."""
        return {judgement.claim.id: judgement for judgement in self.judgements}

    @cached_property
    def by_stem(self) -> Mapping[str, Sequence[Judgement]]:
        """The judgements about an example; none for one that no claim is about."""
        return _grouped(self.judgements, attrgetter("claim.stem"))

    @cached_property
    def by_page(self) -> Mapping[str, Sequence[Judgement]]:
        """The judgements of the claims of a page; none for one without claims."""
        return _grouped(self.judgements, attrgetter("claim.page"))


@dataclass
class Page:
    """What one page says.

    ``in_text`` are the ids of the claims in its source, ``sentences`` the claims as they are shown,
    by id, and ``stand_ins`` what else it shows for one, with the claim: the text of a reference,
    and of a span whose claim has a title; ``targets`` are what its links lead to; ``faults`` are
    reported after reading; ``generated`` tells whether it shows what other pages say; ``opening``
    is complete code that it shows first; ``leads`` are the sentences of its lead, ``passages`` what
    the search finds, ``texts`` those of the passages by their anchor, ``untried`` the paragraphs
    that say what was not tried, each with its anchor and heading, ``hidden`` what else is searched
    for; ``title`` is the English one; ``progress`` counts its texts, and the translated ones.
    """

    claims: list[Claim] = field(default_factory=list)
    in_text: set[str] = field(default_factory=set)
    sentences: dict[str, str] = field(default_factory=dict)
    stand_ins: list[tuple[str, str]] = field(default_factory=list)
    uses: set[Address] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    shown: list[Shown] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    untried: list[tuple[str, str, str]] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    lead: str = ""
    leads: list[Said] = field(default_factory=list)
    opening: str = ""
    generated: bool = False
    title: str = ""
    progress: tuple[int, int] = (0, 0)


class EvidenceDomain(Domain):
    """The pages' claims and used values, and what else this build knows.

    Only ``data`` is kept between builds; what the site is made from is read anew for each, and
    every claim judged anew at the end of reading. There is no ``site`` before ``builder-inited``,
    and nothing ``judged`` before ``env-updated``.
    """

    name = "evidence"
    label = "Evidence"
    data_version = 22
    #: Pages by name, scripts by path; what passes say, behind what that was asked for.
    initial_data: ClassVar[dict[str, Any]] = {
        "pages": {},
        "scripts": {},
        "elsewhere": ([], {}, Elsewhere()),
        "unshown": {},
    }

    site: Site
    judged: Judged

    def open(self, site: Site) -> None:
        """Say what this build makes the site from."""
        self.site = site

    def close(self, judged: Judged) -> None:
        """Say what became of the claims, once all pages are read."""
        self.judged = judged

    @property
    def stable(self) -> str:
        """Where search engines and feeds find the site: that of a version where the newest is."""
        config, base = self.env.config, str(self.env.config.html_baseurl)
        folder = config.evidence_editions.get(config.language, ("", ""))[1]
        before, own, behind = base.rpartition(f"/{self.site.version}/{folder}")
        return f"{before}/stable/{folder}" if own and not behind else base

    @property
    def pages(self) -> dict[str, Page]:
        """What each page says."""
        pages: dict[str, Page] = self.data["pages"]
        return pages

    def page(self, name: str) -> Page:
        """What one page says, to be added to while it is read."""
        return self.pages.setdefault(name, Page())

    @property
    def reading(self) -> Page:
        """What the page says that is being read."""
        return self.page(self.env.docname)

    @property
    def claims(self) -> list[Claim]:
        """Every claim of the site, by page and line."""
        return [
            claim for _, page in sorted(self.pages.items()) for claim in page.claims
        ]

    def sentence(self, claim: Claim) -> str:
        """A claim as it is shown, as plain text: a title may hold roles, which are printed here."""
        said = self.pages[claim.page].sentences.get(claim.id, claim.id)
        return _MEASURED.sub(lambda role: self._printed(claim, role), said)

    def _printed(self, claim: Claim, role: re.Match[str]) -> str:
        """What a role prints; without a value, as it is written."""
        records, text = self.site.library.records, role.string
        around = text[: role.start()], text[role.end() :]
        try:
            values = addresses(role[1], claim.of)
            return wording(role[1], values, records, str, *around, checks=claim.checks)
        except (AddressError, WordingError):
            return role[0]

    def note_fault(self, kind: Kind, message: str, line: int) -> None:
        """Remember a fault of the page that is being read."""
        fault = Fault(kind, message, (self.env.docname, line))
        self.reading.faults.append(fault)

    def note_uses(self, addresses: Iterable[Address]) -> None:
        """Remember that the page that is being read uses measured values."""
        for address in addresses:
            self.reading.uses.add(address)
            self.note_example(address.stem)

    def note_example(self, stem: str) -> None:
        """Have the page that is being read again when the code of an example changes."""
        examples = self.site.library.examples
        if stem in examples:
            self.env.note_dependency(str(examples[stem].path))

    def resolve_any_xref(self, *_: Any) -> list[tuple[str, Any]]:
        """Nothing is looked up by name here: claims and records are ordinary labels."""
        return []

    def clear_doc(self, docname: str) -> None:
        """Forget what a page said, before it is read again."""
        self.pages.pop(docname, None)

    def merge_domaindata(
        self, docnames: AbstractSet[str], otherdata: dict[str, Any]
    ) -> None:
        """Take over what another process read."""
        read: dict[str, Page] = otherdata["pages"]
        self.pages.update({name: read[name] for name in docnames & read.keys()})


def evidence_of(env: BuildEnvironment) -> EvidenceDomain:
    """The evidence domain of a build."""
    domain = env.get_domain(EvidenceDomain.name)
    assert isinstance(domain, EvidenceDomain)
    return domain
