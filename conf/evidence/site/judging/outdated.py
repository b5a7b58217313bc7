"""What an incremental build must do again, beyond what Sphinx sees by itself.

A strict build starts clean. A preview keeps what it can while pages and scripts are edited, and so
does a check. They start clean where a file was added, renamed or removed, and where anything else
changed: a record, a pass, the engine, the settings; and they do those pages again that show what
others say, and those that were warned about, since what is not read again warns of nothing.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders.html import INVENTORY_FILENAME
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError

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
    fixed = {*_files(ENGINE, app.confdir), *sources} - edited
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
    tell = partial(inform, "waiting for another build of these pages")
    held = ExitStack()
    held.enter_context(hold_folder(app.srcdir, tell))
    app.connect("build-finished", lambda *_: held.close(), priority=999)


def _files(*folders: str | os.PathLike[str]) -> Iterator[Path]:
    for folder in folders:
        for path in (Path(folder), *Path(folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def pages(app: Sphinx) -> list[str]:
    """The pages that show no longer what the last finished build wrote."""
    note, now = _note(app), _shown(app)
    before = json.loads(note.read_text()) if note.exists() else {}
    # A build that breaks off before it has written them leaves the note as it was.
    note.with_suffix(".new").write_text(json.dumps(now))
    return sorted(page for page in now if before.get(page) != now[page])


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Remember what the pages show of each other."""
    if exception is None:
        note = _note(app)
        note.with_suffix(".new").replace(note)
        if app.keep_going:
            # Nothing goes on from here, and it holds the paths of installed packages.
            Path(app.outdir, ".buildinfo").unlink(missing_ok=True)


def _note(app: Sphinx) -> Path:
    return Path(app.doctreedir, f"shown.{app.builder.name}.json")


def _shown(app: Sphinx) -> dict[str, str]:
    """A digest for each page of what it shows of others.

    That is the titles of those before, behind and below it, what its links are called, and on a
    page that the build makes everything that is claimed. The titles in the sidebar are those of
    when a page was written: else one word in a title would have a preview write all pages.
    """
    env, domain = app.env, evidence_of(app.env)
    titles = {page: title.astext() for page, title in env.titles.items()}
    claims = [claim_entry(domain, judgement) for judgement in domain.judged.judgements]
    everything = checksum(repr((claims, sorted(titles.items()))).encode())
    neighbours = env.collect_relations()
    tree = sorted(env.toctree_includes.items())
    structure = checksum(repr(tree).encode())
    digests = {}
    for name in env.found_docs:
        page = domain.pages.get(name, Page())
        beside = [
            *filter(None, neighbours.get(name, ())),
            *env.toctree_includes.get(name, ()),
        ]
        facts = (
            [titles.get(other) for other in beside],
            [_target(env, target) for target in sorted(page.targets)],
            everything if page.generated else structure,
        )
        digests[name] = checksum(repr(facts).encode())
    return digests


def _target(env: BuildEnvironment, target: str) -> tuple[object, ...]:
    """What a link is called that leads to a label, a page or a term, and where it leads."""
    labels = env.domains.standard_domain
    title = env.titles[target].astext() if target in env.titles else ""
    term = labels.objects.get(("term", target))
    return title, labels.labels.get(target), labels.anonlabels.get(target), term
