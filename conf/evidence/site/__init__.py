"""The Sphinx side: shows records, collects claims, reports verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from evidence.examples.library import open_library
from evidence.examples.script import ScriptError
from evidence.site import nodes
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.gallery import archives, replay
from evidence.site.gallery.api_links import setup_api_links
from evidence.site.gallery.live import measure_for_build
from evidence.site.publish import claims_json
from evidence.site.publish.search_words import setup_search_words
from evidence.site.publish.shell import setup_shell
from evidence.site.publish.text_twins import setup_text_twins
from evidence.site.reading import counts, python_blocks, verdicts
from evidence.site.reading.claims import ClaimDirective, HazardDirective
from evidence.site.reading.formerly import FormerlyDirective
from evidence.site.reading.notebooks import setup_notebooks
from evidence.site.reading.plots import PlotDirective
from evidence.site.reading.roles import MeasuredRole
from evidence.site.tables import byline, cards, filler

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_site(app: Sphinx) -> None:
    """Register everything with Sphinx."""
    replay.setup_gallery(app)
    app.add_config_value(
        "evidence_examples", "../examples", "env", types=frozenset({str})
    )
    app.add_config_value("evidence_preview", False, "env", types=frozenset({bool}))
    app.add_domain(EvidenceDomain)
    app.add_directive("claim", ClaimDirective)
    app.add_directive("hazard", HazardDirective)
    app.add_directive("formerly", FormerlyDirective)
    app.add_directive("plot", PlotDirective)
    app.add_directive("evidence-record", replay.EvidenceRecordDirective)
    app.add_role("measured", MeasuredRole())
    nodes.setup_nodes(app)
    filler.setup_generated(app)
    setup_shell(app)
    setup_text_twins(app)
    setup_search_words(app)
    setup_api_links(app)
    setup_notebooks(app)
    # Before sphinx-gallery, which renders the examples at the default priority.
    app.connect("builder-inited", on_builder_inited, priority=100)
    # Before Sphinx collects the pictures that it copies.
    app.connect("doctree-read", cards.on_doctree_read, priority=100)
    app.connect("doctree-read", byline.on_doctree_read)
    app.connect("doctree-read", counts.on_doctree_read)
    app.connect("doctree-read", python_blocks.on_doctree_read)
    app.connect("env-updated", verdicts.on_env_updated)
    app.connect("build-finished", claims_json.on_build_finished)
    # After sphinx-gallery.
    app.connect("builder-inited", archives.on_builder_inited, priority=900)


def on_builder_inited(app: Sphinx) -> None:
    """Open the library, measured anew where the mode says so, and install the replay."""
    folder = (Path(app.srcdir) / app.config.evidence_examples).resolve()
    domain = evidence_of(app.env)
    try:
        measured = measure_for_build(folder, Path(app.outdir).parent / "records")
        library = open_library(folder, measured, domain.data["scripts"])
    except ScriptError as error:
        raise ConfigError(str(error)) from error
    domain.library = library
    target = Path(app.srcdir) / app.config.sphinx_gallery_conf["gallery_dirs"]
    replay.remove_orphans(library, target)
    replay.forget_changed(library, target, app.config.sphinx_gallery_conf)
    domain.rendered = replay.install(library).rendered
