"""Sessions: ``nox -l`` lists them; what stands behind ``--`` is passed on."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

import nox
import nox.command

nox.needs_version = ">=2025.2.9"  # the first whose sessions can require another
nox.options.default_venv_backend = "virtualenv"
# An environment is made once; pip then adds what pyproject.toml asks for anew.
nox.options.reuse_venv = "yes"
# Python finds the site's extension and, for --no-venv, an offline builder's packages.
PATHS = (str(Path(__file__).with_name("conf")), os.environ.get("PYTHONPATH", ""))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, PATHS))
GROUPS = nox.project.load_toml("pyproject.toml")
VERSIONS = "docs/evidence/versions.toml"
#: What the root of all versions shows: it leads to the newest.
HOME = """\
<!doctype html>
<meta charset="utf-8">
<title>Measured CUDA</title>
<meta http-equiv="refresh" content="0; url=stable/index.html">
<link rel="canonical" href="stable/index.html">
<a href="stable/index.html">Measured CUDA</a>
"""
EXTRA_TESTS = ("torch", "gpu", "browser", "mcp")
#: What measures runs where the session gpu has installed torch, once for all.
ON_GPU = {"requires": ["gpu"], "venv_backend": "none"}


def install(session: nox.Session, *groups: str) -> None:
    """Install dependency groups; with --no-venv, what runs nox has them."""
    if session.virtualenv.is_sandboxed:
        session.install(*nox.project.dependency_groups(GROUPS, *groups))


@nox.session(**ON_GPU if os.environ.get("EVIDENCE") in ("live", "stale") else {})
def docs(session: nox.Session) -> None:
    """Build the site into build/html and judge every claim; EVIDENCE=live measures first.

    EVIDENCE=stale measures only what has no record of its code.
    """
    install(session, "site")
    edition(session, Path("build/html"), "-d build/doctrees")


def edition(session: nox.Session, html: Path, options: str, **how: object) -> None:
    """Build the site in a language; what is red leaves nothing in its place."""
    red = html.with_name(f"{html.name}-red")
    shutil.rmtree(red, ignore_errors=True)
    sphinx = f"python -m sphinx -j auto -W --keep-going -n -c conf {options}"
    try:
        session.run(*sphinx.split(), "docs", html, *session.posargs, **how)
    except (nox.command.CommandFailed, KeyboardInterrupt):
        if html.exists():  # nothing that looks like the site stays in its place
            session.warn(f"The build is red: {html} is moved to {html.rename(red)}")
        raise


@nox.session(default=False)
def publish(session: nox.Session) -> None:
    """Build every version that is published into build/site; -- ADDRESS is where it is served."""
    address = (*session.posargs, "http://localhost:8000")[0].rstrip("/")
    kept = nox.project.load_toml(VERSIONS)
    versions, revisions = kept["published"], [*kept.get("revisions", ()), None]
    site, part = Path("build/site"), Path("build/site.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for version, revision in zip(versions, revisions, strict=True):
        folder = older(session, version, revision, versions) if revision else Path.cwd()
        release(session, folder, f"{address}/{version}/")
        (folder / "build/html").rename(part / version)
    # A copy: what serves the site takes no links.
    shutil.copytree(part / versions[-1], part / "stable", copy_function=os.link)
    for name in ("404.html", "sitemap.xml"):
        shutil.copy(part / "stable" / name, part)
    (part / "index.html").write_text(HOME)
    chinese = [*part.glob("stable/zh/sitemap.xml")]
    maps = [part / "sitemap.xml", *chinese]
    lines = [
        f"Sitemap: {address}/{path.relative_to(part).as_posix()}\n" for path in maps
    ]
    (part / "robots.txt").write_text("".join(lines))
    # Where a build is red, none of this is reached, and the site of before stays.
    shutil.rmtree(site, ignore_errors=True)
    part.rename(site)


def older(
    session: nox.Session, version: str, revision: str, versions: list[str]
) -> Path:
    """Check out an older version, and tell it of all; the last is what it is about."""
    folder = Path(f"build/v{version}").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    add = "git worktree add --quiet --force --detach"
    try:
        session.run(*add.split(), folder, revision, external=True)
    except nox.command.CommandFailed:
        remedy = f"git fetch --unshallow, or take it out of {VERSIONS}"
        session.error(f"{version} has no revision {revision} here: {remedy}")
    ordered = [*(other for other in versions if other != version), version]
    (folder / VERSIONS).write_text(f"published = {ordered}\n")
    return folder


def release(session: nox.Session, folder: Path, address: str) -> None:
    """Build a version by its own noxfile, from the packages that it locked.

    Its Chinese edition, if it has one, goes below the English one; pages lead to each other.
    """
    isolated = session.virtualenv.is_sandboxed
    again = (sys.executable, "-m", "nox", *(() if isolated else ("--no-venv",)))
    editions = {"docs": address}
    if (folder / "conf/locale/zh_CN").exists():
        editions["docs-zh"] = f"{address}zh/"
    together = ("-t", "editions") * (len(editions) > 1)
    locked = {"PIP_CONSTRAINT": str(folder / ".ci/site.lock"), "EVIDENCE": "replay"}
    for name, place in editions.items():
        docs = ("-f", folder / "noxfile.py", "-s", name, "--", "-t", "release")
        options = (*together, "-D", f"html_baseurl={place}")
        session.run(*again, *docs, *options, env=locked, external=True)
    if together:
        (folder / "build/html-zh").rename(folder / "build/html/zh")


@nox.session(default=False)
def check(session: nox.Session) -> None:
    """Read the pages and judge every claim, without writing the site; what it read, it keeps."""
    install(session, "site")
    sphinx = "python -m sphinx -b check -t check -j auto -W --keep-going -n -c conf"
    folders = "-d build/check-doctrees docs build/check"
    replay = {"EVIDENCE": "replay"}
    session.run(*sphinx.split(), *folders.split(), *session.posargs, env=replay)


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests; ``torch``, ``gpu``, ``browser`` or ``mcp`` runs those that need it instead."""
    kinds = [argument for argument in session.posargs if argument in EXTRA_TESTS]
    install(session, "site", "test", *kinds)
    marks = " or ".join(kinds) or "not " + " and not ".join(EXTRA_TESTS)
    # On every core; but a GPU is shared with nobody, and the browsers fill the cores themselves.
    alone = {"gpu", "browser"}.intersection(kinds)
    cores = () if alone else ("-n", "logical", "--dist", "worksteal")
    others = [argument for argument in session.posargs if argument not in kinds]
    session.run("python", "-m", "pytest", "-m", marks, *cores, *others)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style, types, spelling and the pages' English."""
    install(session, "site", "test", "lint")
    prose = "sphinx-lint -i docs/gallery docs examples README.md CONTRIBUTING.md"
    english = "python -m pytest -q tests/test_prose.py"
    style = ("ruff format --check .", "ruff check .", "mypy", "codespell", prose)
    for check in (*style, english):
        session.run(*check.split())


