"""What each session of noxfile.py installs and runs, told by a session that does neither."""

from __future__ import annotations

import os
import runpy
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nox
import pytest
from conftest import ROOT
from nox.command import CommandFailed

STRICT = "-j auto -W --keep-going -n -c conf"
PYTEST = "python -m pytest -m"
#: The groups that a session installs, and its commands; GIVEN stands behind ``--``.
SESSIONS = {
    "docs": (
        ["site"],
        [f"python -m sphinx {STRICT} -d build/doctrees docs build/html GIVEN"],
    ),
    "docs_zh": (
        ["site"],
        [
            f"python -m sphinx {STRICT} -D language=zh_CN -d build/doctrees-zh docs "
            "build/html-zh GIVEN"
        ],
    ),
    "check": (
        ["site"],
        [
            f"python -m sphinx -b check -t check {STRICT} -d build/check-doctrees docs "
            "build/check GIVEN"
        ],
    ),
    "tests": (
        ["site", "test"],
        [
            f"{PYTEST} not torch and not gpu and not browser and not mcp -n logical --dist "
            "worksteal GIVEN"
        ],
    ),
    "lint": (
        ["site", "test", "lint"],
        [
            *("ruff format --check .", "ruff check .", "mypy", "codespell"),
            "sphinx-lint -i docs/gallery docs examples README.md CONTRIBUTING.md",
            "python -m pytest -q tests/test_prose.py",
        ],
    ),
    "preview": (
        ["site", "preview"],
        [
            "python -m sphinx_autobuild -c conf --watch conf --watch examples --ignore "
            "docs/gallery/* --ignore */__pycache__/* GIVEN docs build/preview/html"
        ],
    ),
    "record": ([], ["python -m evidence record GIVEN"]),
    "verify": ([], ["python -m evidence verify GIVEN"]),
    "keep": (["site"], ["python -m evidence keep GIVEN"]),
    "upstream": (["site"], ["python -m evidence upstream GIVEN"]),
    "lock": (["lock"], ["python .ci/lock.py GIVEN"]),
    "linkcheck": (
        ["site"],
        ["python -m sphinx -b linkcheck -c conf docs build/linkcheck"],
    ),
    "bench": (["site", "test"], ["python tests/bench.py GIVEN"]),
    "mutants": (["site", "test", "mutation"], ["python tests/mutants.py"]),
}
GROUPS = nox.project.load_toml(ROOT / "pyproject.toml")


class Session:
    """Notes what it is asked to do."""

    def __init__(self, *posargs: str, sandboxed: bool = True) -> None:
        self.posargs = posargs
        self.virtualenv = SimpleNamespace(is_sandboxed=sandboxed)
        self.bin_paths = ["/of/the/environment"] if sandboxed else None
        self.installed: list[str] = []
        self.ran: list[str] = []
        self.environments: list[Any] = []

    def install(self, *packages: str) -> None:
        self.installed += packages

    def run(self, *command: object, **how: Any) -> None:
        self.ran.append(" ".join(map(str, command)))
        self.environments.append(how.get("env"))

    def error(self, message: str) -> None:
        raise CommandFailed(message)


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The sessions of the noxfile; what they change of this process is undone."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", "a:b")
    monkeypatch.setenv("EVIDENCE", "replay")
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("nox.registry._REGISTRY", {})
    monkeypatch.setattr(nox, "options", SimpleNamespace())
    return runpy.run_path(str(ROOT / "noxfile.py"))


