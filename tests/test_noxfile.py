"""The sessions of noxfile.py, on a tiny site: what a red build leaves, and what ends with nox."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from conftest import ROOT, claim
from scripts import wait_until

if TYPE_CHECKING:
    from conftest import Site

#: Stands in for sphinx-autobuild, which would need a port, and which ends its own processes first.
SERVER = """\
import pathlib, signal, time

def end(*_):
    time.sleep(1)
    pathlib.Path("ended").touch()
    raise SystemExit(1)

signal.signal(signal.SIGTERM, end)
pathlib.Path("serving").touch()
time.sleep(60)
"""

#: Stands in for torch and the rest, which each environment has.
GROUPS = '[dependency-groups]\nsite = ["pip"]\nlive = []\n'
COMMAND = "import sys\nprint(sys.argv[1], 'runs in', sys.prefix)\n"


def nox(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start nox on a copy of the noxfile beside a site."""
    for name in ("noxfile.py", "pyproject.toml"):
        if not (folder / name).exists():
            shutil.copy(ROOT / name, folder)
    paths = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "conf"), str(folder)]),
    }
    return subprocess.Popen(
        [sys.executable, "-m", "nox", *arguments],
        cwd=folder,
        env={**os.environ, "EVIDENCE": "replay", **paths, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def build(site: Site) -> str:
    """Build with ``nox --no-venv -s docs``; give what it prints, without line breaks."""
    printed, _ = nox(site.folder, "--no-venv", "-s", "docs").communicate()
    return " ".join(printed.split())


def test_a_red_build_leaves_no_site_that_looks_fine(site: Site) -> None:
    built = site.folder / "build"
    site.page(claim(expect="<= 3"))
    red = build(site)

    assert "The build is red: build/html is moved to build/html-red" in red
    assert [] == [*built.glob("html/**/*.html")]
    assert (built / "html-red/index.html").exists()

    site.page(claim())
    green = build(site)

    assert "Session docs was successful" in green
    assert (built / "html/index.html").exists()
    assert not (built / "html-red").exists()


@pytest.mark.skipif(any(Path("/dev").glob("nvidia[0-9]*")), reason="there is a GPU")
@pytest.mark.parametrize("session", ["record", "verify", "docs"])
def test_without_a_gpu_nothing_is_installed(session: str, tmp_path: Path) -> None:
    nothing = nox(tmp_path, "-s", session, EVIDENCE="live")
    printed, _ = nothing.communicate()

    assert 1 == nothing.returncode
    assert "no NVIDIA GPU here: 'EVIDENCE=replay nox -s docs' needs none" in printed
    assert "pip install" not in printed


def test_what_measures_shares_one_environment(tmp_path: Path) -> None:
    noxfile = (ROOT / "noxfile.py").read_text("utf-8")
    (tmp_path / "noxfile.py").write_text(noxfile.replace("nvidia[0-9]*", "null"))
    (tmp_path / "pyproject.toml").write_text(GROUPS)
    (tmp_path / "conf/evidence").mkdir(parents=True)
    (tmp_path / "conf/evidence/__init__.py").touch()
    (tmp_path / "conf/evidence/__main__.py").write_text(COMMAND)

    printed, _ = nox(tmp_path, "-s", "record", "verify").communicate()

    assert f"record runs in {tmp_path}/.nox/gpu\n" in printed
    assert f"verify runs in {tmp_path}/.nox/gpu\n" in printed
    assert ["gpu"] == [path.parent.name for path in tmp_path.glob(".nox/*/bin")]


def test_the_server_of_a_preview_ends_with_nox(tmp_path: Path) -> None:
    (tmp_path / "sphinx_autobuild.py").write_text(SERVER)
    running = nox(tmp_path, "--no-venv", "-s", "preview")
    wait_until((tmp_path / "serving").exists)
    (server,) = psutil.Process(running.pid).children()

    running.send_signal(signal.SIGTERM)
    running.communicate(timeout=20)

    assert running.returncode
    assert not server.is_running()
    assert (tmp_path / "ended").exists()
