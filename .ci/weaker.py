"""What a claim says less than it did: decided by the grammar of expectations and of scopes.

Where that does not tell, as when a number became another measured value, it counts as less:
``.ci/ids.py`` then asks for a reason, which is soon given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from evidence.judge.claim import STATEMENTS, Check, Claim
from evidence.judge.expect import Bound, Expectation, Reference
from evidence.records.model import Plain

#: What is demanded of a value, and how much: of two alike, the larger demands more.
Demands: TypeAlias = dict[tuple[str, str], Any]

_CONDITION = re.compile(r"(sm_|[a-z]+)\s*(>=|<|==)?\s*(.*)")


def demands(expectation: Expectation) -> Demands:
    """What an expectation demands: of a range that is a lower and an upper bound."""
    near, far = 1 - expectation.percent / 100, 1 + expectation.percent / 100
    match expectation.form, expectation.bounds:
        case "raises", (Plain(kind), Plain(part)):
            return {("raises", str(kind).rpartition(".")[2]): str(part)}
        case "==", (Plain(str() as text),):
            return {("is", text): ""}
        case (("==" | "about"), (bound,)):
            return {**_at_least(bound, near), **_at_most(bound, far)}
        case "in", (low, high):
            return {**_at_least(low), **_at_most(high)}
        case (">=" | ">") as form, (bound,):
            return _at_least(bound, strict=form == ">")
        case ("<=" | "<") as form, (bound,):
            return _at_most(bound, strict=form == "<")
    return {("is", expectation.form): ""}  # true, false, most, least


def _at_least(bound: Bound, factor: float = 1.0, *, strict: bool = False) -> Demands:
    of, number = _bound(bound)
    return {("at least", of): (number * factor, strict)}


def _at_most(bound: Bound, factor: float = 1.0, *, strict: bool = False) -> Demands:
    of, number = _bound(bound)
    return {("at most", of): (-number * factor, strict)}


def _bound(bound: Bound) -> tuple[str, float]:
    """What a bound is a multiple of, and how often; a number is so of nothing."""
    if isinstance(bound, Reference):
        return str(bound.address), bound.factor
    return "", float(bound.value)


def is_implied(old: Expectation, new: Sequence[Expectation]) -> bool:
    """Whether a value that meets all the new expectations meets the old one."""
    given = [item for expectation in new for item in demands(expectation).items()]
    return all(
        any(name == other and _reaches(much, most) for other, much in given)
        for name, most in demands(old).items()
    )


def _reaches(much: Any, most: Any) -> bool:
    """Whether a demand is at least another; a message with more words in it is."""
    return most in much if isinstance(most, str) else much >= most


def is_narrower(new: str, old: str) -> bool:
    """Whether a scope has a condition that does not follow from one of the old scope."""
    earlier = [part.strip() for part in old.split(",")]
    return not all(
        any(_follows(part.strip(), other) for other in earlier)
        for part in new.split(",")
    )


def _follows(condition: str, other: str) -> bool:
    """Whether one condition of a scope holds wherever another does."""
    if condition == "any":
        return True
    mine, its = _CONDITION.fullmatch(condition), _CONDITION.fullmatch(other)
    if not mine or not its or mine.group(1, 2) != its.group(1, 2):
        return False
    if mine[2] == "==":
        names = [set(re.split(r"\s+or\s+", match[3].strip())) for match in (mine, its)]
        return names[0] >= names[1]
    least, its_least = (
        [int(number) for number in re.findall(r"\d+", match[3])]
        for match in (mine, its)
    )
    return least >= its_least if mine[2] == "<" else least <= its_least


def lost(old: Claim, new: Claim) -> Iterator[str]:
    """What a claim said and says no longer, each in words that follow its id."""
    for check in old.checks:
        now = [other for other in new.checks if other.value == check.value]
        if not is_implied(check.expectation, [other.expectation for other in now]):
            instead = " and ".join(other.expect for other in now)
            if now:
                yield f"expects {check.value} {instead} instead of {check.expect}"
            else:
                yield f"no longer checks {check.value} {check.expect}"
    yield from _freed(old.checks, new.checks)
    if is_narrower(new.scope.text, old.scope.text):
        yield f"holds for {new.scope.text!r} instead of {old.scope.text!r}"
    for name in ("control", "documented"):
        before, after = getattr(old, name), getattr(new, name)
        if before and not after:
            yield f"has lost its :{name}:"
        elif before and before != after:
            yield f"has {after!r} as its :{name}: instead of {before!r}"
    for name in ("seed", *STATEMENTS):
        if gone := ", ".join(sorted({*getattr(old, name)} - {*getattr(new, name)})):
            yield f"no longer {'has the seed' if name == 'seed' else name} {gone}"


def _freed(old: Sequence[Check], new: Sequence[Check]) -> Iterator[str]:
    """Bounds that the rules for margins no longer judge."""
    documented = {check.value for check in old if check.documented}
    judged = {check.value for check in old} - documented
    for check in new:
        if check.documented and check.value in judged:
            yield f"expects {check.value} {check.expect}, which no margin is asked of"


def is_reordered(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether what both sentences show stands in another order."""
    before = [role for role in dict.fromkeys(old) if role in new]
    after = [role for role in dict.fromkeys(new) if role in old]
    return before != after
