"""How long a build takes, and what measuring costs beside the examples: a script, no test.

``nox -s bench`` prints each number, as the median of three, beside what is wanted on two cores;
the name of a part behind it, of :data:`PARTS`, that part alone. ``measure`` needs torch, which is
where ``nox -s gpu`` put it: ``PYTHONPATH=conf .nox/gpu/bin/python tests/bench.py measure``.
"""

from __future__ import annotations

import os
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, TypeAlias

from evidence.examples.script import read_script
from evidence.measure.campaign import Campaign, Recording
from synthetic import BUILDER, ROOT, Synthetic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REPEAT = 3
#: Examples, pages and claims of the two synthetic sites.
SIZES = ((100, 60, 500), (300, 180, 1500))

PROFILED = """\
import cProfile, sys
from sphinx.cmd.build import main
profile = cProfile.Profile()
code = profile.runcall(main, sys.argv[2:])
profile.dump_stats(sys.argv[1])
sys.exit(code)
"""

SLEEPS = '''\
"""
Sleeps
======
"""

# sphinx_gallery_evidence = {{"gpus": 0, "processes": {processes}}}

import time

time.sleep(0.05)
measured = {{"slept": True}}
'''

#: What the engine calls to have Sphinx and docutils parse; their time is not its own.
PARSING = ("parse_content_to_nodes", "setup_extension")

#: What builds the site, by its folder; templates are functions too.
BUILDING = (
    *(
        "sphinx",
        "docutils",
        "myst_parser",
        "myst_nb",
        "sphinx_gallery",
        "furo",
        "jinja2",
    ),
    "_templates",
)

#: cProfile names a function by file, line and name.
Function: TypeAlias = tuple[str, int, str]
Edge: TypeAlias = tuple[Function, Function, float]


def main() -> None:
    """Run the parts that are named, or all that need no torch."""
    for part in sys.argv[1:] or [name for name in PARTS if name != "measure"]:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            PARTS[part](Path(folder))


def show(what: str, value: float, unit: str, wanted: str = "") -> None:
    """Print one line of the table."""
    print(f"{what:<58} {value:>7.2f} {unit:<2} {wanted}".rstrip(), flush=True)


def timed(run: Callable[[], object]) -> float:
    """The median of several runs, in seconds."""
    seconds = []
    for _ in range(REPEAT):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return median(seconds)


