"""What a built site publishes, looked up: by words, by a message, or by the name of an API.

Nothing else is read than its data: ``claims.json``, ``gpus.json``, ``api/index.json`` and the index of
its search. What ranks is the search of the site itself, ``search.js``, in an interpreter that reaches no
file and no network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec

from evidence.commands import CommandError
from evidence.judge.expect import Scope
from evidence.records.versions import release, series

#: The schemas that are understood, of ``claims.json`` and of the others.
SCHEMAS = {"claims.json": 5, "gpus.json": 1, "api/index.json": 1}
SCRIPTS = ("_static/search.js", "_static/claims_index.js")
#: What of a question a claim and the lead of its page must say, by how telling its words are: this share
#: and as much as so many rare words, where each word is known, or where one is not, or several are not.
KNOWN, ONE_UNKNOWN, UNKNOWN = (0.6, 1), (0.3, 1.8), (0.4, 1.8)
#: So many claims are an answer, and so many are refused; each is rated at least this share of the best.
MOST, REFUSED, NEAR = 4, 5, 0.25
#: So many first words of a recorded message tell that it is the same.
FIRST = 12
#: Of a long message the end decides: a traceback ends with it.
LAST = 3000
#: What the search may take for a question, in seconds and bytes.
SECONDS, BYTES = 5, 2**28


class QuestionError(ValueError):
    """A question that cannot be looked up; the message says why, in one sentence."""


class Asked(msgspec.Struct, frozen=True):
    """Whose question it is: what of it is empty, or 0, is left open.

    ``torch`` is a version (2.14.1), ``gpu`` a model as PyTorch names it or a part of that, ``gpus``
    how many there are.
    """

    torch: str = ""
    gpu: str = ""
    gpus: int = 0


def words_of(gpu: str) -> frozenset[str]:
    """The words of a GPU's name that tell it from others."""
    return frozenset(re.findall(r"[a-z0-9]+", gpu.lower())) - {"nvidia", "geforce"}


def enough(share: float, tells: float, unknown: int, **_: Any) -> bool:
    """Whether what is found says enough of a question to be an answer."""
    bounds = [UNKNOWN] if unknown > 1 else [ONE_UNKNOWN] if unknown else [KNOWN, ONE_UNKNOWN]
    return any(share >= least and tells >= most for least, most in bounds)


def plain(text: str) -> str:
    """The words of a message, each number as the same sign."""
    return " ".join(re.sub(r"\d+", "#", w) for w in re.findall(r"[^\W\d]\w*|\d+", text.lower()))


class Published:
    """A folder of a built site.

    :raises CommandError: when there is none, or one that is not understood
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        lost = [n for n in (*SCHEMAS, *SCRIPTS) if not (folder / n).is_file()]
        if lost:
            build = "build it by 'nox -s docs', or name its folder: --site FOLDER"
            raise CommandError(f"{folder} is no site with {lost[0]}: {build}")

    def _data(self, name: str) -> Any:
        data = msgspec.json.decode((self.folder / name).read_bytes())
        if data.get("schema") != SCHEMAS[name]:
            other = f"{name} has schema {data.get('schema')}, not {SCHEMAS[name]}"
            raise CommandError(f"{self.folder / other}")
        return data

    @cached_property
    def site(self) -> Any:
        """All of ``claims.json``."""
        return self._data("claims.json")

    @cached_property
    def claims(self) -> dict[str, Any]:
        """Each claim by its id."""
        return {claim["id"]: claim for claim in self.site["claims"]}

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The ids of the claims that speak of a name."""
        return dict(self._data("api/index.json")["names"])

    @cached_property
    def capabilities(self) -> dict[frozenset[str], str]:
        """The compute capability of a GPU by the words of its model."""
        found = self._data("gpus.json")["capabilities"].items()
        return {
            words_of(model): capability
            for capability, models in found
            if capability != "source"
            for model in models
        }

    @cached_property
    def _search(self) -> Any:
        import quickjs

        context = quickjs.Context()
        context.set_memory_limit(BYTES)
        context.set_time_limit(SECONDS)
        context.eval("globalThis.window = globalThis")
        for name in SCRIPTS:
            context.eval((self.folder / name).read_text("utf-8"))
        return context.eval(
            "(name, text) => JSON.stringify(siteSearch[name](text))"
        )

    def _found(self, how: str, text: str) -> list[dict[str, Any]]:
        """What a function of the search gives."""
        try:
            return list(json.loads(self._search(how, text)))
        except Exception as error:  # as the interpreter raises it
            raise QuestionError("The question takes too long to look up.") from error

    def _rated(self, text: str) -> list[dict[str, Any]]:
        """The claims that say any of a text, the best first."""
        return [hit for hit in self._found("rated", text) if hit["anchor"] in self.claims]

    def by_words(self, text: str) -> list[str]:
        """The ids of the claims that answer a question, the best first; none, if none does."""
        good = [hit for hit in self._rated(text) if enough(**hit)]
        least = NEAR * good[0]["rating"] if good else 0
        return [hit["anchor"] for hit in good if hit["rating"] >= least]

    def by_message(self, text: str) -> list[str]:
        """The ids of the claims that explain a message, best first; none, if none does.

        First those in which it was recorded, and then those to which the search leads; of a message that
        nothing recorded, the words count.
        """
        text = text[-LAST:]
        order = [hit["anchor"] for hit in self._rated(text)]
        pasted = f" {plain(text)} "
        same = [i for i in order if any(f" {m} " in pasted for m in self.messages[i])]
        places = self._found("explained", text)
        ids = [each["anchor"] for each in places if each["anchor"] in self.claims]
        pages = {each["page"] for each in places if each["anchor"] not in self.claims}
        near = [each for each in order if self.claims[each]["page"] in pages]
        return [*dict.fromkeys((*same, *ids, *near))] or self.by_words(text)

    @cached_property
    def messages(self) -> dict[str, list[str]]:
        """The first words of the messages that were recorded for a claim, by its id."""
        return {
            claim["id"]: [
                " ".join(words[:FIRST])
                for check in claim["checks"]
                for given in [check["measured"] or {}]
                for text in [str(given.get("message") or given.get("value"))]
                if len(words := plain(text).split()) > 3
            ]
            for claim in self.claims.values()
        }

    def by_name(self, text: str) -> list[str]:
        """The ids of the claims that speak of a name, best first; none, if none does."""
        name = text.strip().removesuffix("()")
        if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", name):
            raise QuestionError("That is no name, such as torch.cuda.Stream.")
        ends = [n for n in self.names if n == name or n.endswith(f".{name}")]
        ids = {each for n in ([name] if name in ends else ends) for each in self.names[n]}
        order = [hit["anchor"] for hit in self._rated(name.rpartition(".")[2])]
        return sorted(ids, key=lambda i: order.index(i) if i in order else len(order))

    def user(self, asked: Asked) -> Any:
        """What scopes are compared with.

        :raises QuestionError: when it names no version, or a GPU that the site does not know
        """
        if asked.torch and not series(asked.torch).strip("0."):
            raise QuestionError("That is no version of PyTorch, such as 2.14.")
        words, capability = words_of(asked.gpu), ""
        if match := re.fullmatch(r"sm_(\d+)(\d)", asked.gpu):
            capability = f"{match[1]}.{match[2]}"
        elif words:
            known = [model for model in self.capabilities if model <= words]
            if not known:
                raise QuestionError(
                    "This site knows no such GPU: give its compute capability, such as sm_75."
                )
            capability = self.capabilities[max(known, key=len)]
        models = {b["gpu"] for b in self.site["builders"].values()}
        models |= self._data("gpus.json")["peak_rates"].keys()
        alike = {model for model in models if words and words <= words_of(model)}
        return SimpleNamespace(
            torch=asked.torch, gpus=asked.gpus, capability=capability, alike=alike
        )


