"""Words that a Chinese translation must have, and must not: terms, directions, names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache

from chinese_directions import contrary, lacking, unsaid
from chinese_text import Said, pairs, shown, without_quotes
from prose import ROOT

GLOSSARY = ROOT / "conf/locale/zh_CN/glossary.toml"

#: A name: of capitals or with one inside, or of letters and digits.
_NAME = re.compile(
    r"(?<![\w.])(?=\w*(?:[A-Z]\w*[A-Z]|[a-z][A-Z]|[A-Za-z]\d))[A-Za-z]\w*|(?<![\w.])[a-z]+(?:[_.]\w+)+"
)
#: They may be in a word of their own: 显存, 主机.
_OWN_WORDS = {"GPU", "CPU", "PC", "OK", "FAQ", "ID"}
_HALF = re.compile(
    r"[A-Za-z]\w*(?:\.|_)[\u4e00-\u9fff]+|[\u4e00-\u9fff]+_\w+|[\u4e00-\u9fff]\.[a-z_]+"
)
#: Words that were left in English, outside of quotes.
_QUOTED = re.compile("“[^”]*”")
_LEFT = re.compile(r"(?:\b[a-z]+ ){4}[a-z]+\b")


def faults(english: Said, chinese: Said) -> Iterator[tuple[str, str]]:
    """The words that a translation lacks, or has against its English."""
    yield from (("names", words) for words in names(english, chinese))
    english, chinese = without_quotes(english, chinese)
    yield from (("glossary", words) for words in terms(english, chinese))
    for ours, theirs in pairs(english, chinese):
        for words in (
            *lacking(ours, theirs),
            *contrary(ours, theirs),
            *unsaid(ours, theirs),
        ):
            yield "words", f"{words}: {shown(theirs)}"


@cache
def glossary() -> dict[str, dict[str, list[str] | str]]:
    """The terms, as they are kept."""
    return tomllib.loads(GLOSSARY.read_text("utf-8"))


def terms(english: Said, chinese: Said) -> Iterator[str]:
    """Terms of the glossary that are called something else."""
    said = chinese.words
    for term in glossary().values():
        use = term.get("use", [])
        for never in re.findall("|".join(term.get("never", ())) or "(?!)", said):
            yield ", but ".join([f"never {never}", *use[:1]])
        pattern = rf"\b(?:{term['en']})\b"
        found = re.search(pattern, english.words, re.I) if use else None
        if found and not any(word in said for word in use):
            kept = " ".join(re.findall(r"(?:[A-Za-z']+[ ,]+){2,}[A-Za-z']+", said))
            if not re.search(pattern, kept, re.I):
                yield f"{found[0]!r} is {' or '.join(use)}"


def names(english: Said, chinese: Said) -> Iterator[str]:
    """Names that were lost, or half translated, and sentences that were left in English."""
    if half := _HALF.search(chinese.words):
        yield f"half-translated: {half[0]}"
    theirs = {*map(singular, _NAME.findall(chinese.words))}
    for name in sorted(
        {*map(singular, _NAME.findall(english.words))} - theirs - _OWN_WORDS
    ):
        yield f"lost: {name}"
    if left := _LEFT.search(_QUOTED.sub("", chinese.text)):
        yield f"left in English: {left[0]}"


def singular(name: str) -> str:
    """A name without the s of several."""
    return re.sub(r"(?<=[A-Z0-9])s$", "", name)
