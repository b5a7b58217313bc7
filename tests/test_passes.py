"""Passes of other machines are judged by today's claims; a file that is not whole is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT
from evidence.examples.script import find_scripts
from evidence.judge.passes import MAX_BYTES, read_passes
from evidence.judge.verdict import judge
from evidence.records import wire
from evidence.records.model import Plain
from evidence.records.store import load, record_path, seal
from factories import builder, record, timing
from factories import claim as made
from msgspec import to_builtins

if TYPE_CHECKING:
    from pathlib import Path

    from evidence.judge.passes import Elsewhere
    from evidence.records.model import Value

KEY = "0" * 64
DAY = "2026-11-22"
MACHINES = ("00000001", "0000000a")
#: What ``verify`` wrote before: verdicts, of code that nothing tells.
VERDICTS_ALONE = {"schema": 1, "builder": {}, "claims": [{"id": "a", "verdicts": []}]}


def ran(stem: str = "copy", key: str = KEY, **measured: Value) -> dict[str, Any]:
    """What one example gave in a pass; of no value, that it failed."""
    return {stem: {"code_key": key, "measured": wire.packed(measured)}}


def text(*passes: dict[str, Any], gpu: str = "NVIDIA L4", **changes: Any) -> str:
    """A file of passes, sealed."""
    usual = {
        "schema": 2,
        "machine": MACHINES[0],
        "day": DAY,
        "commit": "",
        "builder": to_builtins(builder(gpu=gpu)),
        "passes": passes,
        "claims": {},
    }
    return seal({**usual, **changes})


def keep(folder: Path, content: str, machine: str = MACHINES[0]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{machine}-{DAY}.json"
    path.write_text(content)
    return path


def judged(folder: Path, *claims: Any) -> Elsewhere:
    return read_passes(folder, claims or [made()], {"copy": KEY, "base": KEY})


FAST, SLOW = ran(speedup=timing(5.0)), ran(speedup=timing(2.0))


@pytest.mark.parametrize(
    ("verdict", "expect", "measured"),
    [
        ("holds", ">= 3", FAST),
        ("diverged", ">= 3", SLOW),
        # One process has no interval: it is above or below.
        ("diverged", ">= 5.1", FAST),
        ("noisy", ">= 3", ran(speedup=timing(2, 5))),
        ("missing", ">= 3", ran()),
        ("missing", ">= 3", ran(speed=timing(5.0))),
        ("missing", "true", FAST),
        ("holds", ">= base.x_speedup", {**FAST, **ran("base", x_speedup=Plain(3))}),
        ("missing", ">= base.x_speedup", {**FAST, **ran("base")}),
    ],
)
def test_a_claim_is_judged_as_verify_judges_it(
    verdict: str, expect: str, measured: dict[str, Any], tmp_path: Path
) -> None:
    path = keep(tmp_path, text(measured))

    found = judged(tmp_path, made(expect))

    assert {"a-claim": {"NVIDIA L4": {MACHINES[0]: [verdict]}}} == found.verdicts
    failed = [] if verdict == "holds" else [(path, "a-claim")]
    assert failed == list(found.failed)


@pytest.mark.parametrize(
    ("measured", "options"),
    [
        (ran(key="1" * 64, speedup=timing(2.0)), {}),
        (ran("gone", speedup=timing(2.0)), {}),
        (SLOW, {"scope": "gpus>=8"}),
        (SLOW, {"expect": ">= base.x_speedup"}),
        ({**SLOW, **ran("base", "1" * 64)}, {"expect": ">= base.x_speedup"}),
    ],
)
def test_a_pass_of_other_code_or_out_of_scope_says_nothing(
    measured: dict[str, Any], options: dict[str, str], tmp_path: Path
) -> None:
    keep(tmp_path, text(measured))

    found = judged(tmp_path, made(**options))

    assert ({}, {}, {}) == (found.verdicts, found.failed, found.unusable)


def test_the_verdicts_in_a_file_are_not_believed(tmp_path: Path) -> None:
    keep(tmp_path, text(SLOW, claims={"a-claim": ["holds"]}))
    expected = ["diverged"]
    assert expected == judged(tmp_path).verdicts["a-claim"]["NVIDIA L4"][MACHINES[0]]


@pytest.mark.parametrize(
    ("margin", "elsewhere"),
    [("", timing(4.8)), ("weak", timing(6.5)), ("weak", timing(2.0))],
)
def test_a_bound_is_weak_only_if_it_is_for_every_machine(
    margin: str, elsewhere: Value, tmp_path: Path
) -> None:
    keep(tmp_path, text(ran(speedup=elsewhere)))
    claim = made(">= 3")
    recorded = judge(
        claim, {"copy": record(measured={"speedup": timing(6.4, 6.5, 6.6)})}
    )
    assert recorded.margin == "weak"

    found = judged(tmp_path, claim).bounded(recorded)

    assert (margin, "holds") == (found.margin, found.verdict.value)


def test_passes_are_counted_by_model_and_machine(tmp_path: Path) -> None:
    keep(tmp_path, text(FAST, SLOW, SLOW))
    keep(tmp_path, text(FAST, gpu="", machine=MACHINES[1]), MACHINES[1])
    on_cpu = builder(gpu="", cpu="A CPU")
    other = text(FAST, machine="f" * 8, builder=to_builtins(on_cpu))
    keep(tmp_path, other, "f" * 8)

    found = judged(tmp_path)

    by_model = {
        "NVIDIA L4": {MACHINES[0]: ["holds", "diverged", "diverged"]},
        "": {MACHINES[1]: ["holds"]},
        "A CPU": {"f" * 8: ["holds"]},
    }
    assert by_model == found.verdicts["a-claim"]
    assert 1 == len(found.failed)


def without(name: str) -> str:
    data = json.loads(text(FAST))
    del data[name], data["checksum"]
    return seal(data)


TWICE = {"table": [[{"column": "n", "value": 1}]] * 2}


@pytest.mark.parametrize(
    ("problem", "content"),
    [
        ("is not JSON, or was cut off (Input data was truncated)", text(FAST)[:-20]),
        ("holds the marks of a merge conflict: take one", "<<<<<<< HEAD\n"),
        (f"is larger than {MAX_BYTES // 1_000_000} MB", " " * (MAX_BYTES + 1)),
        (
            "has schema 1, this site reads 2: without code keys nothing tells which "
            "code was measured",
            seal(VERDICTS_ALONE),
        ),
        ("has schema 3, this site reads 2", text(schema=3)),
        ("has schema None, this site reads 2", "[]"),
        ("was edited: its checksum does not match", text(FAST).replace("5.0", "6.0")),
        (
            "was edited: its checksum",
            text(FAST, claims={"a": ["x"]}).replace('"x"', '"y"'),
        ),
        (f"is to be called 0000000b-{DAY}.json, by", text(FAST, machine="0000000b")),
        (
            f"is to be called {MACHINES[0]}-2026-11-20.json, by its machine and day",
            text(FAST, day="2026-11-20"),
        ),
        (
            "does not fit schema 2: Object missing required field `code_key`",
            text({"copy": {"measured": {}}}),
        ),
        (
            "does not fit schema 2: Object missing required field `commit`",
            without("commit"),
        ),
        (
            "does not fit schema 2: Expected `str` matching regex '^[0-9a-f]{8}$'",
            text(machine="my-host"),
        ),
        (
            "does not fit schema 2: Expected `str` matching regex '^([0-9a-f]{40,64}",
            text(commit="main"),
        ),
        ("does not fit schema 2: day is out of range", text(FAST, day="2026-02-31")),
        ("does not fit schema 2: there is no pass", text()),
        (
            "does not fit schema 2: t: two rows of a table share the address n=1",
            text({"copy": {"code_key": KEY, "measured": {"t": TWICE}}}),
        ),
        (
            "does not fit schema 2: Object contains unknown field `host`",
            text(FAST, host="h"),
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(
    problem: str, content: str, tmp_path: Path
) -> None:
    path = keep(tmp_path, content)

    found = judged(tmp_path)

    assert {} == found.verdicts
    assert [path] == list(found.unusable)
    assert found.unusable[path].startswith(problem)


def test_a_file_that_is_laid_out_differently_is_whole(tmp_path: Path) -> None:
    keep(tmp_path, json.dumps(json.loads(text(FAST))).replace(", ", ",\r\n"))
    assert {} == judged(tmp_path).unusable


def test_three_passes_over_this_site_can_be_sent() -> None:
    paths = map(record_path, find_scripts(ROOT / "examples"))
    everything = {}
    for found in map(load, paths):
        everything |= ran(found.stem, **found.measured)
    assert len(text(*[everything] * 3)) < MAX_BYTES
