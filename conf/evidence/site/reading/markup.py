"""Markup that shows what nothing checks, or hides what is checked: reported where it stands.

A claim whose markup is broken is printed as text and never judged; raw HTML could draw a verdict
that nobody reached; and a number that is typed is not compared with what was measured.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above
from evidence.site.reading.python_blocks import UNEXECUTED, is_unexecuted
from evidence.site.reading.roles import measured

#: What only the build writes, and what looks like it.
FORGED_MARK = re.compile("[✓✔☑✅✗✘☒❌]")
#: In running text: a role or directive, its option, its end.
_LEFT_OVER = re.compile(
    rf"\{{[a-z-]+\}}|:measured:|^:[a-z-]+:(?=\s|$)|:::|{FORGED_MARK.pattern}"
)
#: In code, where braces are common.
_IN_CODE = re.compile(
    rf"(?m)\{{(claim|measured)\}}\s*\S+|^\s*:(value|expect|check|of):|{FORGED_MARK.pattern}"
)
_UNIT = (
    r"(?:%|[nmµμu]s|[kKMGTP]i?B(?:/s)?|\w*bytes?|[kMG]?Hz|[MGTP]?FLOP(?:S|/s)|per ?cent"
    r"|\w*seconds?|minutes?|watts?)"
)
_WORD = r"(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty)[- ]?"
#: A number and its unit, or total; 10 × 10 is a shape, and 16-bit a name. NUL stands for what is
#: not typed.
IN_DIGITS = (
    rf"(?<![\w.])\d[\d.,½¼¾]*(?:[\s-]?(?:{_UNIT}|[×x](?!\s*[\d\0])|times|fold)|[\s-][sW])(?!\w)"
    r"|(?<![\w.])\d+ of (?!100)\d+|\d [mb]illion|(?i:\ball \d+|factor of \d+(?!\.?\d))"
)
#: In words it is one before a unit, or in a comparison: what is pinned three times is counted, and
#: what takes twice as long is often what a script was given.
QUANTITY = re.compile(
    rf"{IN_DIGITS}|(?i:\b(?:{_WORD}(?:{_UNIT}|fold)|(?:twice|half|{_WORD}times)"
    r" (?:as (?!many|long|often)\w+|the (?:time|speed|memory|rate)|more|less"
    r"|larger|bigger|(?:fast|slow|long|short|small|high|low|few|cheap)er)))\b"
)
#: An option that a directive has twice, of which MyST takes the last; a claim sees to its own.
_TWICE = re.compile(r"(?m)^:(?!value|expect|check|of)([\w-]+):.*\n(?::.*\n)*?:\1:")
#: What sphinx-gallery itself writes as HTML, around the pictures of examples.
_FRAME = re.compile(r"""(\s*</?div( (class|id|tooltip)=["'][^"'<>]*["'])*>[^<✓✗]*)+""")
#: Classes of the boxes that directives of this site make.
OURS = {
    *("claim", "evidence", "hazard", "plot"),
    *("details", "verdict", "checks", "strip"),
}
_BLOCKS = (
    *(nodes.paragraph, nodes.title, nodes.rubric, nodes.term),
    *(nodes.line, nodes.caption, addnodes.centered),
)
#: Where others speak, or the build.
_OTHERS = {"block_quote", "details"}
#: Classes of what the page of an example shows of its record.
_RECORDED = {"evidence-record", "sphx-glr-timing"}
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
    gallery = f"{domain.site.gallery}/"
    for node in doctree.findall():
        if message := _fault(node, app.env.docname.startswith(gallery)):
            line = next((each.line for each in (node, *above(node)) if each.line), 0)
            kind = Kind.UNEXECUTED if message is UNEXECUTED else Kind.MARKUP
            domain.note_fault(kind, message, line)
    for match in _TWICE.finditer(path.read_text("utf-8")):
        line = match.string.count("\n", 0, match.end()) + 1
        domain.note_fault(Kind.MARKUP, TWICE.format(match[1]), line)


def _fault(node: Any, gallery: bool) -> str:
    """What is wrong with a node; empty where nothing is, and in cells that the build runs."""
    boxes = [*above(node)]
    own = () if isinstance(node, nodes.Text) else node["classes"]
    around = {name for each in boxes for name in (each.tagname, *each["classes"])}
    run = any("nb_element" in each for each in boxes)
    if isinstance(node, (nodes.raw, nodes.meta)):
        known = run or (gallery and _FRAME.fullmatch(node.astext()))
        return "" if known or "drawn" in node else RAW
    made = not isinstance(node, (nodes.Text, *_BLOCKS)) or _RECORDED & {*around, *own}
    if run or (gallery and made) or any(map(_is_recorded, boxes)):
        return ""
    if (forged := OURS.intersection(own)) and "made" not in node:
        return FORGED.format(min(forged))
    if "claim" in own:
        beside = around - {"document", "section", "container", "hazard", "stacked"}
        sides = ("wrong", "right") if "hazard" in around else ()
        strange = {*own} - {"claim", *sides}
        hidden = beside or [*node.findall(nodes.rubric)] or strange
        return HIDDEN.format(" ".join(node["ids"])) if hidden else ""
    found, message, code = None, PRINTED, ""
    if isinstance(node, (nodes.literal, nodes.literal_block)):
        code = "" if node.get("language") == "markdown" else node.astext()
        found = _IN_CODE.search(code)
    elif isinstance(node, nodes.Text) and not isinstance(node.parent, _VERBATIM):
        found = _LEFT_OVER.search(node.astext())
    is_text = isinstance(node, _BLOCKS) or (code and node.get("language") == "text")
    if found is None and is_text and ("problems" in around or not _OTHERS & around):
        found, message = QUANTITY.search(_typed(node)), TYPED
    if found is None:
        return UNEXECUTED if is_unexecuted(node) else ""
    return message.format(found[0].strip())


def _is_recorded(node: Any) -> bool:
    """Whether a node is the table of a sweep, whose cells the build takes from its record."""
    known = isinstance(node, nodes.table) and "recorded" in node["classes"]
    return known and "made" in node.parent


def _typed(node: Any) -> str:
    """The words of a block; code and measured values are one NUL each."""
    if isinstance(node, nodes.Text):
        return node.astext()
    is_role = isinstance(node, (addnodes.pending_xref, measured))
    if isinstance(node, nodes.literal) or (is_role and "measured" in node["classes"]):
        return "\0"
    return "".join(map(_typed, node.children))
