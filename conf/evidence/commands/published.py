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
from typing import Any

import msgspec

from evidence.commands import CommandError
from evidence.judge.asked import AskedError, User, who_asks
from evidence.records.versions import series

#: The schema of ``words.json`` that is understood.
SCHEMA = 2
#: So much of a question a claim must say if that is as telling as one word of one claim alone; of
#: a longer question the share is less, by this power (tests/mcp_bound.txt).
ENOUGH, POWER = 0.5, 0.8
#: So many claims are told, and so many refused.
MOST, REFUSED = 5, 5
#: What was not tried is answered where it is rated so many times as well as the best claim.
CLEARLY = 1.3
#: Of a long text the last characters count, because a traceback ends with its message; of a
#: message, the first words.
LAST, FIRST = 3000, 8
UNKNOWN = "This site does not know:"

WORD = re.compile(r"[^\W_]+")
SEVERAL = re.compile(r"[^\W_]+(?:[_.]+[^\W_]+)+")
APOSTROPHE = re.compile(r"['’](s\b)?")
TOKEN = re.compile(r"[^\W\d]+(?:\.[^\W\d]+)*|\d+")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
#: What a name has, and no word of English.
NAMES = re.compile(r"[\d_]")

#: The sentence of a claim counts twice as much as its labels and the words of its page.
CREATE = "CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, own, page, tokenize = 'porter')"
FIND = "SELECT id, -bm25(texts, 0, 2, 1) FROM texts WHERE texts MATCH ?"


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
        self.claims, self.address, rows = words["claims"], words["address"], []
        for name, claim in self.claims.items():
            page = f"{words['pages'][claim['page']]} {claim['checks']}"
            rows.append((name, claim["own"], page))
        for each in words["unknown"]:
            place = f"{self.address}{each['page']}.html#{each['anchor']}"
            page = f"{words['pages'][each['page']]} {each['paragraph']}"
            rows.append((f"{UNKNOWN} {each['said']} {place}", each["said"], page))
        self._index = sqlite3.connect(":memory:")
        self._index.execute(CREATE)
        self._index.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows)

    def _json(self, name: str) -> Any:
        return msgspec.json.decode((self.folder / name).read_bytes())

    def _saying(self, word: str) -> dict[str, float]:
        """The texts that say a word, or the parts of a name in a row, and how well."""
        return dict(self._index.execute(FIND, [f'"{word}"']))

    def rated(self, text: str) -> list[tuple[float, str, bool]]:
        """The claims that say any of a text: how well, the id, and if enough; the best first.

        What was not tried is among them; in the place of an id it has what to answer.
        """
        plain = APOSTROPHE.sub("", text.lower())
        words = {*WORD.findall(plain[-LAST:]), *SEVERAL.findall(plain)}
        score, said, asked = Counter[str](), Counter[str](), 0.0
        foreign, rare = list[dict[str, float]](), math.log1p(len(self.claims))
        for word in words.difference(self.words["stops"]):
            if len(word) == 1 or word.isdigit():
                continue
            saying = self._saying(word)
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
        hits = []
        for each in score:
            rating = score[each] * said[each] / (1 if each in self.claims else CLEARLY)
            names_all = all(each in saying for saying in foreign)
            enough = names_all and said[each] >= ENOUGH * asked**POWER
            hits.append((rating, each, enough))
        return sorted(hits, reverse=True)

    def by_words(self, text: str) -> list[str]:
        """The ids of the claims that answer a question, best first; none, if none does."""
        return [name for _, name, enough in self.rated(text) if enough]

    def by_message(self, text: str) -> list[str]:
        """The ids of the claims that explain a message, best first; none, if none does.

        Of a message that is not in the list of messages, the words count.
        """
        tokens = TOKEN.findall(text[-LAST:].lower())
        said = ["#" if each.isdigit() else each for each in tokens]

        def fits(message: str) -> tuple[bool, int, bool]:
            # The longest whose words all are there, in their order if another has the same.
            whole = {*said}.issuperset(message.split())
            return whole, len(message), message in " ".join(said)

        known = self.words["messages"]
        begun = [each for each in known if {*said}.issuperset(each.split()[:FIRST])]
        places = dict(known[max(begun, key=fits)]) if begun else {}
        rated = [name for _, name, _ in self.rated(text) if name in self.claims]
        ids = [name for name in places.values() if name in self.claims]
        ids += [name for name in rated if self.claims[name]["page"] in places]
        return [*dict.fromkeys(ids)] or self.by_words(text)

    def by_name(self, text: str) -> list[str]:
        """The ids of the claims about a name, best first; none, if there are none."""
        name = text.strip().removesuffix("()")
        if not NAME.fullmatch(name):
            raise AskedError("That is no name, such as torch.cuda.Stream.")
        names, last = self._json("api/index.json")["names"], name.rpartition(".")[2]
        ends = [full for full in names if f".{full}".endswith(f".{name}")]
        ids = [each for full in ends for each in names[full]]
        if not ids and SEVERAL.fullmatch(last):
            ids = [each for each in self._saying(last) if each in self.claims]
        rated = [each for _, each, _ in self.rated(name) if each in ids]
        return [*dict.fromkeys(rated + ids)]

    def answer(self, ids: list[str], user: User) -> str:
        """Claims, and those that do not hold for who asks, with what is missing.

        :raises AskedError: when who asks names a version or a GPU that is not known
        """
        asked, told, refused = who_asks(user, self._json("gpus.json")), [], []
        torch, gpus = f"torch {asked.torch}", f"{asked.gpus} GPU"
        given = [asked.gpu, torch * bool(asked.torch), gpus * bool(asked.gpus)]
        outside = f"; you asked for {', '.join(filter(None, given))}."
        if not ids or ids[0] not in self.claims:
            return ids[0] if ids else f"{UNKNOWN} it has no claim on this."
        for name in filter(self.claims.get, ids[: MOST + REFUSED]):
            claim, version = self.claims[name], series(asked.torch)
            if lacks := ", ".join(asked.missing(claim["scope"])):
                text = f"Out of scope: {name} holds for {lacks}{outside}"
                refused.append(f"{text} {self.address}claims/{name}.html")
                continue
            text = (self.folder / f"claims/{name}.txt").read_text("utf-8")
            if version not in ["", *claim["torch"]]:
                text += f"Not measured with: torch {version}"
            told.append(text.strip())
        return "\n\n".join(told[:MOST] + refused[:REFUSED])
