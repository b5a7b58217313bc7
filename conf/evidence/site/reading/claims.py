"""The directives ``hazard`` and ``problems``, and what a page claims once it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from docutils import nodes
from docutils.nodes import Node
from docutils.parsers.rst import directives
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from evidence.judge import english
from evidence.judge.claim import Claim
from evidence.judge.pages import read_claims
from evidence.site.domain import evidence_of
from evidence.site.look.nodes import answer, lead, summary
from evidence.site.look.words import one_line
from evidence.site.parts import Said

_END = re.compile(r"(?<=[.!?])\s+")
_ARTICLE = re.compile(r"\s*(?:(?:An?|The)\s+)?")
#: So many characters of code fit beside as many.
LONGEST_LINE = 38


class HazardDirective(SphinxDirective):
    """A pair of blocks side by side: the code that goes wrong, and its fixed form.

    Their checks come later on the page: what allows that they change places, ``prose`` reports.
    """

    has_content = True

    def run(self) -> list[Node]:
        """Show the two in a grid; one below the other on a phone, or where code is wide."""
        content = self.parse_content_to_nodes()
        shown = nodes.container("", *content, classes=["hazard"], made=True)
        self.set_source_info(shown)
        return [shown]


class AnswerDirective(SphinxDirective):
    """``:::{answer} A line``: what a reader is to predict first, folded away below the line."""

    has_content = True
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[Node]:
        """A disclosure, which paper shows open, and a link to a claim in it opens."""
        line, messages = self.parse_inline(self.arguments[0])
        content = summary("", "", *line), *self.parse_content_to_nodes()
        shown = answer("", *content, classes=["answer"], made=True)
        self.set_source_info(shown)
        return [shown, *messages]


class Arm(NamedTuple):
    """One of the two claims of a hazard, with its code and what that was chosen by."""

    claim: Claim
    code: str = ""
    names: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether its code is too wide to stand beside other code."""
        return any(len(line) > LONGEST_LINE for line in self.code.splitlines())

    @property
    def checked(self) -> set[str]:
        """The words of the values that it checks, without those of the example."""
        return _words(" ".join(check.value.name for check in self.claim.checks))


def exchanged(wrong: Arm, right: Arm) -> Iterator[str]:
    """What allows that the two claims of a hazard, or their codes, change places."""
    # Words that the names in the codes share with their own checks, and crosswise.
    own = crosswise = 0
    for arm, other in ((wrong, right), (right, wrong)):
        part = arm.claim.shows
        if part and (part not in arm.code or part in other.code):
            yield f"the code of {arm.claim.id!r} alone has to show {part!r}"
        names = _words(arm.names) - _words(other.names)
        own += len(names & (arm.checked - other.checked))
        crosswise += len(names & (other.checked - arm.checked))
    told = wrong.claim.shows or right.claim.shows or own > crosswise
    if (wrong.code or right.code) and not told:
        yield (
            f"nothing tells whether its code belongs to {wrong.claim.id!r} or to "
            f"{right.claim.id!r}: write a part of it as ':shows:' of that claim"
        )


def _words(text: str) -> set[str]:
    """How its words begin: "wait" and "waiting" are one."""
    return {word[:4] for word in re.findall(r"[a-z]{2,}|\d+", text.lower())}


def arm(claim: Claim, box: nodes.Element) -> Arm:
    """A claim with the code of its box."""
    blocks = [*box.findall(nodes.literal_block)]
    code = "\n".join(block.astext() for block in blocks)
    names = " ".join(block.get("chosen", "") for block in blocks)
    return Arm(claim, code, names)


class ProblemsDirective(SphinxDirective):
    """``:::{problems}``: a definition list of problems, in the reader's words, in two columns.

    ``:class:`` makes of them doors, or what is to be decided.
    """

    has_content = True
    option_spec: ClassVar[OptionSpec] = {"class": directives.class_option}

    def run(self) -> list[Node]:
        """The list, as it looks."""
        classes = ["problems", *self.options.get("class", ())]
        return [nodes.container("", *self.parse_content_to_nodes(), classes=classes)]


def on_doctree_read(app: Sphinx, doctree: nodes.document) -> None:
    """Note which claims stand in the source of a page, how they are shown, its lead.

    In a translation the sentence is that of the translation.
    """
    env, page = app.env, evidence_of(app.env).reading
    path = env.doc2path(env.docname)
    text = path.read_text("utf-8") if path.suffix == ".md" else ""
    if "{checks}" in text:
        claims, _ = read_claims(text, env.docname)  # what is wrong is reported already
        page.in_text = {claim.id for claim in claims}
    for node in doctree.findall(nodes.container):
        if node["ids"] and "box" in node["classes"]:
            page.sentences[node["ids"][0]] = plain(node)
    titles = {claim.id: claim.title for claim in page.claims if claim.title}
    for said in doctree.findall(nodes.inline):
        if "claim-text" in said["classes"]:
            name, text = said["claim"], one_line(said.astext())
            if said["ids"] and name not in titles:
                page.sentences[name] = text
            else:
                page.stand_ins.append((name, text))
    page.sentences |= titles
    first = lead(doctree)  # every other page's list of pages shows it
    page.lead = plain(first) if first is not None else ""
    page.leads = list(_sentences(first)) if first is not None else []


def _sentences(paragraph: nodes.paragraph) -> Iterator[Said]:
    """The sentences of a lead, with what each links to."""
    text, targets, is_shown, line = "", set[str](), False, paragraph.line or 1
    for node in paragraph.children:
        text += node.astext()
        if isinstance(node, nodes.Text):
            *ended, text = _END.split(text)
            for end in ended:
                yield Said(one_line(end), line, frozenset(targets), is_shown)
                targets, is_shown = set(), False
        if isinstance(node, nodes.Element):
            for link in node.findall(pending_xref):
                anchor = link.get("reftargetid")
                targets.add(anchor if isinstance(anchor, str) else link["reftarget"])
            is_shown |= "claim-text" in node["classes"] or _is_defined(node, text)
    if text.strip(" .!?"):
        yield Said(one_line(text), line, frozenset(targets), is_shown)


def _is_defined(node: nodes.Element, text: str) -> bool:
    """Whether a sentence begins with a word in emphasis, and so defines it.

    :param text: the sentence up to the end of the node
    """
    word = node.astext()
    begins = _ARTICLE.fullmatch(text.removesuffix(word)) is not None
    is_word = not english.UNIVERSAL.search(word) and not english.LIMITED.search(word)
    return isinstance(node, nodes.emphasis) and begins and is_word


def plain(node: nodes.Element) -> str:
    """The paragraphs of a node as plain text, with the measured values in them."""
    said = (p for p in node.findall(nodes.paragraph) if "excerpt" not in p["classes"])
    return one_line(" ".join(paragraph.astext() for paragraph in said))
