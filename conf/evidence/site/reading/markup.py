"""Markup that shows what nothing checks, or hides what is checked: reported where it stands.

A claim whose markup is broken is printed as text and never judged; raw HTML or a picture could draw
a verdict that nobody reached; and a number that is typed is not compared with what was measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from evidence.site.diagnostics import Kind
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import above, details
from evidence.site.reading import python_blocks, quantities
from evidence.site.reading.quantities import CODE, FORGED_MARK, VALUE
from evidence.site.reading.roles import measured

#: In running text: a role or directive, its option, its end, a formula.
_LEFT_OVER = re.compile(
    rf"(?m)\{{[a-z-]+\}}|:measured:|^:[a-z-]+:(?=\s|$)|:::|\$[^$]+\$|{FORGED_MARK.pattern}"
)
#: In code, where braces are common.
_IN_CODE = re.compile(
    rf"(?m)\{{(claim|measured)\}}\s*\S+|^\s*:(value|expect|check|of):|{FORGED_MARK.pattern}"
)
#: An option that a directive has twice, of which MyST takes the last; a claim sees to its own.
_TWICE = re.compile(r"(?m)^:(?!value|expect|check|of)([\w-]+):.*\n(?::.*\n)*?:\1:")
#: What sphinx-gallery itself writes as HTML, around the pictures of examples.
_FRAME = re.compile(r"""(\s*</?div( (class|id|tooltip)=["'][^"'<>]*["'])*>[^<✓✗]*)+""")
#: What it writes of the seconds that a record has.
_TOTAL = re.compile(
    r"Total running time of the script: \(\d+ minutes \d+\.\d+ seconds\)"
)
#: Its pictures of what an example drew.
_PICTURE = re.compile(r"[\w/]*/images/(thumb/)?sphx_glr_\w+\.\w+")
#: Classes of the boxes that directives of this site make.
OURS = {
    *("claim", "evidence", "hazard", "plot", "evidence-record"),
    *("details", "verdict", "checks", "strip"),
}

RAW = "raw HTML or meta data shows what no record says; write Markdown, and % for a comment"
PICTURE = "a picture could show anything; have {plot} or {picture} draw it"
FORMULA = "a formula could show any number; write it in words, or as code"
POINTED = "{!r} is seen only by who points at it; write it into the text"
INVISIBLE = "U+{:04X} cannot be seen, or changes what stands before it; remove it"
TWICE = "the option {!r} stands twice, and one of them would be ignored; remove it"
PRINTED = "{!r} is printed as text; mend the markup, or show it in a block of markdown"
TYPED = "{!r} is typed, and checked by nothing; write it as {{measured}}`stem.name`"
FORGED = "a block of class {!r} is the build's own to make; remove the class"
HIDDEN = "claim {!r} holds a heading, or stands in a block; end that with ':::' before"


class Place(NamedTuple):
    """Where a node stands: the nearest line that is known, and in what.

    ``lines`` are those that the page of an example may show as code or output, None on other
    pages; ``in_text`` tells whether the node is a part of a text, ``old`` whether of a note on
    older versions.
    """

    line: int
    lines: frozenset[str] | None
    in_text: bool = False
    old: bool = False


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note all such markup of a page."""
    domain, name = evidence_of(app.env), app.env.docname
    lines = None
    if name.startswith(f"{domain.site.gallery}/"):
        example = domain.site.library.examples.get(name.rpartition("/")[2])
        lines = python_blocks.lines_of(example)
    for node, place in _places(doctree, Place(0, lines)):
        for kind, check in _checks(node.__class__):
            if message := check(node, place):
                domain.note_fault(kind, message, place.line)
    path = app.env.doc2path(name)
    for match in _TWICE.finditer(path.read_text("utf-8") if lines is None else ""):
        line = match.string.count("\n", 0, match.end()) + 1
        domain.note_fault(Kind.MARKUP, TWICE.format(match[1]), line)


def _places(doctree: nodes.document, place: Place) -> Iterator[tuple[Any, Place]]:
    """Each element that is not the build's own, in the order of the page, and where it stands."""
    waiting: list[tuple[Any, Place]] = [(doctree, place)]
    while waiting:
        node, around = waiting.pop()
        if _is_own(node):
            continue
        line, lines, in_text, old = around
        line = node.line or line
        yield node, Place(line, lines, in_text, old)
        in_text = in_text or isinstance(node, nodes.TextElement)
        old = old or "formerly" in node["classes"]
        within = Place(line, lines, in_text, old)
        for child in reversed(node.children):
            if isinstance(child, nodes.Element):
                waiting.append((child, within))


def _is_own(node: nodes.Element) -> bool:
    """Whether the build makes a node and all in it: from a record, or by running a cell."""
    if "made" in node:
        return "evidence-record" in node["classes"]
    folded = isinstance(node, details) and "problems" not in node["classes"]
    return folded or "nb_element" in node or isinstance(node, nodes.comment)


