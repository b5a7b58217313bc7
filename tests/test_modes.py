"""What a build measures and what it replays: ``EVIDENCE``, torch, and the GPUs of a machine."""

from __future__ import annotations

import importlib.util
import re
from typing import TYPE_CHECKING

import pytest
from conftest import Build, Site, claim
from evidence.commands.keep import read_sent
from evidence.examples.library import open_library
from evidence.examples.script import read_script
from evidence.measure import campaign
from evidence.records.model import Plain
from evidence.records.store import load
from evidence.site import live
from factories import builder
from sphinx.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from evidence.records.model import Builder

MEASURABLE = '''\
"""
A copy
======

How fast is a copy?
"""

# sphinx_gallery_evidence = {"gpus": 0}
print("measured", "just now")
measured = {"copies": 3}
'''

#: For conf.py: this machine has no torch, whatever is installed.
WITHOUT_TORCH = 'import sys\n\nsys.modules["torch"] = None\n'

#: For conf.py: this machine has torch and one GPU, whatever it has.
WITH_A_GPU = """
import importlib.machinery, sys, types
from evidence.measure import campaign

sys.modules["torch"] = types.ModuleType("torch")
sys.modules["torch"].__spec__ = importlib.machinery.ModuleSpec("torch", None)
campaign.visible_gpus = lambda *_: ["0"]
"""


def held_of(kept: Path) -> tuple[int, int]:
    """How many claims held in a pass, and of how many."""
    (run,) = read_sent(kept).runs
    return run.held, run.of


def cause(build: Build) -> str:
    """The one line that says why a build could not begin."""
    (line,) = re.findall(r"sphinx\.errors\.ConfigError: (.*)", build.errors)
    return line


def test_replay_is_said_once(site: Site) -> None:
    lines = site.build(EVIDENCE="replay").output.splitlines()
    expected = ["evidence: replaying every record: EVIDENCE=replay"]
    assert expected == [line for line in lines if "replaying" in line]


def test_an_unknown_mode_is_named(site: Site) -> None:
    expected = "EVIDENCE='bogus' is no mode; use one of replay, live, stale"
    assert expected == cause(site.build(EVIDENCE="bogus", code=2))


def test_live_needs_torch(site: Site) -> None:
    expected = "EVIDENCE=live needs torch, which is not installed here"
    build = site.build(EVIDENCE="live", conf=WITHOUT_TORCH, code=2)
    assert expected == cause(build)


def test_without_torch_everything_is_replayed(site: Site) -> None:
    build = site.build(EVIDENCE=None, conf=WITHOUT_TORCH)
    expected = "evidence: replaying every record: torch is not installed here"
    assert expected in build.output.splitlines()
    assert "4.9 to 5.1" in build.text("gallery/memory/copy")


@pytest.mark.parametrize(
    ("expected", "gpus", "machine"),
    [
        ("", 1, builder()),
        ("", 2, builder()),
        ("", 1, builder(torch="2.12.0", driver="600.1")),
        ("needing 3 GPUs", 3, builder()),
        ("needing 1 GPUs", 1, builder(gpu="", gpus=0)),
        ("needing 0 GPUs", 0, builder()),
        ("recorded on NVIDIA H200", 1, builder(gpu="NVIDIA GeForce RTX 4090")),
    ],
)
def test_an_example_is_measured_unasked_on_the_gpus_of_its_record(
    expected: str, gpus: int, machine: Builder, site: Site
) -> None:
    settings = f'# sphinx_gallery_evidence = {{"gpus": {gpus}}}'
    path = site.script(code=re.sub("# sphinx_gallery.*", settings, MEASURABLE))
    site.record()
    assert expected == live.obstacle(read_script(path), machine, "")


def test_an_example_without_a_record_is_not_measured_unasked(site: Site) -> None:
    path = site.script("new", MEASURABLE.replace('"gpus": 0', '"gpus": 1'))
    expected = "without a usable record"
    assert expected == live.obstacle(read_script(path), builder(), "")


@pytest.mark.parametrize(
    ("expected", "obstacles"),
    [
        ("measuring 2 examples, replaying 0", ["", ""]),
        (
            "measuring 1 examples, replaying 1, 1 needing 0 GPUs",
            ["", "needing 0 GPUs"],
        ),
        ("measuring 0 examples, replaying 3, 1 b, 2 c", ["c", "b", "c"]),
    ],
)
def test_what_is_replayed_is_counted_by_reason(
    expected: str, obstacles: list[str]
) -> None:
    assert expected == live.summary(obstacles)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """A machine that has torch and one GPU, as far as the build can tell; what it says."""
    lines: list[str] = []
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: name == "torch" or found(name)
    )
    machine = builder(gpus=1)
    monkeypatch.setattr(campaign, "probe", lambda: machine)
    monkeypatch.setattr(live, "inform", lines.append)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "build").mkdir(exist_ok=True)
    return lines


