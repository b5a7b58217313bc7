"""Markup that shows what nothing checks, or hides what is checked: reported where it stands.

A claim whose markup is broken is printed as text and never judged; raw HTML or a picture could draw
a verdict that nobody reached; and a number that is typed is not compared with what was measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above, answer, details
from evidence.site.reading import python_blocks, quantities
from evidence.site.reading.quantities import CODE, FORGED_MARK, VALUE
from evidence.site.reading.values import measured

#: In running text: a role or directive, its option, its end, a formula.
_LEFT_OVER = re.compile(
    rf"(?m)\{{[a-z-]+\}}|:measured:|^:[a-z-]+:(?=\s|$)|:::|\$[^$]+\$|{FORGED_MARK.pattern}"
)
#: In code, where braces are common.
_IN_CODE = re.compile(rf"(?m)\{{(checks|measured)\}}\s*\S+|{FORGED_MARK.pattern}")
#: What a claim in a text may stand in, and the classes of these that hide nothing.
_OPEN = (
    *(nodes.document, nodes.section, nodes.paragraph, nodes.block_quote, nodes.table),
    *(nodes.tgroup, nodes.thead, nodes.tbody, nodes.row, nodes.entry, nodes.container),
    *(nodes.bullet_list, nodes.enumerated_list, nodes.list_item, nodes.definition_list),
    *(nodes.definition_list_item, nodes.definition, answer),
)
_SHOWN = {
    *("para", "row", "claims", "analysis", "simple", "colwidths-auto", "words", "plot"),
    *("recorded", "measured-table", "answer"),
}
#: Classes of a part of a text, which are those of links.
_LINKED = {"xref", "myst", "std", "std-doc", "std-ref", "std-term"}
#: Classes of the boxes that directives of this site make.
OURS = {
    *("hazard", "plot", "evidence-record", "details", "verdict", "strip", "line"),
    *("claim-text", "ev", "panel", "stop", "tick", "opened"),
    *("box", "wrong", "right", "result", "mark", "answer"),
}

RAW = "raw HTML or meta data shows what no record says; write Markdown, and % for a comment"
PICTURE = "a picture could show anything; have {plot} or {picture} draw it"
FORMULA = "a formula could show any number; write it in words, or as code"
POINTED = "{!r} is seen only by who points at it; write it into the text"
INVISIBLE = "U+{:04X} cannot be seen, or changes what stands before it; remove it"
PRINTED = "{!r} is printed as text; mend the markup, or show it in a block of markdown"
TYPED = "{!r} is typed, and checked by nothing; write it as {{measured}}`stem.name`"
FORGED = "a block of class {!r} is the build's own to make; remove the class"
STYLED = "class {!r} of a part of a text may hide it; remove the class"
HIDDEN = "claim {!r} holds a heading, or stands in a block; end that with ':::' before"


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note all such markup of a page."""
    domain = evidence_of(app.env)
    on_gallery = app.env.docname.startswith(f"{domain.site.gallery}/")
    for node, line, in_text in _elements(doctree):
        if on_gallery and _is_of_gallery(node):
            continue
        for message in filter(None, _faults(node, in_text=in_text)):
            is_python = message == python_blocks.UNEXECUTED
            kind = Kind.UNEXECUTED if is_python else Kind.MARKUP
            domain.note_fault(kind, message, line)


def _is_of_gallery(node: Any) -> bool:
    """Whether sphinx-gallery wrote a node: an example's own text is sentences, see ``replay``."""
    written = nodes.raw | nodes.image | nodes.literal_block
    return isinstance(node, written) or "sphx-glr-timing" in node["classes"]


def _elements(doctree: nodes.document) -> Iterator[tuple[Any, int, bool]]:
    """Each element that is not the build's own, in the order of the page.

    With the nearest line that is known, and whether it is a part of a text.
    """
    waiting: list[tuple[Any, int, bool]] = [(doctree, 0, False)]
    while waiting:
        node, line, in_text = waiting.pop()
        if _is_own(node):
            continue
        line = node.line or line
        yield node, line, in_text
        in_text = in_text or isinstance(node, nodes.TextElement)
        for child in reversed(node.children):
            if isinstance(child, nodes.Element):
                waiting.append((child, line, in_text))