@nox.session(default=False)
def preview(session: nox.Session) -> None:
    """Serve the site while you write; stale records are a banner instead of an error."""
    install(session, "site", "preview")
    # Told to end, nox ends the server too, as it does for Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    serve = "python -m sphinx_autobuild -c conf --watch conf"
    watch = "--watch examples --ignore docs/gallery/* --ignore */__pycache__/*"
    options = (*serve.split(), *watch.split(), *session.posargs)
    # Time to end the processes that it has for building: killed, it would leave them.
    session.run(
        *options,
        *("docs", "build/preview/html"),
        env={"EVIDENCE": "replay"},
        terminate_timeout=10,
    )


@nox.session(name="docs-zh", default=False)
def docs_zh(session: nox.Session) -> None:
    """Build the Chinese edition into build/html-zh, from the same records and examples."""
    install(session, "site")
    options = "-D language=zh_CN -d build/doctrees-zh"
    edition(session, Path("build/html-zh"), options, env={"EVIDENCE": "replay"})


@nox.session(default=False)
def catalogs(session: nox.Session) -> None:
    """Bring the catalogs of translations up to date with the pages; -- zh_CN names one."""
    install(session, "site")
    sphinx = "python -m sphinx -q -b gettext -j auto -c conf -d build/pot-doctrees"
    shutil.rmtree("build/pot", ignore_errors=True)
    session.run(*sphinx.split(), "docs", "build/pot", env={"EVIDENCE": "replay"})
    session.run("python", ".ci/catalogs.py", *session.posargs)


