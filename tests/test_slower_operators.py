"""What deterministic mode costs is measured for each operator that it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import ROOT
from evidence.records.model import Table
from evidence.records.store import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from evidence.records.model import Cell

FOLDER = ROOT / "examples" / "determinism"

#: Of ``max`` and ``min``, which have several forms.
SUFFIX = ".reduction_with_dim"
#: Added on inputs that are large enough to change, or of another shape.
ADDED = {
    "pad.reflect (images), backward",
    "embedding (64 rows), backward",
    "max (rows of 1024), backward",
    "topk (rows of 1024), backward",
}

#: What changes in PyTorch 2.15 and did not in 2.11, in which the calls were timed.
NEWER = {
    "interpolate.bicubic, forward",
    "interpolate.bicubic, backward",
    "max_pool3d, forward",
    "max_pool3d, backward",
    "linear_cross_entropy.chunked, forward",
    "linear_cross_entropy.chunked_none, backward",
}


def rows(stem: str, name: str) -> tuple[Mapping[str, Cell], ...]:
    found = load(FOLDER / f"{stem}.json").measured[name]
    assert isinstance(found, Table)
    return found.rows


def text(cell: Cell) -> str:
    return str(getattr(cell, "value", ""))


def changed(operators: Iterable[Mapping[str, Cell]]) -> set[str]:
    """The passes that launched other kernels on a sample, as they are called where timed."""
    return {
        text(row["operator"]).removeprefix("nn.functional.").removesuffix(SUFFIX)
        + f", {way}"
        for row in operators
        for way in ("forward", "backward")
        if "changed, " in text(row[f"{way}_switched"])
    }


def test_each_operator_that_changes_is_timed() -> None:
    operators = rows("some_operators_change_in_deterministic_mode", "by_operator")
    calls = rows("some_operators_that_change_are_slower", "by_call")
    timed = {text(row["call"]) for row in calls}
    assert timed - changed(operators) == ADDED
    assert changed(operators) <= timed | NEWER
    assert len(timed) == len(calls)


def test_one_that_is_left_out_is_found() -> None:
    operators = rows("some_operators_change_in_deterministic_mode", "by_operator")
    calls = rows("some_operators_that_change_are_slower", "by_call")
    timed = {text(row["call"]) for row in calls[1:]}
    assert changed(operators) - timed - NEWER == {text(calls[0]["call"])}
