"""Problems of the landing page, by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import claim

if TYPE_CHECKING:
    from conftest import Site

CONF = 'myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]'
PROBLEMS = """\
:::{{problems}} Moving data

Copies are slow
: Pin the memory{typed}.

Copies are wrong
: Wait.
:::"""


def test_problems_stand_open_under_their_topic_and_are_counted(site: Site) -> None:
    site.page(claim(), PROBLEMS.format(typed=""))

    build = site.build(conf=CONF)

    (topic,) = build.page().select("details.problems[open]")
    heading, count = topic.select("summary > *")
    assert ("moving-data", "h3") == (topic["id"], heading.name)
    assert ("Moving data", "2") == (heading.text, count.text)
    assert ["Copies are slow", "Copies are wrong"] == [
        term.get_text(strip=True) for term in topic.select("dt")
    ]
    twin = (build.folder / "html" / "index.md").read_text()
    assert "### Moving data\n\n- **Copies are slow**: Pin the memory." in twin


def test_a_number_that_is_typed_in_a_problem_turns_the_build_red(site: Site) -> None:
    site.page(claim(), PROBLEMS.format(typed=": it is 5 times faster"))

    build = site.build(conf=CONF, code=1)

    message = (
        "'5 times' is typed, and checked by nothing; write it as {measured}`stem.name`"
    )
    assert message in build.errors
