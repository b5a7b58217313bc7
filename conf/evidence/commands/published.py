"""What a built site publishes, looked up: by words, by a message, or by the name of an API.

It reads nothing but the data: ``words.json``, ``gpus.json``, ``api/index.json``, and the text of
each claim that it answers with. What ranks is the full-text search of SQLite, in memory: each claim
is a document, and so is each sentence that says what was not tried.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from evidence.commands import CommandError
from evidence.judge.asked import User, missing, who_asks
from evidence.records.versions import series

#: The schema of ``words.json`` that is understood.
SCHEMA = 3
#: So much of a question a claim must say if that is as telling as one word of one claim alone; of
#: a longer question the share is less, by this power (tests/mcp_bound.txt).
ENOUGH, POWER = 0.5, 0.8
#: So many claims are told, and so many refused, of twice as many.
MOST = 5
#: What was not tried is answered where it is rated so many times as well as the best claim.
CLEARLY = 1.3
#: Of a long text the last characters count, because a traceback ends with its message; of a
#: message, the first words.
LAST, FIRST = 3000, 8

#: A word has two letters, and is no number.
WORD = re.compile(r"(?!\d+\b)[^\W_]{2,}")
SEVERAL = re.compile(r"[^\W_]+(?:[_.]+[^\W_]+)+")
APOSTROPHE = re.compile(r"['’](s\b)?")
TOKEN = re.compile(r"[^\W\d]+(?:\.[^\W\d]+)*|\d+")
#: What a name has, and no word of English.
NAMES = re.compile(r"[\d_]")

#: The sentence of a claim counts twice as much as its labels and the words of its page.
CREATE = "CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, own, page, tokenize = 'porter')"
FIND = "SELECT id, -bm25(texts, 0, 2, 1) FROM texts WHERE texts MATCH ?"

#: A text that has words and no control characters.
TEXT = r"^(?=[\s\S]*\w)[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"


class LookUp(User, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Claims that answer a question, explain a pasted message, or are about an API."""

    text: Annotated[str, Meta(max_length=20_000, pattern=TEXT)]
    by: Literal["words", "message", "name"] = "words"


class Published:
    """A folder of a built site.

    :raises CommandError: when there is none, or one that is not understood
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "words.json").is_file():
            build = "build it by 'nox -s docs', or name its folder: --site FOLDER"
            raise CommandError(f"{folder} is no site with words.json: {build}")
        words = self.words = self._json("words.json")
        if words["schema"] != SCHEMA:
            raise CommandError(f"words.json has schema {words['schema']}, not {SCHEMA}")
        self.claims = words["claims"]
        self._index = sqlite3.connect(":memory:")
        self._index.execute(CREATE)
        for name, text in (self.claims | words["unknown"]).items():
            page = f"{words['pages'][text['page']]} {text['around']}"
            row = (name, text["own"], page)
            self._index.execute("INSERT INTO texts VALUES (?, ?, ?)", row)

    def _json(self, name: str) -> Any:
        return msgspec.json.decode((self.folder / name).read_bytes())

    def rated(self, text: str) -> dict[str, bool]:
        """The claims that say any of a text, the best first; of each, if it says enough.

        What was not tried is among them; in the place of an id it has what to answer.
        """
        plain = APOSTROPHE.sub("", text.lower())
        words = {*WORD.findall(plain), *SEVERAL.findall(plain)}
        score, said, asked = Counter[str](), Counter[str](), 0.0
        foreign, rare = list[dict[str, float]](), math.log1p(len(self.claims))
        for word in sorted(words.difference(self.words["stops"])):
            # The texts that say a word, or the parts of a name in a row, and how well.
            saying = dict(self._index.execute(FIND, [f'"{word}"']))
            # A name that no claim says is more telling than a word that one says alone.
            telling = 3.0 if NAMES.search(word) else 1.0
            if word in self.words["others"]:
                # To name it is no answer, but needed for one.
                foreign.append(saying)
                saying = {each: saying[each] for each in saying.keys() - self.claims}
            elif saying:
                telling = math.log1p(len(self.claims) / len(saying)) / rare
            score.update(saying)
            said.update(dict.fromkeys(saying, telling))
            asked += telling

        def rating(each: str) -> float:
            return score[each] * said[each] / (1 if each in self.claims else CLEARLY)

        enough = {each for each in said if said[each] >= ENOUGH * asked**POWER}
        enough = enough.intersection(*foreign)
        best_first = sorted(score, key=rating, reverse=True)
        return {each: each in enough for each in best_first}

    def by_words(self, text: str) -> list[str]:
        """The ids of the claims that answer a question, best first; none, if none does."""
        return [name for name, enough in self.rated(text).items() if enough]

    def by_message(self, text: str) -> list[str]:
        """The ids of the claims that explain a message, best first; none, if none does.

        Of a message that is not in the list of messages, the words count.
        """
        said = ["#" if each.isdigit() else each for each in TOKEN.findall(text.lower())]

        def fits(message: str) -> tuple[bool, int, bool]:
            # The longest whose words all are there, in their order if another has the same.
            whole = {*said}.issuperset(message.split())
            return whole, len(message), message in " ".join(said)

        known = self.words["messages"]
        begun = [each for each in known if {*said}.issuperset(each.split()[:FIRST])]
        places = dict(known[max(begun, key=fits)]) if begun else {}
        found = [*places.values(), *self.rated(text)]
        ids = [n for n in found if self.claims.get(n, {}).get("page") in places]
        return [*dict.fromkeys(ids)] or self.by_words(text)

    def by_name(self, text: str) -> list[str]:
        """The ids of the claims about a name, best first; none, if there are none.

        Of one that is not in the list of names, the words count, if it has several.
        """
        name = text.strip().removesuffix("()")
        names = self._json("api/index.json")["names"]
        ends = [full for full in names if f".{full}".endswith(f".{name}")]
        ids = [each for full in ends for each in names[full]]
        if not ids and WORD.findall(name)[1:]:
            ids = [each for each in self.by_words(name) if each in self.claims]
        rated = [each for each in self.rated(name) if each in ids]
        return [*dict.fromkeys(rated + ids)]

    def answer(self, user: LookUp) -> str:
        """Claims, and those that do not hold for who asks, with what is missing.

        :raises AskedError: when who asks names a GPU that is not known
        """
        ids = getattr(self, f"by_{user.by}")(user.text[-LAST:])
        asked, told, refused = who_asks(user, self._json("gpus.json")), [], []
        gpus = f"{asked.gpus} GPU" * bool(asked.gpus)
        given = ", ".join(filter(None, [asked.gpu, *asked.versions("torch"), gpus]))
        if not ids or ids[0] not in self.claims:
            return f"This site does not know: {ids[0] if ids else 'it has no claim on this.'}"
        for name in filter(self.claims.get, ids[: 2 * MOST]):
            claim, version = self.claims[name], series(asked.torch)
            if lacks := ", ".join(missing(claim["scope"], asked)):
                text = f"Out of scope: {name} holds for {lacks}; you asked for {given}."
                refused.append(f"{text} {self.words['address']}claims/{name}.html")
                continue
            text = (self.folder / f"claims/{name}.txt").read_text("utf-8")
            if version not in ["", *claim["torch"]]:
                text += f"Not measured with: torch {version}"
            told.append(text.strip())
        return "\n\n".join(told[:MOST] + refused[:MOST])
