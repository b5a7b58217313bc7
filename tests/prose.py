"""What a reader sees of a page's source: its headings, sentences and boxes, in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from evidence.judge.pages import directives
from evidence.judge.wording import addresses
from evidence.records.address import AddressError, lookup
from evidence.records.model import Plain, Record
from evidence.records.store import load
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

ROOT = Path(__file__).parents[1]
BOXES = {"hazard", "wrong", "right", "result"}
#: Directives that a reader does not see where they are, and those without prose.
UNSEEN = {"checks", "toctree"}
NO_PROSE = {*UNSEEN, "literalinclude", "code-cell"}
DIRECTIVE = re.compile(r"\{([\w-]+)\}\s*(.*)")
#: What stands before the body of a directive.
OPTIONS = re.compile(r"(?::[\w-]+:.*(?:\n|\Z))+")
#: In a sentence: a value, and a count that is none of its total.
VALUE, NONE = "\0", "\1"
#: A mark of what is a claim, or links to a part of a page.
SHOWN = "\2"
#: Between two sentences.
END = re.compile(
    r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)[\"'”’)\]]*(\s+)"
    rf"(?=[\"'“‘(\[{SHOWN}]*[A-Z0-9`{VALUE}{NONE}])"
)
#: Whether a count that a role shows, with the prefix of its address, is 0 of its total.
IsNone = Callable[[str, str], bool]


class Part(NamedTuple):
    """A text of a page, or a place in its order.

    ``kind`` is "heading", "text", "box" or "other", and empty inside a directive.
    """

    kind: str
    line: int
    text: str = ""


def _claimed(part: Part) -> Part:
    """A part each of whose sentences is a claim."""
    return part._replace(text=SHOWN + END.sub(rf"\g<0>{SHOWN}", part.text))


@cache
def parser() -> MarkdownIt:
    """A parser that knows what the site's knows, and spans."""
    known = {"colon_fence", "deflist", "attrs_inline"}
    return create_md_parser(MdParserConfig(enable_extensions=known), RendererHTML)


class Reader:
    """Reads the parts of one page; values are :data:`VALUE` and :data:`NONE`."""

    def __init__(self, text: str, is_none: IsNone) -> None:
        self.is_none = is_none
        #: The example of each claim that is a span, by its id.
        self.stems = {
            claim: each.argument
            for each in directives(text)
            if each.name == "checks"
            for claim in re.findall(r"(?m)^([a-z][\w.-]*):\s*$", each.body)
        }

    def read(
        self, text: str, line: int = 1, of: str = "", inner: bool = False
    ) -> Iterator[Part]:
        """The parts of Markdown from a line on; its addresses have the prefix ``of``."""
        tokens = parser().parse(text)
        for before, token in pairwise([Token("", "", 0), *tokens]):
            at = line + (token.map or [0])[0]
            if token.type == "inline":
                kind = "heading" if before.type == "heading_open" else "text"
                texts = self.said(token.children or [], of)
                yield from (Part("" if inner else kind, at, said) for said in texts)
            elif token.type in ("fence", "colon_fence"):
                match = DIRECTIVE.fullmatch(token.info.strip())
                name, argument = match.groups() if match else ("", "")
                if not inner and name not in UNSEEN:
                    yield Part("box" if name in BOXES else "other", at)
                if name and name not in NO_PROSE:
                    of_box = self.stems.get(argument, of)
                    for part in self.inside(name, token.content, at + 1, of_box):
                        yield part if argument not in self.stems else _claimed(part)

    def inside(self, name: str, content: str, line: int, of: str) -> Iterator[Part]:
        """The title and the body of a directive."""
        options = OPTIONS.match(content)
        begin = options.end() if options else 0
        body = content[begin:]
        if name == "glossary":  # its terms are those of a definition list
            body = re.sub(r"(?m)^(\S.*\n) (?= )", r"\1:", body)
        title = re.search(r"(?m)^:title: *(.*)", content[:begin])
        yield from self.read(title[1] if title else "", line, of, inner=True)
        # The words of the rows of a sweep, without their keys.
        for words in re.findall(r"(?m)^:row: .*? as (.+)$", content[:begin]):
            bare = re.sub(r"\s*\{[#.][^`]*$", "", words)
            yield from self.read(bare, line, of, inner=True)
        yield from self.read(body, line + content.count("\n", 0, begin), of, inner=True)

    def said(self, children: Sequence[Token], of: str) -> list[str]:
        """What inline markup says, and the other wordings of its choices."""
        spans = [self.stems.get(str(child.attrs.get("id")), "") for child in children]
        within = around = of or next(filter(None, spans), "")
        said, others, mark = "", [], ""
        for child, stem in zip(children, spans, strict=True):
            match child.type, child.meta.get("name"):
                case "span_open" | "span_close", _:
                    within = stem or around
                    mark = SHOWN if stem else ""
                    said += mark
                case "link_open", _:
                    said += SHOWN if "#" in str(child.attrs.get("href")) else ""
                case "myst_role", "measured":
                    first, *rest = self.measured(child.content, within)
                    said += first
                    others += [mark + words for words in rest]
                case "text", _:
                    said += mark + END.sub(rf"\g<0>{mark}", child.content)
                case "myst_role", "term":
                    said += child.content.partition(" <")[0]
                case "code_inline" | "myst_role", _:
                    said += "`code`"
                case "softbreak" | "hardbreak", _:
                    said += "\n"
        return [said, *others]

    def measured(self, text: str, of: str) -> list[str]:
        """A value, or the wordings of a choice: first one that has numbers."""
        if "|" not in text:
            return [NONE if self.is_none(text, of) else VALUE]
        words = text.rpartition("<")[0].replace("#", VALUE).split("|")
        bare = [re.sub(r"^(?:true|false): ", "", word.strip()) for word in words]
        return sorted(bare, key=lambda word: VALUE not in word)


def is_none(text: str, of: str) -> bool:
    """Whether a count of the site's records is 0 of its total."""
    try:
        count, *totals = addresses(text, of)
        return bool(totals) and lookup(count, recorded(count.stem)) == Plain(0)
    except AddressError:
        return False  # which the build reports


@cache
def recorded(stem: str) -> dict[str, Record]:
    """The record of an example, if it has one."""
    return {path.stem: load(path) for path in ROOT.glob(f"examples/*/{stem}.json")}
