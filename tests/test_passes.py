"""Kept passes of other machines are judged by today's claims; what is not whole is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from evidence.judge import kept
from evidence.judge.kept import DEPTH, MAX_BYTES, checked
from evidence.judge.passes import Outcome, held_of, read_passes
from evidence.judge.verdict import Verdict, judge
from evidence.records.model import Plain, Raised, Table
from evidence.records.signed import Signed
from evidence.records.store import checksum, seal
from factories import builder, record, timing
from factories import claim as made
from msgspec import to_builtins

if TYPE_CHECKING:
    from pathlib import Path

    from evidence.judge.passes import Elsewhere
    from evidence.records.model import Value

KEY = "0" * 64
KEYS = {"copy": KEY, "base": "b" * 64}
DAY = "2026-11-22"
MACHINES = ("00000001", "0000000a")
NAME = f"{MACHINES[0]}-2.11.0+cu130.json"
#: What ``verify`` sends, which nobody has kept.
SENT = {"schema": 2, "builder": {}, "passes": []}


def ran(
    stem: str = "copy", key: str | None = None, run: int = 0, **measured: Value
) -> dict[str, Any]:
    """What is kept of one example; of no value, that it failed."""
    values = {name: kept.kept(value) for name, value in measured.items()}
    return {
        stem: {"run": run, "code_key": key or KEYS.get(stem, KEY), "measured": values}
    }


def a_run(**changes: Any) -> dict[str, Any]:
    """A line of what was sent; a machine is named by ``gpu`` alone."""
    gpu = changes.pop("gpu", "NVIDIA L4")
    usual = {"day": DAY, "commit": "", "held": 3, "of": 5, "sent": "c" * 64}
    return {**usual, "builder": to_builtins(builder(gpu=gpu)), **changes}


def text(examples: dict[str, Any], gpu: str = "NVIDIA L4", **changes: Any) -> str:
    """A file of passes as it is kept, sealed."""
    usual = {
        "schema": 3,
        "machine": MACHINES[0],
        "runs": [a_run(gpu=gpu)],
        "examples": to_builtins(examples),
        "earlier": {},
    }
    return seal({**usual, **changes}, DEPTH)


def earlier(claim: Any = None, **verdicts: int) -> dict[str, Any]:
    """How often a claim had which verdict in passes whose values were replaced."""
    claim = claim or made()
    return {claim.id: {"key": checked(claim, KEYS), "verdicts": verdicts}}


def keep(folder: Path, content: str, machine: str = MACHINES[0]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME.replace(MACHINES[0], machine)
    path.write_text(content)
    return path


def judged(folder: Path, *claims: Any) -> Elsewhere:
    return read_passes(folder, claims or [made()], KEYS)


def verdicts(found: Elsewhere, claim: str = "a-claim") -> list[tuple[Any, ...]]:
    """Of each machine: its id, its GPU, and how often a claim had which verdict there."""
    return [
        (each.machine, each.gpu, {v.value: n for v, n in each.verdicts.items()})
        for each in found.outcomes.get(claim, ())
    ]


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

    assert [(MACHINES[0], "NVIDIA L4", {verdict: 1})] == verdicts(found)
    failed = [] if verdict == "holds" else [(path, "a-claim")]
    assert failed == [(where, judgement.claim.id) for where, judgement in found.failed]


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

    assert ({}, [], {}) == (found.outcomes, found.failed, found.unusable)


def test_values_of_different_runs_are_not_compared(tmp_path: Path) -> None:
    both = {**FAST, **ran("base", run=1, x_speedup=Plain(3))}
    keep(tmp_path, text(both, runs=[a_run(), a_run(day="2026-11-25", sent="d" * 64)]))

    found = judged(tmp_path, made(">= base.x_speedup"), made("<= 3", "base.x_speedup"))

    assert [(MACHINES[0], "NVIDIA L4", {"holds": 1})] == verdicts(found)
    assert ["<= 3"] == [check.expect for _claim, check in found.near]


def test_each_run_is_judged_where_it_is_in_scope(tmp_path: Path) -> None:
    lone = {**to_builtins(builder(gpu="NVIDIA L4")), "gpus": 1}
    runs = [a_run(builder=lone), a_run(day="2026-11-25", sent="d" * 64)]
    keep(tmp_path, text({**FAST, **ran("base", run=1, x_speedup=Plain(3))}, runs=runs))
    several = made(scope="gpus>=2")
    other = made(">= 2", "base.x_speedup", "other", scope="gpus>=2")

    found = judged(tmp_path, several, other)

    assert ["other"] == list(found.outcomes)


def test_an_older_run_is_of_the_machine_as_it_was_then(tmp_path: Path) -> None:
    lone = {**to_builtins(builder(gpu="NVIDIA L4")), "gpus": 1, "driver": "590.1"}
    runs = [a_run(), a_run(day="2026-11-25", builder=lone, sent="d" * 64)]
    keep(tmp_path, text({**SLOW, **ran("base", run=1, x_speedup=Plain(7))}, runs=runs))
    several = made(">= 1.5", scope="gpus>=2")

    found = judged(tmp_path, several, made(">= 3", name="wrong"))

    assert [(MACHINES[0], "NVIDIA L4", {"holds": 1})] == verdicts(found)
    ((_path, judgement),) = found.failed
    assert judgement.record is not None
    then = ("wrong", 2, "580.95.05")
    machine = judgement.record.builder
    assert then == (judgement.claim.id, machine.gpus, machine.driver)


def test_what_was_replaced_is_counted_while_the_same_is_checked(
    tmp_path: Path,
) -> None:
    keep(tmp_path, text(FAST, earlier=earlier(holds=4)))

    found = judged(tmp_path)

    assert [(MACHINES[0], "NVIDIA L4", {"holds": 5})] == verdicts(found)
    assert (5, 5) == held_of(found.outcomes["a-claim"])
    for claim in (made(">= 2"), made(">= 3", name="other")):
        assert {claim.id: 1} == {
            c: o.passes for c, (o,) in judged(tmp_path, claim).outcomes.items()
        }
    keep(tmp_path, text({}, earlier=earlier(holds=4)))
    elsewhere = judged(tmp_path, made(scope="gpus>=8"))
    assert {} == elsewhere.outcomes
    changed = read_passes(tmp_path, [made()], {**KEYS, "copy": "1" * 64})
    assert {} == changed.outcomes


def test_counts_are_of_the_machine_as_it_was_in_its_newest_run(tmp_path: Path) -> None:
    lone = {**to_builtins(builder(gpu="NVIDIA L4")), "gpus": 1}
    late, last = (
        a_run(day=day, builder=lone, sent="d" * 64) for day in ("2026-11-21", DAY)
    )
    several = made(scope="gpus>=2")
    counted = earlier(several, holds=4)
    keep(tmp_path, text({}, runs=[a_run(), late], earlier=counted))
    assert [(MACHINES[0], "NVIDIA L4", {"holds": 4})] == verdicts(
        judged(tmp_path, several)
    )
    # Of two runs of a day, the last.
    keep(tmp_path, text({}, runs=[a_run(), last], earlier=counted))
    assert {} == judged(tmp_path, several).outcomes


def test_what_is_checked_is_told_apart_by_the_prefix_of_its_addresses() -> None:
    one, two = (
        made(">= 2 * .x_speedup", of=f"copy.by_n[n={n}]", name="a-claim")
        for n in (1, 2)
    )
    assert checked(one, KEYS) != checked(two, KEYS)
    assert checked(one, KEYS) == checked(
        made(">= 2 * .x_speedup", of=one.of, scope="sm_80+"), KEYS
    )


def test_what_is_checked_is_told_apart_by_the_code_of_each_of_its_examples(
    tmp_path: Path,
) -> None:
    compared = made(">= base.x_speedup")
    keep(tmp_path, text(FAST, earlier=earlier(compared, holds=4)))

    same = read_passes(tmp_path, [compared], KEYS)
    others = [
        read_passes(tmp_path, [compared], {**KEYS, stem: digit * 64})
        for stem, digit in (("copy", "1"), ("base", "2"))
    ]

    assert [(MACHINES[0], "NVIDIA L4", {"holds": 4})] == verdicts(same)
    assert [{}, {}] == [found.outcomes for found in others]


def test_what_did_not_hold_in_a_pass_stays_when_its_values_are_replaced(
    tmp_path: Path,
) -> None:
    path = keep(tmp_path, text(FAST, earlier=earlier(holds=2, noisy=1)))

    found = judged(tmp_path)

    assert (3, 4) == held_of(found.outcomes["a-claim"])
    (where, outcome), *others = found.doubted
    assert (path, 2, 3, []) == (where, outcome.held, outcome.passes, others)
    assert [] == found.failed


@pytest.mark.parametrize(
    ("margin", "elsewhere"),
    [
        ("", timing(4.8)),
        ("", timing(3.1)),  # tight there
        ("weak", timing(6.6)),
        ("weak", timing(2.0)),
    ],
)
def test_a_bound_is_weak_only_if_it_is_for_every_machine(
    margin: str, elsewhere: Value, tmp_path: Path
) -> None:
    keep(tmp_path, text(ran(speedup=elsewhere)))
    claim = made(">= 3")
    recorded = judge(
        claim, {"copy": record(measured={"speedup": timing(6.4, 6.5, 6.7)})}
    )
    assert recorded.margin == "weak"

    found = judged(tmp_path, claim).bounded(recorded)

    assert (margin, "holds") == (found.margin, found.verdict.value)


def test_passes_are_counted_by_model_and_machine(tmp_path: Path) -> None:
    counted = earlier(holds=2, diverged=4)
    keep(tmp_path, text(FAST, earlier=counted))
    keep(tmp_path, text(SLOW, machine=MACHINES[1], earlier=counted), MACHINES[1])
    on_cpu = {**to_builtins(builder(gpu="", cpu="A CPU")), "gpus": 0}
    other = text(FAST, machine="f" * 8, runs=[a_run(builder=on_cpu)])
    keep(tmp_path, other, "f" * 8)

    found = judged(tmp_path)

    torch = "2.11"
    holds, diverged = Verdict.HOLDS, Verdict.DIVERGED
    cpu = Outcome("a-claim", "f" * 8, "A CPU", torch, {holds: 1})
    first, second = (
        Outcome(
            "a-claim",
            machine,
            "NVIDIA L4",
            torch,
            {holds: held, diverged: 9 - 2 - held},
        )
        for machine, held in zip(MACHINES, (3, 2), strict=True)
    )
    by_kind = found.by_kind("a-claim")
    assert {("A CPU", True): [cpu], ("NVIDIA L4", True): [first, second]} == by_kind
    assert [*by_kind] == found.kinds
    assert [(1, 1), (5, 14)] == [held_of(each) for each in by_kind.values()]
    assert 1 == len(found.failed)


def test_another_torch_than_a_claims_is_no_contradiction_but_told(
    tmp_path: Path,
) -> None:
    """The newest run with each, whatever its file is called; no other reason of the scope's."""
    older, newer = (
        a_run(builder=to_builtins(builder(torch="2.11.0+cu130")), day=day)
        for day in ("2026-11-20", "2026-11-21")
    )
    examples = ran("base", x_speedup=Plain(7), run=0) | ran(speedup=timing(2.0), run=1)
    early = text(examples, machine=MACHINES[1], runs=[older, newer])
    keep(tmp_path, early, MACHINES[1])
    keep(tmp_path, text(FAST, runs=[{**older, "day": "2026-11-22"}]))
    claims = [
        made(scope="torch>=2.14, sm_80+", name="here"),
        made(scope="torch>=2.14, gpus>=7", name="many"),
        made("== 5", "base.x_speedup", "base", scope="torch<2.9"),
        made(scope="torch<2.12", name="within"),
    ]

    found = judged(tmp_path, *claims)

    assert {
        "here": {"2.11": Verdict.HOLDS},
        "base": {"2.11": Verdict.DIVERGED},
    } == {
        name: {series: each.verdict for series, each in by_series.items()}
        for name, by_series in found.others.items()
    }
    assert {"within"} == found.outcomes.keys()
    assert ["within"] == [judgement.claim.id for _, judgement in found.failed]