def test_a_live_build_measures_every_example(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE", "live")
    examples, target = tmp_path / "examples", tmp_path / "build" / "records"
    committed = site.script(code=MEASURABLE).with_suffix(".json").read_bytes()
    made = live.measure_for_build(examples, site.folder / "docs", target)
    assert {"copy": target / "copy.json"} == made
    expected = "this machine has 1 × NVIDIA H200: measuring 1 examples, replaying 0"
    assert expected == said[0]
    record = load(made["copy"])
    assert {"copies": Plain(3)} == record.measured
    expected = "measured just now\n"
    assert expected == record.outputs[0].text
    example = open_library(examples, made).examples["copy"]
    assert ("measured", record) == (example.mode, example.record)
    assert not example.stale
    assert committed == (examples / "memory" / "copy.json").read_bytes()


def test_a_live_build_keeps_its_pass_and_measures_once(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE", "live")
    run = tmp_path / "runs"
    again = f"open({str(run)!r}, 'a').write('x')\nmeasured = "
    site.script(code=MEASURABLE.replace("measured = ", again))
    site.script("failing", MEASURABLE.replace("measured = ", "1 / 0\nmeasured = "))
    site.page(
        claim("holds", ">= 2", value="copy.copies"),
        claim("wrong", "== 4", value="copy.copies"),
        claim("failed", "== 3", value="failing.copies"),
    )
    target = tmp_path / "build" / "records"

    live.measure_for_build(tmp_path / "examples", site.folder / "docs", target)

    kept = tmp_path / "build" / "pass.json"
    made = read_sent(kept).examples
    assert (1, 3) == held_of(kept)
    assert {"copies": 3} == made["copy"].measured
    assert {} == made["failing"].measured
    assert "x" == run.read_text()
    assert said


def test_a_pass_that_cannot_be_kept_is_told_before_anything_is_measured(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE", "live")
    run = tmp_path / "run"
    site.script(code=MEASURABLE + f"open({str(run)!r}, 'w')\n")
    (tmp_path / "build").rmdir()
    with pytest.raises(ConfigError, match=r"pass\.json cannot be written"):
        live.measure_for_build(
            site.folder / "examples", site.folder / "docs", tmp_path / "build/records"
        )
    assert said
    assert not run.exists()


def test_a_stale_build_measures_what_has_no_record_of_its_code(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE", "stale")
    site.script("kept", MEASURABLE)
    site.record("kept")
    site.script("changed", MEASURABLE)
    site.record("changed", code_key="0" * 64)
    site.script("new", MEASURABLE)
    made = live.measure_for_build(
        tmp_path / "examples", site.folder / "docs", tmp_path / "records"
    )
    assert {"changed", "new"} == made.keys() - {"copy"}
    assert "with a record of their code" in said[0]
    assert not (tmp_path / "pass.json").exists()


def test_a_build_says_what_it_does_not_measure(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVIDENCE", raising=False)
    site.record(builder=builder(gpu="NVIDIA A100"))
    assert not live.measure_for_build(
        tmp_path / "examples", site.folder / "docs", tmp_path / "records"
    )
    expected = "this machine has 1 × NVIDIA H200: measuring 0 examples, replaying 1"
    assert [f"{expected}, 1 recorded on NVIDIA A100"] == said


def test_live_needs_a_gpu(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE", "live")
    none = builder(gpu="", gpus=0)
    monkeypatch.setattr(campaign, "probe", lambda: none)
    with pytest.raises(ConfigError, match="needs a CUDA GPU, and torch sees none here"):
        live.measure_for_build(
            site.folder / "examples", site.folder / "docs", tmp_path / "records"
        )
    assert not said


def test_a_machine_that_cannot_tell_what_it_is_ends_the_build_in_a_line(
    site: Site, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise campaign.BuilderError("asking this machine what it is failed")

    monkeypatch.setenv("EVIDENCE", "live")
    monkeypatch.setattr(campaign, "probe", fail)
    with pytest.raises(ConfigError, match="asking this machine what it is failed"):
        live.measure_for_build(
            site.folder / "examples", site.folder / "docs", tmp_path / "records"
        )
    assert not said


def test_a_live_build_shows_and_judges_what_it_measured(site: Site) -> None:
    site.script(code=MEASURABLE)
    site.script("failing", MEASURABLE.replace("measured = ", "1 / 0\nmeasured = "))
    site.record("failing", measured={"copies": Plain(3)})
    site.page(
        # A bound that touches the value is reported for committed records alone.
        claim("copies", ">= 3", value="copy.copies"),
        claim("wrong", "== 4", value="copy.copies"),
        claim("replayed", "== 3", value="failing.copies"),
    )
    state = str(site.folder / "state")
    build = site.build(EVIDENCE="live", conf=WITH_A_GPU, code=1, XDG_STATE_HOME=state)
    failed, wrong = build.warnings
    assert (
        "examples/memory/failing.py:1: WARNING: failing.py raised ZeroDivisionError"
        in failed
    )
    assert failed.endswith("[evidence.measure]")
    assert wrong.startswith("docs/index.md:15: WARNING: claim 'wrong': expected == 4")
    assert "(build/records/copy.json)" in wrong
    text = build.text("gallery/memory/copy")
    assert "measured just now" in text
    assert "copies 3" in text
    record = build.folder / "records" / "copy.json"
    (link,) = build.page("gallery/memory/copy").select("a[href$='copy.json']")
    shown = build.html / "gallery" / "memory" / str(link["href"])
    assert record.read_bytes() == shown.read_bytes()
    assert (1, 3) == held_of(build.folder / "pass.json")
