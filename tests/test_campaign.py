"""Examples are measured as often as the plan says, on GPUs of their own, cell by cell."""

from __future__ import annotations

import datetime
import math
import os
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import msgspec
import pytest
from evidence.examples.script import read_script
from evidence.measure import Cause, Failure, Reason, Recording, campaign
from evidence.measure.campaign import Campaign, Task
from evidence.measure.machine import MOST_CORES, Machine, visible_gpus
from evidence.measure.process import Outcome
from evidence.records.model import Output, Process
from evidence.records.store import dump, parse, save
from factories import builder, record
from scripts import failed, measure, measured, meeting, numbered, write

if TYPE_CHECKING:
    from pathlib import Path

TIMED = "measured = {'copy_s': {'samples': [value]}}"


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        pytest.param(6, [1.0] * 6, id="steady"),
        pytest.param(12, [1, 2] * 6, id="unsteady"),
        # From the eleventh on, all of them together would pass for steady.
        pytest.param(12, [10.0] * 5 + [11.05] * 7, id="steady at last"),
    ],
)
def test_timings_run_in_six_processes_or_in_twelve(
    tmp_path: Path, expected: int, values: list[float]
) -> None:
    cells = numbered(tmp_path / "count", values), TIMED
    record = measured(write(tmp_path, "copy", *cells, processes=None)).record
    assert expected == len(record.processes)
    timed = record.measured["copy_s"]
    assert tuple(values[:expected]) == timed.median


def test_untimed_values_run_in_two_processes(tmp_path: Path) -> None:
    path = write(tmp_path, "copy", "measured = {'x': 1}", processes=None)
    expected = 2
    assert expected == len(measured(path).record.processes)


def test_the_most_typical_process_is_shown(tmp_path: Path) -> None:
    draw = "from matplotlib import pyplot\npyplot.figtext(0, 0, f'drew {value}')"
    cells = numbered(tmp_path / "count", [3.0, 1.0, 2.0, 9.0, 0.0]), draw, TIMED
    found = measured(write(tmp_path, "copy", *cells, processes=5))
    record = found.record
    assert b"drew 2.0" in found.figures["copy-1.svg"]
    expected = (2, Output("value 2.0\n"))
    assert expected == (record.typical, record.outputs[0])
    assert record.processes[2].seconds == record.seconds > 0


def test_random_numbers_are_the_same_in_every_process(tmp_path: Path) -> None:
    code = "import random\nmeasured = {'x': random.random()}"
    measured(write(tmp_path, "copy", code, processes=2))


def test_a_fresh_example_seeds_what_it_loads_itself(tmp_path: Path) -> None:
    draw = "import numpy\n{}\nmeasured = {{'x': float(numpy.random.rand())}}"
    own, none = (
        write(tmp_path, stem, draw.format(seed), processes=3, fresh=True)
        for stem, seed in (("own", "numpy.random.seed(5)"), ("none", ""))
    )
    measured(own)
    said = str(failed(none))
    assert said.startswith("none.py gave no record: x differs between processes (0.")
    assert said.endswith(", and seed what a fresh example draws")


def test_a_record_says_what_was_measured_where_and_when(tmp_path: Path) -> None:
    path = write(tmp_path, "copy", "measured = {'z': 1, 'a': 1 / 3}")
    today = datetime.datetime.now(datetime.UTC).date()
    record = measured(path).record
    assert ("copy", read_script(path).code_key) == (record.stem, record.code_key)
    share = min(MOST_CORES, len(os.sched_getaffinity(0)))
    assert msgspec.structs.replace(builder(), share=share) == record.builder
    days = {today, datetime.datetime.now(datetime.UTC).date()}
    assert datetime.date.fromisoformat(record.recorded) in days
    assert record == parse(dump(record))


VISIBLE = """
import os
print(os.environ["CUDA_VISIBLE_DEVICES"])
measured = {"x": 1}
"""


def test_an_example_sees_the_gpus_that_it_needs_and_others_wait(tmp_path: Path) -> None:
    """One example at a time asks here: the first GPU, or as many as it needs."""
    scripts = {"one": 1, "two": 2, "none": 0, "again": 1}
    paths = [
        write(tmp_path, stem, VISIBLE, gpus=gpus, processes=2)
        for stem, gpus in scripts.items()
    ]
    results = measure(paths, gpus=["3", "5", "7"])
    texts = {}
    for stem, result in results.items():
        assert isinstance(result, Recording), result
        texts[stem] = result.record.outputs[0].text
    assert {"one": "3\n", "two": "3,5\n", "none": "\n", "again": "3\n"} == texts


def test_an_example_that_asks_for_all_gpus_gets_them(tmp_path: Path) -> None:
    paths = [
        write(tmp_path, f"of_{n}", VISIBLE, gpus=n, all_gpus=True, processes=1)
        for n in (2, 4)
    ]
    results = measure(paths, gpus=["3", "5", "7"])
    assert isinstance(results["of_2"], Recording), results["of_2"]
    assert "3,5,7\n" == results["of_2"].record.outputs[0].text
    assert "of_4.py needs 4 GPUs, this machine has 3" == str(results["of_4"])


