"""The claims that ``verify`` is asked to judge, checked before anything is measured for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from evidence.commands import CommandError
from evidence.judge.claim import Claim, read_claims

#: The folder of generated pages, which state nothing of their own.
GENERATED = "gallery"


def questions(
    docs: Path, expressions: Sequence[str], stems: Collection[str]
) -> list[Claim]:
    """The claims of the pages that an expression selects, by page and line.

    :param expressions: parts of an id, a page or a stem, of which any will do; none selects all
    :param stems: the examples that exist
    :raises CommandError: when a claim is written wrongly, or none is selected
    """
    chosen = [claim for claim in _read(docs) if _is_selected(claim, expressions)]
    if not chosen:
        wanted = " or ".join(map(repr, expressions))
        selected = f" with {wanted} in its id, page or example" if wanted else ""
        raise CommandError(f"there is no claim in {docs}{selected}")
    _stop_at(
        f"{_place(docs, claim.page, claim.line)}: claim {claim.id!r}: no example is "
        f"called {stem}"
        for claim in chosen
        for stem in sorted(claim.stems - set(stems))
    )
    return chosen


def _stop_at(problems: Iterable[str]) -> None:
    if listed := list(problems):
        raise CommandError("\n".join(["some claims cannot be judged", *listed]))


def _read(docs: Path) -> list[Claim]:
    """The claims of all pages that people write."""
    claims: list[Claim] = []
    problems: list[str] = []
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if not page.startswith(f"{GENERATED}/"):
            found, wrong = read_claims(path.read_text("utf-8"), page)
            claims += found
            problems += [f"{_place(docs, page, line)}: {text}" for line, text in wrong]
    _stop_at([*problems, *_repeated(docs, claims)])
    return claims


def _repeated(docs: Path, claims: Sequence[Claim]) -> Iterator[str]:
    first: dict[str, Claim] = {}
    for claim in claims:
        other = first.setdefault(claim.id, claim)
        if other is not claim:
            place = _place(docs, claim.page, claim.line)
            where = _place(docs, other.page, other.line)
            yield f"{place}: claim {claim.id!r} stands twice: here, and at {where}"


def _place(docs: Path, page: str, line: int) -> str:
    return f"{docs.name}/{page}.md:{line}"


def _is_selected(claim: Claim, expressions: Sequence[str]) -> bool:
    within = (claim.id, claim.page, claim.value.stem)
    return not expressions or any(e in text for e in expressions for text in within)
