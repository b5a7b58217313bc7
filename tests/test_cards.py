"""Thumbnails of examples that draw nothing."""

from __future__ import annotations

import pytest
from evidence.records.model import Plain, Raised, Table, Value
from evidence.site.tables.cards import LONGEST, card, telling
from factories import record, timing

ROWS = Table(
    (
        {"size_bytes": Plain(1), "speedup": timing(2, 2)},
        {"size_bytes": Plain(2), "speedup": timing(3, 3)},
    )
)


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        ({"tries": Plain(20), "wrong_share": Plain(0.4)}, "wrong_share"),
        ({"early_share": Plain(0.9), "slowdown": timing(3, 3)}, "slowdown"),
        ({"slowdown": timing(1, 1), "early_share": Plain(0.9)}, "early_share"),
        ({"right": Plain(0), "wrong": Plain(20)}, "wrong"),
        ({"tries": Plain(20), "wrong": Plain(10)}, "wrong"),
        ({"tries": Plain(20), "copies": Plain(30)}, "copies"),
        ({"copy_s": timing(1, 1), "early": Plain(3)}, "early"),
        ({"waits": Plain(True), "by_size": ROWS}, "speedup"),
        ({"waits": Plain(True)}, "waits"),
        ({"kind": Plain("tf32"), "error": Raised("ValueError", "no")}, "error"),
        ({"by_kind": Table(({"kind": Plain("view")},))}, "kind"),
    ],
)
def test_the_value_that_says_most(measured: dict[str, Value], expected: str) -> None:
    assert expected == telling(record("copy", measured=measured))[0]


def test_a_sweep_is_told_by_its_last_row() -> None:
    _, cell = telling(record("copy", measured={"by_size": ROWS}))
    assert timing(3, 3) == cell


def test_a_sweep_whose_last_row_shows_no_change_is_told_by_the_row_that_does() -> None:
    nothing = {"size_bytes": Plain(3), "speedup": timing(1.01, 1.01)}
    rows = Table((*ROWS.rows, nothing))

    _, cell = telling(record("copy", measured={"by_size": rows, "workers": Plain(4)}))

    assert timing(3, 3) == cell


def shown(measured: dict[str, Value]) -> str:
    return card(record("copy", measured=measured)).astext()


def test_a_card_shows_the_value_and_its_name() -> None:
    measured: dict[str, Value] = {"pinned_over_pageable_speedup": timing(6.3, 6.3)}
    assert "6.300× pinned over pageable speedup" == shown(measured)


def test_a_long_value_is_cut() -> None:
    text = shown({"error": Raised("ValueError", "a < b " * 20)})
    assert "ValueError:… error" == text
    assert LONGEST == len("ValueError:…")


def test_a_record_without_values_has_no_card() -> None:
    with pytest.raises(ValueError, match="the record of copy holds no value"):
        card(record("copy", measured={}))