def test_an_example_that_needs_more_gpus_than_there_are_fails(tmp_path: Path) -> None:
    many = write(tmp_path, "many", "measured = {'x': 1}", gpus=3)
    one = write(tmp_path, "one", "measured = {'x': 1}", gpus=1)
    results = measure([many, one], gpus=["0", "1"])
    expected = "many.py needs 3 GPUs, this machine has 2"
    assert expected == str(results["many"])
    assert isinstance(results["one"], Recording)


def test_a_quick_look_runs_in_as_many_processes_as_it_says(tmp_path: Path) -> None:
    path = write(tmp_path, "copy", "measured = {'x': 1}", processes=3)
    lines: list[str] = []
    quick = Campaign(Machine(builder(), []), lines.append)
    (result,) = quick.run([read_script(path)], processes=1)
    assert not isinstance(result, Failure)
    (line,) = lines
    assert re.fullmatch(r"copy: process 1, \d+\.\d s", line)


@pytest.mark.parametrize(
    ("expected", "environment", "gpus"),
    [
        (["0", "1"], {}, 2),
        ([], {}, 0),
        (["1"], {"CUDA_VISIBLE_DEVICES": "1"}, 1),
        (["3", "1"], {"CUDA_VISIBLE_DEVICES": "3, 1"}, 2),
        (["3"], {"CUDA_VISIBLE_DEVICES": "3,-1,1"}, 1),
        (["GPU-1", "GPU-2"], {"CUDA_VISIBLE_DEVICES": "GPU-1,GPU-2"}, 2),
        ([], {"CUDA_VISIBLE_DEVICES": ""}, 0),
        ([], {"CUDA_VISIBLE_DEVICES": "-1"}, 0),
    ],
)
def test_a_campaign_uses_the_gpus_that_are_visible(
    expected: list[str],
    environment: dict[str, str],
    gpus: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert expected == visible_gpus(builder(gpus=gpus))


def test_a_stopped_campaign_begins_nothing(tmp_path: Path) -> None:
    task = Task(read_script(write(tmp_path, "copy", "measured = {'x': 1}")))
    result = campaign.measure(task, Machine(builder(), []), pytest.fail, lambda: True)
    assert isinstance(result, Failure)
    assert Reason.STOPPED is result.cause.reason


def test_what_needs_more_gpus_is_begun_first_and_nothing_after_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "time", SimpleNamespace(time=lambda: 1000.0))
    kinds = {"none": {"gpus": 0}, "whole": {"quiet": "machine"}, "two": {"gpus": 2}}
    scripts = [
        read_script(write(tmp_path, stem, "measured = {'x': 1}", **how))
        for stem, how in kinds.items()
    ]
    expected = [("whole", 5, 1150.0), ("two", 5, 1150.0), ("none", 5, 1150.0)]
    made = campaign.tasks(scripts, 3, processes=5, minutes=2.5)
    assert expected == [(t.script.stem, t.processes, t.deadline) for t in made]
    usual = {(t.processes, t.deadline) for t in campaign.tasks(scripts, 3)}
    assert {(math.inf, math.inf)} == usual


def test_what_took_longest_is_begun_first_and_what_shares_a_gpu_last(
    tmp_path: Path,
) -> None:
    took = {
        "quick": (0.9, 1.0),
        "sharing": (40.0, 30.0),
        "none": (),
        "slow": (9.0, 0.7),
    }
    paths = [
        write(tmp_path, stem, "measured = {'x': 1}", quiet=quiet)
        for stem, quiet in zip(took, ("", "nothing", "", "host"), strict=True)
    ]
    for path in paths:
        if processes := tuple(map(Process, took[path.stem])):
            save(record(path.stem, processes=processes), path.with_suffix(".json"), {})

    made = campaign.tasks(map(read_script, paths), 1)

    assert ["none", "slow", "quick", "sharing"] == [t.script.stem for t in made]


def test_each_task_of_a_campaign_has_its_limits_and_what_was_measured_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "time", SimpleNamespace(time=lambda: 2000.0))
    monkeypatch.setattr(campaign, "measure", lambda task, *_: task)
    paths = [write(tmp_path, stem, "measured = {'x': 1}") for stem in ("one", "other")]
    before: dict[str, Any] = {"one": (Mock(),)}
    limited = Campaign(Machine(builder(), ["0", "6"]), pytest.fail, minutes=1.5)

    made: Any = limited.run(map(read_script, paths), 4, before)

    assert {
        "one": (4, 2090.0, before["one"]),
        "other": (4, 2090.0, ()),
    } == {
        task.script.stem: (task.processes, task.deadline, task.before) for task in made
    }


def test_examples_that_need_nothing_quiet_share_a_gpu(tmp_path: Path) -> None:
    sharing = Campaign(Machine(builder(), ["5"]), lambda _: None)
    for result in sharing.run(map(read_script, meeting(tmp_path))):
        assert isinstance(result, Recording), result


def test_a_machine_that_cannot_tell_what_it_is_says_its_last_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    died = Outcome(Cause("was ended by signal 11"), tail="first line\nlast line")
    monkeypatch.setattr(campaign.process, "run", lambda *_, **__: died)
    with pytest.raises(campaign.BuilderError) as raised:
        campaign.probe()
    said = "asking this machine what it is was ended by signal 11"
    assert [said, "first line", "last line"] == str(raised.value).splitlines()
