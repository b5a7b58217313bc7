"""Thumbnails of examples that draw nothing: the first claim that rests on them."""

from __future__ import annotations

from conftest import Site, claim


def test_a_card_shows_the_sentence_of_the_first_claim(site: Site) -> None:
    site.page(claim("first-claim"), claim("second-claim", "true", value="copy.pinned"))
    (card,) = site.build(code=1).page("gallery/memory/index").select(".card")
    assert "It is faster (5.0×)." == card.text.strip()
