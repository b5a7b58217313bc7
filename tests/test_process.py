"""Whatever an example does, its cause is told, nothing of it survives and the others go on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING
from unittest.mock import Mock

import msgspec
import psutil
import pytest
from conftest import ROOT
from dying import (
    DYING,
    WORDS,
    answer,
    die_of_real_time_signal,
    forget,
    linger,
    notes,
    write_dying,
)
from evidence.examples.script import read_script
from evidence.measure import Failure, Reason, Recording, child, process
from scripts import failed, is_alive, measure, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GOOD = ("good", "also_good")
#: Between the first examples and among the last, so that they run after others died.
ORDER = (*list(DYING)[:3], "good", *list(DYING)[3:], "also_good")


@dataclass
class Deaths:
    """One campaign of all the dying examples and two good ones."""

    folder: Path
    results: dict[str, Recording | Failure] = field(default_factory=dict)

    def pids(self, stem: str) -> list[int]:
        lines = notes(self.folder, stem).read_text().splitlines()
        return [int(line.removeprefix("pid ")) for line in lines]

    def failure(self, stem: str) -> Failure:
        result = self.results[stem]
        assert isinstance(result, Failure)
        return result


@pytest.fixture(scope="module")
def deaths(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deaths]:
    folder = tmp_path_factory.mktemp("dying")
    good = {stem: write(folder, stem, "measured = {'x': 1}") for stem in GOOD}
    paths = [good.get(stem) or write_dying(folder, stem) for stem in ORDER]
    deaths = Deaths(folder)
    with ThreadPoolExecutor(3) as executor:
        deaths.results = measure(paths, each=executor.map)
    yield deaths
    for pid in [pid for stem in DYING for pid in deaths.pids(stem) if is_alive(pid)]:
        psutil.Process(pid).kill()


@pytest.mark.parametrize("stem", DYING)
def test_a_failure_tells_its_cause(deaths: Deaths, stem: str) -> None:
    last_line = len((deaths.folder / f"{stem}.py").read_text().splitlines())
    whole = DYING[stem].cause.replace("LINE", str(last_line))
    expected, varies, _ = whole.partition("...")
    cause = deaths.failure(stem).cause
    assert expected == (cause.text[: len(expected)] if varies else cause.text)
    assert DYING[stem].reason is cause.reason


def test_a_failure_within_a_function_is_where_that_raised(tmp_path: Path) -> None:
    raises = "raise ValueError('no luck')"
    code = f"def try_it(n):\n    {raises}\n\nmeasured = {{'x': try_it(3)}}"
    path = write(tmp_path, "copy", code)
    line = path.read_text().splitlines().index(f"    {raises}") + 1
    cause = failed(path).cause.text
    assert f"raised ValueError: no luck in line {line}: {raises}" == cause


def test_of_a_long_output_the_last_lines_are_shown_each_cut_short(
    tmp_path: Path,
) -> None:
    count, width = process.TAIL + 2, process.WIDTH
    text = "".join(f"{n} {'x' * width}\n" for n in range(count))
    (tmp_path / process.OUTPUT).write_text(text)
    lines = process._read(tmp_path, process.STOPPED, 0).tail.splitlines()
    assert [f"{n} " for n in range(2, count)] == [line.rstrip("x") for line in lines]
    assert {width} == set(map(len, lines))


@pytest.mark.parametrize("stem", DYING)
def test_a_failure_shows_the_last_lines_of_the_output(
    deaths: Deaths, stem: str
) -> None:
    failure = deaths.failure(stem)
    assert DYING[stem].tail in failure.tail
    assert len(failure.tail) < 5_000
    first, *others = str(failure).splitlines()
    expected = f"{stem}.py {failure.cause}"
    assert expected == first
    expected = [f"    | {line}" for line in failure.tail.splitlines()]
    assert expected == others


@pytest.mark.parametrize("stem", DYING)
def test_nothing_of_an_example_survives(deaths: Deaths, stem: str) -> None:
    pids = deaths.pids(stem)
    expected = 2 if "orphan" in stem or "child" in stem or stem == "differs" else 1
    assert expected == len(pids)
    assert not [pid for pid in pids if is_alive(pid)]


@pytest.mark.parametrize("stem", GOOD)
def test_the_other_examples_of_the_campaign_give_records(
    deaths: Deaths, stem: str
) -> None:
    assert isinstance(deaths.results[stem], Recording)


@pytest.mark.parametrize("stem", ["hangs", "hangs_with_child"])
def test_a_report_of_a_hang_says_where_it_hangs(deaths: Deaths, stem: str) -> None:
    last_line = len((deaths.folder / f"{stem}.py").read_text().splitlines())
    tail = deaths.failure(stem).tail
    assert f'File "{stem}.py", line {last_line} in <module>' in tail


def test_a_report_of_a_segfault_says_where_it_was(deaths: Deaths) -> None:
    tail = deaths.failure("reads_null").tail
    assert "Fatal Python error: Segmentation fault" in tail
    assert 'File "reads_null.py", line' in tail


@pytest.mark.parametrize("fresh", [False, True])
def test_a_task_runs_in_a_process_of_its_own(fresh: bool) -> None:
    tasks = [partial(answer, value=value) for value in (1, 2)]
    first, second = (process.run(task, timeout=30, fresh=fresh) for task in tasks)
    assert not first.cause
    assert not second.cause
    expected = (1, 2)
    assert expected == (first.result["value"], second.result["value"])
    assert first.result["pid"] != second.result["pid"]


def test_a_process_sees_the_gpus_it_was_lent() -> None:
    outcome = process.run(partial(answer, value=1), timeout=30)
    expected = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "3,1"}
    seen = outcome.result["seen"]
    assert expected == {name: seen[name] for name in expected}


@pytest.mark.parametrize(
    ("quiet", "expected"), [("gpu", "no room on 1, 3"), ("nothing", "it begins")]
)
def test_only_who_needs_quiet_asks_whether_a_gpu_is_used(
    quiet: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begins(_warnings: object) -> None:
        child.write_result(tmp_path, {"cause": {"text": "it begins"}})
        raise SystemExit

    one = read_script(write(tmp_path, "one", "measured = {'x': 1}"))
    settings = msgspec.structs.replace(one.settings, quiet=quiet)
    monkeypatch.setattr(child, "enter", lambda *_: None)
    monkeypatch.setattr(child, "occupied", lambda gpus: f"no room on {', '.join(gpus)}")
    monkeypatch.setattr(child, "_quiet", begins)

    with suppress(SystemExit):
        child.run_example(tmp_path, replace(one, settings=settings), ["1", "3"], [])

    told = json.loads((tmp_path / child.RESULT).read_text())
    assert expected == told["cause"]["text"]


def test_an_example_without_a_figure_loads_no_matplotlib(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert [] == child._save_figures(tmp_path, "one")


@pytest.mark.parametrize(
    ("threads", "between", "told"),
    [(7, 2, {"num_threads": 3}), (3, 9, {"num_interop_threads": 3}), (2, 3, {})],
)
def test_torch_has_no_more_threads_than_an_example_has_cores(
    threads: int, between: int, told: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    stays, given = [], dict[str, int]()
    torch = SimpleNamespace(
        get_num_threads=lambda: threads,
        get_num_interop_threads=lambda: between,
        set_num_threads=lambda count: given.update(num_threads=count),
        set_num_interop_threads=lambda count: given.update(num_interop_threads=count),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(os, "sched_setaffinity", lambda *call: stays.append(call))

    child._stay_on([2, 5, 6])

    assert ([(0, [2, 5, 6])], told) == (stays, given)


def test_what_is_loaded_and_draws_random_numbers_is_seeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch, numpy, own = Mock(), Mock(), Mock()
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "numpy", numpy)
    monkeypatch.setattr(child, "random", own)

    child._seed()

    for seed in (torch.manual_seed, numpy.random.seed, own.seed):
        seed.assert_called_once_with(0)
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.delitem(sys.modules, "numpy")
    child._seed()
    assert [1, 1, 2] == [
        *(torch.manual_seed.call_count, numpy.random.seed.call_count),
        own.seed.call_count,
    ]


def test_links_of_code_are_told_the_types_of_torch_alone() -> None:
    kinds = {
        name: type(name, (), {"__module__": module})
        for name, module in (
            ("Stream", "torch.cuda.streams"),
            ("Tensor", "torch"),
            ("Other", "torchvision"),
            ("Own", "__main__"),
        )
    }
    left = {name.lower(): kind() for name, kind in kinds.items()}
    left |= {"_hidden": kinds["Tensor"](), "count": 7}

    told = child._type_names(left)

    assert {"stream": "torch.cuda.streams.Stream", "tensor": "torch.Tensor"} == told


@pytest.mark.parametrize(
    ("kind", "base", "reason"),
    [
        ("OutOfMemoryError", RuntimeError, Reason.OUT_OF_MEMORY),
        ("SkipTest", unittest.SkipTest, Reason.SKIPPED),
        ("MemoryError", MemoryError, Reason.ERROR),
    ],
)
def test_a_failure_has_its_kind_and_no_line_of_ours(
    kind: str, base: type[Exception], reason: Reason
) -> None:
    error = type(kind, (base,), {})
    for text, said in (("no room", ": no room"), ("", "")):
        cause = child._cause(error(text), "one.py")
        assert (f"raised {kind}{said}", reason) == (str(cause), cause.reason)


def test_a_signal_without_a_name_is_a_cause_like_any_other() -> None:
    outcome = process.run(die_of_real_time_signal, timeout=30)
    expected = f"was ended by signal 40 (Real-time signal {40 - signal.SIGRTMIN})"
    assert expected == str(outcome.cause)


def test_a_task_that_writes_no_result_has_a_cause() -> None:
    outcome = process.run(forget, timeout=30)
    expected = "ended with exit code 0 before its last cell"
    assert expected == str(outcome.cause)
    assert WORDS in outcome.tail


def test_what_ends_soon_after_its_parent_is_no_orphan() -> None:
    outcome = process.run(linger, timeout=30)
    assert not outcome.cause
    expected = {"value": 1}
    assert expected == outcome.result


def test_a_process_that_cannot_be_killed_is_named_and_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stuck = SimpleNamespace(info={"name": "stuck"}, kill=lambda: None)
    monkeypatch.setattr(process, "_members", lambda *_: [stuck])
    monkeypatch.setattr(process, "GRACE", 0.1)
    monkeypatch.setattr(process, "DEATH", 0.2)
    expected = "left a process that cannot be killed (stuck)"
    assert expected == str(process.run(forget, timeout=30).cause)


def test_what_is_left_is_named_once_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [SimpleNamespace(info={"name": n}) for n in ("tee", "cat", "tee", "sleep")]
    monkeypatch.setattr(process, "_members", lambda *_: left)
    assert "cat, sleep, tee" == process.outlast(tmp_path, -1)
    monkeypatch.setattr(process, "_members", lambda *_: [])
    assert "" == process.outlast(tmp_path, -1)


def test_nothing_is_left_in_the_folder_for_temporary_files() -> None:
    process.run(forget, timeout=30)
    _, watched = process.guard()
    assert not list(watched.iterdir())


CAMPAIGN = """
import sys, tempfile
sys.path += sys.argv[2:]
tempfile.tempdir = sys.argv[1]
from dying import forget
from evidence.measure import process
process.run(forget, timeout=30)
"""


def test_a_campaign_that_ends_leaves_no_folder(tmp_path: Path) -> None:
    code = [sys.executable, "-c", CAMPAIGN, str(tmp_path)]
    subprocess.run([*code, str(ROOT / "conf"), str(ROOT / "tests")], check=True)
    assert not list(tmp_path.iterdir())
