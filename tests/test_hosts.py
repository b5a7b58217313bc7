"""Several hosts share a campaign; one that dies loses nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING
from unittest.mock import Mock

import psutil
import pytest
from conftest import ROOT
from distributed import Client, KilledWorker
from evidence.examples.script import read_script
from evidence.measure import Recording, campaign, hosts
from evidence.measure.campaign import BuilderError
from evidence.measure.hosts import Hosts, check
from factories import builder
from scripts import SOON, is_alive, meeting, wait_until, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORKER = """
import asyncio, sys
from evidence.measure import hosts
from evidence.measure.machine import Machine
from evidence.records.model import Builder
model, gpus, address = sys.argv[1:]
builder = Builder(gpu=model, gpus=int(gpus), torch="2.11.0", kernel="6.8")
machine = Machine(builder, list("01234567"[:int(gpus)]))
hosts._machine = lambda: machine
asyncio.run(hosts.serve(address))
"""
#: A worker whose machine cannot be asked, started as dask does.
BROKEN = (
    WORKER.partition("model, gpus")[0]
    + """
def broken():
    raise OSError("its driver is broken")
hosts._machine = broken
async def work(address):
    async with hosts.Worker(address) as worker:
        await worker.finished()
asyncio.run(work(sys.argv[3]))
"""
)
SLEEPS = "import time\ntime.sleep(1)\nmeasured = {'x': 1}"
H200 = ("NVIDIA H200", "2")

Start = "Callable[..., subprocess.Popen[bytes]]"


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    command = "from distributed.cli.dask_scheduler import main; main()"
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "conf"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    file = tmp_path / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen(
        [sys.executable, "-c", command, *options, "--scheduler-file", str(file)],
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: file.exists() and '"address"' in file.read_text())
        yield file.read_text().partition('"address": "')[2].partition('"')[0]
    finally:
        scheduler.terminate()
        scheduler.wait()


@pytest.fixture
def start(cluster: str) -> Iterator[Start]:
    started: list[subprocess.Popen[bytes]] = []

    def begin(
        model: str = "NVIDIA H200", gpus: str = "2", code: str = WORKER
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", code, model, gpus, cluster]
        started.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
        return started[-1]

    yield begin
    for worker in started:
        worker.kill()
        worker.wait()


def connect(address: str, workers: int, *lines: list[str]) -> Hosts:
    """A campaign on so many workers, as soon as they are there."""
    with Client(address, set_as_default=False) as client:
        wait_until(lambda: len(client.scheduler_info()["workers"]) == workers)
    return Hosts(address, lines[0].append if lines else lambda _: None)


def test_hosts_share_the_examples_and_each_names_its_own_builder(
    cluster: str, start: Start, tmp_path: Path
) -> None:
    start("NVIDIA H200", "1")
    start("NVIDIA H200", "2")
    campaign = connect(cluster, 2)
    wants = {"two": 2, **{f"one_{i}": 1 for i in range(5)}, "three": 3}
    paths = [write(tmp_path, s, SLEEPS, gpus=gpus) for s, gpus in wants.items()]
    results = {r.script.stem: r for r in campaign.run(map(read_script, paths))}
    expected = "three.py needs 3 GPUs, this machine has "
    assert str(results.pop("three"))[:-1] == expected
    gpus: dict[str, int] = {}
    for stem, result in results.items():
        assert isinstance(result, Recording), result
        gpus[stem] = result.record.builder.gpus
    assert gpus["two"] == 2
    assert {1, 2} == set(gpus.values())


def test_examples_that_need_nothing_quiet_share_the_gpu_of_a_worker(
    cluster: str, start: Start, tmp_path: Path
) -> None:
    start("NVIDIA H200", "1")
    for result in connect(cluster, 1).run(map(read_script, meeting(tmp_path))):
        assert isinstance(result, Recording), result


def test_what_a_dead_worker_had_begun_is_begun_again_elsewhere(
    cluster: str, start: Start, tmp_path: Path
) -> None:
    start()
    start()
    lines: list[str] = []
    campaign = connect(cluster, 2, lines)
    notes = tmp_path / "notes"
    note = f"import os\nprint(os.getpid(), file=open({str(notes)!r}, 'a'))\n"
    path = write(tmp_path, "slow", note + SLEEPS.replace("(1)", "(3)"), gpus=1)
    found: list[object] = []
    thread = threading.Thread(
        target=lambda: found.extend(campaign.run([read_script(path)]))
    )
    thread.start()
    wait_until(lambda: notes.exists() and notes.read_text().endswith("\n"))
    pid = int(notes.read_text())
    fork_server = psutil.Process(pid).parent()
    assert fork_server
    fork_server.parent().kill()  # the worker
    thread.join(SOON * 8)
    (result,) = found
    assert isinstance(result, Recording), result
    assert not is_alive(pid)
    assert lines[-1].startswith("slow: process 1, ")


def test_what_nobody_is_left_to_measure_is_given_up(
    cluster: str, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "LOOK", 0.5)
    lines: list[str] = []
    only = start()
    campaign = connect(cluster, 1, lines)
    path = write(tmp_path, "slow", SLEEPS.replace("(1)", "(600)"), gpus=1)
    results = campaign.run([read_script(path)])
    threading.Timer(2, only.kill).start()
    expected = "slow.py was given up: no worker is left that could run it"
    assert expected == str(next(results))


def test_a_worker_of_this_machine_is_reached_by_it_alone(
    cluster: str, start: Start
) -> None:
    worker = start()
    with Client(cluster, set_as_default=False) as client:
        wait_until(client.nthreads)
    sockets = psutil.Process(worker.pid).net_connections()
    listening = {s.laddr.ip for s in sockets if s.status == psutil.CONN_LISTEN}
    assert {"127.0.0.1"} == listening


@pytest.mark.parametrize("ends", ["worker", "scheduler"])
def test_a_worker_that_ends_does_not_wait_for_its_example(
    ends: str,
    cluster: str,
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosts, "LOOK", 0.5)
    worker = start()
    (scheduler,) = (
        child
        for child in psutil.Process().children()
        if "--scheduler-file" in child.cmdline()
    )
    campaign = connect(cluster, 1)
    notes = tmp_path / "notes"
    code = f"import os\nprint(os.getpid(), file=open({str(notes)!r}, 'w'))\n{SLEEPS}"
    path = write(tmp_path, "long", code.replace("(1)", "(600)"), gpus=1)
    found: list[object] = []
    thread = threading.Thread(
        target=lambda: found.extend(campaign.run([read_script(path)]))
    )
    thread.start()
    wait_until(lambda: notes.exists() and notes.read_text().endswith("\n"))
    if ends == "worker":
        worker.send_signal(signal.SIGINT)
    else:
        scheduler.kill()
    pid = int(notes.read_text())
    wait_until(lambda: not is_alive(pid), SOON)
    worker.wait(SOON * 2)
    thread.join(SOON * 5)
    expected = ["long.py was given up: no worker is left that could run it"]
    assert expected == list(map(str, found))


@pytest.mark.parametrize(
    ("left", "given_up"),
    [
        ({"one": 1, "two": 1}, []),
        ({"one": 1}, ["two"]),
        ({"two": 1}, []),
        ({}, ["two", "three"]),
    ],
)
def test_what_no_worker_fits_any_can_refuse_and_what_nobody_is_left_for_is_given_up(
    left: dict[str, int], given_up: list[str], tmp_path: Path
) -> None:
    """Of two workers, one has one GPU, and the other two."""
    campaign = Hosts.__new__(Hosts)
    campaign._client = SimpleNamespace(nthreads=lambda: left)
    campaign._builders = {"one": builder(gpus=1), "two": builder(gpus=2)}
    paths = [write(tmp_path, f"needs_{n}", SLEEPS, gpus=n) for n in (2, 3)]
    futures = {name: Mock() for name in ("two", "three")}
    tasks = map(hosts.Task, map(read_script, paths))

    campaign._give_up(dict(zip(futures.values(), tasks, strict=True)))

    assert given_up == [n for n, future in futures.items() if future.cancel.called]


def test_a_task_of_a_host_is_that_of_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two workers, one has one GPU, and the other four."""
    offers = {f"has_{n}": (hosts._engine(), builder(gpus=n)) for n in (1, 4)}
    begun: dict[str, tuple[hosts.Task, list[str]]] = {}

    def submit(_: object, task: hosts.Task, workers: list[str], **__: object) -> Mock:
        begun[task.script.stem] = task, workers
        future = Mock(cancelled=lambda: True)
        future.add_done_callback = lambda done: done(future)
        return future

    client = Mock(id="its id", submit=submit, run=lambda *_, **__: offers)
    client.scheduler_info = lambda: {"address": "tls://gpu:3"}
    client.nthreads = lambda: offers
    monkeypatch.setattr(hosts, "Client", lambda *_, **__: client)
    monkeypatch.setattr(campaign, "time", SimpleNamespace(time=lambda: 1000.0))
    wants = {"one": {"gpus": 1}, "two": {"gpus": 2}, "every": {"quiet": "machine"}}
    paths = [write(tmp_path, stem, SLEEPS, **how) for stem, how in wants.items()]
    before = {"two": (Mock(), Mock()), "one": (Mock(),)}

    shared = Hosts("tls://gpu:3", pytest.fail, minutes=2.5)
    results = [*shared.run(map(read_script, paths), 6, before)]

    assert [*begun] == ["every", "two", "one"] == [r.script.stem for r in results]
    for stem, (task, workers) in begun.items():
        assert (6, 1150.0) == (task.processes, task.deadline)
        assert before.get(stem, ()) == task.before
        assert (["has_4"] if stem == "two" else ["has_1", "has_4"]) == workers


