"""The claims that ``verify`` is asked to judge, checked before anything is measured for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.commands import CommandError
from evidence.judge.claim import ClaimError, read_claims

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from evidence.judge.claim import Claim

#: Generated pages, which state nothing of their own.
GENERATED = "gallery"


def questions(
    docs: Path, expressions: Sequence[str], stems: Collection[str]
) -> list[Claim]:
    """The claims of the pages that an expression selects, by page and line.

    :param expressions: parts of an id, a page or a stem, of which any will do; none selects all
    :param stems: the examples that exist
    :raises CommandError: when a page or a claim is written wrongly, or none is selected
    """
    claims = read_pages(docs)
    chosen = [claim for claim in claims if _selected(claim, expressions)]
    if not chosen:
        wanted = " or ".join(map(repr, expressions))
        selected = f" with {wanted} in its id, page or example" if wanted else ""
        raise CommandError(f"there is no claim in {docs}{selected}")
    problems = [
        f"{_place(docs, claim)}: claim {claim.id!r}: no example is called {stem}"
        for claim in chosen
        for stem in sorted(claim.stems - set(stems))
    ]
    if problems:
        raise CommandError("\n".join(["some claims cannot be judged", *problems]))
    return chosen


def read_pages(docs: Path) -> list[Claim]:
    """The claims of all pages below a folder.

    :raises CommandError: when a claim is written wrongly, or two have the same id
    """
    claims: list[Claim] = []
    problems = []
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if page.startswith(f"{GENERATED}/"):
            continue
        try:
            claims += read_claims(path.read_text(encoding="utf-8"), page)
        except ClaimError as error:
            problems.append(f"{docs.name}/{page}.md: {error}")
    problems += _repeated(docs, claims)
    if problems:
        raise CommandError("\n".join(["some claims cannot be read", *problems]))
    return claims


def _repeated(docs: Path, claims: Sequence[Claim]) -> Iterator[str]:
    first: dict[str, Claim] = {}
    for claim in claims:
        other = first.setdefault(claim.id, claim)
        if other is not claim:
            yield (
                f"{_place(docs, claim)}: claim {claim.id!r} stands already at "
                f"{other.page}:{other.line}"
            )


def _place(docs: Path, claim: Claim) -> str:
    return f"{docs.name}/{claim.page}.md:{claim.line}"


def _selected(claim: Claim, expressions: Sequence[str]) -> bool:
    within = (claim.id, claim.page, claim.value.stem)
    return not expressions or any(e in text for e in expressions for text in within)
