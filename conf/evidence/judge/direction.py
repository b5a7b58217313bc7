"""What the sentence of a claim says and none of its checks shows.

Pure, and made of words: no record is read. It knows negations, the words of all and none,
comparatives and their opposites, and what a check expects. It does not understand English: it
finds what is plainly contrary, and a sentence that it passes may still be a lie. A word of
direction that the label of a check repeats is shown: so an author answers a false alarm.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from evidence.judge import english
from evidence.judge.claim import Check, Claim
from evidence.judge.english import stems
from evidence.judge.expect import Reference
from evidence.judge.shown import anchors, directions, kind, may_deny, name_of, span
from evidence.records.units import COUNT, RATIO


@dataclass(frozen=True)
class _Case:
    """A claim beside what its sentence says of its own."""

    claim: Claim
    said: str

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many checks show what."""
        return Counter(map(kind, self.claim.checks))

    @cached_property
    def id(self) -> str:
        """The claim's id, which never changes, as words."""
        return self.claim.id.replace("-", " ")

    @cached_property
    def labels(self) -> str:
        """The labels of its checks, without the rows that they are of."""
        return ". ".join(map(name_of, self.claim.checks)).lower()

    @cached_property
    def plain(self) -> str:
        """The clauses that deny nothing, in small letters."""
        clauses = english.CLAUSE.split(self.said)
        return ". ".join(c.lower() for c in clauses if not english.DENYING.search(c))

    def is_labelled(self, words: str) -> bool:
        """Whether a label has these words."""
        return re.search(rf"\b{re.escape(words.lower())}\b", self.labels) is not None

    def names(self, *kinds: str) -> frozenset[str]:
        """The stems of the labels of those checks that show one of these."""
        named = (name_of(c) for c in self.claim.checks if kind(c) in kinds)
        return stems(" ".join(named))

    def shown(self, *kinds: str) -> int:
        """How many checks show one of these."""
        return sum(self.kinds[kind] for kind in kinds)


def _quantities(case: _Case) -> Iterator[str]:
    """All, none and some, of which there are more than checks that show them."""
    if len(words := english.NONE.findall(case.said)) > case.kinds["none"]:
        yield f"says {words[-1]!r} more often than a check expects 0"
    words = english.ALL.findall(case.said)
    totals = sum(_totals(case.claim, float(word.replace(",", ""))) for word in {*words})
    if len(words) > case.kinds["all"] + totals:
        yield f"says 'all {words[-1]}' more often than a check expects a total"
    word = english.ALWAYS.search(case.said)
    if word and not case.shown("all", "none", "true", "false", "number", "text"):
        yield f"says {word[0]!r}, but no check expects all, none or just one"
    word = english.SOME.search(case.said)
    mixed = case.kinds.keys() >= {"true", "false"} or case.kinds.keys() == {"number"}
    if word and not case.shown("text", "bound") and not mixed:
        yield f"says {word[0]!r}, but its checks expect all or none"


def _universals(case: _Case) -> Iterator[str]:
    """Every, of what differs; and all where the id says none, or none where it says all."""
    word = english.UNIVERSAL.search(case.said)
    if word and not english.LIMITED.search(case.said):
        kinds = defaultdict[str, set[str]](set)
        for check in case.claim.checks:
            kinds[check.value.quantity].add(kind(check))
        for name, found in kinds.items():
            if found >= {"true", "false"} or found >= {"all", "none"}:
                yield f"says {word[0]!r}, but its checks of {name!r} differ"
    said = case.said.lower()
    for one, other in ((english.EVERY, english.NO), (english.NO, english.EVERY)):
        here, same = (stems(" ".join(words.findall(said))) for words in (one, other))
        there = stems(" ".join(other.findall(case.id)))
        for stem in sorted(here & there - same):
            yield f"says all or none of {stem!r}, where its id says the opposite"


def _totals(claim: Claim, number: float) -> int:
    """How many counts may be all of a number; a check that expects just it names the total."""
    counts = [check for check in claim.checks if check.value.unit is COUNT]
    ends = [_ends(check) for check in counts if kind(check) in ("number", "bound")]
    fitting = [end for end in ends if end and end[0] <= number <= end[1]]
    return len(fitting) - ((number, number) in fitting)


def _ends(check: Check) -> tuple[float, float] | None:
    """What a count may be; anything, if it is at least another count and no part of it."""
    form, bounds = check.expectation.form, check.expectation.bounds
    other = [b for b in bounds if isinstance(b, Reference) and b.factor == 1.0]
    is_open = other and form not in ("<", "<=")
    return (float("-inf"), float("inf")) if is_open else span(check)


