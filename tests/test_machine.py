"""A machine lends its GPUs with cores of their own, and locks what it lends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT
from evidence.examples.script import read_script
from evidence.measure import Failure, Reason, Recording
from evidence.measure import builder as told
from evidence.measure import machine as module
from evidence.measure.builder import Place
from evidence.measure.campaign import Campaign
from evidence.measure.machine import Lane, Machine, lanes, share_out
from evidence.records.model import scalar
from factories import builder
from scripts import SOON, is_alive, time_is_up, wait_until, write

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from evidence.examples.script import Script


def threads(pairs: dict[int, int]) -> object:
    """Processor cores of several threads: each thread with the first of its core."""
    return lambda core: pairs.get(core, core)


@pytest.mark.parametrize(
    ("expected", "near", "cores"),
    [
        pytest.param([(0, 1, 2)], [()], range(3), id="one has all"),
        pytest.param([tuple(range(16))], [()], range(40), id="up to 16"),
        pytest.param(
            [tuple(range(16)), tuple(range(16, 32))],
            [(), ()],
            range(40),
            id="up to 16 each",
        ),
        pytest.param([(0, 1), (2, 3)], [(), ()], range(4), id="halves"),
        pytest.param([(0, 1), (2, 3)], [(), ()], range(5), id="none has more"),
        pytest.param([(2, 3), (0, 1)], [{2, 3}, {0, 1}], range(4), id="the near ones"),
        pytest.param(
            [(0, 1), (2, 3)], [{0, 1, 2}, {0, 1, 2}], range(4), id="nearness ends"
        ),
        pytest.param([(0,), (1,), (0,)], [(), (), ()], range(2), id="too few"),
    ],
)
def test_cores_are_shared_out(
    expected: list[tuple[int, ...]],
    near: list[Collection[int]],
    cores: range,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "siblings", threads({}))
    assert expected == share_out(near, cores)


def test_the_threads_of_a_core_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "siblings", threads({2: 0, 3: 1}))
    expected = [(0, 2), (1, 3)]
    assert expected == share_out([(), ()], range(4))


PLACES = [Place("0", "GPU-a0", {0, 1}), Place("1", "GPU-b1", {2, 3})]
SECOND = Lane("1", "GPU-b1", (2, 3))


@pytest.mark.parametrize(
    ("expected", "gpus", "places"),
    [
        pytest.param([SECOND], ["1"], PLACES, id="the other keeps its share"),
        pytest.param([Lane("GPU-b1", "GPU-b1", (2, 3))], ["GPU-b"], PLACES, id="UUID"),
        pytest.param([Lane("MIG-x", "MIG-x", (0, 1))], ["MIG-x"], PLACES, id="a part"),
        pytest.param(
            [Lane("MIG-x", "MIG-x", (0, 1)), Lane("MIG-y", "MIG-y", (2, 3))],
            ["MIG-x", "MIG-y"],
            PLACES[:1],
            id="parts",
        ),
        pytest.param([Lane("", "", (0, 1, 2, 3))], [], PLACES, id="no GPU"),
        pytest.param(
            [Lane("3", "3", (0, 1)), Lane("5", "5", (2, 3))],
            ["3", "5"],
            [],
            id="untold",
        ),
    ],
)
def test_a_gpu_has_its_share_whatever_it_is_called(
    expected: list[Lane],
    gpus: list[str],
    places: list[Place],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "siblings", threads({}))
    assert expected == lanes(gpus, places, range(4))


@pytest.fixture(autouse=True)
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test meets the locks of a campaign on this machine."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def script(
    folder: Path, stem: str, code: str = "measured = {'x': 1}", **settings: object
) -> Script:
    return read_script(write(folder, stem, code, **settings))


#: It ends when seven others have begun, and counts those that have not ended yet.
CROWD = """
import os, time
from pathlib import Path
runs = Path({folder!r}, str(os.getpid()))
runs.touch()
while len(list(runs.parent.iterdir())) < 8:
    time.sleep(0.02)
