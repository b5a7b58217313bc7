"""What the pages say: claims and references, noted for each page while it is read."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, ClassVar

from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment

from evidence.judge.claim import Claim
from evidence.records.address import Address
from evidence.site.diagnostics import Fault, Kind
from evidence.site.state import Judged, Site


@dataclass(frozen=True)
class Shown:
    """A measured value as a page shows it: in which claim's sentence, in a table or in neither.

    ``links`` are the targets of the links beside it, in its paragraph or row; ``row`` is the
    number of its row among those of the page, and 0 outside of tables.
    """

    address: Address
    line: int
    claim: str = ""
    links: frozenset[str] = frozenset()
    row: int = 0


@dataclass
class Page:
    """What one page says.

    ``in_text`` are the ids of the claims in its source, ``sentences`` the claims as they are shown,
    by id; ``targets`` are what its links lead to; ``faults`` are reported at the end of reading, in
    every build; ``generated`` tells whether it shows what other pages say; ``opening`` is complete
    code that it shows first; ``passages`` are the texts that the search finds, and ``hidden`` more
    words for it, by their anchors.
    """

    claims: list[Claim] = field(default_factory=list)
    in_text: set[str] = field(default_factory=set)
    sentences: dict[str, str] = field(default_factory=dict)
    uses: set[Address] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    shown: list[Shown] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    passages: dict[str, list[str]] = field(default_factory=dict)
    hidden: dict[str, str] = field(default_factory=dict)
    lead: str = ""
    opening: str = ""
    generated: bool = False


class EvidenceDomain(Domain):
    """The pages' claims and used values, and what else this build knows.

    Only ``data`` is kept between builds; what the site is made from is read anew for each, and
    every claim judged anew at the end of reading.
    """

    name = "evidence"
    label = "Evidence"
    data_version = 13
    #: Pages by name, scripts by path.
    initial_data: ClassVar[dict[str, Any]] = {"pages": {}, "scripts": {}}

    _site: Site | None = None
    _judged: Judged | None = None

    def open(self, site: Site) -> None:
        """Say what this build makes the site from."""
        self._site, self._judged = site, None

    def close(self, judged: Judged) -> None:
        """Say what became of the claims, once all pages are read."""
        self._judged = judged

    @property
    def site(self) -> Site:
        """What the site is made from; there is none before ``builder-inited``."""
        assert self._site is not None, "the site is not opened yet"
        return self._site

    @property
    def judged(self) -> Judged:
        """What was judged; there is nothing before ``env-updated``."""
        assert self._judged is not None, "the pages are not all read yet"
        return self._judged

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
        """A claim as it is shown, as plain text."""
        return self.pages[claim.page].sentences.get(claim.id, claim.id)

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
