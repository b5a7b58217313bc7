"""Pages that moved: at each old address is one that leads to what took its place.

A link to a claim of an old page goes on to the claim, wherever it stands by now (``shell.js``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

from evidence.site.domain import evidence_of
from evidence.site.look.words import _


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page at each old address, with a link to the new one."""
    for old, new in evidence_of(app.env).site.redirects.items():
        if new in app.env.titles:
            title = app.env.titles[new].astext()
            target = app.builder.get_relative_uri(old, new)
            yield old, {"title": _("Moved"), "moved": target, "to": title}, "moved.html"


def setup(app: Sphinx) -> None:
    """Register the pages with Sphinx."""
    app.connect("html-collect-pages", pages)
