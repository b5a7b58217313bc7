"""The Sphinx side: shows records, collects claims, reports verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ConfigError

from evidence.script import ScriptError
from evidence.site import (
    cards,
    cells,
    counts,
    downloads,
    gallery,
    generated,
    kernel,
    nodes,
    published,
    strip,
    verdicts,
)
from evidence.site.analysis_pages import setup_analysis
from evidence.site.api_links import setup_api_links
from evidence.site.claims import ClaimDirective, HazardDirective
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.formerly import FormerlyDirective
from evidence.site.library import open_library
from evidence.site.live import measure_for_build
from evidence.site.notebooks import setup_notebooks
from evidence.site.plots import PlotDirective
from evidence.site.roles import MeasuredRole
from evidence.site.search_words import setup_search_words
from evidence.site.shell import setup_shell
from evidence.site.text_twins import setup_text_twins

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup_site(app: Sphinx) -> None:
    """Register everything with Sphinx."""
    gallery.setup_gallery(app)
    app.add_config_value(
        "evidence_examples", "../examples", "env", types=frozenset({str})
    )
    app.add_config_value("evidence_preview", False, "env", types=frozenset({bool}))
    app.add_domain(EvidenceDomain)
    app.add_directive("claim", ClaimDirective)
    app.add_directive("hazard", HazardDirective)
    app.add_directive("formerly", FormerlyDirective)
    app.add_directive("plot", PlotDirective)
    app.add_directive("evidence-record", gallery.EvidenceRecordDirective)
    app.add_role("measured", MeasuredRole())
    nodes.setup_nodes(app)
    generated.setup_generated(app)
    setup_shell(app)
    setup_text_twins(app)
    setup_search_words(app)
    setup_api_links(app)
    setup_analysis(app)
    setup_notebooks(app)
    # Before sphinx-gallery, which renders the examples at the default priority.
    app.connect("builder-inited", on_builder_inited, priority=100)
    # Before Sphinx collects the pictures that it copies.
    app.connect("doctree-read", cards.on_doctree_read, priority=100)
    app.connect("doctree-read", strip.on_doctree_read)
    app.connect("doctree-read", counts.on_doctree_read)
    app.connect("doctree-read", cells.on_doctree_read)
    app.connect("env-updated", verdicts.on_env_updated)
    app.connect("build-finished", published.on_build_finished)
    # After sphinx-gallery.
    app.connect("builder-inited", downloads.on_builder_inited, priority=900)


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
    gallery.remove_orphans(library, target)
    gallery.forget_changed(library, target, app.config.sphinx_gallery_conf)
    domain.rendered = gallery.install(library).rendered
    if "myst_nb" in app.extensions:
        kernel.install(library, Path(app.doctreedir) / "kernel")
