"""Sphinx in processes that are forked from one which imported it once: most of a tiny build's time.

That one runs nothing but the imports, so that no build sees what another or a test did.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

from sphinx.application import builtin_extensions

FORKS = multiprocessing.get_context("forkserver")
#: What every build imports, and what it takes to start a process under pytest.
IMPORTED = (
    *("sphinx.cmd.build", "sphinx.builders.html", "sphinx_gallery.gen_gallery"),
    *(
        "evidence.site",
        "evidence.figures.texts",
        "myst_parser.sphinx_ext.main",
        "furo",
        "pytest",
    ),
    *builtin_extensions,
)
FORKS.set_forkserver_preload([*IMPORTED])


def run_sphinx(
    arguments: list[str], folder: Path, environment: dict[str, str], *, anew: bool
) -> tuple[int, str, str]:
    """Run ``python -m sphinx``: its exit code, output and errors.

    :param anew: by a Python of its own, as what that reads when it starts was set
    """
    if anew:
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr
    with tempfile.TemporaryDirectory() as name:
        streams = [Path(name, "output"), Path(name, "errors")]
        given = (arguments, folder, environment, streams)
        process = FORKS.Process(target=_run, args=given)
        process.start()
        process.join()
        assert process.exitcode is not None
        return process.exitcode, streams[0].read_text(), streams[1].read_text()


def _run(
    arguments: list[str], folder: Path, environment: dict[str, str], streams: list[Path]
) -> None:
    for number, path in enumerate(streams, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = arguments
    runpy.run_module("sphinx", run_name="__main__", alter_sys=True)
