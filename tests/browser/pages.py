"""The built site in Debian's Chromium: a server, browsers, and a visit to every page.

Every page is opened once, and looked at in light, in dark and as on a phone; the tests then judge
what was seen. Of the examples' pages, which one template makes from scripts, a part is opened; axe
takes seconds for a page, so it looks at a part of these, too.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conftest import ROOT

from browser.scripts import AXE, DRAWN, GONE, NEAR, SEEN, SHIFTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

#: The one without windows draws a page in three quarters of the time. ``.ci/run`` looks for these.
CHROMIUMS = ("chromium-headless-shell", "chromium", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), "/usr/bin/chromium")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update"),
    "--disable-sync",
]
#: Pages of each kind: a chapter's, the ledgers of all and of the chapter with the most claims, one
#: with hazards, an example's, and one with a long table.
PAGE = "transfer/pinned_memory.html"
LEDGERS, LEDGER = "evidence/ledger.html", "evidence/ledger/amp.html"
HAZARD = "execution/stream_memory.html"
EXAMPLE = "gallery/transfer/pinned_copy_is_faster.html"
WAITS = "execution/which_calls_wait_tables.html"
BACKGROUND = "(box) => getComputedStyle(box).backgroundColor"

WIDE, PHONE = {"width": 1350, "height": 1000}, {"width": 390, "height": 844}
#: One more than CI has cores: a browser waits for frames, and for what scripts move.
BROWSERS = 3

#: Every example and word of the site: they grow with it, and only those who ask load them.
GROWING = re.compile(r"gallery/(\w+/)?index\.html|_static/search_index\.js")

EXAMPLES = re.compile(r"gallery/\w+/(?!index)\w+\.html")
#: The lists that the build makes for each chapter.
LISTS = re.compile(r"evidence/(ledger|coverage|corrections)/\w+\.html")
FIGURE = re.compile(rb'<svg class="plot-drawing [a-z]+".*?</svg>', re.DOTALL)


@dataclass
class Visit:
    """What the opening of one page showed; what was seen is kept by mode."""

    page: str
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    violations: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Served:
    """A built site, and where it is served."""

    folder: Path
    address: str

    @property
    def pages(self) -> list[str]:
        """Every page, as its address continues; those of the claims are :attr:`claims`."""
        found = self.folder.rglob("*.html")
        names = (path.relative_to(self.folder).as_posix() for path in found)
        return sorted(name for name in names if not name.startswith("claims/"))

    @property
    def claims(self) -> list[str]:
        """The claims' own pages, by size: made from one template, a few of them tell of all."""
        found = [*self.folder.glob("claims/*.html")]
        found.sort(key=lambda path: (path.stat().st_size, path.name))
        return [path.relative_to(self.folder).as_posix() for path in found]

    @property
    def visited(self) -> list[str]:
        """The pages that are opened: all, but of the examples those with a figure, and a part."""
        pages = self.pages
        examples = [page for page in pages if EXAMPLES.fullmatch(page)]
        drawn = {page for page in examples if FIGURE.search(self.stored(page))}
        return sorted({*pages} - {*examples} | {*examples[::5]} | drawn)

    @property
    def judged(self) -> set[str]:
        """The pages that axe looks at: all, but a part of what one template made."""
        visited = self.visited
        examples = [page for page in visited if EXAMPLES.fullmatch(page)]
        lists = [page for page in visited if LISTS.fullmatch(page)]
        rest = {*visited} - {*examples} - {*lists}
        return rest | {*examples[::5]} | {*lists[::5]}

    def weight(self, request: str) -> int:
        """The bytes of a file as it is sent, without its figures; what grows weighs nothing."""
        name = request.removeprefix(self.address).partition("?")[0].partition("#")[0]
        if name.endswith((".svg", ".png")) or GROWING.fullmatch(name):
            return 0
        return len(gzip.compress(self.text(name)))

    def stored(self, name: str) -> bytes:
        """A file as it is stored."""
        return (self.folder / name).read_bytes()

    def text(self, name: str) -> bytes:
        """A page as it is stored, without its figures."""
        return FIGURE.sub(b"", self.stored(name))


