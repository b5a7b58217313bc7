"""The kernel of analysis pages: this interpreter, this build's records, and no network."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT, Site
from evidence.examples.library import open_library
from evidence.records.sources import RECORDS
from evidence.site.kernel import install
from jupyter_client.manager import start_new_kernel

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

ASK = """
import json, os, sys
import evidence.analysis
print(json.dumps([sys.executable, sys.path, dict(os.environ)]))
"""


@pytest.fixture
def folder(
    site: Site,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """A kernel installed as a build does whose paths are relative, and a page's folder to be in."""
    monkeypatch.chdir(site.folder)
    monkeypatch.setenv("JUPYTER_PATH", "/other")
    monkeypatch.setenv("PYTHONPATH", "conf:relative")
    folder = tmp_path_factory.mktemp("build") / "kernel"
    library = open_library(site.folder / "examples")
    for _ in range(2):  # as in a second build of the same process
        install(library, folder)
    assert f"{folder}:/other" == os.environ["JUPYTER_PATH"]
    monkeypatch.chdir(site.folder / "docs")
    return folder


def ask(code: str) -> tuple[KernelManager, list[str]]:
    """Run code in a kernel; gives its manager, stopped, and what was printed."""
    manager, client = start_new_kernel(kernel_name="python3")
    printed: list[str] = []

    def keep(message: dict[str, dict[str, str]]) -> None:
        printed.append(message["content"].get("text", ""))

    try:
        client.execute_interactive(code, output_hook=keep, timeout=30)
        assert Path(manager.connection_file).exists()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return manager, [text for text in printed if text]


def test_a_kernel_is_this_python_with_this_builds_records(
    folder: Path, site: Site
) -> None:
    manager, (answer,) = ask(ASK)
    executable, paths, environment = json.loads(answer)
    assert Path(sys.executable) == Path(executable)
    assert str(ROOT / "conf") in paths
    assert str(site.folder / "relative") in paths
    assert str(folder / "ipython") == environment["IPYTHONDIR"]
    named = json.loads(Path(environment[RECORDS]).read_text())
    assert {"copy": str(site.folder / "examples/memory/copy.json")} == named
    assert manager.transport == "ipc"
    assert not Path(manager.connection_file).parent.exists()
