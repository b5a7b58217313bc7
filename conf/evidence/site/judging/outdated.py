"""What an incremental build must do again, beyond what Sphinx sees by itself.

A strict build starts clean. A preview keeps what it can while pages and scripts are edited, and so
does a check. They start clean where a file was added, renamed or removed, and where anything else
changed: a record, a pass, the engine, the settings; and they do those pages again that show what
others say, and those that were warned about, since what is not read again warns of nothing.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path, PurePath

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.dummy import DummyBuilder
from sphinx.builders.html import INVENTORY_FILENAME
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError
from sphinx.util.logging import get_node_location

from evidence.locks import hold_folder
from evidence.records.store import checksum
from evidence.site.diagnostics import inform
from evidence.site.domain import Page, evidence_of
from evidence.site.judging.data import claim_entry

ENGINE = Path(__file__).resolve().parents[2]
#: The tag of a build that reads and judges alone.
CHECK = "check"
#: What Sphinx itself sees change: pages, their figures, and examples.
EDITED = (".md", ".rst", ".py")
#: So do translations of pages; those of our own words change all pages.
TEXTS, WORDS = (".po", ".mo"), "evidence.po"


def on_config_inited(app: Sphinx, config: Config) -> None:
    """Remove what earlier builds made, unless this is a preview or check that can go on from it.

    A build is strict where warnings are errors, and otherwise a preview: no setting makes it one.
    """
    _wait_for_others(app)
    gallery = Path(app.srcdir, config.sphinx_gallery_conf["gallery_dirs"])
    examples = Path(app.srcdir, config.sphinx_gallery_conf["examples_dirs"]).resolve()
    folders = (path for path in app.srcdir.iterdir() if path != gallery)
    sources = {*_files(*folders, examples)}
    edited = {path for path in sources if path.suffix in EDITED}
    known = {*_files(ENGINE, Path(app.confdir)), *sources} - edited
    fixed = {path for path in known if path.name == WORDS or path.suffix not in TEXTS}
    contents = [(path, path.read_bytes()) for path in sorted(fixed)]
    now = checksum(repr((sorted(edited), contents)).encode())
    note = Path(app.doctreedir, "made-of")
    goes_on = note.exists() and (not app.keep_going or CHECK in app.tags)
    if not goes_on or note.read_text() != now:
        # A folder that no Sphinx wrote to is not ours to empty.
        outdir = Path(app.outdir)
        made = [outdir] if (outdir / INVENTORY_FILENAME).exists() else []
        for folder in (*made, Path(app.doctreedir), gallery):
            try:
                if folder.exists():
                    shutil.rmtree(folder)
                folder.mkdir(parents=True)
            except OSError as error:
                reason = f"{folder} cannot be written to ({error.strerror})"
                raise ConfigError(f"{reason}: build a copy that can") from None
    note.write_text(now)


def _wait_for_others(app: Sphinx) -> None:
    """Build alone: a strict build beside a preview would take the examples' pages from it."""
    held = ExitStack()
    tell = partial(inform, "waiting for another build of these pages")
    held.enter_context(hold_folder(app.srcdir, tell))
    app.connect("build-finished", lambda *_: held.close(), priority=999)


def _files(*folders: Path) -> Iterator[Path]:
    for path in folders:
        if path.is_file():
            yield path
        for folder, inner, names in os.walk(path):
            inner[:] = [name for name in inner if name != "__pycache__"]
            yield from (Path(folder, name) for name in names)


class CheckBuilder(DummyBuilder):
    """The builder ``check``: resolves the links of the pages that were read, and writes none."""

    name = CHECK
    epilog = "Every claim was judged."

    def get_outdated_docs(self) -> set[str]:
        """No page is old that was not read again."""
        return set()


class Warned(logging.Handler):
    """Notes where each warning of a build points."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.places: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Note the page, or whatever else the warning points to."""
        location = getattr(record, "location", None)
        if isinstance(location, nodes.Node):
            location = get_node_location(location)
        place = location[0] if isinstance(location, tuple) else str(location or "")
        path = place.partition(":")[0]
        # Other faults of ours are found anew in each build.
        if getattr(record, "type", "") != "evidence" or path.startswith("/"):
            self.places.add(path)


def on_builder_inited(app: Sphinx) -> None:
    """Have the next build read again what this one warns of: all pages, where it is no page."""
    warned = Warned()
    logger = logging.getLogger("sphinx")
    logger.addHandler(warned)

    def on_build_finished(app: Sphinx, _exception: Exception | None) -> None:
        logger.removeHandler(warned)
        pages, path2doc = app.env.found_docs, app.env.path2doc
        names = {p if p in pages else path2doc(p) for p in warned.places}
        for page in names if names <= pages else pages:
            # Sphinx reads a page whose doctree is missing.
            Path(app.doctreedir, f"{page}.doctree").unlink(missing_ok=True)

    app.connect("build-finished", on_build_finished, priority=999)


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note what the links of a page lead to, and its lists of pages."""
    targets = evidence_of(app.env).reading.targets
    for link in doctree.findall(addnodes.pending_xref):
        targets.update(filter(None, (link.get("reftarget"), link.get("reftargetid"))))
    for toctree in doctree.findall(addnodes.toctree):
        targets.update(toctree["includefiles"])


def pages(app: Sphinx) -> list[str]:
    """The pages that show no longer what the last finished build of this kind wrote."""
    note = Path(app.doctreedir, f"shown.{app.builder.name}.json")
    before = json.loads(note.read_text()) if note.exists() else {}
    now = _shown(app)

    def on_build_finished(app: Sphinx, _exception: Exception | None) -> None:
        # After one that broke off, Sphinx reads and writes all pages.
        note.write_text(json.dumps(now))
        if app.keep_going:
            # Nothing goes on from here, and it holds the paths of installed packages.
            Path(app.outdir, ".buildinfo").unlink(missing_ok=True)

    app.connect("build-finished", on_build_finished)
    return sorted(page for page in now if before.get(page) != now[page])


def _shown(app: Sphinx) -> dict[str, str]:
    """A digest for each page of what it shows of others.

    That is what its links are called, and on a page that the build makes everything that is
    claimed, or all claims of the chapter that it is named for. The titles in the sidebar, and of
    the pages before and behind it, are those of when a page was written: else one word in a title
    would have a preview write all pages.
    """
    env, domain = app.env, evidence_of(app.env)
    titles = sorted((page, title.astext()) for page, title in env.titles.items())
    claimed = defaultdict[str, list[object]](list)
    for judgement in domain.judged.judgements:
        entry = _digest(claim_entry(domain, judgement))
        for chapter in {"", PurePath(judgement.claim.page).parent.name}:
            claimed[chapter].append(entry)
    claims = {chapter: _digest(titles, of) for chapter, of in claimed.items()}
    structure = _digest(sorted(env.toctree_includes.items()))
    digests = {}
    for name in env.found_docs:
        page, shown = domain.pages.get(name, Page()), structure
        if page.generated:
            shown = claims.get(PurePath(name).name, claims.get("", ""))
        links = [_target(env, target) for target in sorted(page.targets)]
        digests[name] = _digest(links, shown)
    return digests


def _digest(*facts: object) -> str:
    return checksum(repr(facts).encode())


def _target(env: BuildEnvironment, target: str) -> tuple[object, ...]:
    """What a link is called that leads to a label, a page or a term, and where it leads."""
    labels = env.domains.standard_domain
    title = env.titles[target].astext() if target in env.titles else ""
    term = labels.objects.get(("term", target))
    return title, labels.labels.get(target), labels.anonlabels.get(target), term
