"""What a build knows: what the site is made from, and what was judged.

Both are frozen and made once: a :class:`Site` before pages are read, :class:`Judged` after.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from evidence.examples.library import Example, Library
from evidence.judge.claim import Claim
from evidence.judge.facts import Edition, Former, Sources, Statement
from evidence.judge.passes import Elsewhere
from evidence.judge.verdict import Judgement


@dataclass(frozen=True)
class Site:
    """What the site is made from.

    ``upstream`` is what upstream says, by id, and ``formerly`` what it said, by the claim that
    refutes or limits it; ``news`` is what changed here, the newest first;
    ``version`` the torch that the site documents, as in its address (2.11), and ``versions`` all
    that have a site; ``builders`` what measured the records, in words; ``gallery`` the folder of
    the examples' pages, and ``rendered`` holds the examples whose page this build wrote, by page.
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
    rendered: Mapping[Path, Example] = field(default_factory=dict)


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
        by_stem = defaultdict(list)
        for judgement in self.judgements:
            by_stem[judgement.claim.stem].append(judgement)
        return dict(by_stem)

    @cached_property
    def by_page(self) -> Mapping[str, Sequence[Judgement]]:
        """The judgements of the claims of a page; none for one without claims."""
        by_page = defaultdict(list)
        for judgement in self.judgements:
            by_page[judgement.claim.page].append(judgement)
        return dict(by_page)
