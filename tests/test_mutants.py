"""What mutation testing takes for granted: nobody runs it every day."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

from conftest import ROOT
from mutants import SOURCES

if TYPE_CHECKING:
    from pathlib import Path


def test_the_tests_of_the_mutants_need_no_more_than_package_and_tests(
    tmp_path: Path,
) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    chosen = settings["tool"]["mutmut"]["pytest_add_cli_args_test_selection"]
    for source in SOURCES:
        path, target = ROOT / source, tmp_path / source.rpartition("/")[2]
        (shutil.copytree if path.is_dir() else shutil.copy)(path, target)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-n", "0", *chosen],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{chosen[0]}::" in done.stdout
