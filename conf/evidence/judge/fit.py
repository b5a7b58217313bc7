"""Whether the sentences of two claims, or the headings of two columns, have changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

from evidence.judge.claim import Claim
from evidence.judge.english import stems


def are_exchanged(claim: Claim, sentence: str, other: Claim, its: str) -> bool:
    """Whether two sentences fit each other's ids and checks better than their own.

    A single word more is no evidence.
    """
    one, two = anchors(claim), anchors(other)
    ours, theirs = stems(sentence), stems(its)
    own = _shared(ours, one, two) + _shared(theirs, two, one)
    return _shared(ours, two, one) + _shared(theirs, one, two) > own + 1


def _shared(said: set[str], own: Counter[str], others: Counter[str]) -> int:
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
