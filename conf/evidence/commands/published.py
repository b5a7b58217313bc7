"""What a built site publishes, looked up: by words, by a message, or by the name of an API.

It reads nothing but the data: ``claims.json``, ``words.json``, ``gpus.json``, ``api/index.json``.
What ranks is the full-text search of SQLite, in memory: each claim is a document.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from evidence.commands import CommandError
from evidence.judge.asked import Asked, AskedError, who_asks
from evidence.records.versions import series

#: The schema of ``claims.json`` that is understood.
SCHEMA = 5
#: So much of a question a claim must say if that is as telling as one word of one claim alone; of
#: a longer question the share is less, by this power (tests/mcp_bound.txt).
ENOUGH, POWER = 0.5, 0.8
#: So many claims are told, and so many refused; each is rated at least this share of the best.
MOST, REFUSED, NEAR = 5, 5, 0.25
#: Of a long text the last characters count, because a traceback ends with its message; of a
#: message, the first words.
LAST, FIRST = 3000, 8

WORD = re.compile(r"[^\W_]+")
SEVERAL = re.compile(r"[^\W_]+(?:[_.]+[^\W_]+)+")
APOSTROPHE = re.compile(r"['’](s\b)?")
TOKEN = re.compile(r"[^\W\d]+(?:\.[^\W\d]+)*|\d+")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
#: What a name has, and no word of English.
NAMES = re.compile(r"[\d_]")

#: The sentence of a claim counts twice as much as its labels and the words of its page.
CREATE = "CREATE VIRTUAL TABLE claims USING fts5(id UNINDEXED, own, page, tokenize = 'porter')"
FIND = "SELECT id, -bm25(claims, 0, 2, 1) FROM claims WHERE claims MATCH ?"


class Published:
    """A folder of a built site.

    :raises CommandError: when there is none, or one that is not understood
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, cache(self._read)
        if not (folder / "words.json").is_file():
            build = "build it by 'nox -s docs', or name its folder: --site FOLDER"
            raise CommandError(f"{folder} is no site with words.json: {build}")

    def _read(self, name: str) -> Any:
        return msgspec.json.decode((self.folder / name).read_bytes())

    @cached_property
    def claims(self) -> dict[str, Any]:
        """Each claim by its id.

        :raises AskedError: when their schema is not understood
        """
        if (schema := self.data("claims.json")["schema"]) != SCHEMA:
            raise AskedError(f"claims.json has schema {schema}, not {SCHEMA}.")
        return {claim["id"]: claim for claim in self.data("claims.json")["claims"]}

    @cached_property
    def _index(self) -> sqlite3.Connection:
        words, index = self.data("words.json"), sqlite3.connect(":memory:")
        index.execute(CREATE)
        for name, claim in self.claims.items():
            own = f"{claim['statement']} {words['claims'].get(name, '')}"
            checks = (f"{each['label']} {each['value']}" for each in claim["checks"])
            page = " ".join([words["pages"][claim["page"]], *checks])
            texts = (APOSTROPHE.sub("", text) for text in (own, page))
            index.execute("INSERT INTO claims VALUES (?, ?, ?)", (name, *texts))
        return index

    def _saying(self, word: str) -> dict[str, float]:
        """The claims that say a word, or the parts of a name in a row, and how well."""
        return dict(self._index.execute(FIND, [f'"{word}"']))

    def rated(self, text: str) -> list[tuple[float, str, bool]]:
        """The claims that say any of a text: how well, the id, and if enough; the best first."""
        plain, stops = (
            APOSTROPHE.sub("", text.lower()),
            self.data("words.json")["stops"],
        )
        words = WORD.findall(plain[-LAST:])
        joined = [one + other for one, other in pairwise(words)]
        words += SEVERAL.findall(plain) + [
            each for each in joined if self._saying(each)
        ]
        score, said, asked = Counter[str](), Counter[str](), 0.0
        rare = math.log1p(len(self.claims))
        for word in {each for each in words if len(each) > 1 and not each.isdigit()}:
            if word in stops:
                continue
            if saying := self._saying(word):
                telling = math.log1p(len(self.claims) / len(saying)) / rare
                score.update(saying)
                said.update(dict.fromkeys(saying, telling))
            # A name that no claim says is more telling than a word that one says alone.
            asked += telling if saying else 3 if NAMES.search(word) else 1
        hits = (
            (score[i] * said[i], i, said[i] >= ENOUGH * asked**POWER) for i in score
        )
        return sorted(hits, reverse=True)

    def by_words(self, text: str) -> list[str]:
        """The ids of the claims that answer a question, best first; none, if none does."""
        good = [(rating, name) for rating, name, enough in self.rated(text) if enough]
        return [name for rating, name in good if rating >= NEAR * good[0][0]]

    def by_message(self, text: str) -> list[str]:
        """The ids of the claims that explain a message, best first; none, if none does.

        Of a message that is not in the list of messages, the words count.
        """
        tokens = TOKEN.findall(text[-LAST:].lower())
        said = ["#" if each.isdigit() else each for each in tokens]
        known, all_said = self.data("words.json")["messages"], " ".join(said)
        fits = [each for each in known if {*said}.issuperset(each.split()[:FIRST])]
        # The longest whose words all are there, in their order if another has the same.
        best = max(
            fits,
            key=lambda m: ({*said}.issuperset(m.split()), len(m), m in all_said),
            default="",
        )
        places = dict(known.get(best, {}))
        ids = [name for name in places.values() if name in self.claims]
        rated = [name for _, name, _ in self.rated(text)] if places else []
        ids += [name for name in rated if self.claims[name]["page"] in places]
        return [*dict.fromkeys(ids)] or self.by_words(text)

    def by_name(self, text: str) -> list[str]:
        """The ids of the claims about a name, best first; none, if there are none."""
        name = text.strip().removesuffix("()")
        if not NAME.fullmatch(name):
            raise AskedError("That is no name, such as torch.cuda.Stream.")
        names, last = self.data("api/index.json")["names"], name.rpartition(".")[2]
        ends = [full for full in names if f".{full}".endswith(f".{name}")]
        ids = [each for full in ends for each in names[full]]
        if not ids and SEVERAL.fullmatch(last):
            ids = [*self._saying(last)]
        rated = [each for _, each, _ in self.rated(name) if each in ids]
        return [*dict.fromkeys(rated + ids)]

    def answer(self, ids: Iterable[str], user: dict[str, Any]) -> list[str]:
        """Claims, and those that do not hold for who asks, with what is missing.

        :raises AskedError: when who asks names a version or a GPU that is not known
        """
        gpus, builders = self.data("gpus.json"), self.data("claims.json")["builders"]
        models = {*gpus["peak_rates"], *(each["gpu"] for each in builders.values())}
        asked = who_asks(user, models, gpus["capabilities"])
        told, refused = list[str](), list[str]()
        for name in [*ids][: MOST + REFUSED]:
            lacks = ", ".join(asked.missing(self.claims[name]["scope"]))
            text = f"Out of scope: {name} holds for {lacks}; you asked for {asked}."
            if lacks:
                refused.append(f"{text} {self.address(name)}")
            else:
                told.append(self.spoken(name, asked))
        return [*told[:MOST], *refused[:REFUSED]]

    def address(self, name: str) -> str:
        """Where a claim is alone, as it may be quoted."""
        return f"{self.data('claims.json')['address']}claims/{name}.html"

    def spoken(self, name: str, asked: Asked) -> str:
        """A claim with its limits, a line for each kind."""
        claim, torch = self.claims[name], series(asked.torch)
        builder = self.data("claims.json")["builders"].get(claim["builder"], {})
        control = self.claims.get(claim["control"])
        if control and any(asked.missing(control["scope"])):
            control = None
        parts = {
            "Verdict": f"{claim['verdict']}. Scope: {claim['scope']}",
            "Values": "; ".join(claim["told"]),
            "Measured on": f"{builder.get('gpu') or 'a CPU'}, torch {builder.get('torch')}",
            "Held with": f"torch {', '.join(claim['torch'])}",
            "Not measured with": f"torch {torch}"
            * (torch not in ["", *claim["torch"]]),
            "Tried": ", ".join(claim["tried"]),
            "Not tried": ", ".join(claim["not_tried"]),
            "Control": control and f"{control['statement']} ({claim['control']})",
            "Contradicts PyTorch's documentation": ", ".join(claim["contradicts"]),
            "Address": self.address(name),
        }
        lines = (f"{kind}: {part}" for kind, part in parts.items() if part)
        # The code is wrong, and not the claim.
        statement = re.sub(r"^(Wrong|Right)\. ", r"\1 way: ", claim["statement"])
        return "\n".join([statement, *lines])
