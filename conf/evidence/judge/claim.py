"""What a claim is, and reading the claims of a page from its text.

The build reads claims through a Sphinx directive. ``verify`` reads them here, without Sphinx; the
build checks that both saw the same set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin

from evidence.judge.expect import Expectation, ExpectationError, Scope, parse
from evidence.records.address import ADDRESS, Address

#: Options that name statements of :mod:`evidence.judge.facts`.
STATEMENTS = ("contradicts", "confirms")
#: Options that are several ids, and those that are a text.
LISTS = ("seed", *STATEMENTS)
TEXTS = ("of", "documented", "control", "shows")
OPTIONS = (*TEXTS, "check", "value", "expect", "scope", *LISTS)
#: Behind an expectation whose bound is the number of the documentation.
DOCUMENTED = "as documented"

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9.]+)*")
_DIRECTIVE = re.compile(r"\{([\w-]+)\}\s*(.*)")
_OPTION = re.compile(r":([\w-]+):\s*(.*)")
_CHECK = re.compile(rf"({ADDRESS})\s+(.+)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class ClaimError(ValueError):
    """A claim that cannot be understood."""


@dataclass(frozen=True)
class Check:
    """A measured value, and what it is expected to be.

    ``expect`` is the expectation as it was written; ``documented`` tells whether its bound is the
    number of the documentation, and so cannot be moved.
    """

    value: Address
    expect: str
    expectation: Expectation
    documented: bool = False

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The values that its verdict rests on."""
        return (self.value, *self.expectation.references)


@dataclass(frozen=True)
class Claim:
    """A documented statement with expectations on measured values.

    ``documented`` names the figure that an upstream page gives, and that page; ``contradicts`` and
    ``confirms`` name statements of :mod:`evidence.judge.facts`; ``control`` is the id of the
    claim that measures the same example in its fixed form, and ``shows`` a part of its own code;
    ``of`` is the prefix that its addresses share.
    """

    id: str
    page: str
    line: int
    checks: tuple[Check, ...]
    scope: Scope
    of: str = ""
    documented: str = ""
    seed: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    confirms: tuple[str, ...] = ()
    control: str = ""
    shows: str = ""

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The values that the verdict rests on."""
        return tuple(address for check in self.checks for address in check.addresses)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The examples that the verdict rests on."""
        return frozenset(address.stem for address in self.addresses)

    @property
    def stem(self) -> str:
        """The example that it is about: that of its first value."""
        return self.checks[0].value.stem


def make_claim(
    claim_id: str, options: Mapping[str, str], statement: str, page: str, line: int
) -> Claim:
    """Build a claim from a directive's argument, options and body.

    :raises ClaimError: when the id is not kebab-case, an option is missing, unknown, given twice
        or not understood, or the statement is empty
    """
    if not _ID.fullmatch(claim_id):
        raise ClaimError(f"the id {claim_id!r} is not kebab-case")
    try:
        given = _given(options)
        scope = Scope(given.get("scope", "any"))
        checks = tuple(_checks(given, options.get("check", "").splitlines()))
        if not statement.strip():
            raise ClaimError("states nothing")
    except (ClaimError, ExpectationError) as error:
        raise ClaimError(f"claim {claim_id!r}: {error}") from None
    named: dict[str, Any] = {name: given.get(name, "") for name in TEXTS}
    named |= {name: _words(given.get(name, "")) for name in LISTS}
    return Claim(claim_id, page, line, checks, scope, **named)


def _given(options: Mapping[str, str]) -> dict[str, str]:
    """The options, each of which is known and stands once."""
    for name, text in options.items():
        if name not in OPTIONS:
            raise ClaimError(f"unknown option {name!r} (known: {', '.join(OPTIONS)})")
        if not text.strip():
            raise ClaimError(f":{name}: says nothing")
        if "\n" in text and name != "check":
            raise ClaimError(f":{name}: stands twice")
    if "check" in options and options.keys() & {"value", "expect"}:
        raise ClaimError("write :check: alone, or :value: and :expect:")
    return {name: " ".join(text.split()) for name, text in options.items()}


def _checks(given: Mapping[str, str], lines: Sequence[str]) -> Iterator[Check]:
    """What a claim expects: of one value, or of several, one in a line."""
    if not lines:
        for required in ("value", "expect"):
            if required not in given:
                raise ClaimError(f"has no :{required}:")
        lines = [f"{given['value']} {given['expect']}"]
    for line in lines:
        match = _CHECK.fullmatch(" ".join(line.split()))
        if match is None:
            raise ClaimError(f"{line!r} is no address with an expectation behind it")
        prefix = given.get("of", "")
        value, expect = Address.of(match[1], prefix), match[2]
        bound = expect.removesuffix(DOCUMENTED)
        documented = bound != expect
        if documented and not _is_documented(bound, given.get("documented", "")):
            raise ClaimError(f"{bound.strip()!r} has no number of :documented:")
        yield Check(value, expect, parse(bound, value, prefix), documented)


def _is_documented(*texts: str) -> bool:
    """Whether a bound has numbers, and the documented figure has all of them."""
    bare = (re.sub(ADDRESS, "", text) for text in texts)
    expected, documented = (set(_NUMBER.findall(text)) for text in bare)
    return bool(expected) and expected <= documented


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
    """Options, body, and how many lines the options take; what is repeated has several lines.

    MyST would read options as YAML, to which ``>= 4`` is the start of a folded text. The
    directive therefore takes its whole content and splits it here too.
    """
    options: dict[str, str] = {}
    count = 0
    for match in map(_OPTION.fullmatch, lines):
        if match is None:
            break
        name, text = match.groups()
        options[name] = f"{options[name]}\n{text}" if name in options else text
        count += 1
    return options, "\n".join(lines[count:]), count
