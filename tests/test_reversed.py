"""Reversed sentences of today's claims are red, and none of the true ones.

The first plants were written by somebody who had not seen the check, and before there was one;
the others after it, again by somebody who had not seen it. Two sides of a comparison that
changed places it does not see.
"""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from itertools import pairwise

from conftest import ROOT
from evidence.judge.direction import unshown
from evidence.judge.shown import are_exchanged
from said import Said, said

PLANTS = tomllib.loads((ROOT / "tests/reversed_sentences.toml").read_text("utf-8"))
MORE = tomllib.loads((ROOT / "tests/reversed_more.toml").read_text("utf-8"))


@cache
def partners() -> dict[str, list[Said]]:
    """By id the claims with which a sentence may change places: neighbors and arms."""
    found: dict[str, list[Said]] = {one.claim.id: [] for one in said()}
    by_id = {one.claim.id: one for one in said()}
    arms = [(one, by_id[one.claim.control]) for one in said() if one.claim.control]
    beside = [two for two in pairwise(said()) if two[0].claim.page == two[1].claim.page]
    for one, other in [*beside, *arms]:
        found[one.claim.id].append(other)
        found[other.claim.id].append(one)
    return found


def is_red(one: Said, others: list[Said]) -> bool:
    said = one.claim, one.sentence
    exchanged = (are_exchanged(*said, o.claim, o.sentence) for o in others)
    return any(True for _ in unshown(*said)) or any(exchanged)


def is_planted_red(plant: dict[str, str], one: Said) -> bool:
    """Whether a plant is red; of an exchange, where the other claim has its sentence."""
    others = partners()[one.claim.id]
    if plant["kind"] in ("neighbours", "arms"):
        matcher = difflib.SequenceMatcher(None, b=plant["now"])
        near = [*others]
        likeness = [(matcher.set_seq1(o.sentence), matcher.ratio())[1] for o in near]
        at = likeness.index(max(likeness))
        others = [*near[:at], Said(near[at].claim, plant["was"]), *near[at + 1 :]]
    return is_red(Said(one.claim, plant["now"]), others)


def test_no_true_sentence_is_red() -> None:
    assert [] == [
        one.claim.id for one in said() if is_red(one, partners()[one.claim.id])
    ]


def red_of(plants: list[dict[str, str]]) -> tuple[int, int]:
    """How many plants are red, and how many are of today's claims."""
    by_id = {one.claim.id: one for one in said()}
    plants = [plant for plant in plants if plant["claim"] in by_id]
    return sum(is_planted_red(p, by_id[p["claim"]]) for p in plants), len(plants)


def test_most_reversed_sentences_are_red() -> None:
    red, plants = red_of(PLANTS["sentence"])

    assert 60 == plants
    assert 54 <= red


def test_almost_half_of_the_unseen_reversed_sentences_are_red() -> None:
    """These were written after the checker, without knowledge of it.

    So they tell what it finds of lies that it was not made for: of 10 comparatives 1, of 10
    negations 6, of 10 quantifiers 3, of 5 neighbors 4, and of 5 arms 5.
    """
    red, plants = red_of(MORE["sentence"])

    assert 40 == plants
    assert 19 <= red
