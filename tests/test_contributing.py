"""CONTRIBUTING.md's steps for a new example, followed on a copy of the site."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Site
from evidence.examples.script import read_script
from evidence.records.model import Output, Plain, Process
from evidence.records.store import record_path, save
from factories import builder, record, timing

TEMPLATE = ROOT / "examples/_template.py"

CLAIM = """
:::{claim} blocking-or-not-takes-as-long
:of: copy_takes_as_long
:check: .copy_ratio about 1 +- 10 %

A single copy of {measured}`.size_bytes` takes as long either way ({measured}`.copy_ratio`).
:::
"""


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A copy of the site, without what is generated."""
    for name in ("conf", "docs", "examples"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.rmtree(tmp_path / "docs" / "gallery", ignore_errors=True)
    return tmp_path


def build(whole: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "--no-color"]
    return subprocess.run(
        [*command, "-c", "conf", "docs", "build/html"],
        cwd=whole,
        env={**os.environ, "PYTHONPATH": "conf", "EVIDENCE": "replay"},
        capture_output=True,
        text=True,
        check=False,
    )


def add_record(script: Path) -> None:
    """What ``nox -s record -- copy_takes_as_long`` writes on a machine with a GPU."""
    measured = {"size_bytes": Plain(2**24), "copy_ratio": timing(0.99, 1.01)}
    made = record(
        script.stem,
        measured,
        processes=(Process(1.0),) * 6,
        builder=builder(),
        code_key=read_script(script).code_key,
        outputs=tuple(Output() for _ in read_script(script).cells),
    )
    save(made, record_path(script), {})


def test_the_steps_for_a_new_example_give_a_green_site(whole: Path) -> None:
    script = whole / "examples/transfer/copy_takes_as_long.py"
    shutil.copy(TEMPLATE, script)
    add_record(script)
    page = whole / "docs/transfer/pinned_memory.md"
    page.write_text(page.read_text().replace("## See also", f"{CLAIM}\n## See also"))

    done = build(whole)

    assert (0, "") == (done.returncode, done.stderr)
    assert "takes as long either way" in (whole / "build/html/claims.json").read_text()


def test_a_step_that_was_forgotten_is_named(site: Site) -> None:
    add_record(site.script("copy_takes_as_long", TEMPLATE.read_text()))
    site.script("copy_takes_longer", TEMPLATE.read_text())

    done = site.build(code=1)

    assert "copy_takes_as_long.copy_ratio was measured, but no" in done.errors
    assert "record it with 'nox -s record -- copy_takes_longer'" in done.errors
