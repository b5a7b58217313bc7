"""The builder ``check``: reads and judges, and writes nothing; what was read, it keeps.

A page is read again when it changed, or when the last build warned of it: Sphinx would say nothing
of a page that it does not read, and a check that is repeated would be green.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.dummy import DummyBuilder
from sphinx.environment import BuildEnvironment
from sphinx.util.logging import get_node_location

from evidence.site.domain import evidence_of
from evidence.site.judging.outdated import CHECK


class CheckBuilder(DummyBuilder):
    """Resolves the links of the pages that were read, and writes none."""

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
        path, _colon, _line = place.partition(":")
        # Other faults of ours are found anew in each build.
        if getattr(record, "type", "") != "evidence" or path.startswith("/"):
            self.places.add(path)


def on_builder_inited(app: Sphinx) -> None:
    """Note the warnings of this build, for the next one that goes on from it."""
    warned = Warned()
    logger = logging.getLogger("sphinx")
    logger.addHandler(warned)

    def on_build_finished(app: Sphinx, _exception: Exception | None) -> None:
        logger.removeHandler(warned)
        pages = app.env.found_docs
        names = [
            place if place in pages else app.env.path2doc(place) or place
            for place in warned.places
        ]
        _note(app).write_text(json.dumps(sorted(names)))

    app.connect("build-finished", on_build_finished, priority=999)


def on_env_get_outdated(
    app: Sphinx,
    env: BuildEnvironment,
    _added: set[str],
    _changed: set[str],
    _removed: set[str],
) -> list[str]:
    """The pages that the last build warned of; all of them, where it warned of something else."""
    note = _note(app)
    warned = set(json.loads(note.read_text())) if note.exists() else set()
    return sorted(env.found_docs if warned - env.found_docs else warned)


def _note(app: Sphinx) -> Path:
    return Path(app.doctreedir, f"warned.{app.builder.name}.json")


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note what the links of a page lead to."""
    targets = evidence_of(app.env).reading.targets
    for link in doctree.findall(addnodes.pending_xref):
        targets.update(filter(None, (link.get("reftarget"), link.get("reftargetid"))))


def setup(app: Sphinx) -> None:
    """Register the builder, and what it and a preview go on from."""
    app.add_builder(CheckBuilder)
    app.connect("builder-inited", on_builder_inited, priority=100)
    app.connect("env-get-outdated", on_env_get_outdated)
    app.connect("doctree-read", on_doctree_read)