def test_an_example_that_ends_each_worker_has_failed(tmp_path: Path) -> None:
    (one,) = map(read_script, [write(tmp_path, "one", SLEEPS)])
    killed = KilledWorker("key", SimpleNamespace(address="tcp://gpu:2"), 3)
    future = SimpleNamespace(cancelled=lambda: False, result=Mock(side_effect=killed))

    failure = hosts._result(future, hosts.Task(one))

    assert str(failure).startswith("one.py ended its workers: Attempted to run task")


def test_a_campaign_that_is_cut_short_leaves_nothing_running(
    cluster: str, start: Start, tmp_path: Path
) -> None:
    start()
    notes = tmp_path / "notes"
    code = f"import os\nprint(os.getpid(), file=open({str(notes)!r}, 'w'))\n{SLEEPS}"
    long = write(tmp_path, "long", code.replace("(1)", "(600)"), gpus=1)
    quick = write(tmp_path, "quick", SLEEPS, gpus=1)
    results = connect(cluster, 1).run(map(read_script, (long, quick)))
    next(results)
    wait_until(lambda: notes.exists() and notes.read_text().endswith("\n"))
    results.close()  # type: ignore[attr-defined]
    pid = int(notes.read_text())
    wait_until(lambda: not is_alive(pid))


@pytest.mark.parametrize(
    ("message", "workers"),
    [
        ("has no worker; start one: python -m evidence worker tcp://127", []),
        ("have several GPUs: NVIDIA H100, NVIDIA H200", [("NVIDIA H100", "1"), H200]),
        (" cannot measure: its driver is broken", [(*H200, BROKEN)]),
    ],
)
def test_workers_that_will_not_do_are_refused(
    message: str, workers: list[tuple[str, ...]], cluster: str, start: Start
) -> None:
    for worker in workers:
        start(*worker)
    with pytest.raises(BuilderError, match=message):
        connect(cluster, len(workers))


