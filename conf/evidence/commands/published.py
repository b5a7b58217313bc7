"""What a built site publishes, looked up: by words, by a message, or by the name of an API.

It reads nothing but the data: ``claims.json``, ``words.json``, ``gpus.json`` and ``api/index.json``.
What ranks is the full-text search of SQLite, in memory, with the words of each claim as a document.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from evidence.commands import CommandError
from evidence.judge.asked import Asked, who_asks
from evidence.records.versions import series

#: The schemas that are understood.
SCHEMAS = {"claims.json": 5, "words.json": 1, "gpus.json": 1, "api/index.json": 1}
#: Of what a question says, a claim must say this share; of a long one less, if that is as telling as
#: so many words that one claim alone has.
SHARE, LONG = 0.5, (0.3, 3)
#: So many claims are told, and so many refused; each is rated at least this share of the best.
MOST, REFUSED, NEAR = 4, 5, 0.25
#: Of a long message the end decides, because a traceback ends with it; and a message is meant if so
#: many words of it follow each other there, or all of a shorter one.
LAST, PASTED = 3000, 5

WORD = re.compile(r"[^\W_]+")
SEVERAL = re.compile(r"[^\W_]+(?:[_.]+[^\W_]+)+")
APOSTROPHE = re.compile(r"['’](s\b)?")
TOKEN = re.compile(r"[^\W\d]+(?:\.[^\W\d]+)*|\d+")
NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class QuestionError(ValueError):
    """A question that cannot be looked up; the message says why, in one sentence."""


class Published:
    """A folder of a built site.

    :raises CommandError: when there is none, or one that is not understood
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, cache(self._read)
        for name in SCHEMAS:
            if not (folder / name).is_file():
                build = "build it by 'nox -s docs', or name its folder: --site FOLDER"
                raise CommandError(f"{folder} is no site with {name}: {build}")

    def _read(self, name: str) -> Any:
        data = msgspec.json.decode((self.folder / name).read_bytes())
        if (schema := data["schema"]) != SCHEMAS[name]:
            raise CommandError(f"{name} has schema {schema}, not {SCHEMAS[name]}.")
        return data

    @cached_property
    def claims(self) -> dict[str, Any]:
        """Each claim by its id."""
        return {claim["id"]: claim for claim in self.data("claims.json")["claims"]}

    @cached_property
    def _index(self) -> sqlite3.Connection:
        words, index = self.data("words.json"), sqlite3.connect(":memory:")
        create = "CREATE VIRTUAL TABLE claims USING fts5(id UNINDEXED, text, tokenize = 'porter')"
        index.execute(create)
        for name, claim in self.claims.items():
            texts = [claim["statement"], words["pages"][claim["page"]]]
            texts += [f"{each['label']} {each['value']}" for each in claim["checks"]]
            text = APOSTROPHE.sub("", " ".join([*texts, words["claims"].get(name, "")]))
            index.execute("INSERT INTO claims VALUES (?, ?)", (name, text))
        return index

    def rated(self, text: str) -> list[tuple[float, str, bool]]:
        """The claims that say any of a text: how well, the id, and if enough; the best first."""
        stops, plain = (
            self.data("words.json")["stops"],
            APOSTROPHE.sub("", text.lower()),
        )
        find = "SELECT id, -rank FROM claims WHERE text MATCH ?"
        score, said, asked = Counter[str](), Counter[str](), 0.0
        for word in dict.fromkeys(SEVERAL.findall(plain) + WORD.findall(plain)):
            if len(word) == 1 or word.isdigit() or word in stops:
                continue
            places = dict(self._index.execute(find, [f'"{word}"']))
            # What nobody says is as telling as what one claim says alone.
            telling = math.log1p(len(self.claims) / max(len(places), 1))
            asked += telling
            score.update(places)
            said.update(dict.fromkeys(places, telling))
        long = max(LONG[0] * asked, LONG[1] * math.log1p(len(self.claims)))
        enough = min(SHARE * asked, long)
        hits = ((score[i] * said[i], i, said[i] >= enough) for i in score)
        return sorted(hits, reverse=True)

    def by_words(self, text: str) -> list[str]:
        """The ids of the claims that answer a question, best first; none, if none does."""
        good = [(rating, name) for rating, name, enough in self.rated(text) if enough]
        return [name for rating, name in good if rating >= NEAR * good[0][0]]

    def by_message(self, text: str) -> list[str]:
        """The ids of the claims that explain a message, best first; none, if none does.

        Of a message that is not in the list of messages, the words count.
        """
        text = text[-LAST:]
        tokens = ("#" if t.isdigit() else t for t in TOKEN.findall(text.lower()))
        pasted, known = f" {' '.join(tokens)} ", self.data("words.json")["messages"]

        def runs(message: str) -> int:
            words = message.split()
            starts = range(max(1, len(words) - PASTED + 1))
            return sum(f" {' '.join(words[i : i + PASTED])} " in pasted for i in starts)

        message = max(known, key=runs, default="")
        places = dict(known[message] if message and runs(message) else [])
        own = [name for name in places.values() if name in self.claims]
        rated = (name for _, name, _ in self.rated(text))
        own += [name for name in rated if self.claims[name]["page"] in places]
        return [*dict.fromkeys(own)] or self.by_words(text)

    def by_name(self, text: str) -> list[str]:
        """The ids of the claims about a name, best first; none, if there are none."""
        name = text.strip().removesuffix("()")
        if not NAME.fullmatch(name):
            raise QuestionError("That is no name, such as torch.cuda.Stream.")
        names = self.data("api/index.json")["names"]
        ends = [n for n in names if f".{n}".endswith(f".{name}")]
        ids = dict.fromkeys(i for end in ends for i in names[end])
        return list(
            dict.fromkeys([i for _, i, _ in self.rated(name) if i in ids] + [*ids])
        )

    def answer(self, ids: Iterable[str], user: dict[str, Any]) -> list[str]:
        """Claims, and those that do not hold for who asks, with what is missing.

        :raises AskedError: when who asks names a version or a GPU that is not known
        """
        gpus, builders = self.data("gpus.json"), self.data("claims.json")["builders"]
        models = {*gpus["peak_rates"], *(each["gpu"] for each in builders.values())}
        asked = who_asks(user, models, gpus["capabilities"])
        told, refused = list[str](), list[str]()
        for name in [*ids][: MOST + REFUSED]:
            claim = self.claims[name]
            if lacks := [*asked.missing(claim["scope"])]:
                refused.append(
                    f"Out of scope: {name} holds for {', '.join(lacks)}; you asked for"
                    f" {asked.told(lacks)}. {self.address(name)}"
                )
            else:
                told.append(self.spoken(claim, asked))
        return [*told[:MOST], *refused[:REFUSED]]

    def address(self, name: str) -> str:
        """Where a claim is alone, as it may be quoted."""
        return f"{self.data('claims.json')['address']}claims/{name}.html"

    def spoken(self, claim: Any, asked: Asked) -> str:
        """A claim with its limits, a line for each kind."""
        builder = self.data("claims.json")["builders"].get(claim["builder"]) or {}
        control, torch = self.claims.get(claim["control"]), series(asked.torch)
        if control and [*asked.missing(control["scope"])]:
            control = None
        versions = ", ".join(claim["torch"])
        parts = {
            "Verdict": f"{claim['verdict']}. Scope: {claim['scope']}",
            "Values": "; ".join(claim["told"]),
            "Measured on": f"{builder.get('gpu') or 'a CPU'}, torch {builder.get('torch')};"
            f" held with torch {versions}",
            "Not measured with": torch and torch not in versions and f"torch {torch}",
            "Tried": ", ".join(claim["tried"]),
            "Not tried": ", ".join(claim["not_tried"]),
            "Control": control
            and f"{control['statement']} ({self.address(control['id'])})",
            "Contradicts PyTorch's documentation": ", ".join(claim["contradicts"]),
        }
        lines = [f"{name}: {part}." for name, part in parts.items() if part]
        address = f"Address: {self.address(claim['id'])}"
        return "\n".join([claim["statement"], *lines, address])
