"""What git does to records: no line ending changes, and a conflict leaves one recording whole."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

RECORD = "examples/memory/copy.json"
FIGURE = "examples/memory/copy-1.svg"
PASSES = "docs/evidence/passes/00000001-2.11.0.json"


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git as nobody in particular, on whose machine line endings are converted."""
    settings = (
        "user.name=nobody",
        "user.email=nobody@example.org",
        "core.autocrlf=true",
    )
    options = [part for setting in settings for part in ("-c", setting)]
    return subprocess.run(
        ["git", *options, *arguments],
        cwd=folder,
        env={
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def commit(folder: Path, number: int) -> bytes:
    """Commit a record, a figure and passes with this number on every line; give the record."""
    content = "".join(f'"value_{row}": {number},\n' for row in range(9)).encode()
    for name in (RECORD, FIGURE, PASSES):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", f"Record {number}")
    return content


@pytest.fixture(params=[True, False], ids=["with", "without"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, bool]:
    """A repository with and, to show that it matters, without our .gitattributes."""
    folder = tmp_path / "one"
    folder.mkdir()
    if request.param:
        shutil.copy(ROOT / ".gitattributes", folder)
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder, request.param


def test_no_line_ending_of_a_record_or_figure_changes(
    repository: tuple[Path, bool],
) -> None:
    folder, ours = repository
    content = commit(folder, 1)
    git(folder.parent, "clone", "--quiet", "one", "two")

    for name in (RECORD, FIGURE, PASSES):
        assert ours is ((folder.parent / "two" / name).read_bytes() == content)


def test_of_two_recordings_one_stands_whole_until_somebody_chooses(
    repository: tuple[Path, bool],
) -> None:
    folder, ours = repository
    commit(folder, 1)
    git(folder, "switch", "--quiet", "--create", "other")
    commit(folder, 2)
    git(folder, "switch", "--quiet", "main")
    content = commit(folder, 3)
    merged = git(folder, "merge", "other")

    assert 1 == merged.returncode
    assert f"CONFLICT (content): Merge conflict in {RECORD}" in merged.stdout
    for name in (RECORD, FIGURE, PASSES):
        assert ours is ((folder / name).read_bytes() == content)
        assert ours is ("<<<<<<<" not in (folder / name).read_text())
