"""An answer that a reader is to predict first: folded away, and checked as any text is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import claim

if TYPE_CHECKING:
    from conftest import Site

ANSWER = "::::{{answer}} The *answer*\n{}\n::::"


def test_a_claim_in_an_answer_is_judged_and_shown_below_its_line(site: Site) -> None:
    site.page(ANSWER.format(claim()))

    build = site.build()

    (answer,) = build.page().select("details.answer")
    assert "open" not in answer.attrs
    assert answer.summary is not None
    assert "The answer" == answer.summary.get_text()
    assert answer.select_one("#copy-is-faster") is not None
    twin = (build.folder / "html" / "index.md").read_text()
    assert "The *answer*" in twin
    assert "copy" in twin


def test_a_number_that_is_typed_in_an_answer_turns_the_build_red(site: Site) -> None:
    site.page(claim(), ANSWER.format("It is 5 times faster."))

    build = site.build(code=1)

    assert "'5 times' is typed, and checked by nothing" in build.errors


def test_the_class_of_an_answer_is_the_builds_own(site: Site) -> None:
    site.page(claim(), ":::{container} answer\nSo.\n:::")

    build = site.build(code=1)

    assert "a block of class 'answer' is the build's own to make" in build.errors