# What follows says what is wrong with a node; nothing where nothing is.


def _raw(node: Any, place: Place) -> str:
    frame = place.lines is not None and _FRAME.fullmatch(node.astext())
    return "" if frame or "drawn" in node else RAW


def _picture(node: Any, place: Place) -> str:
    own = place.lines is not None and _PICTURE.fullmatch(node["uri"])
    return "" if own else PICTURE


def _formula(_node: Any, _place: Place) -> str:
    return FORMULA


def _pointed(node: Any, _place: Place) -> str:
    """The title of a link, and what an abbreviation stands for."""
    words = node.get("title") or node.get("reftitle") or node.get("explanation")
    return POINTED.format(words) if words else ""


def _class(node: Any, _place: Place) -> str:
    forged = OURS.intersection(node["classes"]) if "made" not in node else ()
    return FORGED.format(min(forged)) if forged else ""


def _claim(node: Any, _place: Place) -> str:
    """A claim that something around it may hide, or that swallowed what stands behind it."""
    if "claim" not in node["classes"] or "made" not in node:
        return ""
    around = {name for box in above(node) for name in (box.tagname, *box["classes"])}
    beside = around - {"document", "section", "container", "hazard", "stacked"}
    sides = ("wrong", "right") if "hazard" in around else ()
    strange = {*node["classes"]} - {"claim", *sides}
    hidden = beside or strange or [*node.findall(nodes.rubric)]
    return HIDDEN.format(" ".join(node["ids"])) if hidden else ""


def _python(node: Any, place: Place) -> str:
    if place.lines is not None or _IN_CODE.search(node.astext()):
        return ""
    return python_blocks.UNEXECUTED if python_blocks.is_unexecuted(node) else ""


def _block(node: Any, place: Place) -> str:
    """A block that looks like the output of a run, or shows what is typed."""
    text, language = node.astext(), node.get("language", "")
    if place.lines is not None:
        known = place.lines.issuperset(python_blocks.bare_lines(text))
        return "" if known else python_blocks.OTHER_CODE
    if language == "markdown":
        return ""
    named = language in python_blocks.LANGUAGES
    typed = quantities.first(text) if named else ""
    if fault := _fault(text, _IN_CODE.search(text), typed):
        return fault
    known = named or "executed" in node or python_blocks.is_unexecuted(node)
    return "" if known else python_blocks.LANGUAGE.format(language)


def _literal(node: Any, _place: Place) -> str:
    text = node.astext()
    typed = quantities.first(text, in_code=True)
    return _fault(text, _IN_CODE.search(text), typed)


def _text(node: Any, place: Place) -> str:
    """A paragraph, heading, caption or cell: what is printed as it stands, or typed."""
    if place.in_text or isinstance(node, nodes.FixedTextElement):
        return ""
    text = _said(node)
    total = place.lines is not None and _TOTAL.fullmatch(text)
    typed = "" if place.old or total else quantities.first(text)
    return _fault(text, _LEFT_OVER.search(text), typed)


def _menu(node: Any, _place: Place) -> str:
    """The words that a list of pages has of its own, instead of their titles."""
    titles = (title for title, _ in node["entries"])
    text = " | ".join(filter(None, (node.get("caption"), *titles)))
    return _fault(text, _LEFT_OVER.search(text), quantities.first(text))


def _fault(text: str, printed: re.Match[str] | None, typed: str) -> str:
    if character := quantities.invisible(text):
        return INVISIBLE.format(ord(character))
    if printed:
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


Check: TypeAlias = "Callable[[Any, Place], str]"

#: What is looked at in a node, by the node's type.
CHECKS: tuple[tuple[Kind, Check, tuple[type[nodes.Node], ...]], ...] = (
    (Kind.MARKUP, _raw, (nodes.raw, nodes.meta)),
    (Kind.MARKUP, _picture, (nodes.image,)),
    (Kind.MARKUP, _formula, (nodes.math, nodes.math_block)),
    (Kind.MARKUP, _pointed, (nodes.reference, nodes.abbreviation)),
    (Kind.MARKUP, _class, (nodes.Element,)),
    (Kind.MARKUP, _claim, (nodes.container,)),
    (Kind.UNEXECUTED, _python, (nodes.literal_block, nodes.doctest_block)),
    (Kind.MARKUP, _block, (nodes.literal_block,)),
    (Kind.MARKUP, _literal, (nodes.literal,)),
    (Kind.MARKUP, _menu, (addnodes.toctree,)),
    (Kind.MARKUP, _text, (nodes.TextElement,)),
)


@cache
def _checks(node: Any) -> tuple[tuple[Kind, Check], ...]:
    """The checks of a type of nodes, each with the kind of its fault."""
    return tuple((kind, check) for kind, check, of in CHECKS if issubclass(node, of))
