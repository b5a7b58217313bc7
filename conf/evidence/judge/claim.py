"""What a claim is, and making one from what a page says of it.

A claim is a span of text, ``[sentence]{#its-id}``, or a block; its checks stand in a ``checks``
block, as lines ``label: address expectation`` below its id.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evidence.judge.expect import Expectation, parse
from evidence.judge.scope import Scope
from evidence.records.address import ADDRESS, Address
from evidence.words import N_

#: Options that name statements of :mod:`evidence.judge.facts`.
STATEMENTS = ("contradicts", "confirms")
#: Options that are several ids or words, and those that are a text.
LISTS = ("seed", "tried", *STATEMENTS)
TEXTS = ("documented", "control", "shows", "title")
#: All of a ``checks`` block, for all of its claims or for one.
OPTIONS = ("scope", *TEXTS, *LISTS)
#: In what a rule may be tried beyond the case that was measured first.
VARIATIONS = (
    *(N_("first call"), N_("other shapes"), N_("views"), N_("other dtypes")),
    *(N_("backward"), "torch.compile", N_("other streams"), N_("other GPUs")),
    *(N_("other optimizers"), N_("other spellings")),
)
#: Behind an expectation whose bound is the number of the documentation.
DOCUMENTED = "as documented"

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_CHECK = re.compile(rf"({ADDRESS})(?:\s+of\s+({ADDRESS}))?\s+(.+)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class ClaimError(ValueError):
    """A claim that cannot be understood."""


@dataclass(frozen=True)
class Check:
    """A measured value, and what it is expected to be.

    ``expect`` is the expectation as it was written; ``documented`` tells whether its bound is the
    number of the documentation, and so cannot be moved. ``label`` says what the value is, and
    ``total`` of how many it is a count.
    """

    value: Address
    expect: str
    expectation: Expectation
    documented: bool = False
    label: str = ""
    total: Address | None = None

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The values that its verdict rests on, and the total of a count."""
        totals = (self.total,) if self.total else ()
        return (self.value, *totals, *self.expectation.references)


@dataclass(frozen=True)
class Claim:
    """A documented statement with expectations on measured values.

    ``documented`` names the figure that an upstream page gives, and that page; ``contradicts`` and
    ``confirms`` name statements of :mod:`evidence.judge.facts`; ``control`` is the id of the
    claim that measures the same example in its fixed form, and ``shows`` a part of its own code;
    ``of`` is the prefix that its addresses share; ``title`` says it where its span does not stand
    alone, and ``tried`` names the :data:`VARIATIONS` that it covers.
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
    title: str = ""
    tried: tuple[str, ...] = ()

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


def check_id(claim_id: str) -> None:
    """Refuse an id that could be no lasting link.

    :raises ClaimError: when it is not kebab-case
    """
    if not _ID.fullmatch(claim_id):
        raise ClaimError(f"the id {claim_id!r} is not kebab-case")


def claim_of(
    claim_id: str,
    given: Mapping[str, str],
    checks: Sequence[Check],
    page: str,
    line: int,
) -> Claim:
    """Build a claim from its options and checks.

    :raises ClaimError: when the scope or a variation is not known
    """
    scope = Scope(given.get("scope", "any"))
    named: dict[str, Any] = {name: given.get(name, "") for name in ("of", *TEXTS)}
    named |= {name: _words(given.get(name, "")) for name in LISTS}
    for word in named["tried"]:
        if word not in VARIATIONS:
            raise ClaimError(f":tried: has {word!r} (known: {', '.join(VARIATIONS)})")
    return Claim(claim_id, page, line, tuple(checks), scope, **named)


def read_check(line: str, given: Mapping[str, str], label: str) -> Check:
    """A check from its line, ``address expectation`` or ``count of total expectation``.

    :raises ClaimError: when it is none
    """
    match = _CHECK.fullmatch(" ".join(line.split()))
    if match is None:
        raise ClaimError(f"{line!r} is no address with an expectation behind it")
    prefix = given.get("of", "")
    value, expect = Address.of(match[1], prefix), match[3]
    total = Address.of(match[2], prefix) if match[2] else None
    bound = expect.removesuffix(DOCUMENTED)
    documented = bound != expect
    if documented and not _is_documented(bound, given.get("documented", "")):
        raise ClaimError(f"{bound.strip()!r} has no number of :documented:")
    expectation = parse(bound, value, prefix)
    return Check(value, expect, expectation, documented, label, total)


def _is_documented(*texts: str) -> bool:
    """Whether a bound has numbers, and the documented figure has all of them."""
    bare = (re.sub(ADDRESS, "", text) for text in texts)
    expected, documented = (set(_NUMBER.findall(text)) for text in bare)
    return bool(expected) and expected <= documented


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
