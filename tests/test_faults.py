"""What is wrong with a site that was read, without a build; and what pages say, merged."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest
from evidence.judge.claim import Claim
from evidence.records.address import Address
from evidence.records.model import Plain, Table
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import Page
from evidence.site.judging import sentence_faults
from evidence.site.judging.claim_faults import of_ids, of_judgements
from evidence.site.judging.judged import of_gallery, of_texts, of_uses
from evidence.site.judging.sentence_faults import of_stand_ins
from evidence.site.parts import Passage, Said, Shown
from factories import builder, claim, claim_of, domain, having, record, timing


def test_what_another_process_read_is_taken_over_whole() -> None:
    page = Page(
        claims=[claim()],
        in_text={"a-claim"},
        sentences={"a-claim": "It is faster."},
        uses={Address("copy", "speedup")},
        targets={"elsewhere"},
        shown=[Shown(Address("copy", "speedup"), 3)],
        faults=[Fault(Kind.CLAIM, "wrong", ("one", 1))],
        passages=[Passage("", "", ["passag"], [])],
        texts={"a-claim": "It is faster."},
        untried=[("FP64 was not tried.", "elsewhere", "FP32 is fast.")],
        hidden={"a-claim": "quick"},
        lead="The lead.",
        leads=[Said("The lead.", 3, frozenset(), is_shown=True)],
        stand_ins=[("a-claim", "always fast")],
        opening="import torch",
        generated=True,
        title="A page",
        progress=(7, 5),
    )
    known = domain(claim(place=("kept", 1)))
    kept = known.page("kept")

    known.merge_domaindata({"one"}, {"pages": {"one": page, "two": Page()}})

    assert {"kept": kept, "one": page} == known.pages
    empty = Page()
    for field in fields(Page):
        assert getattr(empty, field.name) != getattr(known.pages["one"], field.name)


def test_what_another_process_read_anew_takes_the_place_of_what_was_read() -> None:
    known = domain(claim(place=("one", 1)), claim(name="b", place=("two", 3)))
    kept, read = known.page("two"), Page(lead="Newer.")

    others = {"pages": {"one": read, "two": Page(lead="Not read here.")}}
    known.merge_domaindata({"one", "three"}, others)

    assert {"one": read, "two": kept} == known.pages


def test_claims_stand_by_page_and_on_it_in_their_order() -> None:
    places = {"d": ("zoo", 1), "a": ("zoo", 2), "c": ("bar", 7), "b": ("bar", 9)}
    known = domain(*(claim(name=name, place=at) for name, at in places.items()))

    assert ["zoo", "bar"] == [*known.pages]
    assert ["c", "b", "d", "a"] == [each.id for each in known.claims]


@pytest.mark.parametrize(
    ("base", "stable"),
    [
        ("https://docs.example/2.12/", "https://docs.example/stable/"),
        ("https://docs.example/2.11/", "https://docs.example/2.11/"),
        ("https://docs.example/2.12/cuda/", "https://docs.example/2.12/cuda/"),
        ("", ""),
    ],
)
def test_search_engines_find_the_newest_at_one_address(base: str, stable: str) -> None:
    known: Any = domain()
    known.env.config.html_baseurl = base
    having(known, version="2.12")
    assert stable == known.stable


def test_the_page_of_no_example_is_named() -> None:
    known: Any = domain()
    pages = {"index", "gallery/index", "gallery/memory/copy", "gallery/memory/extra"}
    known.env.found_docs = pages

    (fault,) = of_gallery(known)

    said = "gallery/memory/extra is the page of no example; remove the folder gallery/"
    assert Fault(Kind.COUNT, said, "gallery/memory/extra") == fault


TWICE = "it stands twice: here, and at page:1; give the newer one an id of its own"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (claim(place=("page", 9)), f"claim 'a-claim': {TWICE}"),
        (
            claim(name="b-claim", place=("page", 9), control="fixed"),
            "claim 'b-claim': its control 'fixed' is no other claim that measures the same "
            "example",
        ),
    ],
)
def test_an_id_is_given_once_and_to_a_claim(other: Claim, said: str) -> None:
    found = [*of_ids(domain(claim(), other))]
    assert [Fault(Kind.CLAIM, said, ("page", 9))] == found


def test_a_control_may_be_any_claim() -> None:
    claims = claim(control="fixed"), claim(name="fixed", place=("other", 1))
    assert [] == [*of_ids(domain(*claims))]


def test_a_live_build_does_not_judge_where_its_own_interval_fell() -> None:
    known = domain(claim(">= 4.5"))
    assert [Kind.TIGHT] == [fault.kind for fault in of_judgements(known)]

    copy = replace(known.site.library.examples["copy"], mode="measured")
    having(known, library=replace(known.site.library, examples={"copy": copy}))

    assert [] == [*of_judgements(known)]


def test_what_is_wrong_is_told_of_the_example_of_the_check() -> None:
    checks = ".speedup >= 3.5", "base.x_speedup >= 9"
    both = claim_of(*checks, name="both", place=("page", 3), of="copy")
    other = builder(gpu="NVIDIA L4")
    base = record("base", {"x_speedup": timing(7.1, 7.3)}, builder=other)

    (fault,) = of_judgements(domain(both, records=(record(), base)))

    said = (
        "claim 'both': expected base.x_speedup >= 9, measured 7.2× (7.1–7.3×) on "
        "NVIDIA L4 (examples/memory/base.json); correct the page, or record again with "
        "'nox -s record -- base'"
    )
    assert Fault(Kind.DIVERGED, said, ("page", 3)) == fault


@pytest.mark.parametrize(
    ("measured", "tight"),
    [
        ((), ["copy.speedup", "base.x_speedup"]),
        (("copy",), []),
        (("base",), ["copy.speedup"]),
    ],
)
def test_of_what_was_measured_for_this_build_no_margin_is_asked(
    measured: tuple[str, ...], tight: list[str]
) -> None:
    checks = ".speedup >= 4.5", "base.x_speedup >= 1.4 * .speedup"
    both = claim_of(*checks, name="both", place=("page", 3), of="copy")
    base = record("base", {"x_speedup": timing(7.3, 7.4)})
    known = domain(both, records=(record(), base))
    examples = {
        stem: replace(each, mode="measured" if stem in measured else each.mode)
        for stem, each in known.site.library.examples.items()
    }
    having(known, library=replace(known.site.library, examples=examples))

    found = [*of_judgements(known)]

    assert [Kind.TIGHT] * len(tight) == [fault.kind for fault in found]
    for name, fault in zip(tight, found, strict=True):
        assert f"expected {name} >=" in fault.message


def test_a_claim_that_verify_would_not_see_is_named() -> None:
    known = domain(claim())
    known.page("page").in_text = {"in-text"}

    found = [*of_texts(known)]

    said = (
        "claim 'a-claim' is built, but not in the text: write its checks on a "
        "page in .md",
        "claim 'in-text' is in the text, but was not built",
    )
    assert [Fault(Kind.COUNT, text, ("page", 1)) for text in said] == found


def test_what_stands_for_a_claim_is_compared_with_it_where_it_was_judged() -> None:
    known = domain(claim(), claim(name="b-claim", value="copy.gone"))
    stands = [("b-claim", "always slow"), ("a-claim", "never slow")]
    known.page("page").stand_ins = stands

    said = [fault.message for fault in of_stand_ins(known)]

    assert said
    assert {"claim 'a-claim' in 'never slow'"} == {
        text.partition(" says")[0] for text in said
    }


def test_what_a_text_says_is_asked_once_of_a_claim_and_a_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, str, bool]] = []

    def unshown(of: Claim, text: str, *, is_part: bool) -> list[str]:
        asked.append((of.id, text, is_part))
        return [f"{of.id} {text} {is_part}"]

    monkeypatch.setattr(sentence_faults, "unshown", unshown)
    known, claims = domain(), [claim(name="a"), claim(name="b")]
    cases = [*product(claims, ["is late", "is early"], [False, True])]
    for _ in range(2):
        for of, text, is_part in cases:
            found = sentence_faults._unshown(known, of, text, is_part=is_part)
            assert (f"{of.id} {text} {is_part}",) == found
    assert [(of.id, text, is_part) for of, text, is_part in cases] == asked


def test_a_measured_value_that_nothing_uses_is_reported() -> None:
    sweep = Table(({"size": Plain(1), "copy_s": timing(1, 2)},))
    measured = {"speedup": timing(4.9, 5.1), "n": Plain(1), "sweep": sweep}

    found = [*of_uses(domain(claim(), records=(record(measured=measured),)))]

    said = "was measured, but nothing uses it"
    place = "examples/memory/copy.py:1"
    expected = [
        Fault(Kind.UNUSED, f"copy.{name} {said}", place) for name in ("n", "sweep")
    ]
    assert expected == found


def test_a_value_is_not_used_because_another_example_has_one_of_its_name() -> None:
    records = (
        record("copy", {"speedup": timing(4.9, 5.1), "n": Plain(3)}),
        record("base", {"speedup": timing(7.1, 7.3), "n": Plain(4)}),
    )
    used = claim(value="copy.speedup"), claim("== 4", "base.n", "b-claim")

    found = [*of_uses(domain(*used, records=records))]

    expected = [
        Fault(
            Kind.UNUSED,
            f"{stem}.{name} was measured, but nothing uses it",
            f"examples/memory/{stem}.py:1",
        )
        for stem, name in (("copy", "n"), ("base", "speedup"))
    ]
    assert expected == found
