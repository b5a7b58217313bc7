# /// script
# dependencies = ["nox>=2025.5"]
# ///
"""Sessions: ``nox -l`` lists them; what stands behind ``--`` is passed on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox
from nox.command import CommandFailed

nox.options.default_venv_backend = "virtualenv"
nox.options.sessions = ["docs", "tests", "lint"]

GROUPS = nox.project.load_toml("pyproject.toml")
HTML, DOCTREES = Path("build/html"), Path("build/doctrees")


def install(session: nox.Session, *groups: str) -> None:
    """Install dependency groups, and let Python find the site's extension."""
    session.env["PYTHONPATH"] = "conf"
    if session.virtualenv.is_sandboxed:
        session.install(*nox.project.dependency_groups(GROUPS, *groups))
    elif "PYTHONPATH" in os.environ:  # --no-venv: an offline builder's packages
        session.env["PYTHONPATH"] += os.pathsep + os.environ["PYTHONPATH"]


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site into build/html and judge every claim; EVIDENCE=live measures first."""
    live = os.environ.get("EVIDENCE") == "live"
    install(session, "site", *(["live"] if live else []))
    try:
        session.run(
            "sphinx-build",
            "-W",  # a claim that fails is a warning: the build must fail over it,
            "--keep-going",  # but only after all are reported
            *("-b", "html", "-c", "conf", "-d", str(DOCTREES)),
            *("docs", str(HTML), *session.posargs),
        )
    except CommandFailed:
        # Warnings raised while reading would be gone in the next, incremental build.
        shutil.rmtree(DOCTREES, ignore_errors=True)
        raise


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; they need neither torch nor a GPU."""
    install(session, "site", "test")
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style, types and spelling."""
    install(session, "site", "test", "lint")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("mypy")
    session.run("codespell")
    session.run("sphinx-lint", "docs", "examples", "README.md", "-i", "docs/gallery")


@nox.session(default=False)
def record(session: nox.Session) -> None:
    """Measure the examples on this machine's GPUs and write their records."""
    install(session, "site", "live")
    session.run("python", "-m", "evidence", "record", *session.posargs)


if __name__ == "__main__":
    nox.main()
