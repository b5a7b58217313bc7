"""Lists of examples: titles, what they ask and answer, and the claims that rest on them."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from conftest import SVG, Site, claim
from evidence.records.model import Output, Value
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


def test_an_example_that_draws_is_listed_with_its_plot(site: Site) -> None:
    outputs = (Output(figures=("copy-1.svg",)),)
    site.record(outputs=outputs, figures={"copy-1.svg": SVG % b"drawn"})
    site.page(claim())
    page = site.build().page("gallery/memory/index")
    assert len(page.select(".examples > li > img")) == 1


def test_an_example_is_not_listed_as_held_when_a_claim_of_it_diverged(
    site: Site,
) -> None:
    site.record(measured={"speedup": timing(6.3, 6.3)})
    site.page(claim("holds", ">= 4"), claim("diverged", ">= 7"))
    red = site.build(code=1)
    (folder,) = red.html.parent.glob("html*/gallery/memory")
    about = BeautifulSoup((folder / "index.html").read_text(), "html.parser")
    assert "✗ 2 claims, 1 hold · Tiny" in about.select_one(".examples > li").text
