"""The claims that ``verify`` is asked to judge, checked before anything is measured for them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    claims, problems = _read(docs)
    chosen = [claim for claim in claims if _is_selected(claim, expressions)]
    problems += [
        f"{_place(docs, claim)}: claim {claim.id!r}: no example is called {stem}"
        for claim in chosen
        for stem in sorted(claim.stems - set(stems))
    ]
    if problems:
        raise CommandError("\n".join(["some claims cannot be judged", *problems]))
    if not chosen:
        wanted = " or ".join(map(repr, expressions))
        selected = f" with {wanted} in its id, page or example" if wanted else ""
        raise CommandError(f"there is no claim in {docs}{selected}")
    return chosen


def _read(docs: Path) -> tuple[list[Claim], list[str]]:
    """The claims of all pages that people write, and what is wrong with them."""
    claims: dict[str, Claim] = {}
    problems: list[str] = []
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if page.startswith(f"{GENERATED}/"):
            continue
        found, wrong = read_claims(path.read_text("utf-8"), page)
        problems += [f"{docs.name}/{page}.md:{line}: {text}" for line, text in wrong]
        for claim in found:
            first = claims.setdefault(claim.id, claim)
            if first is not claim:
                twice = f"stands twice: here, and at {_place(docs, first)}"
                problems.append(f"{_place(docs, claim)}: claim {claim.id!r} {twice}")
    return list(claims.values()), problems


def _place(docs: Path, claim: Claim) -> str:
    return f"{docs.name}/{claim.page}.md:{claim.line}"


def _is_selected(claim: Claim, expressions: Sequence[str]) -> bool:
    within = (claim.id, claim.page, claim.stem)
    return not expressions or any(e in text for e in expressions for text in within)
