"""Sessions: ``nox -l`` lists them; what stands behind ``--`` is passed on."""

from __future__ import annotations

import os
import shutil

import nox.command

nox.options.default_venv_backend = "virtualenv"

GROUPS = nox.project.load_toml("pyproject.toml")
EXTRA_TESTS = ("torch", "gpu", "browser")


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
        # A claim that fails is a warning: the build fails over it, once all are reported.
        options = ("-W", "--keep-going", "-n", "-c", "conf", "-d", "build/doctrees")
        session.run("sphinx-build", *options, "docs", "build/html", *session.posargs)
    except nox.command.CommandFailed:
        # Warnings raised while reading would be gone in the next, incremental build.
        shutil.rmtree("build/doctrees", ignore_errors=True)
        raise


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; ``torch``, ``gpu`` or ``browser`` runs those that need it instead."""
    kinds = [argument for argument in session.posargs if argument in EXTRA_TESTS]
    install(session, "site", "test", *kinds)
    marks = " or ".join(kinds) or "not " + " and not ".join(EXTRA_TESTS)
    # On every core; but a GPU is shared with nobody, and the browsers fill the cores themselves.
    cores = () if kinds else ("-n", "logical", "--dist", "worksteal")
    others = (argument for argument in session.posargs if argument not in kinds)
    session.run("pytest", "-m", marks, *cores, *others)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style, types and spelling."""
    install(session, "site", "test", "lint")
    for check in ("ruff format --check .", "ruff check .", "mypy", "codespell"):
        session.run(*check.split())
    session.run("sphinx-lint", "docs", "examples", "README.md", "-i", "docs/gallery")


@nox.session(default=False)
def record(session: nox.Session) -> None:
    """Measure the examples on this machine's GPUs and write their records."""
    install(session, "site", "live")
    session.run("python", "-m", "evidence", "record", *session.posargs)


@nox.session(default=False)
def verify(session: nox.Session) -> None:
    """Check every claim on this machine's GPU; -k selects, --json FILE keeps the result."""
    install(session, "site", "live")
    session.run("python", "-m", "evidence", "verify", *session.posargs)


@nox.session(default=False)
def preview(session: nox.Session) -> None:
    """Serve the site while you write; stale records are a banner instead of an error."""
    install(session, "site", "preview")
    session.run(
        *("sphinx-autobuild", "-c", "conf", "-D", "evidence_preview=1"),
        *("--watch", "examples", "--watch", "conf"),
        *("--ignore", "docs/gallery/*", "--ignore", "*/__pycache__/*"),  # else it loops
        *("docs", "build/preview", *session.posargs),
        env={"EVIDENCE": "replay"},
    )


@nox.session(default=False)
def wheelhouse(session: nox.Session) -> None:
    """Download what an offline builder needs, torch left out; -- 3.12 names its Python."""
    python = session.posargs[0] if session.posargs else "3.12"
    wheels = nox.project.dependency_groups(GROUPS, "site", "live", "test")
    wheels = ("nox", *(wheel for wheel in wheels if not wheel.startswith("torch")))
    session.run(
        *("python", "-m", "pip", "download", "--only-binary=:all:"),
        *(f"--platform=manylinux_2_{minor}_x86_64" for minor in (28, 27, 17)),
        *(f"--python-version={python}", "--dest=build/wheelhouse", *wheels),
    )


@nox.session(default=False)
def linkcheck(session: nox.Session) -> None:
    """Follow every link that leaves the site."""
    install(session, "site")
    command = ("sphinx-build", "-b", "linkcheck", "-c", "conf", "docs")
    session.run(*command, "build/linkcheck", env={"EVIDENCE": "replay"})


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Time the engine on a synthetic site; nothing in it is a test."""
    install(session, "site", "live" if "measure" in session.posargs else "test")
    session.run("python", "tests/bench.py", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Change the judging in a thousand small ways: a test must notice nine in ten."""
    install(session, "site", "test", "mutation")
    session.run("python", "tests/mutants.py")
