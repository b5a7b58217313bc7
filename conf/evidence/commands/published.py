"""What a built site publishes, looked up: by words, by a message, or by the name of an API.

It reads nothing but the data: ``claims.json``, ``gpus.json``, ``api/index.json``, and the index of
the claims. What ranks is the search of the site itself, ``search.js``, in an interpreter that
reaches neither files nor the network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from evidence.commands import CommandError
from evidence.judge.asked import Asked, who_asks
from evidence.records.versions import series

#: The schemas that are understood, and the scripts that search.
SCHEMAS = {"claims.json": 5, "gpus.json": 1, "api/index.json": 1}
SCRIPTS = ("_static/search.js", "_static/claims_index.js")
#: What of a question a claim and the lead of its page must say: this share of how telling its words
#: are, and as much as so many rare words. Where each word is known, where one is not, where several
#: are not, and of a long question.
KNOWN, ONE_UNKNOWN, UNKNOWN, LONG = (
    [(0.9, 0.5), (0.6, 1)],
    (0.3, 1.8),
    (0.4, 1.8),
    (0.3, 3),
)
#: So many claims are told, and so many refused; each is rated at least this share of the best.
MOST, REFUSED, NEAR = 4, 5, 0.25
#: Of a long message the end decides: a traceback ends with it.
LAST = 3000
#: What the search may take for a question, in seconds and bytes.
SECONDS, BYTES = 5, 2**28


class QuestionError(ValueError):
    """A question that cannot be looked up; the message says why, in one sentence."""


def enough(hit: dict[str, Any]) -> bool:
    """Whether what is found says enough of a question to be an answer."""
    bounds = [LONG, UNKNOWN if hit["unknown"] > 1 else ONE_UNKNOWN]
    bounds += [] if hit["unknown"] else KNOWN
    return any(hit["share"] >= least and hit["tells"] >= most for least, most in bounds)


class Published:
    """A folder of a built site.

    :raises CommandError: when there is none, or one that is not understood
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = cache(self._read)
        for name in (*SCHEMAS, *SCRIPTS):
            if not (folder / name).is_file():
                build = "build it by 'nox -s docs', or name its folder: --site FOLDER"
                raise CommandError(f"{folder} is no site with {name}: {build}")

    def _read(self, name: str) -> Any:
        data = msgspec.json.decode((self.folder / name).read_bytes())
        if (schema := data.get("schema")) != SCHEMAS[name]:
            raise CommandError(f"{name} has schema {schema}, not {SCHEMAS[name]}.")
        return data

    @cached_property
    def claims(self) -> dict[str, Any]:
        """Each claim by its id."""
        return {claim["id"]: claim for claim in self.data("claims.json")["claims"]}

    @cached_property
    def _search(self) -> Any:
        import quickjs

        context = quickjs.Context()
        context.set_memory_limit(BYTES)
        context.set_time_limit(SECONDS)
        context.eval("globalThis.window = globalThis")
        for name in SCRIPTS:
            context.eval((self.folder / name).read_text("utf-8"))
        return context.eval("(how, text) => JSON.stringify(siteSearch[how](text))")

    def _found(self, how: str, text: str) -> list[dict[str, Any]]:
        try:
            return list(json.loads(self._search(how, text)))
        except Exception as error:  # as the interpreter raises it
            raise QuestionError("The question takes too long to look up.") from error

    def _rated(self, text: str) -> list[dict[str, Any]]:
        """The claims that say any of a text, the best first."""
        return [
            hit for hit in self._found("rated", text) if hit["anchor"] in self.claims
        ]

    def by_words(self, text: str) -> list[str]:
        """The ids of the claims that answer a question, best first; none, if none does."""
        good = [hit for hit in self._rated(text) if enough(hit)]
        least = NEAR * good[0]["rating"] if good else 0
        return [hit["anchor"] for hit in good if hit["rating"] >= least]

    def by_message(self, text: str) -> list[str]:
        """The ids of the claims that explain a message, best first; none, if none does.

        Of a message that is not in the list of messages, the words count.
        """
        text = text[-LAST:]
        places = self._found("explained", text)
        pages = {each["page"] for each in places}
        ids = [each["anchor"] for each in places if each["anchor"] in self.claims]
        ids += [hit["anchor"] for hit in self._rated(text) if hit["page"] in pages]
        return [*dict.fromkeys(ids)] or self.by_words(text)

    def by_name(self, text: str) -> list[str]:
        """The ids of the claims about a name, best first; none, if there are none."""
        name = text.strip().removesuffix("()")
        if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", name):
            raise QuestionError("That is no name, such as torch.cuda.Stream.")
        names = self.data("api/index.json")["names"]
        ends = [name] if name in names else names
        found = [n for n in ends if n == name or n.endswith(f".{name}")]
        ids, last = {i for n in found for i in names[n]}, name.rpartition(".")[2]
        if not ids and re.search(r"_|[a-z][A-Z]", last):
            ids = {hit["anchor"] for hit in self._rated(last) if hit["share"] > 0.99}
        rated = [hit["anchor"] for hit in self._rated(name)]
        return sorted(ids, key=lambda i: rated.index(i) if i in rated else len(rated))

    def answer(self, ids: Iterable[str], user: dict[str, Any]) -> list[str]:
        """Claims, and those that do not hold for who asks, with what is missing.

        :raises AskedError: when who asks names a version or a GPU that is not known
        """
        gpus, builders = self.data("gpus.json"), self.data("claims.json")["builders"]
        models = {*gpus["peak_rates"], *(each["gpu"] for each in builders.values())}
        asked = who_asks(user, models, gpus["capabilities"])
        told, refused = list[str](), list[str]()
        for claim in (self.claims[each] for each in [*ids][: MOST + REFUSED]):
            if lacks := [*asked.missing(claim["scope"])]:
                refused.append(
                    f"Out of scope: {claim['id']} holds for {', '.join(lacks)}; you"
                    f" asked for {asked.told(lacks)}. {self.address(claim)}"
                )
            else:
                told.append(self.spoken(claim, asked))
        return [*told[:MOST], *refused[:REFUSED]]

    def address(self, claim: Any) -> str:
        """Where a claim is alone, as it may be quoted."""
        return f"{self.data('claims.json')['address']}claims/{claim['id']}.html"

    def spoken(self, claim: Any, asked: Asked) -> str:
        """A claim with its limits, a line for each kind."""
        builder = self.data("claims.json")["builders"].get(claim["builder"]) or {}
        control, torch = self.claims.get(claim["control"]), series(asked.torch)
        if control and [*asked.missing(control["scope"])]:
            control = None
        parts = {
            "Verdict": f"{claim['verdict']}. Scope: {claim['scope']}",
            "Values": "; ".join(claim["told"]),
            "Measured on": f"{builder.get('gpu') or 'a CPU'}, torch {builder.get('torch')};"
            f" held with torch {', '.join(claim['torch'])}",
            "Not measured with": torch
            and torch not in claim["torch"]
            and f"torch {torch}",
            "Tried": ", ".join(claim["tried"]),
            "Not tried": ", ".join(claim["not_tried"]),
            "Control": control and f"{control['statement']} ({self.address(control)})",
            "Contradicts PyTorch's documentation": ", ".join(claim["contradicts"]),
        }
        lines = [f"{name}: {part}." for name, part in parts.items() if part]
        return "\n".join(
            [claim["statement"], *lines, f"Address: {self.address(claim)}"]
        )
