"""How long a build takes, and what measuring costs beside the examples: a script, no test.

``nox -s bench`` prints each number, as the median of three, beside what is wanted on two quiet
cores, and how quiet this machine was; the name of a part behind it, of :data:`PARTS`, that part
alone. ``fresh`` is long and needs packages from pip's cache. ``measure`` needs torch, which is
where ``nox -s gpu`` put it: ``PYTHONPATH=conf .nox/gpu/bin/python tests/bench.py measure``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from evidence.examples.script import read_script
from evidence.measure import Recording
from evidence.measure.campaign import Campaign
from evidence.measure.machine import Machine
from sphinx.cmd.build import main as sphinx
from synthetic import BUILDER, ROOT, Synthetic

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

REPEAT = 3
#: Examples, pages and claims of the synthetic sites, of which one is ten times the other.
SIZES = ((30, 18, 150), (300, 180, 1500))
#: Additions that take about a second: how quiet a machine is, they tell.
ADDITIONS = 20_000_000

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

#: As noxfile.py has them: figures are kept beside them.
DOCTREES = ("-d", "build/doctrees")

#: Seconds of processor time from one sample to the next, which a kernel may round up.
INTERVAL = 0.002


def main() -> None:
    """Run the parts that are named, or all that need no torch and no network."""
    usual = [name for name in PARTS if name not in ("measure", "fresh")]
    for part in sys.argv[1:] or usual:
        control()
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            PARTS[part](Path(folder))
    control()


def control() -> None:
    """How long the same additions take on each core at once, and what share they had of it."""
    cores = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(cores) as pool:
        seconds = [*pool.map(_add, range(cores))]
    wall = max(took for took, _ in seconds)
    share = sum(busy for _, busy in seconds) / sum(took for took, _ in seconds)
    print(f"  {cores} cores, of which a task gets {share:.0%}; it takes {wall:.2f} s")


def _add(_number: int) -> tuple[float, float]:
    began, busy = time.perf_counter(), time.process_time()
    total = 0
    for value in range(ADDITIONS):
        total += value
    return time.perf_counter() - began, time.process_time() - busy


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
) -> str:
    """Build a site in a fresh process, which must be green; strict, it starts clean."""
    strict = ("-W", "--keep-going") if "-j" in options else ()
    settings = ("-q", *strict, "-n", "-c", str(ROOT / "conf"))
    folders = () if "-b" in options else (*DOCTREES, "docs", "build/html")
    return subprocess.run(
        [sys.executable, *runner, *settings, *options, *folders],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf"), "EVIDENCE": "replay"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def copied(folder: Path) -> Path:
    """The site as it is, in a folder of its own."""
    for name in ("conf", "docs", "examples"):
        ignored = shutil.ignore_patterns("gallery", "__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


def written(folder: Path, size: tuple[int, int, int]) -> Synthetic:
    """Write a synthetic site."""
    examples, pages, claims = size
    site = Synthetic(folder / "site", examples=examples, pages=pages, claims=claims)
    site.folder.mkdir(parents=True)
    site.write()
    return site


def clean(folder: Path) -> None:
    """All pages, from nothing: with every figure to draw, and with none."""
    copied(folder)

    def draw() -> None:
        shutil.rmtree(folder / "build", ignore_errors=True)
        build(folder, "-j", "auto")

    show("all pages, clean, every figure drawn", timed(draw), "s", "<= 80")
    seconds = timed(lambda: build(folder, "-j", "auto"))
    show("all pages, clean, no figure changed", seconds, "s", "<= 60")


def check(folder: Path) -> None:
    """What ``nox -s check`` does, beside the start of nox."""
    copied(folder)
    options = ("-b", "check", "-t", "check", "-j", "auto", "-d", "build/check-doctrees")
    run = (*options, "docs", "build/check")

    def anew() -> None:
        shutil.rmtree(folder / "build", ignore_errors=True)
        build(folder, *run)

    show("read and judge, from nothing", timed(anew), "s", "<= 45")
    show("read and judge, again", timed(lambda: build(folder, *run)), "s", "<= 10")


def preview(folder: Path) -> None:
    """What somebody waits for who writes, from the change to the page."""
    copied(folder)
    build(folder)
    page = folder / "docs" / "amp" / "gain.md"
    text = page.read_text("utf-8")
    edits = {
        "a word": (r"^Count ", "Now count ", "<= 4"),
        "a bound": (r"(?<=launches >= )1.4(?= )", "1.40", "<= 8"),
        "a heading": (r"^## ", "## New: ", "<= 15"),
    }
    for what, (old, new, wanted) in edits.items():
        changed, count = re.subn(old, new, text, count=1, flags=re.MULTILINE)
        assert count == 1, what
        seconds = []
        for _ in range(REPEAT):
            for content in (changed, text):
                page.write_text(content, "utf-8")
                began = time.perf_counter()
                build(folder)
                seconds.append(time.perf_counter() - began)
        show(f"preview: {what}", median(seconds), "s", wanted)


def grown(folder: Path) -> None:
    """Ten times as many claims and examples take ten times as long."""
    seconds = []
    for number, size in enumerate(SIZES):
        site = written(folder / str(number), size)
        seconds.append(timed(lambda site=site: build(site.folder, "-j", "auto")))
        examples, _pages, claims = size
        show(f"{examples} examples and {claims} claims, clean", seconds[-1], "s")
    show(
        "  ten times as many, so many times as long",
        seconds[1] / seconds[0],
        "",
        "<= 10",
    )


def fresh(folder: Path) -> None:
    """From a fresh clone to the site, by the README's first commands; once."""
    began = time.perf_counter()
    clone = folder / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    venv.create(folder / "env", with_pip=True)
    python = str(folder / "env" / "bin" / "python")
    quiet = {"cwd": clone, "check": True, "stdout": subprocess.DEVNULL}
    known = {**os.environ, "EVIDENCE": "replay"}
    subprocess.run([python, "-m", "pip", "install", "-q", "nox"], env=known, **quiet)
    subprocess.run([python, "-m", "nox", "-s", "docs"], env=known, **quiet)
    show("fresh clone to site", time.perf_counter() - began, "s", "<= 100")


