"""What a claim is, and reading the claims of a page from its text.

The build reads claims through a Sphinx directive. ``verify`` reads them here, without Sphinx; the
build checks that both saw the same set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin

from evidence.judge.expect import Expectation, ExpectationError, parse, references
from evidence.judge.scope import Scope, ScopeError
from evidence.records.address import Address

#: Options that name statements of :mod:`evidence.judge.upstream`.
STATEMENTS = ("contradicts", "confirms")
OPTIONS = ("value", "expect", "scope", "documented", "seed", "control", *STATEMENTS)

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9.]+)*")
_DIRECTIVE = re.compile(r"\{([\w-]+)\}\s*(.*)")
_OPTION = re.compile(r":([\w-]+):\s*(.*)")


class ClaimError(ValueError):
    """A claim that cannot be understood."""


@dataclass(frozen=True)
class Claim:
    """A documented statement with an expectation on a measured value.

    ``expect`` is the expectation as it was written. ``documented`` names the figure that an
    upstream page gives, and that page; ``contradicts`` and ``confirms`` name statements of
    :mod:`evidence.judge.upstream`; ``control`` is the id of the claim that measures the same
    example in its fixed form.
    """

    id: str
    page: str
    line: int
    value: Address
    expect: str
    expectation: Expectation
    scope: Scope
    documented: str = ""
    seed: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    confirms: tuple[str, ...] = ()
    control: str = ""

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The values that the verdict rests on."""
        return (self.value, *references(self.expectation))

    @property
    def stems(self) -> frozenset[str]:
        """The examples that the verdict rests on."""
        return frozenset(address.stem for address in self.addresses)


def make_claim(
    claim_id: str, options: Mapping[str, str], statement: str, page: str, line: int
) -> Claim:
    """Build a claim from a directive's argument, options and body.

    :raises ClaimError: when the id is not kebab-case, an option is missing, unknown or not
        understood, or the statement is empty
    """
    _check(claim_id, options, statement)
    given = {name: " ".join(text.split()) for name, text in options.items()}
    value = Address.of(given["value"])
    try:
        expectation = parse(given["expect"], value.unit)
        scope = Scope.parse(given.get("scope", "any"))
    except (ExpectationError, ScopeError) as error:
        raise ClaimError(f"claim {claim_id!r}: {error}") from None
    return Claim(
        claim_id,
        page,
        line,
        value,
        given["expect"],
        expectation,
        scope,
        documented=given.get("documented", ""),
        seed=_words(given.get("seed", "")),
        contradicts=_words(given.get("contradicts", "")),
        confirms=_words(given.get("confirms", "")),
        control=given.get("control", ""),
    )


def _check(claim_id: str, options: Mapping[str, str], statement: str) -> None:
    if not _ID.fullmatch(claim_id):
        raise ClaimError(f"the id {claim_id!r} is not kebab-case")
    for required in ("value", "expect"):
        if not options.get(required, "").strip():
            raise ClaimError(f"claim {claim_id!r} has no :{required}:")
    if unknown := options.keys() - set(OPTIONS):
        known = ", ".join(OPTIONS)
        raise ClaimError(
            f"claim {claim_id!r}: unknown option {min(unknown)!r} (known: {known})"
        )
    if not statement.strip():
        raise ClaimError(f"claim {claim_id!r} states nothing")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def read_claims(text: str, page: str) -> tuple[list[Claim], list[tuple[int, str]]]:
    """The claims of a MyST page in their order; those that are wrong as line and reason."""
    claims, wrong = [], []
    for name, argument, options, body, line in directives(text):
        if name == "claim":
            try:
                claims.append(make_claim(argument, options, body, page, line))
            except ClaimError as error:
                wrong.append((line, str(error)))
    return claims, wrong


class Directive(NamedTuple):
    """A directive as it stands on a page."""

    name: str
    argument: str
    options: dict[str, str]
    body: str
    line: int


def directives(text: str, first_line: int = 1) -> Iterator[Directive]:
    """Yield every directive of a MyST page, nested ones too."""
    for token in _parser().parse(text):
        match = _DIRECTIVE.fullmatch(token.info.strip())
        if match and token.map:
            options, body, skipped = split_options(token.content.splitlines())
            line = first_line + token.map[0]
            yield Directive(match[1], match[2], options, body, line)
            yield from directives(body, line + 1 + skipped)


@cache
def _parser() -> MarkdownIt:
    """A parser of blocks: directives are, and most of the time would go into the rest."""
    return MarkdownIt("commonmark").use(colon_fence_plugin).disable("inline")


def split_options(lines: Sequence[str]) -> tuple[dict[str, str], str, int]:
    """Options, body, and how many lines the options take.

    MyST would read options as YAML, to which ``>= 4`` is the start of a folded text. The
    directive therefore takes its whole content and splits it here too.
    """
    options: dict[str, str] = {}
    count = 0
    for match in map(_OPTION.fullmatch, lines):
        if match is None:
            break
        options[match[1]] = match[2]
        count += 1
    return options, "\n".join(lines[count:]), count