@nox.session(default=False)
def gpu(session: nox.Session) -> None:
    """Install torch, for record, verify and live builds; an error where there is no GPU."""
    if not any(Path("/dev").glob("nvidia[0-9]*")) and not Path("/dev/dxg").exists():
        session.error("no NVIDIA GPU here: 'EVIDENCE=replay nox -s docs' needs none")
    install(session, "site", "live")
    for path in session.bin_paths or ():  # no environment with --no-venv
        os.environ["PATH"] = path + os.pathsep + os.environ["PATH"]


@nox.session(default=False, **ON_GPU)
def record(session: nox.Session) -> None:
    """Measure the examples on this machine's GPUs and write their records."""
    session.run("python", "-m", "evidence", "record", *session.posargs)


@nox.session(default=False, **ON_GPU)
def verify(session: nox.Session) -> None:
    """Check every claim on this machine's GPU; -k selects, --json FILE keeps the result."""
    session.run("python", "-m", "evidence", "verify", *session.posargs)


@nox.session(default=False, venv_backend="none")
def doctor(session: nox.Session) -> None:
    """Say what of the site applies to this machine, and to a script: -- SCRIPT; --json, --claims.

    It asks the PyTorch of the Python on the path.
    """
    session.run("python", "-m", "evidence", "doctor", *session.posargs)


@nox.session(default=False)
def keep(session: nox.Session) -> None:
    """Keep what verify wrote, a line for each example, so that it can be proposed."""
    install(session, "site")
    session.run("python", "-m", "evidence", "keep", *session.posargs)


@nox.session(default=False)
def upstream(session: nox.Session) -> None:
    """Say which paragraphs changed upstream, and try our patches: -- PATHS of checkouts of it."""
    install(session, "site")
    session.run("python", "-m", "evidence", "upstream", *session.posargs)


@nox.session(default=False)
def lock(session: nox.Session) -> None:
    """Make .ci/*.lock fit pyproject.toml; -- --upgrade takes the newest packages."""
    install(session, "lock")
    session.run("python", ".ci/lock.py", *session.posargs)


@nox.session(default=False)
def wheelhouse(session: nox.Session) -> None:
    """Download what an offline builder needs, torch left out; -- 3.12 names its Python."""
    every = nox.project.dependency_groups(GROUPS, "site", "live", "test")
    wheels = [wheel for wheel in every if not wheel.startswith("torch")]
    linux = [f"--platform=manylinux_2_{minor}_x86_64" for minor in (28, 27, 17)]
    python = f"--python-version={(*session.posargs, '3.12')[0]}"
    download = "python -m pip download --only-binary=:all: --dest=build/wheelhouse"
    session.run(*download.split(), *linux, python, *wheels)


@nox.session(default=False)
def linkcheck(session: nox.Session) -> None:
    """Follow every link that leaves the site."""
    install(session, "site")
    sphinx = "python -m sphinx -b linkcheck -c conf docs build/linkcheck"
    session.run(*sphinx.split(), env={"EVIDENCE": "replay"})


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Time the engine on a synthetic site; nothing in it is a test."""
    install(session, "site", "test")
    session.run("python", "tests/bench.py", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Change the judging in a thousand small ways: a test must notice nine in ten."""
    install(session, "site", "test", "mutation")
    session.run("python", "tests/mutants.py")