@pytest.mark.parametrize("order", [["near", "far"], ["far", "near"]])
def test_a_worker_with_other_code_is_refused(order: list[str]) -> None:
    offers = {"near": (hosts._engine(), builder()), "far": ("another", builder())}
    with pytest.raises(BuilderError, match="the worker far has other code"):
        hosts._accept({name: offers[name] for name in order}, "tls://there")


def test_code_is_the_same_in_whatever_order_a_folder_lists_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, glob = hosts._engine(), hosts.Path.glob
    monkeypatch.setattr(hosts.Path, "glob", lambda *given: reversed([*glob(*given)]))
    assert before == hosts._engine()


@pytest.mark.parametrize(
    ("is_other", "room"),
    [(True, "measure"), (True, "examples"), (True, "records"), (False, "site")],
)
def test_code_is_other_where_a_room_that_measuring_uses_is(
    is_other: bool, room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "__file__", str(tmp_path / "measure" / "hosts.py"))
    (tmp_path / room).mkdir()
    before = hosts._engine()
    (tmp_path / room / "changed.py").write_text("OTHER = True\n")
    assert is_other == (before != hosts._engine())


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("tls://gpu:1", None),
        ("127.0.0.1:1", "127.0.0.1"),
        ("tcp://[::1]:1", "[::1]"),
        ("localhost:1", "localhost"),
    ],
)
def test_a_scheduler_of_ones_own_or_an_encrypted_one_will_do(
    address: str, expected: str | None
) -> None:
    assert expected == check(address)


@pytest.mark.parametrize("address", ["tcp://10.0.0.7:8786", "gpu:8786", "0.0.0.0:8786"])
def test_a_scheduler_that_strangers_reach_will_not_do(address: str) -> None:
    with pytest.raises(BuilderError, match="is reached by anybody: use tls:// or 127"):
        check(address)


def test_a_scheduler_that_strangers_reach_too_will_not_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_to_all = {"address": "tcp://10.0.0.7:8786"}
    client = SimpleNamespace(scheduler_info=lambda: open_to_all, run=pytest.fail)
    monkeypatch.setattr(hosts, "Client", lambda *_, **__: client)
    with pytest.raises(BuilderError, match=r"tcp://10\.0\.0\.7:8786 is reached by any"):
        Hosts("127.0.0.1:8786", print)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "tls://127.0.0.1:9"])
def test_no_scheduler_is_an_error_of_one_line(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "LOOK", 0.2)
    with pytest.raises(BuilderError, match=f"^no scheduler answers at {address}: "):
        Hosts(address, print)
