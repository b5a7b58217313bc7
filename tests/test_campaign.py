"""Examples are measured as often as the plan says, on GPUs of their own, cell by cell."""

from __future__ import annotations

import datetime
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from evidence.examples.script import read_script
from evidence.measure.campaign import (
    Campaign,
    Failure,
    GpuPool,
    Measured,
    plan,
    visible_gpus,
)
from evidence.records.model import Output, Plain, Value
from evidence.records.store import dump, parse
from factories import builder, timing
from scripts import measure, measured, numbered, write

if TYPE_CHECKING:
    from pathlib import Path

STEADY = timing(1.0, 1.1)
EDGE = timing(19, 21)  # by 10 % to the last digit
UNSTEADY = timing(1.0, 1.12)
PLAIN = Plain(1)
TIMED = "measured = {'copy_s': {'samples': [value]}}"


@pytest.mark.parametrize(
    ("expected", "values", "done"),
    [
        (2, [PLAIN], 1),
        (2, [PLAIN, PLAIN], 2),
        (6, [STEADY], 1),
        (6, [UNSTEADY], 5),
        (6, [STEADY], 6),
        (6, [EDGE, PLAIN], 6),
        (12, [UNSTEADY], 6),
        (12, [STEADY, UNSTEADY, PLAIN], 6),
        *[(12, [STEADY], done) for done in range(7, 13)],
        (12, [UNSTEADY], 12),
    ],
)
def test_the_plan_is_fixed_before_the_run(
    expected: int, values: list[Value], done: int
) -> None:
    assert expected == plan({f"v{i}": value for i, value in enumerate(values)}, done)


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
    cells = numbered(tmp_path / "count", [3.0, 1.0, 2.0, 9.0, 0.0]), TIMED
    record = measured(write(tmp_path, "copy", *cells, processes=5)).record
    expected = (2, Output("value 2.0\n"))
    assert expected == (record.typical, record.outputs[0])
    assert record.processes[2].seconds == record.seconds > 0


def test_random_numbers_are_the_same_in_every_process(tmp_path: Path) -> None:
    code = "import random\nmeasured = {'x': random.random()}"
    measured(write(tmp_path, "copy", code, processes=2))


def test_a_record_says_what_was_measured_where_and_when(tmp_path: Path) -> None:
    path = write(tmp_path, "copy", "measured = {'z': 1, 'a': 1 / 3}")
    today = datetime.datetime.now(datetime.UTC).date()
    record = measured(path).record
    expected = ("copy", read_script(path).code_key, builder())
    assert expected == (record.stem, record.code_key, record.builder)
    days = {today, datetime.datetime.now(datetime.UTC).date()}
    assert datetime.date.fromisoformat(record.recorded) in days
    assert record == parse(dump(record))


def test_a_gpu_is_lent_to_one_at_a_time_and_several_to_several() -> None:
    pool = GpuPool(["0", "1", "2"])
    meeting = threading.Barrier(2, timeout=20)
    lent: list[str] = []
    clashes: list[str] = []

    def borrow(number: int) -> None:
        with pool.lend(1 + number % 2) as gpus:
            clashes.extend(gpu for gpu in gpus if gpu in lent)
            lent.extend(gpus)
            if number < 2:  # one with one GPU and one with two: at the same time
                meeting.wait()
            for gpu in gpus:
                lent.remove(gpu)

    with ThreadPoolExecutor(8) as executor:
        list(executor.map(borrow, range(200)))
    assert not clashes
    assert not meeting.broken
    with pool.lend(3) as gpus:
        expected = ["0", "1", "2"]
        assert expected == gpus


def test_a_gpu_comes_back_from_one_that_raises() -> None:
    pool = GpuPool(["0"])
    with pytest.raises(ValueError, match="no luck"), pool.lend(1):
        raise ValueError("no luck")
    with pool.lend(1) as gpus:
        expected = ["0"]
        assert expected == gpus


VISIBLE = "print(os.environ['CUDA_VISIBLE_DEVICES'])\nmeasured = {'x': 1}"
MEET = """
import os, pathlib, time
folder = pathlib.Path({folder!r})
(folder / {own!r}).touch()
deadline = time.monotonic() + 20
while not (folder / {other!r}).exists():
    assert time.monotonic() < deadline
    time.sleep(0.01)
"""


def test_two_gpus_run_two_examples_at_once(tmp_path: Path) -> None:
    one, two = (
        write(
            tmp_path,
            own,
            MEET.format(folder=str(tmp_path), own=own, other=other),
            VISIBLE,
            gpus=1,
        )
        for own, other in (("one", "two"), ("two", "one"))
    )
    both = write(tmp_path, "both", "import os", VISIBLE, gpus=2)
    results = measure([one, two, both], gpus=["3", "5"])
    texts = {}
    for stem, result in results.items():
        assert isinstance(result, Measured), result
        texts[stem] = result.record.outputs[1].text
    expected = "3,5\n"
    assert expected == texts.pop("both")
    assert {"3\n", "5\n"} == set(texts.values())


def test_an_example_that_needs_more_gpus_than_there_are_fails(tmp_path: Path) -> None:
    many = write(tmp_path, "many", "measured = {'x': 1}", gpus=3)
    one = write(tmp_path, "one", "measured = {'x': 1}", gpus=1)
    results = measure([many, one], gpus=["0", "1"])
    expected = "many.py needs 3 GPUs, this machine has 2"
    assert expected == str(results["many"])
    assert isinstance(results["one"], Measured)


def test_a_quick_look_runs_in_as_many_processes_as_it_says(tmp_path: Path) -> None:
    path = write(tmp_path, "copy", "measured = {'x': 1}", processes=3)
    lines: list[str] = []
    campaign = Campaign(builder(), [], lines.append, processes=1)
    (result,) = campaign.run([read_script(path)])
    assert not isinstance(result, Failure)
    (line,) = lines
    assert re.fullmatch(r"copy: no GPU, process 1, \d+\.\d s", line)


@pytest.mark.parametrize(
    ("expected", "environment", "gpus"),
    [
        (["0", "1"], {}, 2),
        ([], {}, 0),
        (["1"], {"CUDA_VISIBLE_DEVICES": "1"}, 1),
        (["3", "1"], {"CUDA_VISIBLE_DEVICES": "3,1"}, 2),
        (["3"], {"CUDA_VISIBLE_DEVICES": "3,-1,1"}, 1),
        (["GPU-1", "GPU-2"], {"CUDA_VISIBLE_DEVICES": "GPU-1,GPU-2"}, 2),
        ([], {"CUDA_VISIBLE_DEVICES": ""}, 0),
        ([], {"CUDA_VISIBLE_DEVICES": "-1"}, 0),
    ],
)
def test_a_campaign_uses_the_gpus_that_are_visible(
    expected: list[str], environment: dict[str, str], gpus: int
) -> None:
    assert expected == visible_gpus(builder(gpus=gpus), environment)
