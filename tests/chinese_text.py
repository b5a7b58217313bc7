"""What a message of a catalog has besides its words, and its words as a reader sees them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from evidence.judge.chinese import is_chinese
from markdown_it.token import Token
from prose import END, VALUE, parser

#: In a text: code or a name that stays, and a count of a total, which may begin with a Han.
CODE, COUNT = "\1", "\3"
_CHOICE = re.compile(r"(.+\|.+?)\s*<([^<>]+)>", re.DOTALL)
_TITLED = re.compile(r"(.+?)\s*<([^<>]+)>", re.DOTALL)
#: What a paragraph of Markdown is made of.
_INLINE = {
    *("text", "code_inline", "myst_role", "link_open", "link_close"),
    *("span_open", "span_close", "strong_open", "strong_close", "em_open", "em_close"),
}


class Said(NamedTuple):
    """A text of a page, in one language.

    Spans and links count as parts, and so do words that are set off.

    :param odd: what is no part of a single paragraph, such as a list or raw HTML
    :param parts: roles, links and spans by their targets, each with the span that holds it
    :param choices: of each role with wordings its address, and these
    :param text: the words, with a character each for values and code
    """

    odd: tuple[str, ...]
    parts: Counter[str]
    codes: Counter[str]
    choices: tuple[tuple[str, tuple[str, ...]], ...]
    text: str

    @property
    def words(self) -> str:
        """The words, those of choices among them."""
        return " ".join([self.text, *(w for _, words in self.choices for w in words)])


@cache
def read(text: str) -> Said:
    """Read a message."""
    tokens = parser().parse(text)
    types = [token.type for token in tokens]
    odd = [] if types == ["paragraph_open", "inline", "paragraph_close"] else types
    children = [child for token in tokens for child in token.children or []]
    odd += [child.type for child in children if child.type not in _INLINE]
    reader = _Reader()
    for child in children:
        reader.read(child)
    choices = tuple(reader.choices)
    return Said(tuple(odd), reader.parts, reader.codes, choices, reader.text)


class _Reader:
    """Reads the parts of a paragraph, one after the other."""

    def __init__(self) -> None:
        self.parts, self.codes = Counter[str](), Counter[str]()
        self.choices: list[tuple[str, tuple[str, ...]]] = []
        self.text = ""
        #: The spans that a part is in, the innermost last.
        self.within = [""]

    def read(self, token: Token) -> None:
        """Note a part and its words."""
        match token.type:
            case "span_open":
                self.parts[_span(token)] += 1
                self.within.append(f" in {_span(token)}")
            case "span_close":
                self.within.pop()
            case "link_open":
                self.parts[f"]({token.attrs['href']}){self.within[-1]}"] += 1
            case "strong_open" | "em_open":
                self.parts[token.type.removesuffix("_open")] += 1
            case "code_inline":
                self.codes[token.content] += 1
                self.text += CODE
            case "myst_role":
                self.text += self.role(token)
            case "text":
                self.text += token.content
            case "softbreak" | "hardbreak":
                self.text += "\n"

    def role(self, token: Token) -> str:
        """What a reader sees of a role."""
        target, shown, words = _role(token)
        self.parts[f"{target}{self.within[-1]}"] += 1
        self.choices += [(target, words)] if words else []
        return shown


def _span(token: Token) -> str:
    """What a span refers to, as a page writes it."""
    classes = str(token.attrs.get("class", "")).split()
    names = [f"#{token.attrs['id']}"] if "id" in token.attrs else []
    return f"{{{' '.join([*names, *(f'.{each}' for each in classes)])}}}"


def _role(token: Token) -> tuple[str, str, tuple[str, ...]]:
    """The target of a role, what a reader sees of it, and its wordings."""
    name, content = token.meta["name"], token.content
    if name == "measured":
        if match := _CHOICE.fullmatch(content):
            words = tuple(word.strip() for word in match[1].split("|"))
            shown = re.sub(r"^(?:true|false):\s*", "", words[0]).replace("#", VALUE)
            return f"{{measured}}`… <{match[2]}>`", shown, words
        shown = COUNT if re.search(r"\sof\s", content) else VALUE
        return f"{{measured}}`{content}`", shown, ()
    match = _TITLED.fullmatch(content)
    title, target = match.groups() if match else (content, content)
    shown = title if name == "term" or is_chinese(title) else CODE
    return f"{{{name}}}`{target}`", shown, ()


def sentences(said: Said) -> list[str]:
    """The sentences of a text in English or in Chinese."""
    if is_chinese(said.text):
        return [s for s in re.split(r"(?<=[。？！])[”’）]*", said.text) if s.strip()]
    return [s for s in END.split(said.text) if s.strip()]


def without_quotes(english: Said, chinese: Said) -> tuple[Said, Said]:
    """Both texts without what the translation has in English, too, such as an error."""
    runs = re.findall(r"[A-Za-z'’]+(?:(?:[,.:;]? |-)[A-Za-z'’]+)+", chinese.text)
    quotes = re.findall('[“"]([^“”"]+)[”"]', chinese.text)
    quoted = [quote for quote in (*quotes, *runs) if quote in english.text]
    texts = [said.text for said in (english, chinese)]
    for quote in quoted:
        texts = [text.replace(quote, CODE) for text in texts]
    return english._replace(text=texts[0]), chinese._replace(text=texts[1])


def pairs(english: Said, chinese: Said) -> Iterator[tuple[str, str]]:
    """Sentences that say the same, where both languages have as many; else the whole text."""
    ours, theirs = sentences(english), sentences(chinese)
    if len(ours) == len(theirs):
        yield from zip(ours, theirs, strict=True)
    else:
        yield english.text, chinese.text


def shown(text: str) -> str:
    """A text for a message: values are #, and code `."""
    return text.translate({ord(VALUE): "#", ord(COUNT): "#", ord(CODE): "`"}).strip()
