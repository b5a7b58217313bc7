"""The page around the text: its policy and description, its files, the roles in its markup.

What furo and Sphinx leave out is added where the page is made, in templates (conf/_templates) and
in the translator; nothing rewrites finished HTML.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator
from functools import cache, partial
from html import escape
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

from evidence.site.domain import evidence_of
from evidence.site.look.words import _, shortened
from evidence.site.publish import editions
from evidence.site.publish.claim_pages import card, write_claims
from evidence.site.publish.markdown import write_twin
from evidence.site.tables.news import feed_address

_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)

#: Of a longer list without a caption, such as that of a chapter's examples, a page lists one entry.
LONG_FROM = 9

#: Style sheets and scripts that extensions load on every page, by how their names begin, and what
#: stands in the pages that they are for; the empty ones have none here.
ONLY_FOR = {
    "furo-extensions.css": "",
    "sg-tags.js": "",
    "mystnb.": 'class="cell ',
    "sg_gallery.css": 'class="sphx-glr',
    "gallery.css": 'class="sphx-glr',
    "sg_gallery-": "output_subarea",
    "ledger.": '<table class="filtered',
    "prose.css": 'class="panel',
}


@cache
def inline_scripts() -> str:
    """The digests of furo's inline scripts: partials/site_meta.html allows no other."""
    template = Path(import_module("furo").THEME_PATH, "base.html")
    digests = ""
    for script in _INLINE.findall(template.read_text("utf-8")):
        digest = b64encode(hashlib.sha256(script.encode()).digest())
        digests += f" 'sha256-{digest.decode()}'"
    return digests.strip()


def is_used(file: object, body: str) -> bool:
    """Whether a page with this body has a use for a style sheet or script."""
    name = Path(str(getattr(file, "filename", file))).name
    marks = [mark for begin, mark in ONLY_FOR.items() if name.startswith(begin)]
    return all(mark and mark in body for mark in marks)


def before_furo(
    _app: Sphinx, _pagename: str, _template: str, context: dict[str, Any], _: object
) -> None:
    """Have furo draw no list of pages: sidebar/navigation.html does, without the closed branches.

    The names of all examples on every page would soon outweigh the pages, and to parse the list
    for each of them took a third of the build.
    """
    context.pop("toctree", None)


def branch(app: Sphinx, page: str) -> list[str]:
    """A page, and those that it stands below, up to the first."""
    relations = app.builder.relations  # type: ignore[attr-defined]
    pages = [page]
    while above := relations.get(pages[-1], ("",))[0]:
        pages.append(above)
    return pages


@cache
def lists(app: Sphinx, page: str) -> list[tuple[str, dict[str, str]]]:
    """The tables of contents of a page: each caption, and the name of each entry as HTML."""
    tables = []
    for tree in app.env.tocs[page].findall(addnodes.toctree):
        names = {entry: _named(app, name, entry) for name, entry in tree["entries"]}
        tables.append((tree.get("caption") or "", names))
    return tables


def listed(app: Sphinx, page: str, shown: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The tables of contents of a page, as the page that is shown lists them."""
    opened = branch(app, shown)
    is_root = page == app.config.root_doc
    is_shown = partial(editions.is_listed, app)
    for caption, names in lists(app, page):
        is_long = not (caption or is_root) and len(names) >= LONG_FROM
        chosen = {*filter(is_shown, names)}.intersection(opened if is_long else names)
        kept = {entry: name for entry, name in names.items() if entry in chosen}
        if kept or is_long:
            yield caption, kept


def crumbs(app: Sphinx, page: str) -> list[tuple[str, str]]:
    """What a page stands below, from the group down: names as HTML, and pages; a group has none."""
    found: list[tuple[str, str]] = []
    for below, above in pairwise(branch(app, page)):
        listings = lists(app, above)
        caption, names = next(each for each in listings if below in each[1])
        found.insert(0, (names[below], below))
        if above == app.config.root_doc and caption:
            found.insert(0, (escape(caption), ""))
    return found[:-1]


def _named(app: Sphinx, name: str | None, entry: str) -> str:
    """The name that an entry is given, or else the title of its page, with its literals."""
    if name or entry not in app.env.titles:
        return escape(name or entry)
    builder: Any = app.builder
    return str(builder.render_partial(app.env.titles[entry])["title"])


def contents(app: Sphinx, doctree: nodes.document) -> str:
    """The headings of a page, of which the build makes some that Sphinx has not seen, as HTML."""
    page = doctree.next_node(nodes.section)
    listed = _headings(page) if page is not None else nodes.bullet_list()
    builder: Any = app.builder
    return str(builder.render_partial(listed)["fragment"]) if listed.children else ""


def _headings(section: nodes.section) -> nodes.bullet_list:
    listed = nodes.bullet_list()
    for part in section:
        if isinstance(part, nodes.section):
            title = part.next_node(nodes.title)
            assert title is not None
            link = nodes.reference("", title.astext(), refuri=f"#{part['ids'][0]}")
            below = _headings(part)
            entry = nodes.list_item("", addnodes.compact_paragraph("", "", link))
            entry += below if below.children else []
            listed += entry
    return listed


def write_beside(
    app: Sphinx,
    pagename: str,
    _template: str,
    _context: object,
    doctree: nodes.document | None,
) -> None:
    """Write a page's Markdown twin and its claims with it, and so by as many processes."""
    if doctree is not None:
        write_twin(app, pagename, doctree)
        write_claims(app, pagename)


def on_html_page_context(
    app: Sphinx,
    pagename: str,
    _template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give the templates what they show, and the page only the files that it uses."""
    domain, root = evidence_of(app.env), app.config.root_doc
    own = domain.pages[pagename].lead if pagename in domain.pages else ""
    context["say"] = _
    context["shell"] = {
        "inline_scripts": inline_scripts() if app.keep_going else "",
        "description": shortened(own or domain.pages[root].lead),
        "builders": domain.site.builders,
        "markdown": f"{Path(pagename).name}.md" if doctree is not None else "",
        "base": app.config.html_baseurl,
        "stable": domain.stable,
        "feed": feed_address(domain),
        "version": domain.site.version,
        "versions": domain.site.versions,
        "author": app.config.author,
        "card": card(app, pagename),
        "opened": {*branch(app, pagename)},
        "listed": partial(listed, app),
        "crumbs": crumbs(app, pagename),
        **editions.around(app, pagename, is_page=doctree is not None),
    }
    editions.step_over(app, pagename, context)
    if doctree is not None and domain.pages[pagename].generated:
        context["toc"] = contents(app, doctree)
        context["furo_hide_toc"] = not context["toc"]
    body = context.get("body", "")
    for kind in ("css_files", "script_files"):
        context[kind] = [file for file in context[kind] if is_used(file, body)]


def moved(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page at each old address, with a link to the new one.

    A link to a claim of an old page goes on to the claim, wherever it stands by now: ``shell.js``.
    """
    for old, new in evidence_of(app.env).site.redirects.items():
        if new in app.env.titles:
            title = app.env.titles[new].astext()
            target = app.builder.get_relative_uri(old, new)
            yield old, {"title": _("Moved"), "moved": target, "to": title}, "moved.html"


def on_config_inited(app: Sphinx, config: Config) -> None:
    """A site that is released knows its address: previews, feeds and search engines need it."""
    if "release" in app.tags and not re.match(r"https?://.+/$", config.html_baseurl):
        where = f"-D html_baseurl=https://…/ (it is {config.html_baseurl!r})"
        raise ConfigError(f"a release needs its address, ending in a slash: {where}")