def share(folder: Path) -> None:
    """The engine's own share of a clean build's processor time, and which function of it.

    A sample is the engine's own when the innermost code in it that is not Python's own library is
    below conf/: its modules and templates, with what they have the standard library do. What they
    have Sphinx, docutils or matplotlib do is not. The share grows when others become faster, so
    the time itself stands beside it.
    """
    site = written(folder, SIZES[-1])
    said = json.loads(build(site.folder, runner=(__file__, "sampled")))
    found, pages = Counter(said["samples"]), [*site.folder.glob("build/html/**/*.html")]
    total = found.total()
    del found[""]
    own = found.total() / total
    show("the engine's own code", 100 * own, "%", "<= 6")
    show("  for each page", 1000 * own * said["seconds"] / len(pages), "ms")
    for name, count in found.most_common(9):
        show(f"    {name}", 100 * count / total, "%")


def sampled() -> None:
    """Build, and print how often which function of the engine was at work, or another's code."""
    counts: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda _, frame: counts.update([at_work(frame)]))
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    code = sphinx(sys.argv[2:])
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps({"samples": counts, "seconds": time.process_time()}))
    sys.exit(code)


def at_work(frame: FrameType | None) -> str:
    """The engine's function that is at work itself; empty where other code is."""
    while frame is not None:
        path = frame.f_code.co_filename
        if f"{ROOT}/conf/" in path:
            return f"{Path(path).stem}.{frame.f_code.co_name}"
        # Whoever imports a module does not do the work of loading it.
        if "/site-packages/" in path or path.startswith("<frozen importlib"):
            return ""
        frame = frame.f_back
    return ""


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
    campaign = Campaign(Machine(BUILDER, ()), lambda _: None)
    begin = time.perf_counter()
    results = list(campaign.run([read_script(path) for path in paths]))
    took = time.perf_counter() - begin
    for result in results:
        assert isinstance(result, Recording), result
        assert processes == len(result.record.processes)
        took -= sum(process.seconds for process in result.record.processes)
    return took


PARTS = {
    "clean": clean,
    "check": check,
    "preview": preview,
    "grown": grown,
    "fresh": fresh,
    "share": share,
    "measure": measure,
}

if __name__ == "__main__":
    sampled() if sys.argv[1:2] == ["sampled"] else main()