def _is_own(node: nodes.Element) -> bool:
    """Whether the build makes a node and all in it: from a record, or by running a cell."""
    if "made" in node:
        return "evidence-record" in node["classes"]
    folded = isinstance(node, details)
    return folded or "nb_element" in node or isinstance(node, nodes.comment)


def _faults(node: Any, *, in_text: bool) -> Iterator[str]:
    """What is wrong with a node; an empty text is nothing.

    :param in_text: whether the node is a part of a text, which was looked at as a whole
    """
    if "made" in node:
        yield _hidden(node)
    elif forged := OURS.intersection(node["classes"]):
        yield FORGED.format(min(forged))
    elif isinstance(node, nodes.inline) and (own := {*node["classes"]} - _LINKED):
        yield STYLED.format(min(own))
    match node:
        case nodes.literal_block() | nodes.doctest_block():
            yield _block(node)
        case nodes.literal():
            code = node.astext()
            yield _fault(code, _IN_CODE, quantities.first(code, in_code=True))
        case addnodes.toctree():
            # The words that a list of pages has of its own, instead of their titles.
            titles = (title for title, _ in node["entries"])
            yield _text(" | ".join(filter(None, (node.get("caption"), *titles))))
        case _:
            yield _seen(node)
            is_text = isinstance(node, nodes.TextElement) and not in_text
            if is_text and not isinstance(node, nodes.FixedTextElement):
                yield _text(_said(node))


def _seen(node: Any) -> str:
    """What shows something else than words, or shows it to some."""
    match node:
        case nodes.raw() | nodes.meta():
            return "" if "drawn" in node else RAW
        case nodes.image():
            return PICTURE
        case nodes.math() | nodes.math_block():
            return FORMULA
        case nodes.reference() | nodes.abbreviation():
            # The title of a link, and what an abbreviation stands for.
            words = (node.get(name) for name in ("title", "reftitle", "explanation"))
            return next((POINTED.format(text) for text in words if text), "")
    return ""


def _hidden(node: Any) -> str:
    """A claim that something around it may hide, or that swallowed what stands behind it."""
    if "claim-text" in node["classes"]:
        boxes = [*above(node)]
        classes = {name for box in boxes for name in box["classes"]}
        is_open = all(isinstance(box, _OPEN) for box in boxes) and classes <= _SHOWN
        return "" if is_open else HIDDEN.format(node["claim"])
    if "box" not in node["classes"]:
        return ""
    around = {name for box in above(node) for name in (box.tagname, *box["classes"])}
    beside = around - {"hazard", "stacked", "document", "section", "container"}
    strange = {*node["classes"]} - {"box", "wrong", "right", "result"}
    hidden = beside or strange or [*node.findall(nodes.rubric)]
    return HIDDEN.format(" ".join(node["ids"])) if hidden else ""


def _block(node: Any) -> str:
    """A block that shows Python that nothing runs, what looks like output, or what is typed."""
    text, language = node.astext(), node.get("language", "")
    if language == "markdown":
        return ""
    is_plain = language in python_blocks.LANGUAGES
    fault = _fault(text, _IN_CODE, quantities.first(text) if is_plain else "")
    if fault or "executed" in node:
        return fault
    if python_blocks.is_python(node):
        return python_blocks.UNEXECUTED
    return "" if is_plain else python_blocks.LANGUAGE.format(language)


def _text(text: str) -> str:
    return _fault(text, _LEFT_OVER, quantities.first(text))


def _fault(text: str, left_over: re.Pattern[str], typed: str) -> str:
    """What is wrong with a text in which a quantity may be typed."""
    if character := quantities.invisible(text):
        return INVISIBLE.format(ord(character))
    if printed := left_over.search(text):
        return PRINTED.format(printed[0].strip())
    return TYPED.format(typed) if typed else ""


def _said(node: Any) -> str:
    """The words of a block, with a character each for measured values and for code."""
    if isinstance(node, nodes.Text):
        return node.astext()
    is_role = isinstance(node, (addnodes.pending_xref, measured))
    if is_role and "measured" in node["classes"]:
        return VALUE
    # A number in backticks is read together with the unit behind it.
    code = isinstance(node, (nodes.literal, nodes.math, nodes.problematic, nodes.raw))
    if code and not re.fullmatch(r"[\d.,]+", node.astext()):
        return CODE
    return "".join(map(_said, node.children))
