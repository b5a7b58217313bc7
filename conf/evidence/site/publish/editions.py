"""The editions of the site, one for each language: words around the text, and links to the others.

A page has the same name in each. ``evidence_editions`` names the folder of each below the English
one; to which no page leads unless both are built together, with the tag ``editions``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sphinx.application import Sphinx

from evidence.site.diagnostics import inform
from evidence.site.domain import Page, evidence_of
from evidence.site.look.words import _, labelled
from evidence.site.tables.chapters import chapters
from evidence.words import N_

#: The tag of a build that lies beside those of the other editions.
TOGETHER = "editions"
#: Of less of it in its language, a page stands in no list of pages.
LEAST = 0.6
#: The words of furo around the text, for which it has no catalog.
FRAME = (
    *(N_("Toggle site navigation sidebar"), N_("Toggle table of contents sidebar")),
    *(N_("Toggle Light / Dark / Auto color theme"), N_("Contents"), N_("Menu")),
    *(N_("Expand"), N_("Light mode"), N_("Dark mode"), N_("Home"), N_("Next")),
    *(N_("Auto light/dark, in light mode"), N_("Auto light/dark, in dark mode")),
    *(N_("Skip to content"), N_("Back to top"), N_("On this page"), N_("Previous")),
    N_("Made with"),
)
_FRAMED = re.compile(rf'(?<=[>"])(\s*)({"|".join(map(re.escape, FRAME))})(\s*)(?=[<"])')
#: Where the text of a page begins and ends.
_TEXT = re.compile(r'(<article role="main".*</article>)', re.DOTALL)
#: The words of the style sheets, by the end of their variables.
STYLED = {
    "close": N_("close"),
    "expected": N_("expected: "),
    "measured": N_("measured: "),
    "margin": N_("margin: "),
    "passes": N_("held in passes"),
}
STATIC = Path(__file__).parents[3] / "_static"
_SAID = re.compile(r'\bsay\("([^"]+)"\)')


class Edition(NamedTuple):
    """What readers call a language, its tag, and where the page is that they read: from here."""

    name: str
    tag: str
    address: str


def around(app: Sphinx, page: str, *, is_page: bool) -> dict[str, Any]:
    """What the templates show of editions; a wrong address has no page in another."""
    language, own = app.config.language, folder(app)
    return {
        "framed": framed if language != "en" else str,
        "scripts_say": said_by_scripts(language),
        "styles_say": said_by_styles(language),
        "editions": [*others(app, page)] if page != "404" else [],
        "alternates": [*alternates(app, page)] if is_page else [],
        "translated": told(app, page),
        "folder": own,
        "up": "../" * own.count("/"),
    }


def framed(page: str) -> str:
    """The body of a page with furo's words in its language; its text is left as it is."""
    parts = _TEXT.split(page)
    parts[::2] = [
        _FRAMED.sub(lambda m: f"{m[1]}{_(m[2])}{m[3]}", p) for p in parts[::2]
    ]
    return "".join(parts)


@cache
def said_by_scripts(language: str) -> str:
    """The words of the scripts, as JSON; none in English, which they are written in."""
    if language == "en":
        return ""
    sources = (STATIC / name for name in ("shell.js", "ledger.js"))
    texts = {
        text for each in sources for text in _SAID.findall(each.read_text("utf-8"))
    }
    said = json.dumps({text: _(text) for text in sorted(texts)}, ensure_ascii=False)
    return said.replace("<", "\\u003c")


@cache
def said_by_styles(language: str) -> str:
    """The words of the style sheets, as variables; none in English."""
    if language == "en":
        return ""
    words = {name: _(text) for name, text in STYLED.items()} | {"colon": labelled("")}
    said = " ".join(f'--say-{name}: "{text}";' for name, text in words.items())
    return f":root {{ {said} }}"


def folder(app: Sphinx) -> str:
    """Where this edition is, below the English one: a path that ends in a slash, or nothing."""
    return str(app.config.evidence_editions.get(app.config.language, ("", ""))[1])


def english_address(app: Sphinx) -> str:
    """Where the English edition is served; empty where that is not known."""
    base, own = str(app.config.html_baseurl), folder(app)
    if app.config.language == "en":
        return base
    return base.removesuffix(own) if own and base.endswith(f"/{own}") else ""


def others(app: Sphinx, page: str) -> Iterator[Edition]:
    """The same page in the other editions, if they are built together."""
    root = "../" * (page.count("/") + folder(app).count("/"))
    for language, (name, path) in app.config.evidence_editions.items():
        if TOGETHER in app.tags and language != app.config.language:
            address = f"{root}{path}{page}.html"
            yield Edition(name, language.replace("_", "-"), address)


def alternates(app: Sphinx, page: str) -> Iterator[tuple[str, str]]:
    """The tag and the address of a page in each edition, as search engines want them."""
    base = evidence_of(app.env).stable
    if TOGETHER not in app.tags or not base:
        return
    for language, (_name, path) in app.config.evidence_editions.items():
        address = f"{base.removesuffix(folder(app))}{path}{page}.html"
        yield language.replace("_", "-"), address
        if not path:
            yield "x-default", address


def told(app: Sphinx, page: str) -> str:
    """How much of a page is translated; nothing where all is, or where nothing has to be."""
    total, translated = _progress(app, page)
    if translated == total:
        return ""
    if not translated:
        return _("This page is not translated yet: it is in English.")
    text = _(
        "{translated} of {total} texts of this page are translated, and the rest is in "
        "English. Where they differ, the English edition counts."
    )
    return text.format(translated=translated, total=total)


def _progress(app: Sphinx, page: str) -> tuple[int, int]:
    """How many texts a page has, and how many of them are in its language."""
    return evidence_of(app.env).pages.get(page, Page()).progress


@cache
def is_listed(app: Sphinx, page: str) -> bool:
    """Whether lists of pages show a page: enough of it is translated, or of one below it."""
    below = app.env.toctree_includes.get(page, ())
    total, translated = _progress(app, page)
    is_known = translated >= LEAST * total or page == app.config.root_doc
    return is_known or any(is_listed(app, each) for each in below)


def step_over(app: Sphinx, page: str, context: dict[str, Any]) -> None:
    """Have what leads to the page before and behind step over those that no list shows."""
    builder: Any = app.builder
    for name, place in (("prev", 1), ("next", 2)):
        near = builder.relations.get(page, (None,) * 3)[place]
        if near is None or is_listed(app, near):
            continue
        while near is not None and not is_listed(app, near):
            near = builder.relations[near][place]
        context[name] = near and {
            "link": builder.get_relative_uri(page, near),
            "title": builder.render_partial(app.env.titles[near])["title"],
        }


def on_env_updated(app: Sphinx, _env: object) -> None:
    """Print how much of each chapter is translated; the examples are in English everywhere."""
    if app.config.language == "en":
        return
    examples = f"{evidence_of(app.env).site.gallery}/"
    for name, pages in chapters(app.env).items():
        own = [_progress(app, p) for p in pages if not p.startswith(examples)]
        total, translated = (sum(each[place] for each in own) for place in (0, 1))
        if total:
            share = f"{translated} of {total} texts are translated"
            inform(f"{name}: {share} ({100 * translated // total} %)")
