"""What other machines measured: shown on the site, red where it contradicts, written by verify."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from conftest import claim
from evidence.__main__ import main
from evidence.examples.script import read_script
from evidence.judge.kept import checked
from evidence.judge.passes import FOLDER, read_passes
from evidence.measure import campaign
from evidence.records.store import seal
from factories import builder, timing
from factories import claim as made
from msgspec import to_builtins
from scripts import write
from test_counts import published
from test_passes import MACHINES, SENT, a_run, keep, ran, text, verdicts

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build, Site


@dataclass
class Elsewheres:
    """A site with a ledger, and what other machines sent to it."""

    site: Site
    key: str

    def sent(
        self,
        *speedups: float,
        machine: str = MACHINES[0],
        earlier: dict[str, int] | None = None,
        **changes: Any,
    ) -> str:
        """Keep a pass that measured this; give its place in the repository.

        :param earlier: how often the claim had which verdict in passes before
        """
        measured = {"speedup": timing(*speedups)} if speedups else {}
        asked = made(name="copy-is-faster")
        counted = {"key": checked(asked, {"copy": self.key}), "verdicts": earlier or {}}
        content = text(
            ran(key=self.key, **measured),
            machine=machine,
            earlier={asked.id: counted},
            **changes,
        )
        path = keep(self.site.folder / "docs" / FOLDER, content, machine)
        return path.relative_to(self.site.folder).as_posix()


@pytest.fixture
def elsewhere(site: Site) -> Elsewheres:
    site.page("```{evidence-ledger}\n```", name="ledger", title="Ledger")
    (script,) = (site.folder / "examples").rglob("copy.py")
    return Elsewheres(site, read_script(script).code_key)


def ledger(build: Build) -> list[list[str]]:
    """The header of the ledger and its row, from the verdict on."""
    rows = build.page("ledger").select("table.ledger tr")
    texts = [[cell.text.strip() for cell in row.select("th, td")] for row in rows]
    return [row[3:] for row in texts if len(row) > 1]


def test_what_held_elsewhere_is_shown(elsewhere: Elsewheres) -> None:
    newer = a_run(builder=to_builtins(builder(gpu="NVIDIA L4", torch="2.12.0")))
    sent = elsewhere.sent(4.8, machine=MACHINES[1], runs=[newer], earlier={"holds": 5})
    path = elsewhere.site.folder / sent
    path.rename(path.with_name(f"{MACHINES[1]}-2.12.0.json"))
    elsewhere.sent(4.5, earlier={"holds": 1})
    elsewhere.sent(4.6, machine=MACHINES[1], earlier={"holds": 3})
    elsewhere.sent(4.7, machine="f" * 8, gpu="NVIDIA H200")

    build = elsewhere.site.build()

    said = (
        "Elsewhere, as sent in: held in 1 of 1 passes, on 1 × NVIDIA H200; "
        "held in 12 of 12 passes, on 2 × NVIDIA L4"
    )
    assert said in build.text()
    header, row = ledger(build)
    assert ["Verdict", "Margin", "H200, sent in", "L4, sent in"] == header
    assert ["✓ holds", "1.63×", "1/1", "12/12"] == row
    (only,) = published(build)["claims"]  # type: ignore[misc]
    expected = {
        "NVIDIA H200": {"f" * 8: ["holds"]},
        "NVIDIA L4": {MACHINES[0]: ["holds"] * 2, MACHINES[1]: ["holds"] * 10},
    }
    assert ({}, expected) == (only["elsewhere"], only["sent_in"])


def test_the_passes_that_came_in_are_listed_the_newest_first(
    elsewhere: Elsewheres,
) -> None:
    elsewhere.site.page("```{evidence-passes}\n```", name="passes", title="Passes")
    # By its words, the oldest day would be the first.
    oldest = a_run(day="2026-10-30")
    elsewhere.sent(4.5, runs=[oldest, a_run(held=1, of=2), a_run(day="2026-11-24")])
    on_cpu = builder(gpu="", gpus=0, cpu="A CPU", driver="", torch="")
    about = {"day": "2026-11-23", "builder": to_builtins(on_cpu), "held": 0, "of": 0}
    sent = elsewhere.sent(4.6, machine="f" * 8, runs=[a_run(**about)])
    path = elsewhere.site.folder / sent
    path.rename(path.with_name(f"{'f' * 8}-without-torch.json"))

    rows = elsewhere.site.build().page("passes").select("table tr")

    of_gpus = f"{MACHINES[0]}, 2 × NVIDIA L4, 580.95.05, 2.11.0+cu130"
    assert [
        "Machine, GPUs, Driver, torch, Day, Claims held, From",
        f"{of_gpus}, 24 November 2026, 3/5, sent in",
        f"{'f' * 8}, A CPU, , , 23 November 2026, 0/0, sent in",
        f"{of_gpus}, 22 November 2026, 1/2, sent in",
        f"{of_gpus}, 30 October 2026, 3/5, sent in",
    ] == [", ".join(cell.text.strip() for cell in row.select("th, td")) for row in rows]


def test_without_passes_nothing_is_shown(elsewhere: Elsewheres) -> None:
    build = elsewhere.site.build()

    assert "Elsewhere" not in build.text()
    assert [["Verdict", "Margin"], ["✓ holds", "1.63×"]] == ledger(build)


def test_passes_of_older_code_are_kept_and_say_nothing(elsewhere: Elsewheres) -> None:
    elsewhere.key = "1" * 64
    elsewhere.sent(2.0)
    assert "Elsewhere" not in elsewhere.site.build().text()


def test_a_preview_asks_passes_again_where_a_bound_changed(
    elsewhere: Elsewheres,
) -> None:
    """What they said of the old bound is kept with the pages, and is no answer any more."""
    place = elsewhere.sent(4.0)
    elsewhere.site.preview = True
    assert [] == elsewhere.site.build().warnings

    elsewhere.site.page(claim(expect=">= 4.5"))

    warnings = elsewhere.site.build(code=1).warnings
    said = f"expected >= 4.5, measured 4.000× on NVIDIA L4 ({place})"
    assert [True] == [said in each for each in warnings if "elsewhere" in each]


def test_a_pass_that_contradicts_a_claim_is_red(elsewhere: Elsewheres) -> None:
    first = elsewhere.sent(2.5, earlier={"holds": 2, "noisy": 1})
    failed = elsewhere.sent(machine=MACHINES[1], gpu="")
    elsewhere.site.preview = True

    build = elsewhere.site.build(code=1)

    end = (
        "a claim holds on every machine in its scope: restate it, or narrow its :scope: "
        "[evidence.elsewhere]"
    )
    start = "docs/index.md:8: WARNING: claim 'copy-is-faster':"
    assert [
        f"{start} expected >= 3, measured 2.500× on NVIDIA L4 ({first}); {end}",
        f"{start} expected >= 3, measured nothing on a CPU ({failed}); {end}",
        f"{start} held in 2 of 3 earlier passes on NVIDIA L4 ({first}); {end}",
    ] == build.warnings
    assert "held in 2 of 4 passes, on 1 × NVIDIA L4" in build.text()
    assert "2/4" in ledger(build)[1]
    assert build.warnings == elsewhere.site.build(code=1).warnings

    elsewhere.sent(4.5, earlier={"holds": 2})
    elsewhere.sent(4.6, machine=MACHINES[1])
    build = elsewhere.site.build()
    assert "held in 4 of 4 passes, on 2 × NVIDIA L4" in build.text()


def test_a_pass_on_another_model_tries_other_gpus_for_its_claims(
    elsewhere: Elsewheres,
) -> None:
    def strip() -> str:
        return elsewhere.site.build().page().find(class_="strip").text

    # The pass did not run this one.
    elsewhere.site.script(stem="move")
    elsewhere.site.record(stem="move", measured={"speedup": timing(4.9, 5.1)})
    other = claim("is-moved", value="move.speedup", tried="views")
    elsewhere.site.page(claim(tried="backward"), other)
    assert "other streams, other GPUs, other optimizers" in strip()
    elsewhere.sent(4.7, machine=MACHINES[1], gpu="NVIDIA H200")  # as the record's
    assert "other streams, other GPUs, other optimizers" in strip()
    elsewhere.sent(4.7, gpu="NVIDIA H100")
    assert "other streams, other GPUs for 1 of 2 claims, other opt" in strip()
    data = json.loads((elsewhere.site.folder / "build/html/claims.json").read_text())
    told = {one["id"]: "other GPUs" in one["not_tried"] for one in data["claims"]}
    assert {"copy-is-faster": False, "is-moved": True} == told


def test_a_file_that_cannot_be_used_is_red(elsewhere: Elsewheres) -> None:
    path = elsewhere.sent(2.0)
    (elsewhere.site.folder / path).write_text(seal(SENT))

    build = elsewhere.site.build(code=1)

    assert [
        f"{path}:1: WARNING: {path} has schema 2, this site reads 3: keep what was sent "
        "with 'nox -s keep -- FILE'; remove it, or ask its sender for it again "
        "[evidence.elsewhere]"
    ] == build.warnings


# -- What verify writes ---------------------------------------------------------------


@pytest.fixture
def sender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout on a machine that never sent anything."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    on_cpu = builder(gpu="", gpus=0, cpu="A CPU")
    monkeypatch.setattr(campaign, "probe", lambda: on_cpu)
    write(tmp_path / "examples", "copy", 'measured = {"speedup": {"samples": [5.0]}}')
    write(tmp_path / "examples", "broken", "1 / 0")
    (tmp_path / "docs").mkdir()
    return tmp_path


def send(folder: Path, **options: str) -> Any:
    """Verify two claims, and read what was written."""
    broken = claim("broken-is-fast", value="broken.speedup", **options)
    page = folder / "docs" / "index.md"
    page.write_text(f"{claim(**options)}\n\n{broken}\n")
    assert 1 == main(["verify", "--json", "out.json"])
    return json.loads((folder / "out.json").read_text())


def test_what_verify_writes_can_be_kept(sender: Path) -> None:
    data = send(sender)
    assert not main(["keep", "out.json"])
    scripts = map(read_script, (sender / "examples").glob("*.py"))
    keys = {script.stem: script.code_key for script in scripts}
    broken = made(name="broken-is-fast", value="broken.speedup")

    found = read_passes(sender / "docs" / FOLDER, [made(), broken], keys)

    assert {} == found.unusable
    machine = data["machine"]
    assert [(machine, "A CPU", {"holds": 1})] == verdicts(found)
    assert [(machine, "A CPU", {"missing": 1})] == verdicts(found, broken.id)
    (run,) = data["runs"]
    assert (1, 2) == (run["held"], run["of"])


def test_a_machine_has_a_random_id_and_keeps_it(
    sender: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (send(sender, scope="gpus>=8")["machine"] for _ in range(2))
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(sender / "home"))
    other = send(sender, scope="gpus>=8")["machine"]

    assert first == second != other
    assert re.fullmatch("[0-9a-f]{8}", other)
    kept = sender / "home/.local/state/measured-cuda/machine"
    assert other == kept.read_text()


def test_an_id_that_cannot_be_kept_is_told_before_anything_is_measured(
    sender: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(campaign, "probe", pytest.fail)
    (sender / "state").write_text("a file")

    (sender / "docs" / "index.md").write_text(claim())

    assert 2 == main(["verify", "--json", "out.json"])

    place = f"{sender}/state/measured-cuda"
    expected = f"evidence: {place} cannot be written: Not a directory\n"
    assert expected == capsys.readouterr().err


def test_the_commit_is_named_and_whether_it_was_edited(sender: Path) -> None:
    def git(*arguments: str) -> str:
        who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
        command = ["git", *who, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=True
        ).stdout

    def commit() -> str:
        (run,) = send(sender, scope="gpus>=8")["runs"]
        commit: str = run["commit"]
        return commit

    assert "" == commit()
    git("init", "--quiet")
    git("add", "docs", "examples")
    git("commit", "--quiet", "--message", "One")
    git("tag", "v1")
    head = git("rev-parse", "HEAD").strip()
    assert head == commit()
    with (sender / "examples" / "copy.py").open("a") as script:
        script.write("# More.\n")
    assert f"{head}-dirty" == commit()
