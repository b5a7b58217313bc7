"""The id of a claim is a link, and links are kept: ``.ci/ids.py`` compares with a revision."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT, claim

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    known = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *known, *arguments], cwd=folder, check=True)


def compared(folder: Path, base: str = "HEAD") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "ids.py"), base],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf")},
        capture_output=True,
        text=True,
        check=False,
    )


#: A claim with all that it can lose.
ALL = {"control": "other", "contradicts": "a, b", "confirms": "c", "scope": "torch<3.0"}
WHOLE = claim("whole", **ALL)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of three claims, committed."""
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    page = tmp_path / "docs" / "chapter" / "page.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Page\n\n{claim('kept')}\n\n{claim('other')}\n\n{WHOLE}\n")
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
    page.rename(page.with_name("another.md")).write_text(f"{text}\n\n{WHOLE}\n")

    done = compared(page.parents[2])

    assert (0, "") == (done.returncode, done.stderr)


def test_an_id_that_is_gone_is_named(page: Path) -> None:
    page.write_text(f"# Page\n\n{claim('renamed')}\n\n{claim('other')}\n\n{WHOLE}\n")

    done = compared(page.parents[2])

    expected = (
        "docs/chapter/page.md: claim 'kept' is gone since HEAD: ids are links, which "
        "never change; give it back, or write (kept)= above what took its place\n"
    )
    assert (1, expected) == (done.returncode, done.stderr)


def told(page: Path, expect: str = ">= 3", **options: str | None) -> str:
    """What is said of the third claim with other options, None for one that is left out."""
    kept = {name: text for name, text in {**ALL, **options}.items() if text}
    last = claim("whole", expect, **kept)
    page.write_text(f"# Page\n\n{claim('kept')}\n\n{claim('other')}\n\n{last}\n")
    done = compared(page.parents[2])
    assert bool(done.returncode) is bool(done.stderr)
    start = "docs/chapter/page.md: claim 'whole' "
    return done.stderr.removeprefix(start).partition(" since HEAD")[0]


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("has lost its :control:", {"control": None}),
        ("no longer contradicts a, b", {"contradicts": None}),
        ("no longer contradicts b", {"contradicts": "a, d"}),
        ("no longer confirms c", {"confirms": None, "contradicts": "a, b, c"}),
        (
            "holds for 'torch<3.0, gpus>=2' instead of 'torch<3.0'",
            {"scope": "torch<3.0, gpus>=2"},
        ),
        ("holds for 'torch<2.9' instead of 'torch<3.0'", {"scope": "torch<2.9"}),
        ("holds for 'torch>=2.9' instead of 'torch<3.0'", {"scope": "torch>=2.9"}),
    ],
)
def test_what_a_claim_lost_is_named(
    page: Path, said: str, options: dict[str, str | None]
) -> None:
    assert said == told(page, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"control": "kept", "contradicts": "b, a, d"},
        {"scope": None},
        {"expect": ">= 4", "control": None, "confirms": None, "scope": "gpus>=2"},
    ],
)
def test_a_claim_may_say_more_or_check_something_else(
    page: Path, options: dict[str, Any]
) -> None:
    assert "" == told(page, **options)


def test_what_is_taken_from_a_claim_is_said_why(page: Path) -> None:
    folder = page.parents[2]
    assert told(page, scope="gpus>=2")
    why = ("-m", "Two GPUs\n\nThe claim 'whole' rests on a link between them.")
    git(folder, "commit", "--quiet", "--all", *why)
    assert "" == compared(folder, "HEAD^").stderr