def _negations(case: _Case) -> Iterator[str]:
    """A negation that no check shows, or one that is missing."""
    clauses = [*english.CLAUSE.split(case.said)]
    outer = (english.INNER.sub("", clause) for clause in clauses)
    words = [word for clause in outer for word in english.NOT.findall(clause)]
    words = [word for word in words if not case.is_labelled(word)]
    in_id = english.ID_DENIAL.search(case.id) is not None
    if len(words) > sum(map(may_deny, case.claim.checks)) + in_id:
        yield f"says {words[-1]!r}, but no check expects 0, false or at most a bound"
    yield from _undenied(case)
    verbs = stems(" ".join(re.findall(r"\b(?:not|never|cannot) (\w+)", case.id)))
    if _is_asserted(verbs, case.said):
        yield f"denies nothing, but its id denies {min(verbs)!r}"
    if word := english.DENIED_VALUE.search(case.said):
        yield f"says {word[0]!r} of a value that was measured"


def _is_asserted(words: frozenset[str], said: str) -> bool:
    """Whether parts of a sentence have some of these words, and none of those denies."""
    about = [part for part in english.PART.split(said) if words & stems(part)]
    return bool(about) and not any(map(english.DENYING.search, about))


def _undenied(case: _Case) -> Iterator[str]:
    """What a check expects to be 0 or false, and the parts that speak of it do not deny."""
    parts = english.PART.split(case.said)
    names = Counter(map(name_of, case.claim.checks))
    for check in case.claim.checks:
        name = name_of(check)
        if kind(check) not in ("none", "false") or english.NEGATIVE_NAME.search(name):
            continue
        # Of several rows that a check is of, a sentence may deny one.
        asked = stems(name if names[name] == 1 else check.label)
        about = [part for part in parts if asked and asked <= stems(part)]
        if about and not any(map(english.DENYING.search, about)):
            yield f"does not deny {name!r}, which a check expects to be 0 or false"


def _denials(case: _Case) -> Iterator[str]:
    """What the id, or a check, says to be so, and the sentence only denies."""
    if case.shown("none", "false"):
        return
    in_id = "" if english.ID_DENIAL.search(case.id) else case.id
    shown = case.names("all", "true") | stems(in_id)
    denied = stems(" ".join(english.DENIED.findall(case.said)))
    for stem in sorted(denied & shown - stems(english.DENIED.sub(" ", case.said))):
        if not english.LABEL_DENIAL.search(case.labels):
            yield f"denies {stem!r}, which its id or a check asserts"


def _contraries(case: _Case) -> Iterator[str]:
    """A word whose opposite stands in the id, or in the names of what is expected to be so."""
    checks = (
        check for check in case.claim.checks if kind(check) not in ("none", "false")
    )
    names = " ".join(check.value.quantity for check in checks).replace("_", " ")
    for source in (case.id, names):
        for pair in english.OPPOSITES if not english.ID_DENIAL.search(source) else ():
            here = [set(words.findall(case.plain)) for words in pair]
            there = [
                set(words.findall(source)) if any(here) else set() for words in pair
            ]
            for n in (0, 1):
                new, own = here[n] - there[n], there[1 - n] - here[1 - n]
                new = {word for word in new if not case.is_labelled(word)}
                if new and own and not here[1 - n] and not there[n] - here[n]:
                    yield f"says {min(new)!r} of {source!r}"


def _speeds(case: _Case) -> Iterator[str]:
    """Faster or slower, where all speedups and slowdowns show the opposite."""
    ratios = [check for check in case.claim.checks if check.value.unit is RATIO]
    for word in english.TIMES.finditer(case.said) if ratios else ():
        name = "speedup" if re.match(english.AS_FAST, word[2]) else "slowdown"
        named = [c for c in ratios if c.value.quantity.endswith((name, "_ratio"))]
        ends = [span(check) for check in named]
        number = float(word[1].replace(",", ""))
        if not any(end is None or end[0] <= number <= end[1] for end in ends):
            yield f"says {word[0]!r}, which no check shows"
    shown = {sign for check in case.claim.checks for sign in directions(check)}
    rest = english.TIMES.sub(" ", case.said)
    for word in english.SPEED.finditer(rest) if shown else ():
        if (1 if word[1] else -1) not in shown:
            yield f"says {word[0]!r}, but its checks show the opposite"


def _comparisons(case: _Case) -> Iterator[str]:
    """A comparison where every check is an exact number."""
    word = english.COMPARED.search(case.said)
    forms = {check.expectation.form for check in case.claim.checks}
    is_exact = forms == {"=="} and not case.shown("text", "bound")
    if word and is_exact and not case.is_labelled(word[0]):
        yield f"says {word[0]!r}, but no check compares"


def _names(case: _Case) -> Iterator[str]:
    """No word of the sentence is in the id, the checks or their labels."""
    if not stems(case.said) & (anchors(case.claim).keys() | stems(case.labels)):
        yield "shares no word with its id, its checks and their labels"


_RULES = (
    *(_quantities, _universals, _negations, _denials),
    *(_contraries, _speeds, _comparisons),
)


def unshown(claim: Claim, sentence: str, *, is_part: bool = False) -> Iterator[str]:
    """What a sentence says and no check of its claim shows, in words for its author.

    :param sentence: plain text, with the measured values in it
    :param is_part: whether it is no sentence, but what stands for one, such as the cell of a row
    """
    case = _Case(claim, english.APART.sub(" ", sentence))
    for rule in _RULES if is_part else (*_RULES, _names):
        yield from rule(case)
