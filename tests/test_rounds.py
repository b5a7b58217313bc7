"""A pass that was interrupted goes on where it ended, and the next one measures anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from evidence.examples.script import read_script
from evidence.measure import Cause, Failure, Reason, Recording
from evidence.measure.campaign import Campaign
from evidence.measure.machine import Machine
from evidence.measure.rounds import Begun, measure_until_clear
from factories import builder
from scripts import write

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from evidence.measure.campaign import Result

TIMED = 'measured = {"copy_s": {"samples": [value]}}'


class Pass:
    """A pass over the examples of a folder, which counts its processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.unclear: Collection[str] = ()
        self.said: list[str] = []

    def example(self, stem: str, *cells: str) -> None:
        """Add an example that writes down each process of its own."""
        count = f"with open({str(self.folder / stem)!r}, 'a') as file: file.write('x')"
        write(self.folder / "examples", stem, count, *cells, processes=None)

    def begin(self, torch: str = "2.9.0") -> Iterator[Result]:
        scripts = map(read_script, sorted((self.folder / "examples").glob("*.py")))
        campaign = Campaign(Machine(builder(torch=torch), ()), lambda _: None)
        return measure_until_clear(
            campaign,
            scripts,
            lambda _: self.unclear,
            self.folder / "begun",
            self.said.append,
        )

    def processes(self, stem: str) -> int:
        return len((self.folder / stem).read_text())


@pytest.fixture
def interrupted(tmp_path: Path) -> Pass:
    """A pass that was ended after its first round; ``slow`` is unclear, ``wrong`` fails."""
    made = Pass(tmp_path)
    made.example("clear", "measured = {'x': 1}")
    made.example("slow", "value = 2.0", TIMED)
    made.example("wrong", "1 / 0")
    made.unclear = {"slow"}
    results = made.begin()
    for _ in range(3):
        next(results)
    results.close()  # type: ignore[attr-defined]
    return made


def test_it_goes_on_with_what_was_measured(interrupted: Pass) -> None:
    done = {result.script.stem: result for result in interrupted.begin()}
    assert ["clear", "slow", "wrong"] == sorted(done)
    assert isinstance(done["wrong"], Failure)
    assert "ZeroDivisionError" in str(done["wrong"])
    assert isinstance(done["slow"], Recording)
    expected = 6
    assert expected == len(done["slow"].record.processes)
    counts = {stem: interrupted.processes(stem) for stem in done}
    assert {"clear": 1, "slow": 6, "wrong": 1} == counts
    (line,) = interrupted.said
    assert line.startswith("going on with 3 examples")


def test_what_stays_unclear_runs_in_more_processes_up_to_its_plan(
    tmp_path: Path,
) -> None:
    made = Pass(tmp_path)
    count = f"value = len(open({str(tmp_path / 'spread')!r}).read())"
    made.example("spread", count, TIMED)
    made.unclear = {"spread"}

    results = [*made.begin()]

    assert [1, 3, 6, 12] == [
        len(result.runs) for result in results if isinstance(result, Recording)
    ]


def test_after_its_end_everything_is_measured_anew(interrupted: Pass) -> None:
    for _ in range(2):
        list(interrupted.begin())
    counts = {stem: interrupted.processes(stem) for stem in ("clear", "slow", "wrong")}
    assert {"clear": 2, "slow": 12, "wrong": 2} == counts
    assert 1 == len(interrupted.said)


def test_what_cannot_be_read_is_measured_anew(interrupted: Pass) -> None:
    (file,) = interrupted.folder.glob("begun/clear-*")
    file.write_bytes(b"not what this version writes")
    list(interrupted.begin())
    assert 2 == interrupted.processes("clear")
    assert 1 == interrupted.processes("wrong")


def test_what_the_end_of_a_pass_stopped_is_measured_the_next_time(
    tmp_path: Path,
) -> None:
    begun = Begun(tmp_path / "begun", builder())
    reasons = {"late": Reason.STOPPED, "small": Reason.SKIPPED, "wrong": Reason.ERROR}
    scripts = []
    for stem, reason in reasons.items():
        script = read_script(write(tmp_path, stem, "measured = {'x': 1}"))
        begun.keep(Failure(script, Cause(f"is {stem}", reason)))
        scripts.append(script)

    assert ["small", "wrong"] == [*begun.results(scripts)]


def test_other_code_and_another_builder_are_measured_anew(interrupted: Pass) -> None:
    # First, since the end of a pass removes what it went on with.
    list(interrupted.begin(torch="2.9.1"))
    counts = [interrupted.processes(stem) for stem in ("clear", "wrong")]
    assert ([2, 2], []) == (counts, interrupted.said)
    interrupted.example("clear", "measured = {'x': 2}")
    list(interrupted.begin())
    counts = [interrupted.processes(stem) for stem in ("clear", "wrong")]
    assert ([3, 2], 1) == (counts, len(interrupted.said))
