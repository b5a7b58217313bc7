"""Thumbnails of examples that draw nothing: the first claim that rests on them."""

from __future__ import annotations

import pytest
from conftest import Site, claim
from evidence.records.model import Plain, Value
from factories import timing


@pytest.mark.parametrize(
    ("value", "expect", "expected"),
    [
        (timing(6.3, 6.3), ">= 4", "6.300× first claim"),
        (Plain(20), "== 20", "✓ first claim"),
        (Plain(True), "true", "✓ first claim"),
    ],
)
def test_a_card_shows_the_first_claim(
    site: Site, value: Value, expect: str, expected: str
) -> None:
    site.record(measured={"speedup": value})
    site.page(claim("first-claim", expect), claim("second-claim", expect))
    (card,) = site.build().page("gallery/memory/index").select(".card")
    assert expected == card.text.strip()
