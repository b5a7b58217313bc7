"""How long a build takes, and what measuring costs beside the examples: a script, no test.

``nox -s bench`` prints each number, as the median of three, beside what is wanted on two cores;
the name of a part behind it, of :data:`PARTS`, that part alone. ``measure`` needs torch, which is
where ``nox -s gpu`` put it: ``PYTHONPATH=conf .nox/gpu/bin/python tests/bench.py measure``.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from evidence.examples.script import read_script
from evidence.measure.campaign import Campaign
from evidence.measure.machine import Machine
from evidence.measure.recording import Recording
from sphinx.cmd.build import main as sphinx
from synthetic import BUILDER, ROOT, Synthetic

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

REPEAT = 3
#: Examples, pages and claims of the two synthetic sites.
SIZES = ((100, 60, 500), (300, 180, 1500))

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

#: Seconds of processor time from one sample to the next, which a kernel may round up.
INTERVAL = 0.002


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
) -> str:
    """Build a site in a fresh process, which must be green; strict, it starts clean."""
    strict = ("-W", "--keep-going") if "-j" in options else ()
    settings = ("-q", *strict, "-c", str(ROOT / "conf"))
    return subprocess.run(
        [sys.executable, *runner, *settings, *options, "docs", "build/html"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf"), "EVIDENCE": "replay"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


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
        build(site.folder)

        def change(site: Synthetic = site) -> None:
            site.edit_a_word()
            build(site.folder)

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
    """The engine's own share of a clean build's processor time, and which function of it.

    A sample is the engine's own when the innermost code in it that is not Python's own library is
    below conf/: its modules and templates, with what they have the standard library do. What they
    have Sphinx, docutils or matplotlib do is not. The share grows when others become faster, so
    the time itself stands beside it.
    """
    site = written(folder, SIZES[1])
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
    "today": today,
    "grown": grown,
    "preview": preview,
    "share": share,
    "nox": nox,
    "measure": measure,
}

if __name__ == "__main__":
    sampled() if sys.argv[1:2] == ["sampled"] else main()