at_once = len(list(runs.parent.glob("*[0-9]")))
runs.rename(runs.with_suffix(".ran"))
measured = {{"at_once": at_once}}
"""


def test_on_eight_gpus_eight_run_at_once_and_no_more(tmp_path: Path) -> None:
    folder = tmp_path / "crowd"
    folder.mkdir()
    code = CROWD.format(folder=str(folder))
    many = [script(tmp_path, f"one_{i}", code, gpus=1) for i in range(12)]
    campaign = Campaign(Machine(builder(gpus=8), list("01234567")), lambda _: None)
    for result in campaign.run(many):
        assert isinstance(result, Recording), result
        assert scalar(result.record.cells["at_once"]) <= 8


CORES = "import os\nmeasured = {'cores': len(os.sched_getaffinity(0))}"


def test_an_example_has_the_cores_of_its_gpus(tmp_path: Path) -> None:
    machine = Machine(builder(gpus=2), ["0", "1"])
    every = len(os.sched_getaffinity(0))
    half = max(1, every // 2)
    asked = {
        "one": {"gpus": 1},
        "two": {"gpus": 2},
        "all": {"gpus": 1, "quiet": "machine"},
    }
    scripts = [script(tmp_path, stem, CORES, **how) for stem, how in asked.items()]
    results = {r.script.stem: r for r in Campaign(machine, lambda _: None).run(scripts)}
    found = {}
    for stem, result in results.items():
        assert isinstance(result, Recording), result
        found[stem] = result.record.cells["cores"].value  # type: ignore[union-attr]
        assert found[stem] == result.record.builder.share
    assert {"one": half, "two": every // 2 * 2, "all": every} == found


class Borrower:
    """Examples that borrow from one machine, each in a thread of its own."""

    def __init__(
        self, machine: Machine, folder: Path, executor: ThreadPoolExecutor
    ) -> None:
        self.machine, self.folder, self.executor = machine, folder, executor
        self.has: list[str] = []
        self.done = {"": threading.Event()}

    def ask(self, stem: str, **settings: object) -> None:
        """Ask for what an example of these settings needs; note when it is lent."""
        asking = script(self.folder, stem, **settings)
        self.done[stem] = threading.Event()
        self.executor.submit(self._borrow, asking)
        # The order of asking is that of this test.
        asked = len(self.done) - 1
        wait_until(lambda: len(self.machine._queue) + len(self.has) == asked)

    def _borrow(self, asking: Script) -> None:
        with self.machine.lend(asking, pytest.fail, bool) as loan:
            self.has.append(f"{asking.stem} {','.join(loan.gpus)}".strip())
            self.done[asking.stem].wait(SOON)


@pytest.fixture
def borrower(tmp_path: Path) -> Iterator[Borrower]:
    with ThreadPoolExecutor(4) as executor:
        borrower = Borrower(Machine(builder(gpus=2), ["0", "1"]), tmp_path, executor)
        yield borrower
        for done in borrower.done.values():
            done.set()


@pytest.mark.parametrize("all_of_it", [{"gpus": 2}, {"gpus": 1, "quiet": "machine"}])
def test_nobody_overtakes_who_needs_the_whole_machine(
    borrower: Borrower, all_of_it: dict[str, object]
) -> None:
    borrower.ask("first", gpus=1)
    borrower.ask("large", **all_of_it)
    borrower.ask("small", gpus=1)
    expected = ["first 0"]
    assert expected == borrower.has
    borrower.done["first"].set()
    wait_until(lambda: len(borrower.has) == 2)
    assert borrower.has[-1].startswith("large")
    borrower.done["large"].set()
    wait_until(lambda: len(borrower.has) == 3)


def test_two_run_side_by_side(borrower: Borrower) -> None:
    borrower.ask("first", gpus=1)
    borrower.ask("second", gpus=1)
    borrower.ask("third", gpus=1)
    expected = ["first 0", "second 1"]
    assert expected == borrower.has
    borrower.done["second"].set()
    wait_until(lambda: len(borrower.has) == 3)
    assert borrower.has[-1] == "third 1"


def test_gpus_are_lent_in_their_order_whichever_was_free_first(
    borrower: Borrower,
) -> None:
    borrower.ask("first", gpus=1)
    borrower.ask("second", gpus=1)
    borrower.ask("large", gpus=2)
    borrower.done["second"].set()
    wait_until(lambda: len(borrower.machine._free) == 1)
    borrower.done["first"].set()
    wait_until(lambda: len(borrower.has) == 3)
    assert "large 0,1" == borrower.has[-1]


def test_those_that_need_nothing_quiet_share_a_gpu_by_threes(
    tmp_path: Path,
) -> None:
    with ThreadPoolExecutor(5) as executor:
        borrower = Borrower(Machine(builder(gpus=1), ["0"]), tmp_path, executor)
        for number in range(4):
            borrower.ask(f"shares_{number}", gpus=1, quiet="nothing")
        expected = [f"shares_{number} 0" for number in range(3)]
        wait_until(lambda: len(borrower.has) == 3)
        assert expected == borrower.has
        borrower.done["shares_1"].set()
        wait_until(lambda: len(borrower.has) == 4)
        for done in borrower.done.values():
            done.set()


def test_those_that_only_wait_share_several_gpus(borrower: Borrower) -> None:
    borrower.ask("one", gpus=1, quiet="nothing")
    borrower.ask("two", gpus=2, quiet="nothing")
    borrower.ask("all", gpus=1, all_gpus=True, quiet="nothing")
    wait_until(lambda: len(borrower.has) == 3)
    assert ["one 0", "two 0,1", "all 0,1"] == borrower.has


@pytest.mark.parametrize("order", [("shares", "other"), ("other", "shares")])
def test_what_shares_and_what_does_not_run_at_different_times(
    borrower: Borrower, order: tuple[str, str]
) -> None:
    """Also on two GPUs: to begin and to end a process holds up the other."""
    quiet = {"shares": "nothing", "other": "gpu"}
    for stem in order:
        borrower.ask(stem, gpus=1, quiet=quiet[stem])
    assert [f"{order[0]} 0"] == borrower.has
    borrower.done[order[0]].set()
    wait_until(lambda: len(borrower.has) == 2)


def test_one_at_a_time_measures_the_host_and_others_overtake_who_waits(
    borrower: Borrower,
) -> None:
    borrower.ask("first", gpus=1, quiet="host")
    borrower.ask("waits", gpus=1, quiet="host")
    borrower.ask("other", gpus=1)
    assert ["first 0", "other 1"] == borrower.has
    borrower.done["first"].set()
    wait_until(lambda: len(borrower.has) == 3)
    assert "waits 0" == borrower.has[-1]


def test_who_shares_waits_for_another_campaign_that_does_not(tmp_path: Path) -> None:
    lines: list[str] = []
    first, second = (Machine(builder(gpus=1), ["0"]) for _ in range(2))
    shares = script(tmp_path, "shares", gpus=1, quiet="nothing")
    with (
        first.lend(script(tmp_path, "has", gpus=1), pytest.fail, bool),
        second.lend(shares, lines.append, lambda: bool(lines)),
    ):
        assert ["waiting for a GPU of another campaign"] == lines
    with first.lend(shares, pytest.fail, bool), second.lend(shares, pytest.fail, bool):
        pass


CAMPAIGN = """
import sys, time
from pathlib import Path
from evidence.examples.script import read_script
from evidence.measure.campaign import Campaign
from evidence.measure.machine import Machine
from evidence.records.model import Builder
builder = Builder(gpu="NVIDIA H200", gpus=1, torch="2.11.0", kernel="6.8")
campaign = Campaign(Machine(builder, ["0"]), print)
print(*campaign.run([read_script(Path(sys.argv[1]))]))
"""

#: A campaign that has measured, and lives on until its input ends.
LIVES_ON = f"{CAMPAIGN}print('measured', flush=True)\nsys.stdin.read()\n"

STAYS = """
import subprocess, sys, time
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
with open({notes!r}, "w") as file:
    print(os.getpid(), child.pid, file=file)
