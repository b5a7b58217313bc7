"""What a search in Chinese needs: no space parts its words, so that pairs of Han are sought."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

from evidence.judge.facts import read_toml

#: Where stands what readers of a translation search for, below the settings' folder.
WORDS = "locale/{language}/search.toml"

#: Han in a row, and what people say around what they ask; search.js has the same two.
HAN = re.compile(r"[\u3400-\u9fff]+")
POLITE = re.compile(
    "为什么|怎么(?:办|样|回事)?|怎样|如何|为何|是?什么(?:时候)?|请问|(?<!申)请(?!求)|是否|是不是|有没有|能否|能不能"
    "|可不可以|可以|要不要|应[该当]|[这那哪][个些里种]|[你您我]们?|一[下直]|很|太|非常|特别|总是|吗|呢|吧|啊|呀|(?<!目)的(?!确)|了(?!解)"
)


class SearchChinese(SearchEnglish):
    """What stems words in Latin letters on a Chinese site.

    Sphinx's own has a browser ask for a stemmer that does not exist.
    """

    lang = "zh"


def spaced(text: str) -> str:
    """A text in which Han stand apart from other letters, without what is polite."""
    return HAN.sub(r" \g<0> ", POLITE.sub(" ", text))


def pairs(run: str) -> Iterator[str]:
    """Of Han in a row each two that stand side by side; one that stands alone, as it is."""
    yield from map("".join, pairwise(run)) if len(run) > 1 else [run]


def searched(app: Sphinx) -> dict[str, dict[str, str]]:
    """What readers of a translation search for, by page: of the claim that answers it, or "lead".

    :raises evidence.judge.facts.FactsError: when its file cannot be understood
    """
    path = Path(app.confdir, WORDS.format(language=app.config.language))
    return read_toml(path, dict[str, dict[str, str]])


def on_build_finished(app: Sphinx, _exception: Exception | None) -> None:
    """Have Sphinx's translated words set as they are: it makes code of text, which is forbidden."""
    path = Path(app.outdir, "_static/translations.js")
    if path.exists():
        told = (
            "(({ messages }) => Object.assign(Documentation.TRANSLATIONS, messages))("
        )
        text = path.read_text("utf-8").replace("Documentation.addTranslations(", told)
        path.write_text(text, encoding="utf-8")
