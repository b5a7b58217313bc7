"""What the pages say: claims and references, collected for each page while it is read."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from sphinx.domains import Domain

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from sphinx.environment import BuildEnvironment

    from evidence.examples.library import Library
    from evidence.judge.claim import Claim
    from evidence.judge.verdict import Judgement
    from evidence.site.diagnostics import Kind
    from evidence.site.reading.formerly import Formerly


class EvidenceDomain(Domain):
    """Claims and used values by page, and the library of this build.

    Only ``data`` is kept between builds; the library is read anew for each, and every claim
    judged anew at the end of reading.
    """

    name = "evidence"
    label = "Evidence"
    data_version = 5
    initial_data: ClassVar[dict[str, Any]] = {
        "claims": {},
        "uses": {},
        "problems": {},
        "formerly": {},
        "unexecuted": {},
        "generated": {},
        "leads": {},
        "texts": {},
        # By path, where all others are by page.
        "scripts": {},
    }

    library: Library
    rendered: AbstractSet[str]
    judgements: list[Judgement]
    published: dict[str, Any]
    shown: str

    @property
    def claims(self) -> list[Claim]:
        """Every claim of the site, by page and line."""
        found = (claim for claims in self.data["claims"].values() for claim in claims)
        return sorted(found, key=lambda claim: (claim.page, claim.line))

    @property
    def uses(self) -> set[str]:
        """Addresses that a claim, a text or a figure uses."""
        return {address for used in self.data["uses"].values() for address in used}

    @property
    def formerly(self) -> list[Formerly]:
        """Every note of what was said formerly."""
        return [note for notes in self.data["formerly"].values() for note in notes]

    @property
    def builders(self) -> str:
        """What measured the site's records, and when last: for the foot of every page."""
        records = self.library.records.values()
        if not records:
            return ""
        gpus = sorted({record.builder.gpu for record in records if record.builder.gpu})
        versions = {record.builder.torch.partition("+")[0] for record in records}
        day = datetime.date.fromisoformat(max(record.recorded for record in records))
        parts = [
            " and ".join(gpus) or "a CPU",
            f"torch {' and '.join(sorted(versions))}",
            f"last on {day.day} {day:%B %Y}",
        ]
        return ", ".join(parts)

    def note_claim(self, claim: Claim) -> None:
        """Remember a claim of the page that is being read."""
        self.data["claims"].setdefault(claim.page, []).append(claim)

    def note_use(self, page: str, addresses: Iterable[str]) -> None:
        """Remember that a page uses measured values."""
        self.data["uses"].setdefault(page, set()).update(addresses)

    def note_problem(self, page: str, line: int, kind: Kind, message: str) -> None:
        """Remember a fault of a page: it is reported at the end of reading, in every build."""
        self.data["problems"].setdefault(page, []).append((line, kind, message))

    def note_examples(self, stems: Iterable[str]) -> None:
        """Have the page that is being read again when one of these examples changes."""
        for stem in stems:
            example = self.library.examples.get(stem)
            if example is None:
                continue
            record = example.record
            names = [figure.name for figure in record.figures] if record else []
            beside = [example.record_path.with_name(name) for name in names]
            for path in (example.path, example.record_path, *beside):
                self.env.note_dependency(str(path))

    def resolve_any_xref(self, *_: Any) -> list[tuple[str, Any]]:
        """Nothing is looked up by name here: claims and records are ordinary labels."""
        return []

    def clear_doc(self, docname: str) -> None:
        """Forget what a page said, before it is read again."""
        for kind in self.initial_data:
            self.data[kind].pop(docname, None)

    def merge_domaindata(
        self, docnames: AbstractSet[str], otherdata: dict[str, Any]
    ) -> None:
        """Take over what another process read."""
        for kind in self.initial_data:
            for docname in docnames & otherdata[kind].keys():
                self.data[kind][docname] = otherdata[kind][docname]


def evidence_of(env: BuildEnvironment) -> EvidenceDomain:
    """The evidence domain of a build."""
    domain = env.get_domain(EvidenceDomain.name)
    assert isinstance(domain, EvidenceDomain)
    return domain
