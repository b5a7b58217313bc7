"""The Sphinx side: shows records, collects claims, reports verdicts."""

from __future__ import annotations

import gc
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ConfigError

from evidence.examples.library import open_library
from evidence.examples.script import ScriptError
from evidence.judge import facts
from evidence.site import live
from evidence.site import tables as late_tables
from evidence.site.domain import EvidenceDomain, Site, evidence_of
from evidence.site.gallery import links, lists, replay
from evidence.site.judging import judged, outdated
from evidence.site.look import nodes, words
from evidence.site.look.words import builders_words, torch_series
from evidence.site.publish import search_index, shell, site_files
from evidence.site.reading import (
    claims,
    markup,
    notebooks,
    plots,
    prose,
    python_blocks,
    sweeps,
    translations,
    values,
)
from evidence.site.tables import counts

DIRECTIVES = {
    "checks": prose.ChecksDirective,
    "wrong": prose.BlockDirective,
    "right": prose.BlockDirective,
    "result": prose.BlockDirective,
    "hazard": claims.HazardDirective,
    "plot": plots.PlotDirective,
    "picture": plots.PlotDirective,
    "problems": claims.ProblemsDirective,
    "recorded": sweeps.RecordedDirective,
    "evidence-record": replay.EvidenceRecordDirective,
    "literalinclude": python_blocks.ExampleInclude,
}

MODULES = (
    *(words, nodes, prose, values, late_tables, shell, search_index),
    *(translations, links, notebooks, outdated),
)


#: The versions of torch whose site is published, each at its address; below the pages' folder.
VERSIONS = "evidence/versions.toml"
#: Pages that moved: old name = new name.
REDIRECTS = "redirects.toml"


def setup_site(app: Sphinx) -> None:
    """Register everything with Sphinx."""
    # Nearly all that a build makes lives until a page is done: looking for garbage among it as
    # often as Python does takes a quarter of the build.
    gc.set_threshold(100_000, 50, 100)
    app.setup_extension("sphinx_gallery.gen_gallery")
    app.add_domain(EvidenceDomain)
    for name, directive in DIRECTIVES.items():
        # One of them is Sphinx's own, made stricter.
        app.add_directive(name, directive, override=True)
    for module in MODULES:
        module.setup(app)
    # Before sphinx-gallery, which renders the examples at the default priority.
    app.connect("builder-inited", on_builder_inited, priority=100)
    # Before Sphinx collects the pictures that it copies.
    for early in (lists, counts):
        app.connect("doctree-read", early.on_doctree_read, priority=100)
    for module in (claims, markup):
        app.connect("doctree-read", module.on_doctree_read)
    app.connect("env-updated", judged.on_env_updated)
    app.connect("build-finished", site_files.on_build_finished)


def on_builder_inited(app: Sphinx) -> None:
    """Open library and sources, measured anew where the mode says so; install the replay."""
    if hidden := ", ".join(app.config.suppress_warnings):
        raise ConfigError(f"suppress_warnings hides {hidden}: mend what it warns of")
    gallery = app.config.sphinx_gallery_conf
    folder = Path(app.srcdir, gallery["examples_dirs"]).resolve()
    domain, source = evidence_of(app.env), Path(app.srcdir)
    try:
        measured = live.measure_for_build(folder, Path(app.outdir).parent / "records")
        library = open_library(folder, measured, domain.data["scripts"])
        upstream = facts.read_toml(source / facts.UPSTREAM, facts.Upstream)
        versions = facts.read_toml(source / VERSIONS, dict[str, list[str]])
        site = Site(
            library,
            upstream=upstream.statements,
            formerly=upstream.formerly,
            sources=facts.read_toml(folder.parent / facts.SOURCES, facts.Sources),
            gallery=gallery["gallery_dirs"],
            builders=builders_words(library.records.values(), app.config.language),
            version=torch_series(library.records.values()),
            versions=versions.get("published", ()),
            news=facts.read_editions(source / facts.EDITIONS),
            redirects=facts.read_toml(source / REDIRECTS, dict[str, str]),
            rendered=replay.install(library),
        )
    except (ScriptError, facts.FactsError) as error:
        raise ConfigError(str(error)) from error
    domain.open(site)
    # What is read from settings alone, by Sphinx and by sphinx-gallery, is filled in there.
    base = app.config.html_baseurl.replace("{version}", site.version)
    app.config.html_baseurl = base
    if replay.is_rendered(library, source / site.gallery):
        # sphinx-gallery would parse every script twice to find that out.
        gallery.update(examples_dirs=[], gallery_dirs=[])
