"""Markup that shows what nothing checks, or hides what is checked: reported where it stands.

A claim whose markup is broken is printed as text and never judged; raw HTML could draw a verdict
that nobody reached; and a number that is typed is not compared with what was measured.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.nodes import above
from evidence.site.reading.python_blocks import UNEXECUTED, is_unexecuted

#: In running text: a role or directive, its option, its end, and what only the build writes.
_LEFT_OVER = re.compile(r"\{[a-z-]+\}|:measured:|^:[a-z-]+:(?=\s|$)|:::|[✓✗]")
#: In code, where braces are common.
_IN_CODE = re.compile(r"(?m)\{(claim|measured)\}\s*\S+|^\s*:(value|expect|check|of):")
#: A number and its unit; 10 × 10 is a shape, and 16-bit a name. NUL stands for what is not typed.
_QUANTITY = re.compile(
    r"(?<![\w.])\d[\d.,]*"
    r"(?:[\s-]?(?:%|[×x](?!\s*[\d\0])|times|fold|[nmµu]s|[kKMGTP]i?B(?:/s)?|bytes?"
    r"|[kMG]?Hz|[MGTP]?FLOP(?:S|/s)|per ?cent)|[\s-](?:s|W|\w*seconds?|minutes?))(?!\w)"
)
#: An option that a directive has twice, of which MyST takes the last; a claim sees to its own.
_TWICE = re.compile(r"(?m)^:(?!value|expect|check|of)([\w-]+):.*\n(?::.*\n)*?:\1:")
#: What sphinx-gallery itself writes as HTML, around the pictures of examples.
_FRAME = re.compile(r"""(\s*</?div( (class|id|tooltip)=["'][^"'<>]*["'])*>[^<✓✗]*)+""")
#: Classes of the boxes that directives of this site make.
OURS = {
    "claim",
    "evidence",
    "hazard",
    "formerly",
    "plot",
    "details",
    "verdict",
    "strip",
}
_BLOCKS = (nodes.paragraph, nodes.title, nodes.rubric, nodes.term)
_VERBATIM = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.problematic)

RAW = "raw HTML or meta data shows what no record says; write Markdown, and % for a comment"
TWICE = "the option {!r} stands twice, and one of them would be ignored; remove it"
PRINTED = "{!r} is printed as text; mend the markup, or show it in a block of markdown"
TYPED = "{!r} is typed, and checked by nothing; write it as {{measured}}`stem.name`"
FORGED = "a block of class {!r} is the build's own to make; remove the class"
HIDDEN = "claim {!r} holds a heading, or stands in a block; end that with ':::' before"


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note all such markup of a page."""
    domain, path = evidence_of(app.env), app.env.doc2path(app.env.docname)
    gallery = f"{domain.gallery}/"
    for node in doctree.findall():
        if message := _fault(node, app.env.docname.startswith(gallery)):
            line = next((each.line for each in (node, *above(node)) if each.line), 0)
            kind = Kind.UNEXECUTED if message is UNEXECUTED else Kind.MARKUP
            domain.note_fault(kind, message, line)
    for match in _TWICE.finditer(path.read_text("utf-8")):
        line = match.string.count("\n", 0, match.end()) + 1
        domain.note_fault(Kind.MARKUP, TWICE.format(match[1]), line)


def _fault(node: nodes.Node, gallery: bool) -> str:
    """What is wrong with a node; empty where nothing is, and in cells that the build runs."""
    boxes = [*above(node)]
    around = {name for each in boxes for name in (each.tagname, *each["classes"])}
    run = any("nb_element" in each for each in boxes)
    if isinstance(node, (nodes.raw, nodes.meta)):
        known = run or (gallery and _FRAME.fullmatch(node.astext()))
        return "" if known or "drawn" in node else RAW
    if run or gallery:
        return ""
    if isinstance(node, nodes.container) and "made" not in node:
        forged = OURS.intersection(node["classes"])
        return FORGED.format(min(forged)) if forged else ""
    if isinstance(node, nodes.container) and "claim" in node["classes"]:
        beside = around - {"document", "section", "container", "hazard", "stacked"}
        hidden = beside or [*node.findall(nodes.rubric)] or node["classes"] != ["claim"]
        return HIDDEN.format(" ".join(node["ids"])) if hidden else ""
    found, message = None, PRINTED
    if isinstance(node, (nodes.literal, nodes.literal_block)):
        code = "" if node.get("language") == "markdown" else node.astext()
        found = _IN_CODE.search(code)
    elif isinstance(node, nodes.Text) and not isinstance(node.parent, _VERBATIM):
        found = _LEFT_OVER.search(node.astext())
    elif isinstance(node, _BLOCKS) and not around & {
        "block_quote",
        "formerly",
        "details",
    }:
        # Nor where others speak, or the build.
        found, message = _QUANTITY.search(_typed(node)), TYPED
    if found is None:
        return UNEXECUTED if is_unexecuted(node) else ""
    return message.format(found[0].strip())


def _typed(node: Any) -> str:
    """The words of a block; code and measured values are one NUL each."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.literal) or "measured" in node["classes"]:
        return "\0"
    return "".join(map(_typed, node.children))
