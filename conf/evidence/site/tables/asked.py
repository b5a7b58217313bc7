"""What people asked the public, what came of it, and where this site answers.

The questions stand in asked.toml, and in asked_scores.toml where each is answered: their heads say
what the fields mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from docutils import nodes

from evidence.judge.facts import read_toml
from evidence.records.model import Part
from evidence.site.diagnostics import Kind, warn
from evidence.site.domain import EvidenceDomain
from evidence.site.look.nodes import Filler, inline, paragraph, row, section, table
from evidence.site.look.words import _, shortened
from evidence.site.tables.chapters import anchors, captions

QUESTIONS, SCORES = "asked.toml", "asked_scores.toml"
#: Fully, in part, not at all, wrongly.
Mark: TypeAlias = Literal["F", "P", "N", "W"]


class Question(Part, frozen=True):
    """What somebody needed, in which words it is searched for, and what came of it."""

    who: Literal["beginner", "practitioner", "library"]
    date: str
    threads: tuple[str, ...]
    need: str
    search: str
    outcome: str
    sure: Literal["certain", "likely", "unsure"]
    case: str = ""


class Score(Part, frozen=True):
    """Where a question is answered, as who wrote that claims, or as somebody else judged."""

    claimed: Mark
    answer: tuple[str, ...] = ()
    place: int = 0
    lacks: str = ""
    score: Mark | None = None

    @property
    def mark(self) -> Mark:
        """What counts: the judgement of somebody else, if there is one."""
        return self.score or self.claimed


#: By name.
Questions: TypeAlias = Mapping[str, Question]
Scores: TypeAlias = Mapping[str, Score]


def asked(folder: Path) -> tuple[Questions, Scores]:
    """The questions and their scores."""
    every = read_toml(folder / QUESTIONS, dict[str, Question])
    return every, read_toml(folder / SCORES, dict[str, Score])


def places(domain: EvidenceDomain) -> set[str]:
    """Where an answer can be: each page, and each of its claims, sections and labels."""
    labels = domain.env.domains.standard_domain.anonlabels.values()
    found = {f"{page}#{anchor}" for page, anchor in labels}
    for name, page in domain.pages.items():
        anchors = {*page.sentences, *(passage.anchor for passage in page.passages)}
        found |= {name, *(f"{name}#{anchor}" for anchor in anchors)}
    return found


def faults(every: Questions, scores: Scores, known: set[str]) -> Iterator[str]:
    """What does not fit together: a question, a score or an answer that is missing."""
    for name in sorted(every.keys() ^ scores.keys()):
        yield f"{name!r} is not in {SCORES if name in every else QUESTIONS}"
    for name, score in scores.items():
        for gone in [place for place in score.answer if place not in known]:
            yield f"{name!r}: its answer {gone!r} is gone"
        if not (score.answer if score.mark == "F" else score.lacks):
            yield f"{name!r}: say where it is answered, or else what is missing"


def questions(filler: Filler, _subject: str) -> list[nodes.Node]:
    """How many are answered, and the questions under the chapters of their answers."""
    every, scores = asked(Path(filler.env.srcdir))
    for fault in faults(every, scores, places(filler.domain)):
        warn(Kind.COUNT, fault, filler.page)
    chapter, under = captions(filler.env), defaultdict[str, list[nodes.row]](list)
    others, missing = _("Other pages"), _("Not answered yet")
    for name in [name for name in every if name in scores]:
        page = (scores[name].answer or ("",))[0].partition("#")[0]
        title = chapter.get(page, others) if scores[name].mark == "F" else missing
        under[title].append(_row(filler, every[name], scores[name]))
    rest = len(under.get(missing, ()))
    judged, full = (
        sum(score.score is not None for score in scores.values()),
        len(scores) - rest,
    )
    text = _("Fully: {full} · in part, or not: {rest} · judged by others: {judged}")
    counted = paragraph(text.format(full=full, rest=rest, judged=judged))
    header = (_("Who needs what"), _("What came of it"), _("On this site"))
    order = (*dict.fromkeys(chapter.values()), others, missing)
    tables = ((each, under[each]) for each in order if each in under)
    ids = anchors(filler.env) | {others: "other-pages", missing: "not-answered-yet"}
    listed = (
        section(each, table(header, of, "changes"), anchor=ids.get(each, ""))
        for each, of in tables
    )
    return [counted, *listed]


def _row(filler: Filler, question: Question, score: Score) -> nodes.row:
    """A question with its threads, what came of it, and the links that answer it."""
    numbered = enumerate(question.threads, 1)
    threads = [nodes.reference("", f"[{n}]", refuri=address) for n, address in numbered]
    need = [*inline(f"{question.need} ({question.date}) "), *threads]
    links = (_link(filler, *place.partition("#")[::2]) for place in score.answer)
    answer = [part for link in links for part in (nodes.Text(" · "), link)][1:]
    lacks = _(" Missing: {what}").format(what=score.lacks) if score.mark != "F" else ""
    return row([need, question.outcome, [*answer, *inline(lacks)]])


def _link(filler: Filler, page: str, anchor: str) -> nodes.reference:
    """A link to an answer, by its sentence, its heading or the title of its page."""
    said = filler.domain.page(page)
    named = {passage.anchor: passage.heading for passage in said.passages}
    title = filler.env.titles.get(page, nodes.title("", page)).astext()
    text = said.sentences.get(anchor) or named.get(anchor) or title
    return filler.link(shortened(text.replace("`", ""), 110), page, anchor)