time.sleep(600)
"""


@pytest.mark.parametrize("fresh", [False, True])
def test_a_campaign_that_is_killed_leaves_nothing_and_frees_its_gpu(
    tmp_path: Path, fresh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evidence.locks.POLL", 0.001)
    notes = tmp_path / "notes"
    code = "import os" + STAYS.format(notes=str(notes))
    path = write(tmp_path, "stays", code, gpus=1, fresh=fresh)
    command = [sys.executable, "-c", CAMPAIGN, str(path)]
    environment = {"PYTHONPATH": str(ROOT / "conf"), "TMPDIR": str(tmp_path)}
    first = subprocess.Popen(command, env={**os.environ, **environment})
    wait_until(lambda: notes.exists() and notes.read_text().endswith("\n"))
    pids = [int(pid) for pid in notes.read_text().split()]
    lines: list[str] = []
    again = script(tmp_path, "again", gpus=1)
    second = Machine(builder(gpus=1), ["0"])

    def alive_when_it_is_lent() -> list[int]:
        with second.lend(again, lines.append, bool):
            return [pid for pid in pids if is_alive(pid)]

    with ThreadPoolExecutor(1) as executor:
        alive = executor.submit(alive_when_it_is_lent)
        wait_until(lambda: lines)
        expected = "waiting for a GPU of another campaign"
        assert expected == lines[0]
        assert all(map(is_alive, pids))
        first.send_signal(signal.SIGKILL)
        # The lock is free when, and not before, the last of it is dead.
        assert not alive.result(SOON * 5)
    first.wait()


def test_a_gpu_is_free_when_its_example_has_ended_and_its_campaign_has_not(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, "copy", "measured = {'x': 1}", gpus=1)
    environment = {"PYTHONPATH": str(ROOT / "conf"), "TMPDIR": str(tmp_path)}
    first = subprocess.Popen(
        [sys.executable, "-c", LIVES_ON, str(path)],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout
    assert "measured\n" in first.stdout
    lines: list[str] = []
    # Should it be locked for ever, this ends all the same.
    campaign = Campaign(Machine(builder(gpus=1), ["0"]), lines.append, minutes=0.2)
    (result,) = campaign.run([read_script(path)])
    assert first.poll() is None
    first.communicate("")
    assert isinstance(result, Recording), result
    assert not [line for line in lines if "waiting" in line]


def test_a_campaign_that_stops_does_not_wait_for_a_gpu(tmp_path: Path) -> None:
    stop = threading.Event()
    machine = Machine(builder(gpus=1), ["0"])
    with machine.lend(script(tmp_path, "has", gpus=1), pytest.fail, bool):
        other = Machine(builder(gpus=1), ["0"])
        tell = lambda _: stop.set()  # noqa: E731
        with other.lend(script(tmp_path, "wants", gpus=1), tell, stop.is_set):
            pass
    assert stop.is_set()


def test_a_part_of_a_gpu_is_lent(tmp_path: Path) -> None:
    machine = Machine(builder(gpus=1), ["MIG-GPU-a0/1/0"], PLACES)
    with machine.lend(script(tmp_path, "has", gpus=1), pytest.fail, bool) as loan:
        expected = ("MIG-GPU-a0/1/0",)
        assert expected == loan.gpus


@pytest.mark.parametrize("settings", [{}, {"quiet": "machine"}, {"all_gpus": True}])
def test_the_cores_of_a_gpu_are_locked_with_it(
    tmp_path: Path, settings: dict[str, object]
) -> None:
    lines: list[str] = []
    first, second = (Machine(builder(gpus=1), ["0"]) for _ in range(2))
    without = script(tmp_path, "without", gpus=0, **settings)
    with (
        first.lend(without, pytest.fail, bool),
        second.lend(without, lines.append, lambda: bool(lines)),
    ):
        expected = ["waiting for a GPU of another campaign"]
        assert expected == lines


@pytest.mark.parametrize("order", [["alone", "one"], ["one", "alone"]])
def test_alone_means_beside_no_campaign_on_another_gpu_either(
    tmp_path: Path, order: list[str]
) -> None:
    lines: list[str] = []
    quiet = {"alone": "machine", "one": "gpu"}
    begun, waits = (script(tmp_path, stem, quiet=quiet[stem]) for stem in order)
    first, second = (Machine(builder(gpus=1), [gpu], PLACES) for gpu in "01")
    with (
        first.lend(begun, pytest.fail, bool),
        second.lend(waits, lines.append, lambda: bool(lines)),
    ):
        expected = ["waiting for a GPU of another campaign"]
        assert expected == lines


@pytest.mark.parametrize("gpu", ["0", "1"])
def test_every_gpu_of_an_example_is_locked_and_no_other(
    tmp_path: Path, gpu: str
) -> None:
    lines: list[str] = []
    pair, single = (script(tmp_path, f"of_{n}", gpus=n) for n in (2, 1))
    both = Machine(builder(gpus=2), ["0", "1"], PLACES)
    one = Machine(builder(gpus=1), [gpu], PLACES)
    with (
        both.lend(pair, pytest.fail, bool),
        one.lend(single, lines.append, lambda: bool(lines)),
    ):
        assert ["waiting for a GPU of another campaign"] == lines
    beside = Machine(builder(gpus=1), ["1" if gpu == "0" else "0"], PLACES)
    with (
        one.lend(single, pytest.fail, bool),
        beside.lend(single, lines.append, lambda: len(lines) > 1),
    ):
        assert 1 == len(lines)


def test_the_cores_beyond_a_share_are_lent_and_named_with_the_whole_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(40)))
    machine = Machine(builder(gpus=1), ["0"])
    found = []
    for quiet in ("gpu", "machine"):
        asked = script(tmp_path, f"needs_{quiet}", gpus=1, quiet=quiet)
        with machine.lend(asked, pytest.fail, bool) as loan:
            found.append((len(loan.cores), loan.builder.share))
    assert [(16, 16), (40, 40)] == found


def test_two_campaigns_lock_several_gpus_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In two orders each would wait for what the other has."""
    held: list[int] = []
    monkeypatch.setattr(
        module, "hold", lambda file, **_: nullcontext(held.append(file))
    )
    names = ["GPU-a0", "GPU-b1"]
    for gpus in (["0", "1"], ["1", "0"]):
        machine = Machine(builder(gpus=2), gpus, PLACES)
        for how in ({"gpus": 2}, {"gpus": 1, "quiet": "machine"}):
            asked = script(tmp_path, f"of_{len(how)}", **how)
            with machine.lend(asked, pytest.fail, bool):
                assert [machine._locks[name] for name in names] == held
            held.clear()


