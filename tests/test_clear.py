"""When few processes tell a verdict, and what part of many does."""

from __future__ import annotations

import pytest
from conftest import claim
from evidence.judge.clear import middles, unclear
from evidence.judge.pages import read_claims
from evidence.records.model import Plain, Table, Timing, scalar
from factories import record


def of(*medians: float) -> Timing:
    return Timing(medians, (0.0,) * len(medians), (1,) * len(medians))


@pytest.mark.parametrize(
    ("expected", "expect", "medians"),
    [
        (False, ">= 2", (2.6,)),
        (True, ">= 2", (2.4,)),
        (True, ">= 2", (1.0,)),
        (False, "<= 2", (1.5,)),
        (True, "<= 2", (1.7,)),
        (False, "in 1..4", (2.0,)),
        (True, "in 1..4", (3.5,)),
        (False, ">= 2", (2.5, 2.3, 2.9)),
        (True, ">= 2", (2.5, 2.1, 2.9)),
        (False, ">= 2", (2.5, 2.2, 2.15, 2.9, 2.0, 3.0)),
        (True, ">= 2", (2.5, 2.2, 2.05, 2.9, 2.0, 3.0)),
        (False, ">= 2 * copy.other_speedup", (5.2,)),
        (True, ">= 2 * copy.other_speedup", (4.8,)),
        (False, "about 1 +- 10 %", (1.02,)),
        (True, "about 1 +- 10 %", (1.04,)),
        (False, "about 1 +- 10 %", (0.97, 1.0, 1.04)),
        (True, "about 1 +- 10 %", (0.97, 1.0, 1.06)),
        (False, "about 1 +- 10 %", (0.8, 0.95, 1.0, 1.0, 1.06, 1.2)),
        (True, "about 1 +- 10 %", (0.8, 0.95, 1.0, 1.0, 1.08, 1.2)),
    ],
)
def test_a_claim_is_clear_where_its_bound_stands_off_every_process(
    expected: bool, expect: str, medians: tuple[float, ...]
) -> None:
    claims, wrong = read_claims(claim("fast", expect, value="copy.speedup"), "page")
    assert not wrong
    measured = {"speedup": of(*medians), "other_speedup": of(*[2.0] * 6)}
    asked = unclear(claims, {"copy": record("copy", measured)})
    assert ({"copy"} if expected else set()) == asked


def test_what_is_no_timing_is_clear_at_once() -> None:
    claims, _ = read_claims(claim("same", "== 3", value="copy.calls"), "page")
    for calls in (3, 4):
        assert not unclear(claims, {"copy": record("copy", {"calls": Plain(calls)})})


def test_a_claim_on_two_examples_asks_for_both_once_it_can_be_judged() -> None:
    text = claim("fast", ">= 2 * slow.speedup", value="copy.speedup")
    claims, _ = read_claims(text, "page")
    records = {"copy": record("copy", {"speedup": of(3.0)})}
    assert not unclear(claims, records)
    records["slow"] = record("slow", {"speedup": of(1.4)})
    assert {"copy", "slow"} == unclear(claims, records)


def test_a_claim_that_is_out_of_scope_asks_for_no_more_processes() -> None:
    far = claim("far", ">= 2", value="copy.speedup", scope="gpus>=64")
    near = claim("near", ">= 5", value="slow.speedup", scope="gpus>=1")
    claims, wrong = read_claims(f"{far}\n\n{near}", "page")
    assert not wrong
    measured = {"copy": of(2.4), "slow": of(5.9)}
    records = {stem: record(stem, {"speedup": it}) for stem, it in measured.items()}
    assert {"slow"} == unclear(claims, records)


@pytest.mark.parametrize(
    ("expected", "medians"),
    [
        ((9.0,), (9.0,)),
        ((1.0, 5.0, 9.0), (9.0, 1.0, 5.0)),
        ((2.0, 3.0, 5.0, 6.0), (9.0, 1.0, 5.0, 3.0, 6.0, 2.0)),
        ((4.0, 5.0, 6.0, 7.0, 8.0, 9.0), tuple(map(float, range(12, 0, -1)))),
    ],
)
def test_the_middle_half_of_the_processes_tells(
    expected: tuple[float, ...], medians: tuple[float, ...]
) -> None:
    rows = ({"size": Plain(2), "speedup": of(*medians)},)
    measured = {"speedup": of(*medians), "sizes": Table(rows), "calls": Plain(3)}
    before = {"copy": record("copy", measured), "kept": record("kept", measured)}
    after = middles(before, {"copy"})
    assert before["kept"] == after["kept"]
    cells = after["copy"].cells
    for address in ("speedup", "sizes[size=2].speedup"):
        cell = cells[address]
        assert isinstance(cell, Timing)
        assert expected == cell.median
    assert 3 == scalar(cells["calls"])
