"""What changed for the claims between two commits: verdicts, and checked values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from evidence.judge.facts import Edition, FactsError, changed, read_editions
from evidence.judge.verdict import judge_all
from evidence.records.address import changes
from factories import claim as made
from factories import record, timing

if TYPE_CHECKING:
    from pathlib import Path

    from evidence.judge.verdict import Judgement
    from evidence.records.model import Cell, Record


def of(cell: Cell) -> dict[str, Record]:
    """The records of a commit with one timing."""
    return {"copy": record(measured={"speedup": cell})}


def difference(
    before: Cell, after: Cell, *expects: str
) -> list[tuple[str, str, str, str]]:
    """What changed for a claim that expects this, before and after, of these timings."""
    olds, news = of(before), of(after)
    first, last = expects[0], expects[-1]
    old, new = (
        {j.claim.id: j for j in judge_all([made(expect)], records)}
        for expect, records in ((first, olds), (last, news))
    )
    return [*changed(old, new, changes(olds, news))]


def test_a_value_that_is_another_is_a_change() -> None:
    found = difference(timing(4, 4.5), timing(5, 5.5), ">= 3")

    spoken = ("4.2× (4.0–4.5×)", "5.2× (5.0–5.5×)")
    assert [("a-claim", "copy.speedup", *spoken)] == found


def test_a_verdict_that_is_another_is_a_change() -> None:
    found = difference(timing(4, 4.5), timing(4, 4.5), ">= 9", ">= 3")

    assert [("a-claim", "verdict", "diverged", "holds")] == found


def test_values_that_are_alike_and_claims_of_one_side_are_no_changes() -> None:
    assert [] == difference(timing(4, 5), timing(4.5, 5.5), ">= 3")
    alone: dict[str, Judgement] = {
        "a-claim": next(judge_all([made()], of(timing(4, 5))))
    }
    rows = [("copy.speedup", "1×", "2×")]
    assert [] == [*changed(alone, {}, rows), *changed({}, alone, rows)]


def test_a_value_that_is_checked_on_one_side_alone_is_no_change() -> None:
    records = {
        "copy": record(measured={"speedup": timing(4, 5), "ratio": timing(1, 2)})
    }
    old, new = (
        {"a-claim": next(judge_all([made(value=value)], records))}
        for value in ("copy.speedup", "copy.ratio")
    )
    rows = [("copy.ratio", "1×", "2×"), ("copy.speedup", "1×", "2×")]

    assert [("a-claim", "verdict", "holds", "diverged")] == [*changed(old, new, rows)]


EDITION = """\
[{key}]
day = "{day}"
old = "a"
new = "b"
added = ["came"]
removed = []
changed = [["stays", "verdict", "noisy", "holds"]]
"""


def test_editions_are_read_the_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "news.toml"
    assert [] == read_editions(path)
    both = (("b1", "2026-01-30"), ("b2", "2026-01-31"))
    path.write_text("".join(EDITION.format(key=key, day=day) for key, day in both))

    last, first = read_editions(path)

    assert ("2026-01-31", "2026-01-30") == (last.day, first.day)
    change = (("stays", "verdict", "noisy", "holds"),)
    assert Edition("2026-01-30", "a", "b", ("came",), (), change) == first


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            EDITION.format(key="b", day="today"),
            r"Expected `str` matching regex .* `\$\[...\]\.day`",
        ),
        (
            EDITION.format(key="b", day="2026-01-30") + "more = 1",
            "unknown field `more`",
        ),
        (
            EDITION.replace('"noisy", ', "").format(key="b", day="2026-01-30"),
            "length 4, got 3",
        ),
        (
            EDITION.format(key="b", day="2026-01-30") * 2,
            r"Cannot declare \('b',\) twice",
        ),
    ],
)
def test_an_edition_that_cannot_be_is_an_error(
    tmp_path: Path, text: str, reason: str
) -> None:
    path = tmp_path / "evidence/news.toml"
    path.parent.mkdir()
    path.write_text(text)

    with pytest.raises(FactsError, match=f"^evidence/news.toml: .*{reason}"):
        read_editions(path)