def build(
    folder: Path, *options: str, runner: tuple[str, ...] = ("-m", "sphinx")
) -> None:
    """Build a site in a fresh process, which must be green; strict, it starts clean."""
    settings = ("-q", "-W", "--keep-going", "-c", str(ROOT / "conf"))
    subprocess.run(
        [sys.executable, *runner, *settings, *options, "docs", "build/html"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf"), "EVIDENCE": "replay"},
        check=True,
    )


def written(folder: Path, size: tuple[int, int, int]) -> Synthetic:
    """Write a synthetic site."""
    examples, pages, claims = size
    site = Synthetic(folder / "site", examples=examples, pages=pages, claims=claims)
    site.folder.mkdir()
    site.write()
    return site


def today(folder: Path) -> None:
    """The site as it is."""
    for name in ("conf", "docs", "examples"):
        ignored = shutil.ignore_patterns("gallery", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    seconds = timed(lambda: build(folder, "-j", "auto"))
    show("today's site, clean", seconds, "s", "<= 15")


def grown(folder: Path) -> None:
    """A site as large as ours will be."""
    site = written(folder, SIZES[1])
    seconds = timed(lambda: build(site.folder, "-j", "auto"))
    show("300 examples and 1500 claims, clean", seconds, "s", "<= 40")


def preview(folder: Path) -> None:
    """What somebody waits for who writes."""
    for size in SIZES:
        (folder / str(size[0])).mkdir()
        site = written(folder / str(size[0]), size)
        build(site.folder, "-D", "evidence_preview=1")

        def change(site: Synthetic = site) -> None:
            site.edit_a_word()
            build(site.folder, "-D", "evidence_preview=1")

        show(
            f"one word under preview, {size[0]} examples", timed(change), "s", "<= 2.5"
        )


def nox(_: Path) -> None:
    """What ``nox -s docs`` takes beside the build, once it has its environment."""
    session = ("nox", "-s", "docs", "--", "--version")
    run = [sys.executable, "-m", *session]
    subprocess.run(run, cwd=ROOT, capture_output=True, check=True)
    seconds = timed(
        lambda: subprocess.run(run, cwd=ROOT, capture_output=True, check=True)
    )
    show("'nox -s docs' beside its build", seconds, "s", "<= 3")


def share(folder: Path) -> None:
    """The engine's own share of a cold build.

    Its time is what passes between Sphinx, docutils, MyST or sphinx-gallery calling a function of
    conf/evidence and its return, with all that this calls, less the time in :data:`PARSING` and
    in the method that an override hands on to, which Sphinx would have called itself.
    Where parsing calls the engine again, that counts again. The profiler slows small functions
    most, so the share says more than the seconds.
    """
    site = written(folder, SIZES[0])
    target = folder / "profile"
    build(site.folder, runner=("-c", PROFILED, str(target)))
    stats = pstats.Stats(str(target))
    total: float = stats.total_tt  # type: ignore[attr-defined]
    own, by_entry = 0.0, defaultdict[str, float](float)
    for caller, callee, spent in edges(stats):
        if is_site(caller) and is_engine(callee):
            own += spent
            by_entry[spelled(callee)] += spent
        elif is_engine(caller) and (callee[2] in PARSING or handed_on(caller, callee)):
            own -= spent
            by_entry[spelled(caller)] -= spent
    show("the engine's own share of a cold build", 100 * own / total, "%", "<= 6")
    show("  of, under the profiler", total, "s")
    longest = sorted(by_entry.items(), key=lambda item: -abs(item[1]))
    for entry, spent in longest[:9]:
        show(f"  {entry}", 100 * spent / total, "%")


def edges(stats: pstats.Stats) -> Iterator[Edge]:
    """Who called whom, and the seconds until the return."""
    for callee, (_, _, _, _, callers) in stats.stats.items():  # type: ignore[attr-defined]
        for caller, (_, _, _, spent) in callers.items():
            yield caller, callee, spent


def is_engine(function: Function) -> bool:
    """Whether a function is one of conf/evidence."""
    return function[0].startswith(str(ROOT / "conf" / "evidence"))


def is_site(function: Function) -> bool:
    """Whether a function is one of those that build a site."""
    return any(f"/{name}/" in function[0] for name in BUILDING)


def handed_on(caller: Function, callee: Function) -> bool:
    """Whether an override calls what it overrides."""
    return is_site(callee) and caller[2] == callee[2]


def spelled(function: Function) -> str:
    """A function of the engine by module and name."""
    return f"{Path(function[0]).stem}.{function[2]}"


def measure(folder: Path) -> None:
    """What an example costs beside its own seconds, in each process."""
    count, processes = 4, 6
    paths = [folder / f"sleeps_{number}.py" for number in range(count + 1)]
    for path in paths:
        path.write_text(SLEEPS.format(processes=processes))
    first, *others = paths
    show("starting the fork server, once", cost([first], processes), "s")
    each = cost(others, processes) / (count * processes)
    show("measuring, beside an example's own seconds", each, "s", "<= 0.7")


def cost(paths: list[Path], processes: int) -> float:
    """Seconds of a campaign less those of its examples' cells."""
    campaign = Campaign(BUILDER, (), lambda _: None)
    begin = time.perf_counter()
    results = list(campaign.run([read_script(path) for path in paths]))
    took = time.perf_counter() - begin
    for result in results:
        assert isinstance(result, Recording), result
        assert processes == len(result.record.processes)
        took -= sum(process.seconds for process in result.record.processes)
    return took


PARTS = {
    "today": today,
    "grown": grown,
    "preview": preview,
    "share": share,
    "nox": nox,
    "measure": measure,
}

if __name__ == "__main__":
    main()