def test_another_version_is_told_by_a_machine_of_ours_where_there_is_one(
    tmp_path: Path,
) -> None:
    older = to_builtins(builder(torch="2.9.0"))
    narrow = made(">= 3", scope="torch>=2.11")
    for machine, speedup, day in zip(
        MACHINES, (2.0, 5.0), ("2026-11-22", "2026-11-25"), strict=True
    ):
        runs = [a_run(builder=older, day=day)]
        content = text(
            ran(speedup=timing(speedup)), machine=machine, runs=runs, earlier={}
        )
        (tmp_path / f"{machine}-2.9.0.json").write_text(content)
    first = tmp_path / f"{MACHINES[0]}-2.9.0.json"
    signed = Signed({checksum(first.read_bytes()): "keeper"})

    sent_in = judged(tmp_path, narrow).others["a-claim"]["2.9"]
    ours = read_passes(tmp_path, [narrow], KEYS, signed)

    assert Verdict.HOLDS is sent_in.verdict
    assert Verdict.DIVERGED is ours.others["a-claim"]["2.9"].verdict
    assert {"2.9"} == ours.ours
    assert ["keeper", ""] == [keeper for _, keeper, _ in ours.runs]


def test_every_kind_of_value_is_kept_as_it_was(tmp_path: Path) -> None:
    sweep = Table(
        (
            {"z": Plain("one"), "a": timing(3, 4), "e": Raised("OSError", "no")},
            {"z": Plain("two"), "a": timing(5.5), "e": Plain(True)},
        )
    )
    single = {"raised": Raised("ValueError", "so"), "calls": Plain(20), "by_z": sweep}
    path = keep(tmp_path, text(ran(**single, share=Plain(0.25), speedup=timing(1, 2))))

    ((found,),) = (run.values() for run in kept.load(path).records)
    assert ["z", "a", "e"] == list(found.measured["by_z"].rows[0])
    for name, value in {**single, "share": Plain(0.25)}.items():
        expected = record("copy", {name: value}).cells
        for address, cell in expected.items():
            same = found.cells[address]
            if isinstance(cell, Raised):
                assert str(cell) == str(same)
            elif isinstance(cell, Plain):
                assert cell == same
            else:
                assert (cell.median, cell.interval) == (same.median, same.interval)


