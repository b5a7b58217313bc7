"""``python -m evidence verify`` measures what the claims need here, and judges them by that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from evidence.__main__ import main
from evidence.examples.script import read_script
from evidence.measure import campaign
from evidence.records.store import record_path, save
from factories import builder, record, timing
from scripts import numbered, wait_until, write

if TYPE_CHECKING:
    from evidence.records.model import Builder, Record

ROOT = Path(__file__).parents[1]

STEADY = 'measured = {"speedup": {"samples": [5.0]}, "calls": 20, "pinned": True}'

#: What a claim's line holds, as a row of the table.
COLUMNS = ("claim", "expected", "recorded", "yours", "verdict")


@dataclass
class Verifier:
    """A folder with docs/ and examples/, and the machine that verifies them."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def claim(self, name: str, value: str, expect: str, **options: str) -> None:
        """Add a claim to a page.

        :param page: its name; ``memory/copies`` where none is given
        """
        page = self.folder / f"docs/{options.pop('page', 'memory/copies')}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        given = {"value": value, "expect": expect, **options}
        lines = [f":{option}: {text}" for option, text in given.items()]
        block = "\n".join([f":::{{claim}} {name}", *lines, "", "It is so.", ":::"])
        with page.open("a") as file:
            file.write(f"{block}\n\n")

    def example(self, stem: str, *cells: str, **settings: Any) -> Path:
        return write(self.folder / "examples" / "memory", stem, *cells, **settings)

    def record(self, stem: str, **changes: Any) -> Record:
        """Write the record of an example, as another builder made it."""
        path = self.folder / f"examples/memory/{stem}.py"
        made = record(stem, **{"code_key": read_script(path).code_key, **changes})
        save(made, record_path(path), {})
        return made

    def machine(self, **fields: Any) -> Builder:
        """Pretend that this machine is another one."""
        made = builder(**fields)
        self.monkeypatch.setattr(campaign, "probe", lambda: made)
        return made

    def lines(self, *arguments: str, code: int = 0) -> list[str]:
        """What verify prints; on standard error when it cannot verify at all."""
        assert code == main(["verify", *arguments])
        output, errors = self.capsys.readouterr()
        return (errors if code == 2 else output).splitlines()

    def table(self, *arguments: str, code: int = 0) -> dict[str, dict[str, str]]:
        """The table that verify prints, by claim and column."""
        first, header, *lines = self.lines(*arguments, code=code)
        assert first.startswith("verifying ")
        starts = [header.index(name) for name in COLUMNS]
        ends = [*starts[1:], None]
        assert list(COLUMNS) == header.split()
        rows = (
            [line[begin:end].strip() for begin, end in zip(starts, ends, strict=True)]
            for line in lines
            if not line.startswith(("FAILED", "    |")) and ": " not in line[:12]
        )
        return {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in rows}

    def verdicts(self, *arguments: str, code: int = 0) -> dict[str, str]:
        table = self.table(*arguments, code=code)
        return {claim: row["verdict"] for claim, row in table.items()}

    def data(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        """What verify writes as JSON."""
        self.lines("--json", "out/verdicts.json", *arguments, code=code)
        text = (self.folder / "out/verdicts.json").read_text()
        found: dict[str, Any] = json.loads(text)
        return found


@pytest.fixture
def verifier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Verifier:
    """One example and a page with one claim that holds, on a machine without a GPU."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    made = Verifier(tmp_path, capsys, monkeypatch)
    made.machine(gpu="", gpus=0, capability="", driver="", torch="")
    made.example("steady", STEADY)
    made.claim("steady-is-fast", "steady.speedup", ">= 3")
    return made


def test_each_claim_is_one_line(verifier: Verifier) -> None:
    verifier.claim("pinned", "steady.pinned", "true")
    verifier.record("steady", measured={"speedup": timing(4, 5)})
    expected = [
        "verifying 2 claims on a CPU",
        "claim           expected  recorded             yours   verdict",
        "steady-is-fast  >= 3        4.5× (NVIDIA H200)   5.000×  holds",
        "pinned          true        no record            yes     holds",
        "2 claims: 2 hold, 0 diverged, 0 noisy, 0 missing, 0 out of scope",
    ]
    shown = verifier.lines()
    assert [" ".join(line.split()) for line in expected] == [
        " ".join(line.split()) for line in shown
    ]
    starts = {line.rindex("holds") for line in shown[2:4]}
    assert {shown[1].index("verdict")} == starts


def test_the_machine_is_named(verifier: Verifier) -> None:
    verifier.machine(gpu="NVIDIA L4", gpus=1)
    expected = "verifying 1 claims on NVIDIA L4, torch 2.11.0+cu130, driver 580.95.05"
    assert expected == verifier.lines()[0]


def test_several_processes_give_an_interval(verifier: Verifier) -> None:
    value = numbered(verifier.folder / "count", [4, 5, 6])
    verifier.example("varies", value, 'measured = {"speedup": {"samples": [value]}}')
    verifier.claim("varies", "varies.speedup", ">= 3")
    row = verifier.table("-k", "varies", "--processes", "3")["varies"]
    expected = "5.0× (4.0–6.0×)"
    assert expected == row["yours"]


@pytest.mark.parametrize(
    ("verdict", "expect"), [("diverged", ">= 7"), ("noisy", ">= 5"), ("holds", "<= 7")]
)
def test_the_band_is_judged_by_what_was_measured_here(
    verifier: Verifier, verdict: str, expect: str
) -> None:
    value = numbered(verifier.folder / "count", [4, 6])
    verifier.example(
        "varies", value, 'measured = {"speedup": {"samples": [value]}}', processes=2
    )
    verifier.record("varies", measured={"speedup": timing(90, 100)})
    verifier.claim("varies", "varies.speedup", expect)
    row = verifier.table("-k", "varies", code=0 if verdict == "holds" else 1)["varies"]
    assert ("95× (NVIDIA H200)", verdict) == (row["recorded"], row["verdict"])


def test_a_record_of_other_code_is_shown_as_stale(verifier: Verifier) -> None:
    verifier.record("steady", code_key="0" * 64, measured={"speedup": timing(4, 5)})
    row = verifier.table()["steady-is-fast"]
    expected = "4.5× (NVIDIA H200, stale)"
    assert expected == row["recorded"]


def test_a_long_text_is_cut(verifier: Verifier) -> None:
    verifier.example("fails", f'measured = {{"error": ValueError("{"x" * 99}")}}')
    verifier.claim("fails", "fails.error", "raises ValueError: x")
    assert f"ValueError: {'x' * 37}…" == verifier.table("-k", "fails")["fails"]["yours"]


def test_an_example_that_fails_is_reported_and_its_claims_are_missing(
    verifier: Verifier,
) -> None:
    path = verifier.example("broken", 'print("about to")\n1 / 0')
    verifier.claim("broken", "broken.speedup", ">= 3")
    verifier.claim("compared", "steady.speedup", "> broken.speedup")
    line = len(path.read_text().splitlines())
    lines = verifier.lines(code=1)
    assert [
        f"FAILED broken.py raised ZeroDivisionError: division by zero in line {line}: 1 / 0",
        "    | about to",
        "3 claims: 1 holds, 0 diverged, 0 noisy, 2 missing, 0 out of scope",
    ] == lines[-3:]
    expected = {"steady-is-fast": "holds", "broken": "missing", "compared": "missing"}
    assert expected == verifier.verdicts(code=1)


@pytest.mark.parametrize(
    ("value", "expect", "problem"),
    [
        (
            "steady.cals",
            "== 20",
            "nothing was measured as 'steady.cals'; did you mean "
            "steady.calls or steady.speedup or steady.pinned?",
        ),
        (
            "steady.pinned",
            ">= 1",
            "the value True cannot be compared with a number",
        ),
    ],
)
def test_a_claim_that_fits_nothing_measured_is_missing(
    verifier: Verifier, value: str, expect: str, problem: str
) -> None:
    verifier.claim("odd", value, expect)
    assert [
        f"FAILED claim 'odd': {problem}",
        "1 claim: 0 hold, 0 diverged, 0 noisy, 1 missing, 0 out of scope",
    ] == verifier.lines("-k", "odd", code=1)[-2:]


def test_scope_is_judged_by_this_machine(verifier: Verifier) -> None:
    verifier.record("steady")  # of a builder that is in scope
    verifier.claim("only-there", "steady.calls", "== 20", scope="gpu == NVIDIA H200")
    verdicts = verifier.verdicts()
    expected = {"steady-is-fast": "holds", "only-there": "out of scope"}
    assert expected == verdicts
    verifier.machine(gpus=1)
    verdicts = verifier.verdicts()
    expected = {"steady-is-fast": "holds", "only-there": "holds"}
    assert expected == verdicts


def test_what_is_out_of_scope_is_not_run(verifier: Verifier) -> None:
    mark = verifier.folder / "ran"
    verifier.example(
        "other", f"open({str(mark)!r}, 'w').close()\nmeasured = {{'x': 1}}"
    )
    verifier.claim("other", "other.x", "== 1", scope="gpus>=8")
    expected = {"other": "out of scope"}
    assert expected == verifier.verdicts("-k", "other", code=1)
    assert not mark.exists()


def test_out_of_scope_alone_is_no_success(verifier: Verifier) -> None:
    verifier.claim("other", "steady.calls", "== 20", scope="gpus>=8")
    expected = "1 claim: 0 hold, 0 diverged, 0 noisy, 0 missing, 1 out of scope"
    assert expected == verifier.lines("-k", "other", code=1)[-1]


@pytest.mark.parametrize(
    ("expected", "arguments"),
    [
        ({"a-one", "a-two"}, ["-k", "a-"]),
        ({"b-one"}, ["-k", "streams/"]),
        ({"a-two", "b-one"}, ["-k", "second"]),
        ({"a-one", "b-one"}, ["-k", "a-one", "-k", "b-one"]),
        ({"a-one"}, ["-k", "a-one", "-k", "nothing"]),
    ],
)
def test_claims_are_selected_by_id_page_or_example(
    verifier: Verifier, expected: set[str], arguments: list[str]
) -> None:
    verifier.example("first", "measured = {'x': 1}")
    verifier.example("second", "measured = {'x': 1}")
    verifier.claim("a-one", "first.x", "== 1")
    verifier.claim("a-two", "second.x", "== 1")
    verifier.claim("b-one", "second.x", "== 1", page="streams/events")
    assert expected == set(verifier.verdicts(*arguments))


def test_only_the_examples_that_a_selected_claim_needs_are_run(
    verifier: Verifier,
) -> None:
    verifier.example("base", "measured = {'x': 1.0}")
    verifier.example("above", "measured = {'x': 2.0}")
    verifier.example("idle", "measured = {'x': 1}")
    verifier.claim("above", "above.x", "> base.x")
    assert not main(["verify", "-k", "above"])
    told = verifier.capsys.readouterr().err.splitlines()
    assert {"above", "base"} == {line.strip().partition(":")[0] for line in told}


def test_the_gallery_states_nothing_of_its_own(verifier: Verifier) -> None:
    verifier.claim("copied", "steady.calls", "== 20", page="gallery/memory/steady")
    verifier.claim("galleries", "steady.calls", "== 20", page="memory/gallery/page")
    assert {"steady-is-fast", "galleries"} == set(verifier.verdicts())


def test_nothing_selected_is_an_error(verifier: Verifier) -> None:
    lines = verifier.lines("-k", "x", "-k", "yz", code=2)
    problem = "there is no claim in docs with 'x' or 'yz' in its id, page or example"
    assert [f"evidence: {problem}"] == lines


def test_no_claim_at_all_is_an_error(verifier: Verifier) -> None:
    lines = verifier.lines("--docs", "examples", code=2)
    expected = ["evidence: there is no claim in examples"]
    assert expected == lines


def test_claims_that_cannot_be_judged_are_all_named_before_anything_is_measured(
    verifier: Verifier,
) -> None:
    verifier.claim("unknown", "nowhere.x", "> elsewhere.y")
    verifier.monkeypatch.setattr(campaign, "probe", pytest.fail)
    lines = verifier.lines(code=2)
    place = "docs/memory/copies.md"
    assert [
        "evidence: some claims cannot be judged",
        f"{place}:8: claim 'unknown': no example is called elsewhere",
        f"{place}:8: claim 'unknown': no example is called nowhere",
    ] == lines


def test_a_bad_claim_that_is_not_selected_does_not_matter(verifier: Verifier) -> None:
    verifier.claim("unknown", "nowhere.x", "> 1")
    expected = {"steady-is-fast": "holds"}
    assert expected == verifier.verdicts("-k", "steady")


def test_claims_that_cannot_be_read_are_all_named(verifier: Verifier) -> None:
    verifier.claim("Shouted", "steady.calls", "== 20", page="a")
    verifier.claim("no-value", "", "== 20", page="b")
    verifier.claim("steady-is-fast", "steady.calls", "== 20", page="c")
    expected = [
        "evidence: some claims cannot be read",
        "docs/a.md: the id 'Shouted' is not kebab-case",
        "docs/b.md: claim 'no-value' has no :value:",
        "docs/memory/copies.md:1: claim 'steady-is-fast' stands already at c:1",
    ]
    assert expected == verifier.lines(code=2)


def test_an_example_that_cannot_be_read_is_an_error(verifier: Verifier) -> None:
    verifier.example("steady", STEADY, processes="many")
    (line,) = verifier.lines(code=2)
    start = "evidence: steady.py: sphinx_gallery_evidence: Expected `int`, got `str`"
    assert line.startswith(start)


def test_without_a_gpu_only_examples_that_need_none_are_verified(
    verifier: Verifier,
) -> None:
    verifier.example("needs", "measured = {'x': 1}", gpus=1)
    verifier.claim("needs", "needs.x", "== 1", scope="sm_80+")
    expected = ["evidence: verify needs a CUDA GPU, and torch sees none here"]
    assert expected == verifier.lines(code=2)
    expected = {"steady-is-fast": "holds"}
    assert expected == verifier.verdicts("-k", "steady")


def test_a_machine_that_cannot_tell_what_it_is_verifies_nothing(
    verifier: Verifier,
) -> None:
    def fail() -> None:
        raise campaign.BuilderError("asking this machine what it is failed")

    verifier.monkeypatch.setattr(campaign, "probe", fail)
    expected = ["evidence: asking this machine what it is failed"]
    assert expected == verifier.lines(code=2)


def test_an_example_that_needs_more_gpus_than_there_are_is_reported(
    verifier: Verifier,
) -> None:
    verifier.machine(gpus=1)
    verifier.example("pair", "measured = {'x': 1}", gpus=2)
    verifier.example("single", "measured = {'x': 1}", gpus=1)
    for stem in ("pair", "single"):
        verifier.claim(stem, f"{stem}.x", "== 1")
    expected = {"steady-is-fast": "holds", "pair": "missing", "single": "holds"}
    assert expected == verifier.verdicts(code=1)
    cause = "FAILED pair.py needs 2 GPUs, this machine has 1"
    assert cause in verifier.lines(code=1)


def test_the_number_of_processes_can_be_given(verifier: Verifier) -> None:
    verifier.example("steady", STEADY, processes=None)
    (claim,) = verifier.data("--processes", "4")["claims"]
    expected = [4]
    assert expected == [yours["n"] for yours in claim["yours"]]


def test_passes_are_counted(verifier: Verifier) -> None:
    value = numbered(verifier.folder / "count", [4, 2, 5, 6])
    verifier.example("varies", value, 'measured = {"speedup": {"samples": [value]}}')
    verifier.claim("varies", "varies.speedup", ">= 3")
    verifier.claim("out", "varies.speedup", ">= 3", scope="gpus>=8")
    lines = verifier.lines("--repeat", "4", code=1)
    expected = [
        ["steady-is-fast", ">= 3", "no record", "5.000×", "holds 4/4"],
        [
            "varies",
            ">= 3",
            "no record",
            "4.5× (2.0–6.0×)",
            "holds 3/4, diverged 1/4",
        ],
        ["out", ">= 3", "no record", "–", "out of scope 4/4"],
    ]
    assert expected == [
        [cell.strip() for cell in line.split("  ") if cell] for line in lines[2:5]
    ]
    expected = "3 claims: 1 holds, 1 diverged, 0 noisy, 0 missing, 1 out of scope"
    assert expected == lines[5]


def test_untimed_values_of_several_passes_are_all_shown(verifier: Verifier) -> None:
    value = numbered(verifier.folder / "count", [20, 20, 21])
    verifier.example("varies", value, "measured = {'calls': value}")
    verifier.claim("varies", "varies.calls", "== 20")
    row = verifier.table("-k", "varies", "--repeat", "3", code=1)["varies"]
    expected = "20, 21"
    assert expected == row["yours"]
    expected = "holds 2/3, diverged 1/3"
    assert expected == row["verdict"]


def test_failures_of_several_passes_are_counted(verifier: Verifier) -> None:
    value = numbered(verifier.folder / "count", [1, 0, 2])
    verifier.example(
        "varies",
        value,
        "if not value:\n    raise OSError('no')\nmeasured = {'calls': value}",
    )
    verifier.claim("varies", "varies.calls", ">= 1")
    lines = verifier.lines("-k", "varies", "--repeat", "3", code=1)
    assert lines[2].endswith("1, 2   holds 2/3, missing 1/3")
    assert lines[3].startswith("FAILED in 1 of 3 passes: varies.py raised OSError: no")


def test_success_is_when_every_pass_holds(verifier: Verifier) -> None:
    expected = {"steady-is-fast": "holds 2/2"}
    assert expected == verifier.verdicts("--repeat", "2")


def test_the_verdicts_are_written_as_data(verifier: Verifier) -> None:
    machine = verifier.machine(gpu="NVIDIA L4", gpus=1)
    verifier.record("steady", measured={"speedup": timing(4.0)})
    verifier.claim("out", "steady.calls", "== 21", scope="gpus>=8")
    found = verifier.data("--repeat", "2")
    assert {"schema", "builder", "claims"} == set(found)
    assert (1, machine.gpu) == (found["schema"], found["builder"]["gpu"])
    unit = {"unit": "ratio"}
    yours = {"value": 5.0, "interval": [5.0, 5.0], "n": 1, "text": "5.000×", **unit}
    recorded = {"value": 4.0, "interval": [4.0, 4.0], "n": 1, "text": "4.000×", **unit}
    assert [
        {
            "id": "steady-is-fast",
            "page": "memory/copies",
            "expect": ">= 3",
            "scope": "any",
            "recorded": recorded,
            "recorded_on": "NVIDIA H200",
            "yours": [yours, yours],
            "verdicts": ["holds", "holds"],
        },
        {
            "id": "out",
            "page": "memory/copies",
            "expect": "== 21",
            "scope": "gpus>=8",
            "recorded": None,
            "recorded_on": "NVIDIA H200",
            "yours": [None, None],
            "verdicts": ["out of scope", "out of scope"],
        },
    ] == found["claims"]


def test_data_without_a_record_says_so(verifier: Verifier) -> None:
    (claim,) = verifier.data()["claims"]
    expected = (None, None)
    assert expected == (claim["recorded"], claim["recorded_on"])


def test_data_that_cannot_be_written_is_told_before_anything_is_measured(
    verifier: Verifier,
) -> None:
    verifier.monkeypatch.setattr(campaign, "probe", pytest.fail)
    expected = ["evidence: docs is a folder"]
    assert expected == verifier.lines("--json", "docs", code=2)
    (verifier.folder / "file").touch()
    (line,) = verifier.lines("--json", "file/out.json", code=2)
    assert line.startswith("evidence: file/out.json cannot be written: ")


@pytest.mark.parametrize("option", ["--processes", "--repeat"])
def test_a_count_is_at_least_one(verifier: Verifier, option: str) -> None:
    with pytest.raises(SystemExit):
        main(["verify", option, "0"])
    assert "0 is less than 1" in verifier.capsys.readouterr().err


def test_interrupted_it_shows_what_was_finished(verifier: Verifier) -> None:
    started = verifier.folder / "started"
    verifier.example(
        "unending", f"open({str(started)!r}, 'w').close()\nimport time\ntime.sleep(600)"
    )
    verifier.claim("unending", "unending.x", "== 1")
    process = subprocess.Popen(
        [sys.executable, "-m", "evidence", "verify", "--json", "verdicts.json"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf")},
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_until(started.exists, 60)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    code = 130
    assert code == process.returncode
    _, _, line, *rest = output.splitlines()
    assert line.startswith("steady-is-fast") and line.endswith("holds")
    expected = [
        "interrupted: 1 of 2 claims were judged",
        "1 claim: 1 holds, 0 diverged, 0 noisy, 0 missing, 0 out of scope",
    ]
    assert expected == rest
    claims = json.loads((verifier.folder / "verdicts.json").read_text())["claims"]
    expected = [["holds"], []]
    assert expected == [claim["verdicts"] for claim in claims]