def test_a_lock_that_another_user_laid_elsewhere_is_refused(locks: Path) -> None:
    (locks / "elsewhere").mkdir()
    (locks / "evidence-gpu-0").symlink_to("elsewhere")
    with pytest.raises(OSError, match="evidence-gpu-0"):
        Machine(builder(gpus=1), ["0"])


def test_every_user_locks_the_same_folder(locks: Path) -> None:
    before = os.umask(0o077)
    try:
        Machine(builder(gpus=1), ["0"])
    finally:
        os.umask(before)
    expected = 0o755
    assert expected == (locks / "evidence-gpu-0").stat().st_mode & 0o777


def test_a_campaign_waits_for_another_no_longer_than_its_time(tmp_path: Path) -> None:
    wants = script(tmp_path, "wants", gpus=1)
    with Machine(builder(gpus=1), ["0"]).lend(wants, pytest.fail, bool):
        other = Campaign(Machine(builder(gpus=1), ["0"]), lambda _: None, minutes=0.01)
        (result,) = other.run([wants])
    expected = "wants.py was stopped"
    assert expected == str(result)


def test_what_is_begun_is_finished_after_its_time_and_nothing_else_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = time_is_up(tmp_path / "late", monkeypatch) + "measured = {'x': 1}"
    scripts = [script(tmp_path, stem, code, processes=3) for stem in ("one", "other")]
    campaign = Campaign(Machine(builder(), []), lambda _: None, minutes=1)
    # Two threads ask for the machine: which of them gets it is the system's choice.
    results = list(campaign.run(scripts))
    (begun,) = (result for result in results if isinstance(result, Recording))
    (left,) = (result for result in results if isinstance(result, Failure))
    # Two of its processes began when the time was over.
    expected = 3
    assert expected == len(begun.record.processes)
    assert Reason.STOPPED is left.cause.reason
    assert {"one", "other"} == {begun.script.stem, left.script.stem}


def test_when_nobody_wants_more_results_what_runs_is_killed(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    code = (
        f"import os\nopen({str(notes)!r}, 'w').write(str(os.getpid()))\n"
        + "import time\ntime.sleep(600)"
    )
    scripts = [
        script(tmp_path, "quick", gpus=1),
        script(tmp_path, "long", code, gpus=1),
    ]
    results = Campaign(Machine(builder(gpus=2), ["0", "1"]), lambda _: None).run(
        scripts
    )
    next(results)
    wait_until(lambda: notes.exists() and notes.read_text())
    results.close()  # type: ignore[attr-defined]
    assert not is_alive(int(notes.read_text()))


def test_a_gpu_on_which_another_program_computes_is_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(told, "_is_used", lambda gpu: gpu != "1")
    monkeypatch.setattr(told, "LINGER", 0.1)
    expected = "was not run: another program computes on GPU 0, 2"
    assert expected == told.occupied(["0", "1", "2"])
    assert not told.occupied([])
