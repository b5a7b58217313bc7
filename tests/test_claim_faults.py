"""What is wrong with claims and their sentences, told without a build."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from evidence.examples.library import Library
from evidence.examples.script import Script, Settings
from evidence.judge.claim import Claim
from evidence.records.address import Address
from evidence.records.model import Plain, Table, Value
from evidence.site.diagnostics import Fault, Kind
from evidence.site.domain import EvidenceDomain
from evidence.site.judging.claim_faults import (
    of_ids,
    of_judgements,
    of_shown,
    of_tables,
    of_versions,
)
from evidence.site.judging.judged import of_examples, of_nothing, of_reading
from evidence.site.judging.sentence_faults import of_exchanges
from evidence.site.parts import Shown
from factories import builder, claim, claim_of, domain, having, record, timing

MEASURED: dict[str, Value] = {
    "speedup": timing(4.9, 5.1),
    "tries": Plain(20),
    "wrong": Plain(0),
    "ways": Table(
        tuple(
            {"way": Plain(way), "copy_s": timing(1, 1), "wait_s": timing(2, 2)}
            for way in "ab"
        )
    ),
}
PLACE = ("page", 7)


def test_a_claim_compares_examples_of_one_torch() -> None:
    records = tuple(
        record(stem, {"n": Plain(1)}, builder=builder(torch=torch))
        for stem, torch in (
            *(("a", "2.14.1+cu130"), ("b", "2.14.0+cu129")),
            *(("c", "2.9.0+cu130"), ("d", "2.9.0+cu130")),
        )
    )
    alike = claim("== b.n", "a.n", "alike"), claim("== d.n", "c.n", "older")
    mixed = claim("== b.n", "c.n", "mixed", ("page", 7))
    known = domain(*alike, mixed, records=records)

    (fault,) = of_versions(known)

    assert PLACE == fault.place
    assert (
        "claim 'mixed': it compares records of torch 2.9 and 2.14: record c with 2.14 as well"
    ) == fault.message


def said(*shown: Shown, claims: tuple[Claim, ...] = ()) -> EvidenceDomain:
    """A page ``page`` that shows these values, and makes these claims."""
    known = domain(*claims, records=(record(measured=MEASURED),))
    known.env.config.root_doc = "index"
    copy = known.site.library.examples["copy"]
    script = Script(copy.path, (), Settings(), "0" * 64, {"tries": 20})
    examples = {"copy": replace(copy, script=script)}
    having(known, library=replace(known.site.library, examples=examples))
    known.page("page").shown.extend(shown)
    return known


def shown(name: str, claim: str = "", **about: Any) -> Shown:
    return Shown(Address("copy", name), PLACE[1], claim, **about)


def unchecked(message: str, place: tuple[str, int] = PLACE) -> Fault:
    return Fault(Kind.UNCHECKED, message, place)


HOLDS = claim(">= 4", name="fast")


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        ([], [shown("speedup", "fast")]),
        ([], [shown("speedup", "fast"), shown("tries", "fast")]),
        (
            [
                unchecked(
                    "copy.ways[way=a].way is shown in claim 'fast', which does not check it: add "
                    "a line 'label: copy.ways[way=a].way expectation' to its checks, or leave it "
                    "out"
                )
            ],
            [shown("speedup", "fast"), shown("ways[way=a].way", "fast")],
        ),
        ([], [shown("speedup", "fast"), shown("speedup"), shown("tries")]),
        ([], [shown("tries", "fast")]),
        (
            [
                unchecked(
                    "copy.wrong is shown in claim 'fast', which does not check it: add a line "
                    "'label: copy.wrong expectation' to its checks, or leave it out"
                )
            ],
            [shown("speedup", "fast"), shown("wrong", "fast")],
        ),
        (
            [
                unchecked(
                    "copy.wrong is shown, but no claim here checks it: claim it, or leave it out"
                )
            ],
            [shown("speedup", "fast"), shown("wrong", links=frozenset({"fast"}))],
        ),
        (
            [
                unchecked(
                    "copy.wrong is shown, but no claim here checks it: claim it, or leave it out"
                )
            ],
            [
                shown("speedup", "fast"),
                shown("wrong", row=1, links=frozenset({"page"})),
            ],
        ),
        (
            [],
            [
                shown("speedup", "fast"),
                shown("wrong", row=1, links=frozenset({"page", "fast"})),
            ],
        ),
    ],
)
def test_a_claim_checks_what_its_sentence_shows(
    expected: list[Fault], values: list[Shown]
) -> None:
    assert expected == [*of_shown(said(*values, claims=(HOLDS,)))]


def test_the_key_of_a_row_that_is_checked_may_be_shown() -> None:
    swept = claim("<= 2", "copy.ways[way=a].copy_s", "swept")
    both = [shown(f"ways[way=a].{name}", "swept") for name in ("way", "copy_s")]
    assert [] == [*of_shown(said(*both, claims=(swept,)))]


@pytest.mark.parametrize(
    ("message", "cells"),
    [
        ("", {"a].way": 1, "a].copy_s": 1, "a].wait_s": 1, "b].copy_s": 2}),
        ("", {"a].copy_s": 1, "b].copy_s": 1, "a].wait_s": 2}),
        ("", {"a].way": 1, "a].copy_s": 1, "b].copy_s": 0}),
        (
            "copy.ways[way=b].wait_s does not belong into this row: it shows "
            "copy.ways[way=a].copy_s",
            {"a].copy_s": 1, "b].wait_s": 1},
        ),
        (
            "copy.ways[way=b].copy_s does not belong into this row: it shows "
            "copy.ways[way=a].way",
            {"a].way": 1, "b].copy_s": 1},
        ),
    ],
)
def test_a_row_of_a_table_shows_one_row_of_a_sweep(
    message: str, cells: dict[str, int]
) -> None:
    known = said(*(shown(f"ways[way={name}", row=row) for name, row in cells.items()))
    assert [unchecked(message)] * bool(message) == [*of_tables(known)]


def test_a_cell_of_a_sweep_is_shown_in_one_row() -> None:
    first = replace(shown("ways[way=a].copy_s", row=1), line=5)
    lie = "copy.ways[way=a].copy_s is shown in two rows: here, and in line 5"
    assert [unchecked(lie)] == [*of_tables(said(first, replace(first, row=2, line=7)))]
    keys = (shown("ways[way=a].way", row=row) for row in (1, 2))
    alone = (shown("wrong", row=row) for row in (1, 2))
    assert [] == [*of_tables(said(first, first, *keys, *alone))]


def test_sweeps_are_told_apart_by_page_example_and_name() -> None:
    one = shown("ways[way=a].copy_s", row=1)
    sent = replace(one, address=Address("copy", "sent[way=b].wait_s"))
    other = replace(one, address=Address("other", "ways[way=b].wait_s"))
    in_prose = (
        replace(shown(f"ways[way={name}_s"), row=0) for name in ("a].copy", "b].wait")
    )
    known = said(one, sent, other, *in_prose)
    elsewhere = shown("ways[way=b].wait_s", row=1), shown("ways[way=a].copy_s", row=3)
    known.page("another").shown.extend(elsewhere[:1])
    known.page("third").shown.extend(elsewhere[1:])
    assert [] == [*of_tables(known)]


def test_a_value_stands_beside_links_to_claims_of_its_example() -> None:
    other = claim(name="other", value="other.speedup")
    linked = shown("speedup", row=1, links=frozenset({"other"}))
    known = said(shown("speedup", "fast"), linked, claims=(HOLDS, other))
    lie = (
        "copy.speedup is shown, but no claim here checks it: claim it, or leave it out"
    )
    assert unchecked(lie) in [*of_shown(known)]


@pytest.mark.parametrize(
    ("faults", "name", "links"),
    [
        (0, "tries", frozenset[str]()),
        (0, "speedup", frozenset[str]()),
        (1, "wrong", frozenset[str]()),
        (1, "wrong", frozenset({"ways"})),
        (0, "wrong", frozenset({"ways", "right"})),
    ],
)
def test_beside_a_claim_stands_what_it_checks_or_a_claim_that_is_linked(
    faults: int, name: str, links: frozenset[str]
) -> None:
    right = claim("== 0", "copy.wrong", "right", ("other", 3))
    ways = claim("<= 2", "copy.ways[way=a].copy_s", "ways")
    value = shown(name, beside=frozenset({"fast"}), links=links)
    known = said(shown("speedup", "fast"), value, claims=(HOLDS, right, ways))
    assert faults == len([*of_shown(known)])


def test_what_a_value_is_compared_with_is_checked_too() -> None:
    twins = claim_of(".speedup about .twin_ratio +- 10 %", name="twins", of="copy")
    both = shown("speedup", "twins"), shown("twin_ratio", "twins")
    assert [] == [*of_shown(said(*both, claims=(twins,)))]


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (Kind.DIVERGED, claim(">= 6")),
        (Kind.NOISY, claim(">= 5")),
        (Kind.TIGHT, claim(">= 4.5")),
        (Kind.WEAK, claim(">= 2")),
        (Kind.SCOPE, claim(scope="gpus>=8")),
        (None, claim()),
    ],
)
def test_each_verdict_is_a_fault_of_its_kind(kind: Kind | None, given: Claim) -> None:
    faults = [*of_judgements(domain(given))]
    assert [kind] * bool(kind) == [fault.kind for fault in faults]
    assert [("page", 1)] * bool(kind) == [fault.place for fault in faults]


def test_of_several_checks_the_message_names_the_value() -> None:
    checks = ".speedup >= 3", ".speedup >= 6"
    several = claim_of(*checks, name="several", place=("page", 3), of="copy")
    (fault,) = of_judgements(domain(several))
    start = "claim 'several': expected copy.speedup >= 6, measured 5.0× (4.9–5.1×) on "
    assert fault.message.startswith(f"{start}NVIDIA H200 (examples/memory/copy.json); ")


def test_of_several_examples_the_message_names_the_one_that_differs() -> None:
    later = builder(gpu="NVIDIA L40")
    both = claim_of(".speedup >= 3.5", "wait.ratio >= 8", name="both", of="copy")
    wait = record("wait", {"ratio": timing(2.1, 2.3)}, builder=later)
    (fault,) = of_judgements(domain(both, records=(record(), wait)))
    found = "measured 2.2× (2.1–2.3×) on NVIDIA L40 (examples/memory/wait.json)"
    assert f"expected wait.ratio >= 8, {found}" in fault.message
    assert fault.message.endswith("record again with 'nox -s record -- wait'")


@pytest.mark.parametrize(
    ("kinds", "live"),
    [([Kind.TIGHT], ()), ([], ("copy",)), ([], ("wait",)), ([], ("copy", "wait"))],
)
def test_how_far_a_bound_stands_is_told_of_records_alone(
    kinds: list[Kind], live: tuple[str, ...]
) -> None:
    near = claim("<= 1.1 * wait.speedup", "copy.speedup")
    known = domain(near, records=(record(), record("wait")))
    library = known.site.library
    measured = {stem: replace(library.examples[stem], mode="measured") for stem in live}
    having(known, library=replace(library, examples={**library.examples, **measured}))
    assert kinds == [fault.kind for fault in of_judgements(known)]


@pytest.mark.parametrize(
    ("kinds", "mode"), [([Kind.SCOPE], "replayed"), ([], "measured")]
)
def test_a_live_build_may_measure_what_is_out_of_scope_there(
    kinds: list[Kind], mode: str
) -> None:
    known = domain(claim(scope="gpu == NVIDIA H100"))
    library = known.site.library
    copy = replace(library.examples["copy"], mode=mode)
    having(known, library=replace(library, examples={**library.examples, "copy": copy}))
    assert kinds == [fault.kind for fault in of_judgements(known)]


@pytest.mark.parametrize("control", ["wrong", "other"])
def test_a_control_measures_the_same_example(control: str) -> None:
    problem = "is no other claim that measures the same example"
    wrong = claim(name="wrong", control=control)
    other = claim(name="other", value="other.speedup")
    records = record("copy"), record("other")
    faults = [*of_ids(domain(wrong, other, records=records))]
    message = f"claim 'wrong': its control {control!r} {problem}"
    assert [Fault(Kind.CLAIM, message, ("page", 1))] == faults


def test_examples_are_faulted_for_their_script_record_or_age() -> None:
    known = domain()
    known.env.app = SimpleNamespace(keep_going=True)
    copy = known.site.library.examples["copy"]
    script = Script(copy.path, (), Settings(), "1" * 64)
    states = {
        "unread": replace(copy, record=None, problem="unread.py cannot be read"),
        "bare": replace(copy, script=script, record=None, problem="does not exist"),
        "stale": replace(copy, script=script),
        "fresh": replace(copy, script=replace(script, code_key="0" * 64)),
    }
    having(known, library=Library(known.site.library.folder, states))
    faults = {fault.kind: fault for fault in of_examples(known)}
    assert {Kind.RECORD, Kind.STALE} == faults.keys()
    messages = [fault.message for fault in of_examples(known)]
    assert "unread.py cannot be read" == messages[0]
    assert messages[1].startswith(
        "examples/memory/copy.json does not exist; record it "
    )
    assert messages[2].startswith("the code changed since its record; record it with ")
    assert 3 == len(messages)
    assert {"examples/memory/copy.py:1"} == {f.place for f in of_examples(known)}


def test_nothing_of_anything_is_a_fault() -> None:
    known = domain()
    having(known, library=Library(known.site.library.folder, {}))
    expected = ["there is no example in examples/", "no page makes a claim"]
    assert [Fault(Kind.COUNT, text) for text in expected] == [*of_nothing(known)]
    assert [] == [*of_nothing(domain(claim()))]


def test_what_pages_noted_is_told_page_by_page() -> None:
    known = domain()
    late, early = (Fault(Kind.CLAIM, text, (text, 1)) for text in ("b", "a"))
    known.page("b").faults.append(late)
    known.page("a").faults.append(early)
    assert [early, late] == [*of_reading(known)]


@pytest.mark.parametrize(("faults", "page"), [(1, "one"), (0, "two")])
def test_sentences_change_places_on_one_page_alone(faults: int, page: str) -> None:
    pinned = claim(name="copies-are-pinned", place=("one", 3))
    before = claim(name="it-is-faster", place=("a-page", 2))
    known = domain(before, pinned, claim(name="kernels-do-wait", place=(page, 7)))
    known.page("one").sentences[pinned.id] = "Kernels wait."
    known.page(page).sentences["kernels-do-wait"] = "Copies are pinned."

    found = [*of_exchanges(known)]

    assert [(page, 7)] * faults == [fault.place for fault in found]


def test_a_link_to_a_claim_of_another_example_frees_nothing() -> None:
    other = claim(name="other", value="other.speedup")
    linked = shown("wrong", row=1, links=frozenset({"other"}))
    known = said(shown("speedup", "fast"), linked, claims=(HOLDS, other))
    messages = [fault.message for fault in of_shown(known)]
    assert "copy.wrong is shown, but no claim here checks it" in str(messages)


def test_a_constant_of_another_example_is_no_part_of_a_sentence() -> None:
    foreign = Shown(Address("other", "sweep[size=4].size"), 7, "fast")
    (fault,) = of_shown(said(shown("speedup", "fast"), foreign, claims=(HOLDS,)))
    assert "other.sweep[size=4].size is shown in claim 'fast', which does" in str(fault)
