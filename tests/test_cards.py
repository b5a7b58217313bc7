"""Lists of examples: titles, what they ask and answer, and the claims that rest on them."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from conftest import SCRIPT, SVG, Site, claim
from evidence.records.model import Output, Plain, Table, Value
from factories import timing


@pytest.mark.parametrize(
    ("expects", "expected"),
    [
        ((">= 4",), "✓ 1 claim holds · Tiny"),
        ((">= 4", ">= 5"), "✓ 2 claims, all hold · Tiny"),
    ],
)
def test_an_example_is_listed_with_its_claims(
    site: Site, expects: tuple[str, ...], expected: str
) -> None:
    measured: dict[str, Value] = {"speedup": timing(6.3, 6.3)}
    site.record(measured=measured)
    site.page(*(claim(f"claim-{n}", e) for n, e in enumerate(expects)))
    (item,) = site.build().page("gallery/memory/index").select(".examples > li")
    *_, about = item.select("p")
    assert expected == about.text.strip()
    links = [link["href"] for link in item.select("a")]
    assert links[0] == "copy.html"
    assert links[-1].endswith("#claim-0")


WAIT = SCRIPT.replace("copy", "wait").replace("wait?", "`wait`?\n\nNot in a list.")


def test_each_example_is_listed_with_its_question_its_plot_and_its_pages(
    site: Site,
) -> None:
    outputs = (Output(figures=("copy-1.svg",)),)
    site.record(outputs=outputs, figures={"copy-1.svg": SVG % b"drawn"})
    site.script("wait", code=WAIT)
    site.record("wait", measured={"waits": Plain(7)})
    site.script("spare")
    site.record("spare", measured={"sweep": Table(({"n": Plain(5)},))})
    site.page(claim("a-1"), claim("w-1", "== 7", value="wait.waits"))
    two = claim("b-1"), claim("b-2", ">= 3.5"), "```{recorded} spare.sweep\n```"
    site.page(*two, name="other", title="Other")

    items = site.build().page("gallery/memory/index").select(".examples > li")

    listed = {item.a["href"]: item for item in items}
    assert {"copy.html", "wait.html", "spare.html"} == listed.keys()
    said = {
        name: [" ".join(p.text.split()) for p in item.select("p")[1:]]
        for name, item in listed.items()
    }
    assert {
        "copy.html": ["How fast is a copy?", "✓ 3 claims, all hold · Tiny · Other"],
        "wait.html": ["How fast is a wait?", "✓ 1 claim holds · Tiny"],
        "spare.html": ["How fast is a copy?"],
    } == said
    anchors = [
        [link["href"].partition("#")[2] for link in item.select(".rests a")]
        for item in (listed["copy.html"], listed["wait.html"])
    ]
    assert [["a-1", "b-1"], ["w-1"]] == anchors
    assert ["copy.html"] == [
        name for name, item in listed.items() if item.select("img")
    ]
    assert "wait" == listed["wait.html"].code.text


def test_an_example_is_not_listed_as_held_when_a_claim_of_it_diverged(
    site: Site,
) -> None:
    site.record(measured={"speedup": timing(6.3, 6.3)})
    site.page(claim("holds", ">= 4"), claim("diverged", ">= 7"))
    red = site.build(code=1)
    (folder,) = red.html.parent.glob("html*/gallery/memory")
    about = BeautifulSoup((folder / "index.html").read_text(), "html.parser")
    assert "✗ 2 claims, 1 hold · Tiny" in about.select_one(".examples > li").text
