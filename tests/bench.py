"""How long a build takes, and what measuring costs beside the examples: a script, no test.

``PYTHONPATH=conf python tests/bench.py`` prints one table; ``build``, ``profile`` or ``measure``
behind it prints that part alone. Nothing is asserted: what a machine does beside it shows in these
numbers, so each is the best of several.
"""

from __future__ import annotations

import argparse
import os
import pstats
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from evidence.examples.script import read_script
from evidence.measure.campaign import Campaign, Recording
from synthetic import BUILDER, ROOT, Synthetic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PARTS = ("build", "profile", "measure")

CLAIMS = (500, 2000, 5000)

#: By processor time: what else the machine does would fall on one function or another.
PROFILED = """\
import cProfile, sys, time
from sphinx.cmd.build import main
profile = cProfile.Profile(time.process_time)
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

#: cProfile names a function by file, line and name.
Function: TypeAlias = tuple[str, int, str]
Edge: TypeAlias = tuple[Function, Function, float]


def main() -> None:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "parts", nargs="*", help=f"of {', '.join(PARTS)}; all by default"
    )
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    for part in options.parts or PARTS:
        {"build": builds, "profile": profile, "measure": overhead}[part](options.repeat)


def show(what: str, value: float, unit: str, target: str = "") -> None:
    """Print one line of the table."""
    print(f"{what:<58} {value:>7.2f} {unit:<2} {target}".rstrip(), flush=True)


def builds(repeat: int) -> None:
    """Whole builds, each a process of its own, as ``nox -s docs`` runs them."""
    cold: dict[int, float] = {}
    for claims in CLAIMS:
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            site = Synthetic(Path(name), claims=claims)
            site.write()
            what = f"{site.examples} examples, {site.pages} pages, {claims} claims"
            first = not cold
            target = "<= 25" if first else ""
            cold[claims] = timed(f"cold, {what}", target, repeat, site.folder, clean)
            if first:
                changes(site, repeat)
    for fewer, more in pairwise(CLAIMS):
        slope = (cold[more] - cold[fewer]) / (more - fewer) * 1000
        show(f"each 1000 claims from {fewer} to {more}", slope, "s", "linear")


def changes(site: Synthetic, repeat: int) -> None:
    """Builds of a site that was built before."""
    for what, target, change in (
        ("nothing changed", "", lambda _: None),
        ("one word of a page changed", "<= 2.5", lambda _: site.edit_a_word()),
        ("one record changed", "", lambda _: site.change_a_record()),
    ):
        timed(what, target, repeat, site.folder, change)


def timed(
    what: str,
    target: str,
    repeat: int,
    folder: Path,
    prepare: Callable[[Path], object],
) -> float:
    """Show the least of several builds: nothing makes one faster than it is.

    Beside the seconds that passed stand those of the processor, which a busy machine adds less to.
    """
    times = []
    for _ in range(repeat):
        prepare(folder)
        times.append(seconds(folder))
    wall, processor = min(times)
    show(what, wall, "s", f"{target:<8}(processor {processor:.2f} s)")
    return wall


def clean(folder: Path) -> None:
    """Remove what a build makes."""
    for made in ("build", "docs/gallery"):
        shutil.rmtree(folder / made, ignore_errors=True)


def seconds(folder: Path, *runner: str) -> tuple[float, float]:
    """Build the site in a fresh process, which must be green; gives wall and processor time."""
    options = ("-b", "html", "-c", str(ROOT / "conf"), "-d", "build/doctrees")
    sphinx = (*(runner or ("-m", "sphinx")), "-W", "--keep-going", "-q", *options)
    began, used = time.perf_counter(), children()
    subprocess.run(
        [sys.executable, *sphinx, "docs", "build/html"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf"), "EVIDENCE": "replay"},
        check=True,
    )
    return time.perf_counter() - began, children() - used


def children() -> float:
    """Processor time of the processes that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def profile(_repeat: int) -> None:
    """The engine's own share of a cold build.

    Its time is what passes between Sphinx, docutils, MyST or sphinx-gallery calling a function of
    conf/evidence and its return, with all that this calls, less the time in :data:`PARSING` and
    in the method that an override hands on to, which Sphinx would have called itself.
    Where parsing calls the engine again, that counts again. The profiler slows small functions
    most, so the share says more than the seconds.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        site = Synthetic(Path(name), claims=CLAIMS[0])
        site.write()
        target = site.folder / "profile"
        seconds(site.folder, "-c", PROFILED, str(target))
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
    show("the engine's own share of a cold build", 100 * own / total, "%", "<= 15")
    show("  of, under the profiler", total, "s")
    longest = sorted(by_entry.items(), key=lambda item: -item[1])
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
    """Whether a function is one of those that build the site."""
    names = ("/sphinx/", "/docutils/", "/myst_parser/", "/myst_nb/", "/sphinx_gallery/")
    return any(name in function[0] for name in names)


def handed_on(caller: Function, callee: Function) -> bool:
    """Whether an override calls what it overrides."""
    return is_site(callee) and caller[2] == callee[2]


def spelled(function: Function) -> str:
    """A function of the engine by module and name."""
    return f"{Path(function[0]).stem}.{function[2]}"


def overhead(_repeat: int) -> None:
    """What an example costs beside its own seconds, in each process."""
    count, processes = 4, 6
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        paths = [Path(name) / f"sleeps_{number}.py" for number in range(count + 1)]
        for path in paths:
            path.write_text(SLEEPS.format(processes=processes))
        first, *others = paths
        show("starting the fork server, once", cost([first], processes), "s")
        each = cost(others, processes) / (count * processes)
        show(
            "measuring, beside an example's own seconds, a process", each, "s", "<= 0.7"
        )


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


if __name__ == "__main__":
    main()
