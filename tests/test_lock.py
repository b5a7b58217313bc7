"""The locks hold what the dependency groups ask for, for each Python, with its checksums."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import tomllib

import pytest
from conftest import ROOT
from nox.project import dependency_groups
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SCRIPT = runpy.run_path(str(ROOT / ".ci" / "lock.py"))
LOCKS: dict[str, tuple[str, tuple[str, ...]]] = SCRIPT["LOCKS"]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ENTRY = re.compile(r"^(\w.*) \\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n?)+)", re.M)
ON_LINUX = {"sys_platform": "linux", "implementation_name": "cpython"}


def read(name: str) -> str:
    return (ROOT / ".ci" / f"{name}.lock").read_text("utf-8")


def amiss(lock: str, asked: tuple[str, ...], python: str) -> list[str]:
    """What is asked for and not locked for this Python, or at a version that does not fit."""
    marks = {**ON_LINUX, "python_version": python, "python_full_version": f"{python}.5"}
    entries = [Requirement(match[1]) for match in ENTRY.finditer(lock)]
    locked = {
        canonicalize_name(entry.name): str(entry.specifier).removeprefix("==")
        for entry in entries
        if entry.marker is None or entry.marker.evaluate(marks)
    }
    return [
        f"{text} is locked at {version}"
        for text in asked
        for version in [locked.get(canonicalize_name(Requirement(text).name), "")]
        if not version or not Requirement(text).specifier.contains(version)
    ]


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_what_its_groups_ask_for(name: str, python: str) -> None:
    lowest, groups = LOCKS[name]
    asked = dependency_groups(PYPROJECT, *groups)

    assert [] == amiss(read(name), asked, max(lowest, python))


def test_a_requirement_that_the_lock_does_not_fit_is_named() -> None:
    asked = ("sphinx>=99", "no-such-package", "furo")

    found = amiss(read("site"), asked, "3.12")

    assert 2 == len(found)
    assert re.fullmatch(r"sphinx>=99 is locked at \d+\.\d+\.\d+", found[0])
    assert "no-such-package is locked at " == found[1]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_was_made_from_the_groups_as_they_are(name: str) -> None:
    assert SCRIPT["digest"]() in read(name).partition("==")[0], "run 'nox -s lock'"


@pytest.mark.parametrize("name", LOCKS)
def test_every_entry_has_checksums_and_names_no_host(name: str) -> None:
    lines = [line for line in read(name).splitlines() if re.match(r"\w", line)]

    assert len(lines) > 50
    assert lines == [f"{match[1]} \\" for match in ENTRY.finditer(read(name))]
    assert not re.findall(r"(?m)^-|://|file:", read(name))


def test_a_lock_is_made_with_checksums_for_every_platform(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[list[str], dict[str, object]]] = []
    monkeypatch.setattr(subprocess, "run", lambda *a, **how: made.append((*a, how)))

    given = ("--upgrade", "--offline")

    SCRIPT["main"](*given)

    for (command, how), (name, (python, groups)) in zip(
        made, LOCKS.items(), strict=True
    ):
        assert ["uv", "pip", "compile"] == command[:3]
        assert {"--universal", "--generate-hashes", "--no-annotate", *given} <= {
            *command
        }
        assert f"--python-version={python}" in command
        asked = [word for word in command if word.startswith("--group=")]
        assert [f"--group={group}" for group in groups] == asked
        assert f"--output-file=.ci/{name}.lock" in command
        assert SCRIPT["digest"]() in command[-1]
        assert {"cwd": ROOT, "check": True} == how


def test_the_gpu_builder_has_the_newest_torch_of_the_records() -> None:
    records = [json.loads(path.read_text()) for path in ROOT.glob("examples/*/*.json")]
    torches = {record["builder"]["torch"].partition("+")[0] for record in records}
    newest = max(torches, key=lambda torch: [*map(int, torch.split("."))])

    others = amiss(read("gpu"), (f"torch=={newest}",), "3.12")
    assert [] == others, "after a newer lock, red until something is recorded with it"
