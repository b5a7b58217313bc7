"""Settings of the site; what they do is documented by Sphinx and by each extension."""

import tomllib
from pathlib import Path

# -- Project ---------------------------------------------------------------------------

project = "Measured CUDA"
author = "the Measured CUDA contributors"
copyright = "2026, the Measured CUDA contributors"
html_title = "Measured CUDA"
language = "en"

# Where the site is served, ending in a slash: for the sitemap, feed, canonical links, previews of
# links and the page of a wrong address; `{version}` in it is the torch of the records. A release,
# `nox -s docs -- -t release`, fails without it: give it behind that, as
# `-D html_baseurl=https://…/{version}/`.
html_baseurl = ""

# -- Sources ---------------------------------------------------------------------------

extensions = ["evidence", "myst_nb"]
# sphinx-gallery writes a notebook beside each page: they are downloads, not pages.
exclude_patterns = ["**.ipynb"]
nitpicky = True

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "smartquotes"]
# Quotes and dots, but no dashes: a measured message has the hyphens of `--local-rank`.
smartquotes_action = "qe"

# -- Translations ----------------------------------------------------------------------

# A catalog for each page, as ``nox -s catalogs`` writes them: a text has no line number there, so
# that it changes where its words do.
locale_dirs = ["../conf/locale"]
gettext_compact = False
gettext_uuid = False
gettext_location = False
# What readers call each language, and its folder below the English edition. Pages lead to those of
# the other language where both are built together: ``nox -s publish`` does so.
evidence_editions = {"en": ("English", ""), "zh_CN": ("中文", "zh/")}
# What is not translated is marked, for browsers and for those who listen.
translation_progress_classes = "untranslated"

# -- Analysis pages --------------------------------------------------------------------

# myst-nb reports an error in a cell once; the evidence extension does in every build.
nb_execution_allow_errors = True
# Its default loads widgets from two content delivery networks.
nb_ipywidgets_js = {}

# -- Examples --------------------------------------------------------------------------

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/(?!_)[^/]+\.py$",
    # Matched against the name alone, unlike filename_pattern.
    "ignore_pattern": r"^_",
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "show_signature": False,
    # An example without a figure gets a picture that no page shows: the smaller, the sooner.
    "thumbnail_size": (1, 1),
    "download_all_examples": False,
    "write_computation_times": False,
    # The build measures elsewhere and its own memory says nothing.
    "show_memory": False,
    # Nothing is run here that draws, or that leaves a module changed.
    "image_scrapers": (),
    "reset_modules": (),
}

# -- PyTorch's documentation --------------------------------------------------------------

# Of the version that the site documents. The inventory is a text file of ours, so that a build
# needs no network: a line for each name, which `any` and `py:` roles and the examples' code then
# link.
versions = (Path(__file__).parents[1] / "docs/evidence/versions.toml").read_text(
    "utf-8"
)
newest = tomllib.loads(versions)["published"][-1]
intersphinx_mapping = {
    "torch": (f"https://docs.pytorch.org/docs/{newest}/", "../conf/torch.inv")
}
# Functions that upstream documents under another name, torch.cuda.memory, have no anchor.
linkcheck_anchors_ignore_for_url = [r"https://docs\.pytorch\.org/.*"]
# One for each claim, and a form that asks who you are.
linkcheck_ignore = [r".*/issues/new\?.*"]

# -- Look ------------------------------------------------------------------------------

html_theme = "furo"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
templates_path = ["_templates"]
html_css_files = ["evidence.css", "prose.css", "gallery.css", "ledger.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_additional_pages = {"404": "404.html", "search": "search.html"}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_theme_options = {
    # The address of the repository, without a slash at its end: for the clone command, and for the
    # links to it, to edit a page and to report what a claim says wrongly. Empty, there are none.
    "source_repository": "",
    "source_branch": "main",
    # Links in the footer do the same, and know where the source of an example is.
    "top_of_page_buttons": [],
    "light_css_variables": {
        "color-brand-primary": "#0b5394",
        "color-brand-content": "#0b5394",
        "verdict-good": "#0b6b53",
        "verdict-bad": "#a3264b",
        "plot-1": "#0b6b53",
        "plot-2": "#9a5b13",
        "plot-3": "#1f5fa8",
        "plot-4": "#9b3a78",
        "plot-muted": "#5c6370",
        "plot-grid": "#e9ebee",
        "color-code-background": "#f5f6f8",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cb6ff",
        "color-brand-content": "#6cb6ff",
        "verdict-good": "#56d3a6",
        "verdict-bad": "#ff8fab",
        "plot-1": "#56d3a6",
        "plot-2": "#e6bf69",
        "plot-3": "#6cb6ff",
        "plot-4": "#ff8fc4",
        "plot-muted": "#9aa4b2",
        "plot-grid": "#2b3036",
    },
}
