"""``python -m evidence record`` measures, writes what is new, and cleans up when interrupted."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import Mock

import factories
import psutil
import pytest
from evidence.__main__ import main
from evidence.examples.script import read_script
from evidence.measure import Failure, Recording
from evidence.measure.process import STOPPED
from evidence.records.model import Output, Plain, Process
from evidence.records.store import load, save
from msgspec.structs import replace
from scripts import is_alive, numbered, time_is_up, wait_until, write

if TYPE_CHECKING:
    from collections.abc import Iterator

CONF = Path(__file__).parents[1] / "conf"
ONE = "measured = {'z': 1, 'a': 'b'}"


@pytest.fixture(autouse=True)
def on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No GPU, whatever this machine has; and SIGTERM as it was."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def record(folder: Path, *stems: str) -> int:
    return main(["record", "--examples", str(folder), *stems])


def test_a_record_is_written_beside_its_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = "from matplotlib import pyplot\nfigure = pyplot.figure()"
    path = write(tmp_path / "memory", "copy", figure, ONE)
    expected = 0
    assert expected == record(tmp_path)
    made = load(tmp_path / "memory" / "copy.json")
    assert made.code_key == read_script(path).code_key
    expected_values = {"z": Plain(1), "a": Plain("b")}
    assert expected_values == made.measured
    expected_files = {"copy.py", "copy.json", "copy-1.svg"}
    assert expected_files == {file.name for file in path.parent.iterdir()}
    out, progress = capsys.readouterr()
    (told,) = progress.splitlines()
    assert re.fullmatch(r"  copy: process 1, \d+\.\d s", told)
    assert re.match(r"recording 1 examples on a CPU.*\n", out)
    assert re.search(
        r"\ncopy: recorded \(processes: 1, \d+\.\d s\)\n1 of 1 examples recorded\n$",
        out,
    )


def test_only_the_named_examples_are_measured(tmp_path: Path) -> None:
    for stem in ("one", "two", "three"):
        write(tmp_path, stem, ONE)
    assert not record(tmp_path, "one", "three")
    expected = ["one.json", "three.json"]
    assert expected == sorted(path.name for path in tmp_path.glob("*.json"))


def test_a_chapter_is_its_examples(tmp_path: Path) -> None:
    for chapter, stem in (("here", "one"), ("here", "two"), ("there", "three")):
        write(tmp_path / chapter, stem, ONE)
    write(tmp_path / "there", "four", ONE)
    assert not record(tmp_path, "here", "four")
    expected = {"one", "two", "four"}
    assert expected == {path.stem for path in tmp_path.rglob("*.json")}


def test_a_failure_is_shown_and_the_others_are_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "a_good", ONE)
    write(tmp_path, "b_bad", "print('the last words')\n1 / 0")
    write(tmp_path, "c_good", ONE)
    expected = 1
    assert expected == record(tmp_path)
    out = capsys.readouterr().out
    cause = "raised ZeroDivisionError: division by zero in line 11: 1 / 0"
    assert f"FAILED b_bad.py {cause}\n    | the last words\n" in out
    assert re.search(r"\n2 of 3 examples recorded\n$", out)
    expected_files = ["a_good.json", "c_good.json"]
    assert expected_files == sorted(path.name for path in tmp_path.glob("*.json"))


BAD = "x = = 1"


@pytest.mark.parametrize(
    ("expected", "code", "names"),
    [
        pytest.param({"one", "two"}, 1, [], id="all"),
        pytest.param({"one"}, 0, ["one"], id="another"),
        pytest.param({"one"}, 1, ["one", "wrong"], id="it and another"),
    ],
)
def test_an_example_that_is_no_python_does_not_stop_the_others(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    expected: set[str],
    code: int,
    names: list[str],
) -> None:
    for stem, cell in (("one", ONE), ("two", ONE), ("wrong", BAD)):
        write(tmp_path, stem, cell)
    assert code == record(tmp_path, *names)
    assert expected == {path.stem for path in tmp_path.glob("*.json")}
    lines = capsys.readouterr().out.splitlines()
    said = "FAILED wrong.py cannot be read: invalid syntax (wrong.py, line 10)"
    assert (said in lines) is bool(code)
    tried = len(expected) + code
    assert lines[-1] == f"{len(expected)} of {tried} examples recorded"


def test_an_old_record_stays_when_its_example_fails(tmp_path: Path) -> None:
    path = write(tmp_path, "copy", ONE)
    record(tmp_path)
    before = (tmp_path / "copy.json").read_bytes()
    path.write_text(path.read_text() + "1 / 0\n")
    expected = 1
    assert expected == record(tmp_path)
    assert before == (tmp_path / "copy.json").read_bytes()


TIMED = "measured = {'z_s': {'samples': [value]}, 'a': 1}"
AGREES = "copy: agrees with the record, which is kept"


@pytest.mark.parametrize(
    ("kept", "values"),
    [
        pytest.param(True, [1.0, 2.0, 1.5, 3.0], id="overlapping"),
        pytest.param(False, [1.0, 2.0, 2.1, 3.0], id="apart"),
    ],
)
def test_a_record_is_kept_byte_for_byte_where_a_second_one_agrees(
    kept: bool,
    values: list[float],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, "copy", numbered(tmp_path / "n", values), TIMED, processes=2)
    assert not record(tmp_path)
    before = (tmp_path / "copy.json").read_bytes()
    assert not record(tmp_path)
    assert kept is (before == (tmp_path / "copy.json").read_bytes())
    assert kept is (AGREES in capsys.readouterr().out)


def test_only_what_is_stale_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for stem in ("new", "same", "changed"):
        write(tmp_path, stem, ONE)
    assert not record(tmp_path, "same", "changed")
    write(tmp_path, "changed", "measured = {'z': 2, 'a': 'b'}")
    capsys.readouterr()
    assert not record(tmp_path, "--stale")
    out, _ = capsys.readouterr()
    recorded = re.findall(r"^(\w+): recorded", out, re.MULTILINE)
    assert {"new", "changed"} == set(recorded)
    assert not record(tmp_path, "--stale")
    assert "0 of 0 examples recorded" in capsys.readouterr().out


def test_only_what_another_torch_measured_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for stem in ("new", "older", "same"):
        write(tmp_path, stem, ONE)
    assert not record(tmp_path, "same", "older")
    older = load(tmp_path / "older.json")
    torch = replace(older.builder, torch="2.11.0+cu130")
    save(replace(older, builder=torch), tmp_path / "older.json", {})
    capsys.readouterr()
    assert not record(tmp_path, "--other-torch")
    out, _ = capsys.readouterr()
    assert "new older\n" in out
    assert {"new", "older"} == set(re.findall(r"^(\w+): recorded", out, re.MULTILINE))
    assert not record(tmp_path, "--other-torch")
    assert ": none\n" in capsys.readouterr().out


def test_only_what_was_recorded_before_a_day_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for stem in ("new", "older", "same", "that_day"):
        write(tmp_path, stem, ONE)
    assert not record(tmp_path, "same", "older", "that_day")
    for stem, day in (("older", "2026-01-31"), ("that_day", "2026-02-01")):
        old = replace(load(tmp_path / f"{stem}.json"), recorded=day)
        save(old, tmp_path / f"{stem}.json", {})
    capsys.readouterr()
    assert not record(tmp_path, "--before", "2026-02-01")
    out, _ = capsys.readouterr()
    assert {"new", "older"} == set(re.findall(r"^(\w+): ", out, re.MULTILINE))


def test_what_is_not_begun_in_time_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = time_is_up(tmp_path / "late", monkeypatch)
    for stem in ("one", "two"):
        write(tmp_path, stem, f"{ends}{ONE}")
    assert record(tmp_path, "--minutes", "1")
    out, _ = capsys.readouterr()
    assert "not begun in time; to go on: record two\n1 of 2 examples recorded" in out
    assert not record(tmp_path, "two")


def test_both_limits_are_met_by_what_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for stem in ("both", "old", "other", "new"):
        write(tmp_path, stem, ONE)
    assert not record(tmp_path, "both", "old", "other")
    for stem, torch, day in (
        ("both", "2.11.0+cu130", "2026-01-30"),
        ("other", "2.9.1+cu128", "2026-02-02"),
        ("old", "", "2026-01-31"),
    ):
        made = load(tmp_path / f"{stem}.json")
        if torch:
            made = replace(made, builder=replace(made.builder, torch=torch))
        save(replace(made, recorded=day), tmp_path / f"{stem}.json", {})
    capsys.readouterr()
    assert not record(tmp_path, "--before", "2026-02-01", "--other-torch")
    out, _ = capsys.readouterr()
    assert {"both", "new"} == set(re.findall(r"^(\w+): recorded", out, re.MULTILINE))
    assert "2 of 2 examples recorded" in out


def test_all_that_is_not_begun_is_named_in_order_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [write(tmp_path, stem, ONE) for stem in ("one", "two", "three", "four")]
    one, *others = map(read_script, paths)
    processes = (Process(2.5), Process(3.25), Process(1.5))
    made = factories.record("one", processes=processes)
    results = [Failure(each, STOPPED) for each in others]
    run = Mock(return_value=[*results[:2], Recording(one, made), results[2]])
    measuring = Mock(run=run, builder=made.builder)
    monkeypatch.setattr("evidence.commands.record.campaign", lambda *_, **__: measuring)

    assert 1 == record(tmp_path)

    assert [
        "one: recorded (processes: 3, 7.2 s)",
        "not begun in time; to go on: record four three two",
        "1 of 4 examples recorded",
    ] == capsys.readouterr().out.splitlines()[1:]
    assert made == load(tmp_path / "one.json")


def test_changed_code_replaces_the_record_and_its_figures(tmp_path: Path) -> None:
    figure = "from matplotlib import pyplot\nfigure = pyplot.figure()"
    write(tmp_path, "copy", figure, ONE)
    assert not record(tmp_path)
    path = write(tmp_path, "copy", ONE)
    assert not record(tmp_path)
    assert load(tmp_path / "copy.json").code_key == read_script(path).code_key
    assert not list(tmp_path.glob("*.svg"))


@pytest.mark.parametrize("content", [b"", b"<<<<<<< HEAD\n", b"{}"])
def test_a_record_that_is_not_whole_is_replaced(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, "copy", ONE)
    (tmp_path / "copy.json").write_bytes(content)
    assert not record(tmp_path)
    assert load(tmp_path / "copy.json")


@pytest.mark.parametrize(
    ("message", "stems", "settings"),
    [
        ("no example is called other, wrong", ["other", "copy", "wrong"], {}),
        ("measuring needs a CUDA GPU, and torch sees none here", [], {"gpus": 1}),
        (
            "copy.py: sphinx_gallery_evidence: Object contains unknown field `gpu`",
            ["copy"],
            {"gpu": 1},
        ),
        ("there is no example in ", [], {}),
        (
            "copy.py: sphinx_gallery_evidence: Expected `float`, got `str`",
            [],
            {"timeout": "long"},
        ),
    ],
)
def test_what_cannot_begin_is_told_in_one_line(
    message: str,
    stems: list[str],
    settings: dict[str, object],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "there is no example" not in message:
        write(tmp_path, "copy", ONE, **settings)
    expected = 2
    assert expected == record(tmp_path, *stems)
    assert capsys.readouterr().err.startswith(f"evidence: {message}")
    assert not list(tmp_path.glob("*.json"))


def test_an_interrupt_before_the_first_example_ends_it_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "copy", ONE)
    interrupted = Mock(side_effect=KeyboardInterrupt)
    monkeypatch.setattr("evidence.measure.campaign.probe", interrupted)
    with contextlib.suppress(KeyboardInterrupt):  # it would end pytest
        expected = 130
        assert expected == record(tmp_path)
        return
    pytest.fail("the interrupt came through")


def start(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """The command as a person runs it, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "evidence", "record", "--examples", str(folder)],
        env={**os.environ, "PYTHONPATH": str(CONF), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        text=True,
    )