def test_each_example_is_a_line(tmp_path: Path) -> None:
    both = {**FAST, **ran("base", x_speedup=Plain(3))}
    lines = (
        keep(tmp_path, text(both, earlier=earlier(holds=4))).read_text().splitlines()
    )
    starts = [line.split(": ")[0] for line in lines if line.startswith("    ")]
    assert ['    "a-claim"', '    "base"', '    "copy"'] == starts[:3]
    assert '{"code_key": "000' in lines[-8] and '"speedup": [5.0]' in lines[-8]


def without(name: str) -> str:
    data = json.loads(text(FAST))
    del data[name], data["checksum"]
    return seal(data, DEPTH)


def of(value: Any) -> str:
    """A file with this as what was measured."""
    return text({"copy": {"run": 0, "code_key": KEY, "measured": value}})


def table(*rows: list[Any]) -> dict[str, Any]:
    return {"t": {"kind": "table", "columns": ["n", "x"], "rows": rows}}


@pytest.mark.parametrize(
    ("problem", "content"),
    [
        ("is not JSON, or was cut off (Input data was truncated)", text(FAST)[:-20]),
        (f"is larger than {MAX_BYTES // 1_000_000} MB", " " * (MAX_BYTES + 1)),
        (
            "has schema 2, this site reads 3: keep what was sent with 'nox -s keep -- FILE'",
            seal(SENT),
        ),
        ("has schema 4, this site reads 3", text(FAST, schema=4)),
        ("has schema None, this site reads 3", "[]"),
        ("was edited: its checksum does not match", text(FAST).replace("5.0", "6.0")),
        (
            "was edited: its checksum",
            text(FAST, earlier=earlier(holds=4)).replace('"holds": 4', '"holds": 5'),
        ),
        (
            "is to be called 0000000b-2.11.0+cu130.json, by its machine and PyTorch",
            text(FAST, machine="0000000b"),
        ),
        (
            f"is to be called {MACHINES[0]}-.._etc.json, by its machine and PyTorch",
            text(FAST, runs=[a_run(builder={"torch": "../etc"})]),
        ),
        (
            f"is to be called {MACHINES[0]}-without-torch.json, by its machine",
            text(FAST, runs=[a_run(builder={"cpu": "A CPU"})]),
        ),
        (
            "does not fit schema 3: Object missing required field `code_key`",
            text({"copy": {"run": 0, "measured": {}}}),
        ),
        (
            "does not fit schema 3: Object missing required field `earlier`",
            without("earlier"),
        ),
        (
            "does not fit schema 3: Expected `str` matching regex '^[0-9a-f]{8}$'",
            text(FAST, machine="my-host"),
        ),
        (
            "does not fit schema 3: Expected `str` matching regex '^([0-9a-f]{40,64}",
            text(FAST, runs=[a_run(commit="main")]),
        ),
        (
            "does not fit schema 3: day is out of range",
            text(FAST, runs=[a_run(day="2026-02-31")]),
        ),
        (
            "does not fit schema 3: its runs are not of one GPU model and one PyTorch",
            text({}, runs=[]),
        ),
        (
            "does not fit schema 3: its runs are not of one GPU model and one PyTorch",
            text(FAST, runs=[a_run(), a_run(gpu="NVIDIA T4")]),
        ),
        (
            "does not fit schema 3: an example is of a run that is not there",
            text(ran(run=1, speedup=timing(5.0))),
        ),
        (
            "does not fit schema 3: two rows of a table share the address n=1",
            of(table([1, 2], [1, 3])),
        ),
        ("does not fit schema 3: zip() argument 2 is shorter", of(table([1, 2], [3]))),
        (
            "does not fit schema 3: a measured number is at most 1e+100",
            of({"x": 1e101}),
        ),
        ("does not fit schema 3: Expected `array` of length >= 1", of({"x": []})),
        (
            "does not fit schema 3: Invalid enum value 'well'",
            text(FAST, earlier=earlier(well=4)),
        ),
        (
            "does not fit schema 3: Object contains unknown field `host`",
            text(FAST, host="h"),
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(
    problem: str, content: str, tmp_path: Path
) -> None:
    path = keep(tmp_path, content)

    found = judged(tmp_path)

    assert {} == found.outcomes
    assert [path] == list(found.unusable)
    assert found.unusable[path].startswith(problem)


def test_a_file_that_is_laid_out_differently_is_whole(tmp_path: Path) -> None:
    keep(tmp_path, json.dumps(json.loads(text(FAST))).replace(", ", ",\r\n"))
    assert {} == judged(tmp_path).unusable


def test_every_file_is_asked_whatever_stands_before_it(tmp_path: Path) -> None:
    doubted = earlier(holds=2, diverged=5)
    broken = keep(tmp_path, "no JSON", "0" * 8)
    first = keep(tmp_path, text(FAST, earlier=doubted))
    second = keep(
        tmp_path, text(FAST, machine=MACHINES[1], earlier=doubted), MACHINES[1]
    )
    sure = text(FAST, machine="f" * 8, earlier=earlier(holds=3))
    keep(tmp_path, sure, "f" * 8)

    found = judged(tmp_path)

    assert [broken] == [*found.unusable]
    assert [first, second] == [path for path, _ in found.doubted]
    assert [(2, 7)] * 2 == [(o.held, o.passes) for _, o in found.doubted]
    assert [*MACHINES, "f" * 8] == [machine for machine, *_ in found.runs]
    assert [DAY] * 3 == [run.day for *_, run in found.runs]
    assert [8, 8, 4] == [o.passes for o in found.outcomes["a-claim"]]


def test_counts_of_claims_that_changed_do_not_hide_those_of_others(
    tmp_path: Path,
) -> None:
    changed, same = made(">= 2", name="a-changed"), made(name="b-same")
    were = {**earlier(made(name="a-changed"), holds=5), **earlier(same, holds=3)}
    keep(tmp_path, text({}, earlier=were))

    found = judged(tmp_path, changed, same)

    assert {"b-same": 3} == {c: o.passes for c, (o,) in found.outcomes.items()}


def test_what_a_claim_checked_is_named_as_it_was_when_it_was_counted() -> None:
    """Files of passes hold these names: made otherwise, no count would be of today."""
    base = made(">= base.x_speedup")
    names = [checked(each, KEYS) for each in (made(), made(">= 7"), base)]
    assert ["08bb9fe04ec1", "75301240456c", "dd313c30351a"] == names
    assert "14f35cec2fb6" == checked(base, {})


def test_what_changed_is_judged_anew_and_the_rest_stays(tmp_path: Path) -> None:
    stays = made(">= 3", name="stays")
    fails = made(">= 6", name="fails")
    narrow = made(">= 3", name="narrow", scope="torch>=2.12")
    old = made(">= 4.9", name="changed")
    new = made(">= 5.2", name="changed")
    gone = made(">= 7", name="gone")
    doubted = earlier(fails, diverged=2)
    keep(tmp_path, text(FAST, earlier={**doubted, **earlier(gone, diverged=3)}))
    before = judged(tmp_path, stays, fails, narrow, old, gone)

    found = before.updated(judged(tmp_path, new), {"stays", "fails", "narrow"})

    whole = judged(tmp_path, stays, fails, narrow, new)
    assert whole == found
    assert whole.failed
    assert whole.doubted
    assert whole.others
    assert whole.near
