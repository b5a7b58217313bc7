"""A figure's texts in another language: what stands for it unseen, and the labels drawn in it.

Its title and its caption are texts of the page, and translated as such.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.gettext import MessageCatalogBuilder
from sphinx.environment import BuildEnvironment

from evidence.figures import PlotError
from evidence.figures.drawing import inline_svg
from evidence.figures.labels import PLACE
from evidence.site.reading import quantities
from evidence.site.reading.quantities import CODE, FORGED_MARK

#: The catalog of all labels: many a figure has the same.
CATALOG = "figures"


class drawing(nodes.Special, nodes.TextElement, addnodes.translatable):  # noqa: N801 - docutils names visitors after nodes
    """A figure as inline SVGs without a name; its text is its alternative text, which names them.

    ``labels`` are the patterns of what is drawn in it.
    """

    def preserve_original_messages(self) -> None:
        """Keep the text as the page has it."""
        self["original"] = self.astext()

    def extract_original_messages(self) -> list[str]:
        """What is to be translated."""
        return [self["original"]]

    def apply_translated_message(self, _original: str, translated: str) -> None:
        """Have the translation instead, as it is: no markup is read in it."""
        self.children = []
        self += nodes.Text(translated)
        self["translated"] = True


def shown(name: str, svgs: Iterable[str], alt: str, labels: Iterable[str]) -> drawing:
    """A figure's drawings for a wide screen and for a phone, as the page shows them."""
    kinds = zip(("wide", "phone"), svgs, strict=True)
    drawn = [inline_svg(svg, f"{name}-{kind}", "", kind) for kind, svg in kinds]
    return drawing("", alt, svgs=drawn, labels=labels)


def visit(translator: Any, node: drawing) -> None:
    """Write the SVGs with their name, which may be of another language than the page."""
    language = ' lang="en"' * ("untranslated" in node["classes"])
    name = f'{language} aria-label="{escape(node.astext())}"'
    translator.body += [svg.replace(' aria-label=""', name, 1) for svg in node["svgs"]]
    raise nodes.SkipNode


def on_doctree_resolved(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Extract the labels of a page's figures, when the texts of the site are."""
    if isinstance(app.builder, MessageCatalogBuilder):
        for node in doctree.findall(drawing):
            for label in node["labels"]:
                app.builder.catalogs[CATALOG].add(label, node)


def said(env: BuildEnvironment, labels: Iterable[str]) -> dict[str, str]:
    """What labels are in the language of the build, where that has something else for them.

    :raises PlotError: when it says what they do not
    """
    language, found = env.config.language, gettext.NullTranslations()
    for folder in env.config.locale_dirs:
        place = Path(env.srcdir, folder)
        if path := gettext.find(CATALOG, place, [language]):
            env.note_dependency(path)
            found = gettext.translation(CATALOG, place, [language])
    texts = {label: found.gettext(label) for label in labels}
    for label, text in texts.items():
        if _added(label, text):
            message = f"draws {label!r} as {text!r}: keep its numbers, and add none"
            raise PlotError(message)
    return {label: text for label, text in texts.items() if text != label}


def _added(label: str, text: str) -> bool:
    """Whether a translation of a label has other numbers, or what only the build may draw."""
    bare, before = PLACE.sub(CODE, text), PLACE.sub(CODE, label)
    numbers = {*re.findall(r"\d+", bare)} - {*re.findall(r"\d+", before)}
    typed = quantities.first(bare) and not quantities.first(before)
    strange = FORGED_MARK.search(bare) or quantities.invisible(bare)
    moved = sorted(PLACE.findall(text)) != sorted(PLACE.findall(label))
    return bool(numbers or typed or strange or moved)
