"""What people asked, and where this site answers: the data, and the page that is made from it."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest
from conftest import ROOT
from evidence.site.tables.asked import QUESTIONS, SCORES, asked, faults

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Site

QUESTION = """\
[{0}]
who = "beginner"
date = "2026-01-31"
threads = ["https://forum.example/1", "https://forum.example/2"]
need = "Why is {0} slow?"
search = "slow {0}"
outcome = "Pin it."
sure = "likely"
"""
SCORE = '[{}]\nclaimed = "{}"\nanswer = {}\nlacks = "{}"\n'
ANSWERED = SCORE.format("copying", "F", '["index#copy-is-faster", "index"]', "")
MISSING = SCORE.format("sending", "N", "[]", "Nothing on it.")
#: Where a page says that something is: a claim, a label, a block, a heading.
ANCHOR = re.compile(
    r"\{#([\w-]+)\}|^\(([\w-]+)\)=|^:+\{(?:wrong|right|result)\} ([\w-]+)|^#+ (.+)",
    re.MULTILINE,
)


def written(docs: Path) -> set[str]:
    """Each page of a folder, and each place of it that can be linked."""
    found = set()
    for path in docs.rglob("*.md"):
        page = path.relative_to(docs).with_suffix("").as_posix()
        found.add(page)
        for named in ANCHOR.finditer(path.read_text("utf-8")):
            name, heading = next(filter(None, named.groups()[:3]), ""), named[4]
            slug = "-".join(re.findall(r"\w+", heading.lower())) if heading else ""
            found.add(f"{page}#{name or slug}")
    return found


def write(folder: Path, questions: str, scores: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / QUESTIONS).write_text(questions)
    (folder / SCORES).write_text(scores)


def found(folder: Path, questions: str, scores: str) -> list[str]:
    write(folder, questions, scores)
    return [*faults(*asked(folder), {"index", "index#copy-is-faster"})]


def test_every_question_has_a_score_and_every_answer_exists() -> None:
    questions, scores = asked(ROOT / "docs")

    assert [] == [*faults(questions, scores, written(ROOT / "docs"))]
    assert 79 == len(questions)
    before = tomllib.loads((ROOT / "docs/asked_before.toml").read_text("utf-8"))
    assert [*questions] == [*before] == [*scores]


def test_what_does_not_fit_together_is_named(tmp_path: Path) -> None:
    copying = QUESTION.format("copying")
    gone = ANSWERED.replace("#copy-is-faster", "#no-claim")
    lost = ANSWERED.replace('"index"]', '"no/page"]')
    silent = ANSWERED.replace('["index#copy-is-faster", "index"]', "[]")

    assert [] == found(tmp_path, copying, ANSWERED)
    assert ["'copying' is not in asked_scores.toml"] == found(tmp_path, copying, "")
    assert ["'copying' is not in asked.toml"] == found(tmp_path, "", ANSWERED)
    assert ["'copying': its answer 'index#no-claim' is gone"] == found(
        tmp_path, copying, gone
    )
    assert ["'copying': its answer 'no/page' is gone"] == found(tmp_path, copying, lost)
    wanted = "'copying': say where it is answered, or else what is missing"
    assert [wanted] == found(tmp_path, copying, silent)
    assert [wanted] == found(tmp_path, copying, silent.replace('"F"', '"P"'))


@pytest.mark.parametrize(("score", "mark"), [("", "F"), ('score = "P"\n', "P")])
def test_what_somebody_else_judged_counts(
    tmp_path: Path, score: str, mark: str
) -> None:
    write(tmp_path, QUESTION.format("copying"), ANSWERED + score)
    assert mark == asked(tmp_path)[1]["copying"].mark


def test_the_page_lists_what_is_answered_by_chapter_and_what_is_not(site: Site) -> None:
    both = QUESTION.format("copying") + QUESTION.format("sending")
    write(site.folder / "docs", both, ANSWERED + MISSING)
    site.page("```{evidence-questions}\n```", name="asked", title="Asked")

    page = site.build().page("asked")

    text = " ".join(page.get_text(" ").split())
    assert "Fully: 1 · in part, or not: 1 · judged by others: 0" in text
    titles = [str(title.contents[0]) for title in page.select("[role=main] h2")]
    assert ["Other pages", "Not answered yet"] == titles
    rows = [
        " ".join(row.get_text(" ").split()) for row in page.select("table tbody tr")
    ]
    assert [
        "Why is copying slow? (2026-01-31) [1] [2] Pin it. It is faster (5.0×). · Tiny",
        "Why is sending slow? (2026-01-31) [1] [2] Pin it. Missing: Nothing on it.",
    ] == rows
    links = [link["href"] for link in page.select("table a")]
    assert "https://forum.example/2" in links
    assert "index.html#copy-is-faster" in links


def test_an_answer_that_is_gone_turns_the_build_red(site: Site) -> None:
    gone = ANSWERED.replace("#copy-is-faster", "#no-claim")
    write(site.folder / "docs", QUESTION.format("copying"), gone)
    site.page("```{evidence-questions}\n```", name="asked", title="Asked")

    (warning,) = site.build(code=1).warnings

    assert "'copying': its answer 'index#no-claim' is gone" in warning
    assert "[evidence.count]" in warning
