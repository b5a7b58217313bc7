"""Punctuation beside Chinese characters, and a few constructions that read like a translation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chinese_text import CODE, Said, shown
from evidence.judge.chinese import HAN
from prose import VALUE

_FULL = "，。；：？！（）“”‘’、《》「」"
_LATIN = rf"A-Za-z0-9{VALUE}{CODE}"
#: What stands between two 的 of a chain.
_SHORT = "[^，。；：、？！（）—的是把给比与和或及]{1,5}"
#: What is wrong with a text, and how it is found there.
PATTERNS = {
    "a half-width mark beside Han": (
        rf"[{HAN}”]\s?[,;:?!]|[,;:?!]\s?[{HAN}“]|[{HAN}]\.(?!\w)|[{HAN}”]\s?\(|\)\s?[{HAN}“]"
    ),
    "a half-width mark at the end": rf"[.?!]$|[{_LATIN}]\s?,(?= ?[{CODE}{VALUE}][^,]*[{HAN}])",
    "a straight quote: write “ ”": r'"|\'(?=[^\']*[\u4e00-\u9fff][^\']*\')',
    "a space between Han": rf"[{HAN}] +[{HAN}]",
    "a space beside a full-width mark": rf"[{_FULL}] +(?!$)| +[，。；：？！（）、”]",
    "no space between Han and Latin": rf"[{HAN}][{_LATIN}]|[{_LATIN}%][{HAN}]",
    "two spaces": r"\S {2,}\S",
    "a full-width letter or digit": r"[０-９Ａ-Ｚａ-ｚ]",
    "a mark twice": r"([，。；：？！、])[，。；：？！、]",
    "a word twice": r"的的|了了|在在|是是|和和|会会|把把|被被",
    "a dash between Han: write ——": rf"[{HAN}] ?[–-] [{HAN}]|[{HAN}] ?–[{HAN}]",
    "a chain of 的": rf"(?:的{_SHORT}(?<!目)){{2}}的(?![确话])",
    "被…所": r"被[^，。；：、]{1,8}?所(?![有以在需占属谓致得述示])",
    "进行 twice in a sentence": r"进行[^。？！]*进行",
    "被 three times in a sentence": r"被[^。？！]*被[^。？！]*被",
    "们 behind a thing": r"(?<![我你他它她咱人者员家])们",
    "您: write 你": "您",
    "a mark of emphasis that does not close": r"\*",
}
_COMPILED = {what: re.compile(pattern) for what, pattern in PATTERNS.items()}


def faults(said: Said, source: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the characters of a Chinese text, and where.

    :param source: the text as the catalog has it
    """
    if "\n" in source:
        yield "line break", source.partition("\n")[0]
    words = (text for _, each in said.choices for text in each)
    texts = [said.text, *(re.sub("^(?:true|false):\\s*", "", text) for text in words)]
    for what, pattern in _COMPILED.items():
        for text in texts:
            if found := pattern.search(text):
                yield "style", f"{what}: {_around(text, found)}"


def _around(text: str, found: re.Match[str]) -> str:
    """What was found, with its neighbors."""
    part = text[max(found.start() - 4, 0) : found.end() + 4]
    return shown(part)
