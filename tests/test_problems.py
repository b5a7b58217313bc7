"""Problems and decisions: definition lists of the front page and of the symptoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import claim

if TYPE_CHECKING:
    from conftest import Site

CONF = 'myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]'
PROBLEMS = """\
:::{{problems}}{option}

Copies are slow
: Pin the memory{typed}.

Copies are wrong
: Wait.
:::"""


def test_problems_are_a_list_in_the_style_that_is_asked_for(site: Site) -> None:
    plain = PROBLEMS.format(typed="", option="")
    site.page(claim(), plain, PROBLEMS.format(typed="", option="\n:class: doors"))

    build = site.build(conf=CONF)

    problems, doors = build.page().select(".problems")
    assert "doors" not in problems["class"]
    assert "doors" in doors["class"]
    for each in (problems, doors):
        terms = [term.get_text(strip=True) for term in each.select("dt")]
        assert ["Copies are slow", "Copies are wrong"] == terms
    twin = (build.folder / "html" / "index.md").read_text()
    assert twin.count("- **Copies are slow**: Pin the memory.") == 2


def test_a_number_that_is_typed_in_a_problem_turns_the_build_red(site: Site) -> None:
    site.page(claim(), PROBLEMS.format(typed=": it is 5 times faster", option=""))

    build = site.build(conf=CONF, code=1)

    message = (
        "'5 times' is typed, and checked by nothing; write it as {measured}`stem.name`"
    )
    assert message in build.errors