SEES = """
import os, sys
loaded = "matplotlib" in sys.modules
os.environ["MPLBACKEND"] = "svg"
import matplotlib
print(loaded, matplotlib.get_backend().lower())
measured = {'x': 1}
"""


def test_an_example_is_forked_from_what_is_loaded_unless_it_is_fresh(
    tmp_path: Path,
) -> None:
    forked = write(tmp_path, "forked", SEES)
    fresh = write(tmp_path, "fresh", SEES, fresh=True)
    # What a notebook sets for its own plots is not for an example.
    process = start(tmp_path, MPLBACKEND="pdf")
    out, _ = process.communicate(timeout=60)
    expected = 0
    assert expected == process.returncode, out
    shown = {p: load(p.with_suffix(".json")).outputs for p in (forked, fresh)}
    # A fresh one reads the variable when it loads the module, a forked one has loaded it.
    expected_shown = {forked: (Output("True agg\n"),), fresh: (Output("False svg\n"),)}
    assert expected_shown == shown


def test_what_is_loaded_draws_the_same_random_numbers_in_every_process(
    tmp_path: Path,
) -> None:
    for stem, draw in (("one", "numpy.random.rand()"), ("other", "random.random()")):
        code = f"import numpy, random\nmeasured = {{'x': float({draw})}}"
        write(tmp_path, stem, code, processes=2)
    process = start(tmp_path)
    out, _ = process.communicate(timeout=60)
    expected = 0
    assert expected == process.returncode, out