class _Silent(http.server.SimpleHTTPRequestHandler):
    #: One connection for many files: a page is there in three quarters of the time.
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a page; with a header ``cut``, what follows that text late, as a slow line does."""
        cut = self.headers.get("cut")
        if cut and self.path.endswith(".html"):
            before, found, after = source.read().partition(cut.encode())
            outputfile.write(before + found)
            outputfile.flush()
            time.sleep(0.5)
            outputfile.write(after)
        else:
            super().copyfile(source, outputfile)


@contextmanager
def serve(folder: Path) -> Iterator[Served]:
    """Serve a folder on a free port of this machine alone."""
    handler = functools.partial(_Silent, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Served(folder, f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
        thread.join()


@contextmanager
def built(folder: Path) -> Iterator[Served]:
    """The site that ``SITE_HTML`` names, or one that is built here."""
    html = Path(os.environ.get("SITE_HTML") or folder / "html").resolve()
    if not html.exists():
        environment = {"PYTHONPATH": str(ROOT / "conf"), "EVIDENCE": "replay"}
        subprocess.run(
            [
                *(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"),
                *("-c", "conf", "-d", str(html.with_name("doctrees"))),
                *("docs", str(html)),
            ],
            cwd=ROOT,
            env={**os.environ, **environment},
            check=True,
        )
    with serve(html) as served:
        yield served


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium, for the thread that asks for it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


def axe() -> str:
    """The source of axe-core."""
    spec = importlib.util.find_spec("axe_playwright_python")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).with_name("axe.min.js").read_text("utf-8")


def visit_all(site: Served, pages: list[str]) -> list[Visit]:
    """Open these pages, in several browsers, each of which takes the largest that is left."""
    sizes = {name: (site.folder / name).stat().st_size for name in pages}
    left = iter(sorted(sizes, key=lambda name: -sizes[name]))  # one for all the threads
    with ThreadPoolExecutor(BROWSERS) as pool:
        found = [pool.submit(_visit, site, axe(), left) for _ in range(BROWSERS)]
        return [visit for visits in found for visit in visits.result()]


def _visit(site: Served, rules: str, left: Iterator[str]) -> list[Visit]:
    """Visit pages in one tab: it keeps what it compiled of axe, a new one has to begin anew."""
    visits: list[Visit] = []
    judged = {*site.judged, *site.claims}
    with browser() as chromium:
        page = chromium.new_context(viewport=WIDE).new_page()
        page.add_init_script(SHIFTS)
        watch(page, visits)
        for name in left:
            visits.append(Visit(name))
            page.set_viewport_size(WIDE)
            page.emulate_media(color_scheme="light")
            page.goto(site.address + name, wait_until="load")
            page.wait_for_timeout(50)  # what scripts move after the load
            page.evaluate(NEAR)
            page.evaluate(DRAWN)
            _look(page, visits[-1], rules if name in judged else "")
    return visits


def _look(page: Page, visit: Visit, rules: str) -> None:
    """See a page in every mode; of axe's rules, if given, that on contrast depends on the mode."""
    visit.seen["light"] = page.evaluate(SEEN)
    if rules:
        page.evaluate(rules)
        visit.violations["light"] = page.evaluate(AXE, [])
    page.emulate_media(color_scheme="dark")
    visit.seen["dark"] = page.evaluate(SEEN)
    if rules:
        visit.violations["dark"] = page.evaluate(AXE, ["color-contrast"])
    page.set_viewport_size(PHONE)
    page.evaluate(DRAWN)
    visit.seen["phone"] = page.evaluate(SEEN)
    page.evaluate(GONE)


def watch(page: Page, visits: list[Visit]) -> None:
    """Note what goes wrong, and what is asked for, with the page that was opened last."""

    def note(problem: str) -> None:
        visits[-1].problems.append(problem)

    page.on("request", lambda request: visits[-1].requests.append(request.url))
    page.on("pageerror", lambda error: note(str(error)))
    # An icon is asked for after the load, and the next page, opened meanwhile, breaks that off.
    page.on(
        "requestfailed",
        lambda request: (
            note(request.url) if request.failure != "net::ERR_ABORTED" else None
        ),
    )
    page.on(
        "console",
        lambda said: note(said.text) if said.type in ("error", "warning") else None,
    )