def packages(*groups: str) -> list[str]:
    return list(nox.project.dependency_groups(GROUPS, *groups))


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_installs_what_it_runs(
    name: str, sessions: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    groups, commands = SESSIONS[name]
    session, alone = Session("GIVEN"), Session("GIVEN", sandboxed=False)
    sessions[name](session)
    sessions[name](alone)
    assert commands == session.ran == alone.ran
    assert (packages(*groups) if groups else []) == session.installed
    assert [] == alone.installed
    replays = name in ("docs_zh", "check", "preview", "linkcheck")
    assert [{"EVIDENCE": "replay"} if replays else None] * len(
        commands
    ) == session.environments


@pytest.mark.parametrize(
    ("given", "groups", "command"),
    [
        (("torch", "-k", "one"), ["torch"], "torch -n logical --dist worksteal -k one"),
        (("browser",), ["browser"], "browser"),
        (("-x", "gpu"), ["gpu"], "gpu -x"),
        (("gpu", "torch"), ["gpu", "torch"], "gpu or torch"),
    ],
)
def test_tests_of_another_kind_run_instead_of_the_others(
    given: tuple[str, ...], groups: list[str], command: str, sessions: dict[str, Any]
) -> None:
    session = Session(*given)
    sessions["tests"](session)
    assert [f"{PYTEST} {command}"] == session.ran
    assert packages("site", "test", *groups) == session.installed


@pytest.mark.parametrize(
    ("there", "is_found"),
    [("nvidia0", True), ("nvidia12", True), ("dxg", True), ("nvidiactl", False)],
)
def test_a_gpu_is_one_of_nvidia_or_of_windows(
    there: str, is_found: bool, sessions: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / there).touch()
    sessions["gpu"].func.__globals__["Path"] = lambda name: Path(
        name.replace("/dev", str(tmp_path))
    )
    session, before = Session(), os.environ["PATH"]
    if not is_found:
        with pytest.raises(CommandFailed, match="no NVIDIA GPU here"):
            sessions["gpu"](session)
        assert [] == session.installed
        return
    sessions["gpu"](session)
    assert packages("site", "live") == session.installed
    found = os.environ["PATH"]
    os.environ["PATH"] = before
    assert f"/of/the/environment{os.pathsep}{before}" == found


def test_an_offline_builder_gets_all_but_torch(sessions: dict[str, Any]) -> None:
    for given, version in (((), "3.12"), (("3.13",), "3.13")):
        session = Session(*given)
        sessions["wheelhouse"](session)
        (command,) = session.ran
        begin = "python -m pip download --only-binary=:all: --dest=build/wheelhouse "
        assert command.startswith(begin)
        wanted = command.removeprefix(begin).split()
        options = {word for word in wanted if word.startswith("--")}
        platforms = {f"--platform=manylinux_2_{n}_x86_64" for n in (17, 27, 28)}
        assert {*platforms, f"--python-version={version}"} == options
        every = packages("site", "live", "test")
        without = [each for each in every if not each.startswith("torch")]
        assert [*without] == [word for word in wanted if word not in options]
        assert len(without) == len(every) - 1


@pytest.mark.parametrize("version", ["2.11", "2.12"])
def test_a_version_is_built_from_the_packages_that_it_locked(
    version: str, sessions: dict[str, Any]
) -> None:
    session = Session()
    sessions["release"](session, Path("/build", version), "https://docs.example/")
    lock = f"/build/{version}/.ci/site.lock"
    assert [{"PIP_CONSTRAINT": lock, "EVIDENCE": "replay"}] == session.environments


@pytest.mark.parametrize(
    ("evidence", "requires"),
    [("live", ["gpu"]), ("stale", ["gpu"]), ("replay", None), ("", None)],
)
def test_a_build_that_measures_runs_where_torch_is_installed(
    evidence: str,
    requires: list[str] | None,
    sessions: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert os.environ["PYTHONPATH"] == f"{ROOT}/conf{os.pathsep}a:b"
    monkeypatch.setenv("EVIDENCE", evidence)
    monkeypatch.setattr("nox.registry._REGISTRY", {})
    again = runpy.run_path(str(ROOT / "noxfile.py"))
    assert (requires or []) == list(again["docs"].requires)
    assert ("none" if requires else None) == again["docs"].venv_backend
    for name in ("record", "verify"):
        assert ["gpu"] == list(sessions[name].requires)
    default = {name for name in SESSIONS if sessions[name].default}
    assert {"docs", "tests", "lint"} == default