HANG = """
import os, pathlib, subprocess, time
child = subprocess.Popen(["sleep", "600"])
file = pathlib.Path({file!r})
file.with_suffix(".part").write_text(f"{{os.getpid()}} {{child.pid}}")
file.with_suffix(".part").rename(file)
time.sleep(600)
"""


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_kills_what_runs_and_keeps_what_is_done(
    tmp_path: Path, sign: signal.Signals
) -> None:
    write(tmp_path, "a_done", ONE)
    write(tmp_path, "b_hangs", HANG.format(file=str(tmp_path / "pids")), timeout=300)
    write(tmp_path, "c_waits", ONE)
    process = start(tmp_path)
    try:
        wait_until((tmp_path / "pids").exists, 60)
        started = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
        helpers = [p.pid for p in psutil.Process(process.pid).children(recursive=True)]
        # A terminal interrupts the whole group, a CI job is told alone.
        tell = os.killpg if sign is signal.SIGINT else os.kill
        tell(process.pid, sign)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    expected = 130
    assert expected == process.returncode, out
    assert "a_done: recorded (processes: 1, " in out
    assert out.endswith("interrupted\n")
    assert "Traceback" not in out
    wait_until(lambda: not [pid for pid in helpers + started if is_alive(pid)])
    expected_records = [tmp_path / "a_done.json"]
    assert expected_records == list(tmp_path.glob("*.json"))
    assert load(tmp_path / "a_done.json")