def missing(scope: str, user: Any) -> Iterator[str]:
    """What of a scope a user does not meet."""
    for part in Scope(scope).conditions:
        given = {"torch": user.torch, "gpus>": user.gpus}.get(part[:5], user.capability)
        if not given:
            continue
        if part.startswith("gpu "):
            models = part.partition("==")[2].strip().split(" or ")
            if not user.alike or not user.alike.issubset(models):
                yield part
        elif not Scope(part).holds_on(user):
            yield part


def answered(site: Published, ids: Iterable[str], asked: Asked) -> list[str]:
    """The paragraphs of an answer: claims, and those that do not hold for who asks, with why."""
    user, told, refused = site.user(asked), list[str](), list[str]()
    for claim in (site.claims[each] for each in [*ids][:MOST + REFUSED]):
        lacks = [*missing(claim["scope"], user)]
        if not lacks and len(told) < MOST:
            told.append(spoken(site, claim, asked, user))
        elif lacks and len(refused) < REFUSED:
            refused.append(refusal(site, claim, lacks, asked))
    return [*told, *refused]


def refusal(site: Published, claim: Any, lacks: list[str], asked: Asked) -> str:
    """That a claim is no answer here, and what is missing."""
    given = {"torch": f"torch {asked.torch}", "gpus>": f"{asked.gpus} GPU"}
    you = dict.fromkeys(given.get(part[:5], asked.gpu) for part in lacks)
    return (
        f"Out of scope: {claim['id']} holds for {', '.join(lacks)}; you asked for"
        f" {', '.join(you)}. {address(site, claim)}"
    )


def address(site: Published, claim: Any) -> str:
    """Where a claim stands alone, as it may be quoted."""
    return f"{site.site['address']}claims/{claim['id']}.html"


def spoken(site: Published, claim: Any, asked: Asked, user: Any) -> str:
    """A claim with its limits, a line for each kind."""
    builder = site.site["builders"].get(claim["builder"]) or {}
    control = site.claims.get(claim["control"])
    lines = [
        claim["statement"],
        f"Verdict: {claim['verdict']}. Scope: {claim['scope']}.",
        f"Values: {'; '.join(claim['told'])}.",
        f"Measured on: {builder.get('gpu') or 'a CPU'}, torch {builder.get('torch')};"
        f" held with torch {', '.join(claim['torch'])}.",
    ]
    if asked.torch and series(asked.torch) not in claim["torch"]:
        lines.append(f"Not measured with torch {series(asked.torch)}.")
    if claim["tried"]:
        lines.append(f"Tried: {', '.join(claim['tried'])}.")
    if claim["not_tried"]:
        lines.append(f"Not tried: {', '.join(claim['not_tried'])}.")
    if control and not [*missing(control["scope"], user)]:
        lines.append(f"Control: {control['statement']} {address(site, control)}")
    if claim["contradicts"]:
        lines.append(f"Contradicts PyTorch's documentation: {claim['contradicts'][0]}.")
    return "\n".join([*lines, f"Address: {address(site, claim)}"])
