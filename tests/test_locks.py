"""What one process does alone, another waits for; and where no file can be locked nobody waits."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT
from evidence import locks
from evidence.locks import hold, hold_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_released_can_be_had_again(tmp_path: Path) -> None:
    with hold_folder(tmp_path, pytest.fail):
        pass
    with hold_folder(tmp_path, pytest.fail):
        pass


def test_what_another_holds_is_waited_for_and_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "POLL", 0.01)
    told: list[str] = []
    with (tmp_path / "lock").open("w") as first, (tmp_path / "lock").open("w") as other:
        lock, wanted = first.fileno(), other.fileno()
        ask = lambda: told.append("waits")  # noqa: E731
        with hold(lock, pytest.fail):
            looks = iter([False, False, True])
            with hold(wanted, ask, lambda: next(looks)):
                expected = ["waits"]
                assert expected == told
            # Nor did it release what it never had.
            with hold(wanted, ask, lambda: True):
                pass
            assert not locks._try(wanted, shared=False)
        with hold(wanted, pytest.fail):
            assert not locks._try(lock, shared=False)


def test_without_locks_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "fcntl", None)
    with hold_folder(tmp_path, pytest.fail), hold_folder(tmp_path, pytest.fail):
        pass


#: Imports all that a build may, where no file can be locked.
IMPORTS = """
import importlib, pkgutil, sys
sys.modules["fcntl"] = None
import evidence.measure.campaign, evidence.site
for module in pkgutil.walk_packages(evidence.site.__path__, "evidence.site."):
    importlib.import_module(module.name)
"""


def test_a_build_is_imported_where_there_are_no_locks() -> None:
    known = {**os.environ, "PYTHONPATH": str(ROOT / "conf")}
    subprocess.run([sys.executable, "-c", IMPORTS], env=known, check=True)
