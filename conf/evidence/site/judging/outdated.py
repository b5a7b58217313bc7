"""What an incremental build must do again, beyond what Sphinx sees by itself.

A strict build starts clean. A preview keeps what it can while pages and scripts are edited. It
starts clean where a file was added, renamed or removed, and where anything else changed: a
record, a pass, the engine, the settings; and it writes pages again that show what others say.
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

from evidence.locks import hold_folder
from evidence.records.store import checksum
from evidence.site.diagnostics import inform
from evidence.site.domain import evidence_of

ENGINE = Path(__file__).resolve().parents[2]
#: What Sphinx itself sees change: pages, their figures, and examples.
EDITED = (".md", ".rst", ".py")


def on_config_inited(app: Sphinx, config: Config) -> None:
    """Remove what earlier builds made, unless this is a preview that can go on from it.

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
    goes_on = not app.keep_going and note.exists()
    if not goes_on or note.read_text() != now:
        # A folder that no Sphinx wrote to is not ours to empty.
        outdir = Path(app.outdir)
        made = [outdir] if (outdir / INVENTORY_FILENAME).exists() else []
        for folder in (*made, Path(app.doctreedir), gallery):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
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
    if before.get("frame") != now["frame"]:
        return sorted(app.env.found_docs)
    if before["claims"] == now["claims"]:
        return []
    read = evidence_of(app.env).pages
    return sorted(name for name, page in read.items() if page.generated)


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Remember what the pages show of each other."""
    if exception is None:
        _note(app).write_text(json.dumps(_shown(app)))
        if app.keep_going:
            # Nothing goes on from here, and it holds the paths of installed packages.
            Path(app.outdir, ".buildinfo").unlink(missing_ok=True)


def _note(app: Sphinx) -> Path:
    return Path(app.doctreedir, f"shown.{app.builder.name}.json")


def _shown(app: Sphinx) -> dict[str, str]:
    """Digests of what every page shows of others, and of what the generated ones show."""
    env, domain = app.env, evidence_of(app.env)
    frame = (
        sorted(env.domains.standard_domain.anonlabels.items()),
        sorted((page, toc.astext()) for page, toc in env.tocs.items()),
        sorted(env.toctree_includes.items()),
    )
    notes = [(note, domain.sentence(note)) for note in domain.formerly]
    claims = [
        (judgement.claim, judgement.findings, domain.sentence(judgement.claim))
        for judgement in domain.judged.judgements
    ]
    return {
        "frame": checksum(repr(frame).encode()),
        "claims": checksum(repr((claims, notes)).encode()),
    }
