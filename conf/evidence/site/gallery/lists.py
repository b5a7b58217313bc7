"""The examples' plots, and the lists of examples: sphinx-gallery's boxes as text."""

from __future__ import annotations

import ast
import re
from pathlib import PurePosixPath
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_gallery.directives import imgsgnode

from evidence.examples.library import Example
from evidence.figures.drawing import inline_svg
from evidence.judge.verdict import Verdict
from evidence.site.domain import evidence_of
from evidence.site.look.evidence import Content, verdict_words
from evidence.site.look.nodes import Filler, late, paragraph, prose, span

_PICTURE = re.compile(r"sphx_glr_(?P<stem>\w+)_(?:(?P<number>\d+)|thumb)\.\w+")


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Put the pictures and lists of the examples in style."""
    domain = evidence_of(app.env)
    examples = domain.site.library.examples
    shown = PurePosixPath(app.env.docname)
    title = doctree.next_node(nodes.title)
    if shown.is_relative_to(domain.site.gallery) and shown.name in examples and title:
        title.parent.insert(1, late(resting, shown.name))
    for image in [*doctree.findall(nodes.image), *doctree.findall(imgsgnode)]:
        match = _PICTURE.fullmatch(PurePosixPath(image["uri"]).name)
        if not match or match["stem"] not in examples:
            continue
        example = examples[match["stem"]]
        if not match["number"]:
            domain.reading.generated = True
            _list(image, example)
        else:
            name = f"{example.stem}-{int(match['number'])}"
            svg = example.record_path.with_name(f"{name}.svg").read_text("utf-8")
            drawn = inline_svg(svg, name, image.get("alt", ""), "recorded")
            image.replace_self(nodes.raw("", drawn, format="html", drawn=True))


def _list(image: Any, example: Example) -> None:
    """Make of sphinx-gallery's box an item of a list: text that can be found and selected."""
    box, home = image.parent, image.parent.parent
    at = home.index(box)
    item = nodes.list_item("", late(entry, example.stem))
    if example.record and example.record.figures:
        item += image
    items = home[at - 2]
    if not isinstance(items, nodes.bullet_list):
        items = nodes.bullet_list(classes=["examples"])
        home.insert(at + 2, items)
    items += item
    del home[at - 1 : at + 2]  # the box, and the raw tags around it


def entry(filler: Filler, stem: str) -> list[nodes.Node]:
    """An example in a list: its title, what it asks and answers, and the claims that rest on it."""
    domain, titles = filler.domain, filler.env.titles
    gallery, library = domain.site.gallery, domain.site.library
    page, example = library.page(stem, gallery), library.examples[stem]
    link = filler.link("", page)
    link += [node.deepcopy() for node in titles[page]]
    if filler.page == f"{gallery}/index":
        return [paragraph(link)]  # the list of its chapter says more
    parsed = ast.parse(example.path.read_text("utf-8") if example.script else "")
    docstring = ast.get_docstring(parsed) or ""
    asked = map(prose, docstring.split("\n\n")[1:2])
    return [paragraph(link), *asked, *resting(filler, stem)]


def resting(filler: Filler, stem: str) -> list[nodes.Node]:
    """What rests on an example: how many claims, whether they hold, and on which pages."""
    own = filler.judged.by_stem.get(stem, ())
    held = all(judgement.verdict is Verdict.HOLDS for judgement in own)
    mark = span("✓", "verdict", "holds") if held else span("✗", "verdict")
    line: Content = [mark, f" {verdict_words(own)}"]
    first = dict[str, str]()
    for judgement in own:
        first.setdefault(judgement.claim.page, judgement.claim.id)
    for name, anchor in first.items():
        line += [" · ", filler.link(filler.env.titles[name].astext(), name, anchor)]
    return [paragraph(*line, classes=["rests"])] if own else []
