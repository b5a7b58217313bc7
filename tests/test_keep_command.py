"""``python -m evidence keep`` makes of what was sent what the site keeps of a machine."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import conftest
import pytest
import test_passes
from evidence.__main__ import main
from evidence.examples.script import read_script
from evidence.judge.kept import MAX_BYTES
from evidence.judge.pages import read_claims
from evidence.judge.passes import FOLDER, read_passes
from evidence.records.model import Plain, Raised, Table
from evidence.records.store import checksum, seal
from factories import builder, timing
from msgspec import to_builtins
from scripts import write
from test_passes import DAY, MACHINES, NAME, a_run, text, verdicts

if TYPE_CHECKING:
    from pathlib import Path

    from evidence.judge.passes import Elsewhere

LATER = "2026-11-25"


@dataclass
class Keeper:
    """A checkout with two examples and a claim on each, on a second on both."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    keys: dict[str, str] = field(default_factory=dict)

    def ran(self, stem: str = "copy", key: str = "", **measured: Any) -> dict[str, Any]:
        """What one example gave, as ``verify`` writes it."""
        return test_passes.ran(stem, key or self.keys[stem], **measured)

    def send(self, measured: dict[str, Any], day: str = DAY, **changes: Any) -> str:
        """A file that was sent, named by its day; what it measured and when makes it another."""
        sent = checksum(f"{day} {measured}".encode())
        runs = [a_run(day=day, sent=sent, held=1, of=2, **changes)]
        (self.folder / f"{day}.json").write_text(text(measured, runs=runs))
        return f"{day}.json"

    def keep(self, *files: str, code: int = 0) -> list[str]:
        """What is printed; on standard error where nothing is kept."""
        assert code == main(["keep", *files])
        output, errors = self.capsys.readouterr()
        return (errors if code else output).splitlines()

    @property
    def kept(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(
            (self.folder / "docs" / FOLDER / NAME).read_text()
        )
        return data

    @property
    def found(self) -> Elsewhere:
        """What the passes say that are kept, of the claims of the page."""
        claims, _ = read_claims((self.folder / "docs/index.md").read_text(), "index")
        return read_passes(self.folder / "docs" / FOLDER, claims, self.keys)

    def verdicts(self, claim: str = "copy-is-faster") -> dict[str, int]:
        ((_machine, _gpu, counts),) = verdicts(self.found, claim)
        return counts


@pytest.fixture
def keeper(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Keeper:
    monkeypatch.chdir(tmp_path)
    made = Keeper(tmp_path, capsys)
    for number, stem in enumerate(("copy", "base")):
        path = write(tmp_path / "examples", stem, f"measured = {{'x': {number}}}")
        made.keys[stem] = read_script(path).code_key
    claims = (
        conftest.claim(),
        conftest.claim("base-is-faster", ">= 2", value="base.speedup"),
        conftest.claim("copy-beats-base", ">= 1.5 * base.speedup"),
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("\n\n".join(claims))
    return made


def test_the_medians_of_todays_code_are_kept_in_a_line_for_each_example(
    keeper: Keeper,
) -> None:
    sweep = Table(
        (
            {"n": Plain(1), "x": timing(3, 4), "e": Raised("OSError", "no")},
            {"n": Plain(2), "x": timing(6.5), "e": Raised("KeyError", "so")},
        )
    )
    measured = keeper.ran(speedup=timing(4.5, 4.75), calls=Plain(20), by_n=sweep)
    older = keeper.ran("base", "1" * 64, speedup=timing(3.5))
    file = keeper.send({**measured, **older})

    place = f"docs/{FOLDER}/{NAME}"
    assert [f"{place}: 1 of the 2 examples in {file} are kept"] == keeper.keep(file)

    kept = keeper.kept
    run = kept["runs"][0]
    assert (DAY, 1, 2) == (run["day"], run["held"], run["of"])
    values = kept["examples"]["copy"].pop("measured")
    assert {"copy": {"run": 0, "code_key": keeper.keys["copy"]}} == kept["examples"]
    assert {
        "speedup": [4.5, 4.5, 4.625, 4.625, 4.75, 4.75],
        "calls": 20,
        "by_n": {
            "kind": "table",
            "columns": ["n", "x", "e"],
            "rows": [
                [
                    1,
                    [3, 3, 3.5, 3.5, 4, 4],
                    {"kind": "raised", "type": "OSError", "message": "no"},
                ],
                [2, [6.5], {"kind": "raised", "type": "KeyError", "message": "so"}],
            ],
        },
    } == values
    assert ({"holds": 1}, {}) == (keeper.verdicts(), self_counts(kept))


def self_counts(kept: dict[str, Any]) -> dict[str, dict[str, int]]:
    """What is counted, by claim."""
    return {claim: counted["verdicts"] for claim, counted in kept["earlier"].items()}


def test_newer_values_replace_older_ones_which_are_counted(keeper: Keeper) -> None:
    first = {
        **keeper.ran(speedup=timing(4.5)),
        **keeper.ran("base", speedup=timing(2.5)),
    }
    again = keeper.ran(speedup=timing(4.75))
    keeper.keep(keeper.send(first), keeper.send(again, "2026-11-23"))
    # Both were measured in the first file alone.
    expected = {"copy-is-faster": {"holds": 1}, "copy-beats-base": {"holds": 1}}
    assert expected == self_counts(keeper.kept)

    newest = keeper.ran(speedup=timing(2.25))
    keeper.keep(keeper.send(newest, day=LATER))

    runs = {stem: entry["run"] for stem, entry in keeper.kept["examples"].items()}
    assert {"copy": 2, "base": 0} == runs
    assert [DAY, "2026-11-23", LATER] == [run["day"] for run in keeper.kept["runs"]]
    assert {"holds": 2, "diverged": 1} == keeper.verdicts()
    assert {"holds": 1} == keeper.verdicts("base-is-faster")
    assert {"holds": 1} == keeper.verdicts("copy-beats-base")
    expected = {"copy-is-faster": {"holds": 2}, "copy-beats-base": {"holds": 1}}
    assert expected == self_counts(keeper.kept)


def test_of_two_files_of_one_day_the_later_replaces_the_earlier(
    keeper: Keeper,
) -> None:
    keeper.keep(keeper.send(keeper.ran(speedup=timing(4.5))))
    file = keeper.send(keeper.ran(speedup=timing(2.25)))

    lines = keeper.keep(file)

    assert [f"docs/{FOLDER}/{NAME}: 1 of the 1 examples in {file} are kept"] == lines
    assert [2.25] == keeper.kept["examples"]["copy"]["measured"]["speedup"]
    assert [DAY, DAY] == [run["day"] for run in keeper.kept["runs"]]
    assert {"holds": 1, "diverged": 1} == keeper.verdicts()


def test_what_comes_late_is_counted_only(
    keeper: Keeper,
) -> None:
    new = keeper.send(keeper.ran(speedup=timing(4.75)), day=LATER)
    old = keeper.send(keeper.ran(speedup=timing(2.5)))
    keeper.keep(new, old)
    assert [LATER, DAY] == [run["day"] for run in keeper.kept["runs"]]
    assert [4.75] == keeper.kept["examples"]["copy"]["measured"]["speedup"]

    late = keeper.send(keeper.ran(speedup=timing(4.25)), day="2026-11-24")
    lines = keeper.keep(late)

    assert [f"docs/{FOLDER}/{NAME}: 0 of the 1 examples in {late} are kept"] == lines
    assert [4.75] == keeper.kept["examples"]["copy"]["measured"]["speedup"]
    assert {"holds": 2, "diverged": 1} == keeper.verdicts()


def test_another_pytorch_replaces_nothing(keeper: Keeper) -> None:
    keeper.keep(keeper.send(keeper.ran(speedup=timing(4.5))))
    newer = to_builtins(builder(gpu="NVIDIA L4", torch="2.14.0+cu130"))
    other = keeper.send(keeper.ran(speedup=timing(4.75)), day=LATER, builder=newer)
    (line,) = keeper.keep(other)
    assert line.startswith(f"docs/{FOLDER}/{MACHINES[0]}-2.14.0+cu130.json: 1 of the 1")
    versions = [each.series for each in keeper.found.outcomes["copy-is-faster"]]
    assert ["2.11", "2.14"] == versions


def test_what_was_measured_by_older_code_goes_with_its_counts(keeper: Keeper) -> None:
    both = [keeper.ran(speedup=timing(speed)) for speed in (4.5, 4.75)]
    keeper.keep(keeper.send(both[0]), keeper.send(both[1], "2026-11-23"))
    assert {"copy-is-faster": {"holds": 1}} == self_counts(keeper.kept)
    path = write(keeper.folder / "examples", "copy", "measured = {'x': 7}")
    keeper.keys["copy"] = read_script(path).code_key

    keeper.keep(keeper.send(keeper.ran("base", speedup=timing(2.5)), day=LATER))

    kept = keeper.kept
    assert (["base"], {}) == ([*kept["examples"]], self_counts(kept))


@pytest.mark.parametrize(
    ("problem", "changes"),
    [
        ("is kept already, in docs/evidence/passes/", {"day": DAY}),
        (
            "its runs are not of one GPU model and one PyTorch",
            {"builder": to_builtins(builder(gpu="NVIDIA T4"))},
        ),
    ],
)
def test_what_cannot_be_added_is_refused(
    problem: str, changes: dict[str, Any], keeper: Keeper
) -> None:
    first = keeper.ran(speedup=timing(4.5))
    keeper.keep(keeper.send(first))
    before = keeper.kept
    file = keeper.send(first, **{"day": LATER, **changes})
    (line,) = keeper.keep(file, code=2)
    assert line.startswith(f"evidence: {file}: {problem}")
    assert before == keeper.kept


def test_no_run_is_kept_twice_whatever_came_after_it(keeper: Keeper) -> None:
    days = {DAY: 4.5, LATER: 4.75}
    files = [keeper.send(keeper.ran(speedup=timing(x)), day) for day, x in days.items()]
    keeper.keep(*files)
    for file in files:
        (line,) = keeper.keep(file, code=2)
        assert line == f"evidence: {file}: is kept already, in docs/{FOLDER}/{NAME}"


def test_a_kept_file_that_was_edited_is_named_and_left(keeper: Keeper) -> None:
    keeper.keep(keeper.send(keeper.ran(speedup=timing(4.5))))
    path = keeper.folder / "docs" / FOLDER / NAME
    edited = path.read_text().replace("4.5", "4.75")
    path.write_text(edited)

    (line,) = keeper.keep(keeper.send(keeper.ran(speedup=timing(3.5)), LATER), code=2)

    assert line.startswith(f"evidence: docs/{FOLDER}/{NAME} was edited: its checksum")
    assert edited == path.read_text()


@pytest.mark.parametrize(
    ("problem", "name", "content"),
    [
        ("does not exist", "gone.json", None),
        ("is not JSON, or was cut off", "cut.json", "{"),
        ("has schema 2, this site reads 3", "old.json", seal({"schema": 2})),
        (
            "does not fit schema 3: Object missing required field",
            "x.json",
            seal({"schema": 3}),
        ),
    ],
)
def test_what_is_no_file_of_verify_is_refused_before_anything_is_kept(
    problem: str, name: str, content: str | None, keeper: Keeper
) -> None:
    good = keeper.send(keeper.ran(speedup=timing(4.5)))
    if content is not None:
        (keeper.folder / name).write_text(content)
    (line,) = keeper.keep(good, name, code=2)
    assert line.startswith(f"evidence: {name} {problem}")
    assert not [*(keeper.folder / "docs" / FOLDER).glob("*")]


def test_what_was_kept_is_not_sent(keeper: Keeper) -> None:
    for day, speed in {DAY: 4.5, LATER: 4.75}.items():
        keeper.keep(keeper.send(keeper.ran(speedup=timing(speed)), day))
    file = f"docs/{FOLDER}/{NAME}"
    expected = f"evidence: {file} holds several runs: it was kept, not sent"
    assert [expected] == keeper.keep(file, code=2)


def test_a_value_that_no_record_could_hold_is_refused(keeper: Keeper) -> None:
    wrong = keeper.ran()
    wrong["copy"]["measured"] = {"x": 1e101}
    file = keeper.send(wrong)
    (line,) = keeper.keep(file, code=2)
    assert line.startswith(f"evidence: {file} does not fit schema 3: a measured number")


def test_a_pass_over_all_examples_of_this_site_can_be_sent() -> None:
    records = (conftest.ROOT / "examples").rglob("*.json")
    assert sum(path.stat().st_size for path in records) < MAX_BYTES
