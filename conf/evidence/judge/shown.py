"""What a check shows, and which claim a sentence is about.

A single check shows none or all, a direction, or what could stand for a negation. By the words of
its id and checks it is seen whether the sentences of two claims have changed places.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from evidence.judge import english
from evidence.judge.claim import Check, Claim
from evidence.judge.english import stems
from evidence.judge.expect import Reference
from evidence.records.model import Plain
from evidence.records.units import BYTES, COUNT, RATIO, SHARE

#: A text that says that there was none.
_NOTHING = re.compile(r"(?:nothing|none|no)\b")


def name_of(check: Check) -> str:
    """What a label says that was measured, without the row that it is of."""
    return re.sub(r" \([^()]*\)$", "", check.label)


def misnamed(check: Check) -> str:
    """The word of a label whose opposite is in the name of the value, or in that of its row."""
    label, name = check.label.lower(), check.value.name.replace("_", " ").lower()
    for pair in () if english.LABEL_DENIAL.search(check.label) else english.NAMES:
        said = [words.search(label) for words in pair]
        its = [any(said) and words.search(name) for words in pair]
        for n in (0, 1):
            word = said[n]
            if word and its[1 - n] and not said[1 - n] and not its[n]:
                return word[0]
    return ""


def kind(check: Check) -> str:
    """What a check shows: true, false, none, all, a number, a text, an error, or a bound."""
    counted = check.value.unit is COUNT
    match check.expectation.form, check.expectation.bounds:
        case ("true" | "false" as truth, _):
            return truth
        case ("==" | "<=", (Plain(float(0)),)):
            return "none"
        case ("==", (Reference(_, 1.0),)) if counted:
            return "all"
        case ("==", (Plain(float(1)),)) if check.value.unit is SHARE:
            return "all"
        case ("==", (Plain(str(text)),)):
            return "none" if _NOTHING.match(text) else "text"
        case ("==", _) if counted:
            return "number"
        case ("raises", _):
            return "error"
    return "bound"


def span(check: Check) -> tuple[float, float] | None:
    """The ends between which a check expects a value; none if they are measured ones."""
    form, bounds = check.expectation.form, check.expectation.bounds
    ends = [
        float(b.value)
        for b in bounds
        if isinstance(b, Plain) and not isinstance(b.value, str)
    ]
    if not ends or len(ends) < len(bounds):
        return None
    part = check.expectation.percent / 100 * ends[0]
    low = -math.inf if form in ("<", "<=") else ends[0] - part
    return low, math.inf if form in (">", ">=") else ends[-1] + part


def may_deny(check: Check) -> bool:
    """Whether what a check expects can stand for a negation, such as that nothing is gained."""
    form, unit = check.expectation.form, check.value.unit
    match kind(check), span(check):
        case "none" | "false" | "error" | "text", _:
            return True
        case _ if english.LABEL_DENIAL.search(name_of(check)):
            return True
        case "bound", (low, high) if unit is RATIO and form not in (">", ">="):
            return low <= 1.05 and high >= 0.9
        case "bound", _ if form in ("<", "<=", "about", "least", "==") or (
            form == "in" and unit is SHARE
        ):
            return True
    return english.NEGATIVE_NAME.search(check.value.name) is not None


def directions(check: Check) -> set[int]:
    """What a check leaves open: 1 is faster, -1 slower; nothing, if it is of no time."""
    name, form, ends = check.value.quantity, check.expectation.form, span(check)
    if check.value.unit in (COUNT, BYTES) or form == "raises":
        return set()
    if not name.endswith(("speedup", "slowdown")):
        return {1, -1}
    sign = 1 if name.endswith("speedup") else -1
    if ends is None:
        return {"most": {sign}, "least": {-sign}}.get(form, {1, -1})
    return ({sign} if ends[1] > 1.1 else set()) | ({-sign} if ends[0] < 0.95 else set())


def are_exchanged(claim: Claim, sentence: str, other: Claim, its: str) -> bool:
    """Whether two sentences fit each other's ids and checks better than their own.

    A single word more is no evidence.
    """
    one, two = anchors(claim), anchors(other)
    ours, theirs = stems(sentence), stems(its)
    own = _shared(ours, one, two) + _shared(theirs, two, one)
    return _shared(ours, two, one) + _shared(theirs, one, two) > own + 1


def _shared(said: frozenset[str], own: Counter[str], others: Counter[str]) -> int:
    """How much a sentence shares with a claim, of what another has not."""
    return sum(own[stem] for stem in said & (own.keys() - others.keys()))


def anchors(claim: Claim) -> Counter[str]:
    """What a claim's sentence may be about, as stems; those of its id count twice."""
    checks = " ".join(
        f"{check.value.name} {check.label} {check.expect}" for check in claim.checks
    )
    return Counter(stems(claim.id)) + Counter(stems(f"{claim.id} {checks}"))


def exchanged_headings(headings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs of columns, by name, whose headings fit each other's names better than their own."""

    def fit(name: str, heading: str) -> int:
        return len(stems(name.replace("_", " ")) & stems(heading))

    for (one, its), (two, other) in combinations(headings.items(), 2):
        if fit(one, other) + fit(two, its) > fit(one, its) + fit(two, other):
            yield one, two
