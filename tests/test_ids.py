"""The id of a claim is a link, and links are kept: ``.ci/ids.py`` compares with a revision."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT, claim

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    known = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *known, *arguments], cwd=folder, check=True)


def compared(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "ids.py"), "HEAD"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of two claims, committed."""
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    page = tmp_path / "docs" / "chapter" / "page.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Page\n\n{claim('kept')}\n\n{claim('other')}\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Pages")
    return page


@pytest.mark.parametrize(
    "text",
    [
        f"{claim('kept')}\n\n{claim('other')}\n\n{claim('new')}",
        f"(kept)=\n{claim('other')}",
        f"{claim('kept', '>= 3 nonsense')}\n\n{claim('other')}",
    ],
)
def test_an_id_may_be_added_moved_and_left_as_a_link(page: Path, text: str) -> None:
    page.rename(page.with_name("another.md")).write_text(text)

    done = compared(page.parents[2])

    assert (0, "") == (done.returncode, done.stderr)


def test_an_id_that_is_gone_is_named(page: Path) -> None:
    page.write_text(f"# Page\n\n{claim('renamed')}\n\n{claim('other')}\n")

    done = compared(page.parents[2])

    expected = (
        "docs/chapter/page.md: claim 'kept' is gone since HEAD: ids are links, which "
        "never change; give it back, or write (kept)= above what took its place\n"
    )
    assert (1, expected) == (done.returncode, done.stderr)
