"""The Sphinx side: shows records, collects claims, reports verdicts.

All that is registered with Sphinx stands here, so that one sees what runs when.
"""

from __future__ import annotations

import gc
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ConfigError

from evidence.examples.library import open_library
from evidence.examples.script import ScriptError
from evidence.judge import facts
from evidence.records.signed import read_signed
from evidence.records.versions import release
from evidence.site import live
from evidence.site.domain import EvidenceDomain, Site, evidence_of
from evidence.site.gallery import links, lists, replay
from evidence.site.judging import judged, outdated
from evidence.site.look import nodes, words
from evidence.site.publish import search_index, shell, site_files
from evidence.site.publish.translator import Translator
from evidence.site.reading import (
    claims,
    figure_texts,
    markup,
    notebooks,
    plots,
    prose,
    python_blocks,
    sweeps,
    translations,
    values,
)
from evidence.site.tables import GENERATED, GeneratedDirective, counts

DIRECTIVES = {
    "checks": prose.ChecksDirective,
    "wrong": prose.BlockDirective,
    "right": prose.BlockDirective,
    "result": prose.BlockDirective,
    "hazard": claims.HazardDirective,
    "plot": plots.PlotDirective,
    "picture": plots.PlotDirective,
    "answer": claims.AnswerDirective,
    "problems": claims.ProblemsDirective,
    "recorded": sweeps.RecordedDirective,
    "evidence-record": replay.EvidenceRecordDirective,
    # Sphinx's own, made stricter.
    "literalinclude": python_blocks.ExampleInclude,
    **dict.fromkeys(GENERATED, GeneratedDirective),
}

#: Each runs by a priority of its own.
TRANSFORMS = (
    *(translations.NoteTexts, translations.CompareTexts),
    *(prose.Spans, values.ShowMeasured),
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
    for extension in ("sphinx_gallery.gen_gallery", "sphinx.ext.intersphinx"):
        app.setup_extension(extension)
    app.add_domain(EvidenceDomain)
    app.add_builder(outdated.CheckBuilder)
    app.set_translator("html", Translator)
    app.add_message_catalog("evidence", str(words.CATALOGS))
    app.add_role("measured", values.MeasuredRole())
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive, override=True)
    for node in (nodes.details, nodes.summary, nodes.answer, nodes.para):
        app.add_node(node, html=(nodes.visit, nodes.depart))
    app.add_node(nodes.grid)
    app.add_node(nodes.placeholder)
    app.add_node(figure_texts.drawing, html=(figure_texts.visit, None))
    app.add_node(values.measured, html=(values.write_nothing, values.write_nothing))
    for transform in TRANSFORMS:
        app.add_transform(transform)
    app.add_post_transform(nodes.Filler)
    app.add_post_transform(links.LinkNames)
    app.add_js_file("shell.js", loading_method="defer")
    # The ledger's filters, behind what every page has.
    app.add_js_file("ledger.js", priority=600, loading_method="defer")
    for event, listener, priority in LISTENERS:
        app.connect(event, listener, priority)


def on_builder_inited(app: Sphinx) -> None:
    """Open library and sources, measured anew where the mode says so; install the replay."""
    if hidden := ", ".join(app.config.suppress_warnings):
        raise ConfigError(f"suppress_warnings hides {hidden}: mend what it warns of")
    gallery = app.config.sphinx_gallery_conf
    folder = Path(app.srcdir, gallery["examples_dirs"]).resolve()
    domain, source = evidence_of(app.env), Path(app.srcdir)
    try:
        records = Path(app.outdir).parent / "records"
        measured = live.measure_for_build(folder, source, records)
        library = open_library(folder, measured, domain.data["scripts"])
        upstream = facts.read_toml(source / facts.UPSTREAM, facts.Upstream)
        versions = facts.read_toml(source / VERSIONS, dict[str, list[str]])
        site = Site(
            library,
            upstream=upstream.statements,
            formerly=upstream.formerly,
            sources=facts.read_toml(folder.parent / facts.SOURCES, facts.Sources),
            gallery=gallery["gallery_dirs"],
            builders=words.builders_words(
                library.records.values(), app.config.language
            ),
            version=words.torch_series(library.records.values()),
            versions=sorted(versions.get("published", ()), key=release),
            news=facts.read_editions(source / facts.EDITIONS),
            redirects=facts.read_toml(source / REDIRECTS, dict[str, str]),
            rendered=replay.install(library),
            signed=read_signed(source),
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


#: What runs at an event, in this order; extensions and Sphinx itself have the priority 500.
LISTENERS = (
    ("config-inited", shell.on_config_inited, 500),
    # Before the environment is loaded, and with the settings of sphinx-gallery filled in.
    ("config-inited", outdated.on_config_inited, 900),
    ("builder-inited", outdated.on_builder_inited, 100),
    # Before sphinx-gallery renders the examples.
    ("builder-inited", on_builder_inited, 100),
    ("builder-inited", search_index.on_builder_inited, 500),
    # Behind it, and after the library was opened.
    ("builder-inited", links.on_builder_inited, 900),
    ("builder-inited", notebooks.on_builder_inited, 900),
    # Before Sphinx collects the pictures that it copies.
    ("doctree-read", lists.on_doctree_read, 100),
    ("doctree-read", counts.on_doctree_read, 100),
    ("doctree-read", notebooks.on_doctree_read, 500),
    ("doctree-read", outdated.on_doctree_read, 500),
    ("doctree-read", claims.on_doctree_read, 500),
    ("doctree-read", markup.on_doctree_read, 500),
    # Behind those that note what a page leads with and claims.
    ("doctree-read", search_index.on_doctree_read, 600),
    ("doctree-resolved", figure_texts.on_doctree_resolved, 500),
    ("env-updated", judged.on_env_updated, 500),
    ("html-collect-pages", shell.moved, 500),
    ("html-page-context", shell.before_furo, 400),
    ("html-page-context", shell.write_beside, 500),
    # Last: other listeners add files to a page.
    ("html-page-context", shell.on_html_page_context, 900),
    ("build-finished", search_index.on_build_finished, 500),
    ("build-finished", site_files.on_build_finished, 500),
)
