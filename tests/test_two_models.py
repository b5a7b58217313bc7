"""What the page on another GPU says of H100 and H200 is what the kept passes hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from conftest import ROOT

#: Where a pass has a value: the table and the first cell of its row, or nothing; and its name.
Place = tuple[str, str, str]
PASSES = sorted((ROOT / "docs/evidence/passes").glob("*-2.11.0*.json"))
MODELS = "NVIDIA H100 80GB HBM3", "NVIDIA H200"
HALF = "FP16", "BF16"


def values(measured: dict[str, Any]) -> dict[Place, object]:
    """What a pass measured of an example, value by value."""
    found = dict[Place, object]()
    for name, value in measured.items():
        if not isinstance(value, dict):
            found["", "", name] = value
        elif value["kind"] == "table":
            places = [(name, str(row[0])) for row in value["rows"]]
            for place, row in zip(places, value["rows"], strict=True):
                cells = zip(value["columns"], row, strict=True)
                found |= {(*place, column): cell for column, cell in cells}
    return found


def of_model(gpu: str, stem: str, named: str = "") -> dict[Place, object]:
    """What all passes on a GPU model measured of an example, by name; they agree."""
    found = []
    for path in PASSES:
        kept = json.loads(path.read_text("utf-8"))
        example = kept["examples"].get(stem)
        if example and kept["runs"][example["run"]]["builder"]["gpu"] == gpu:
            said = values(example["measured"]).items()
            some = {place: value for place, value in said if named in place[2]}
            found.append((example["code_key"], some))
    assert found
    assert all(one == found[0] for one in found)
    return found[0][1]


def is_half(place: Place) -> bool:
    return place[1] in HALF


def is_fp16(place: Place) -> bool:
    _table, row, column = place
    return row in ("4096", "512 × 512 × 4096", "fp16") and (
        row == "fp16" or "fp16" in column
    )


@pytest.mark.parametrize(
    ("stem", "is_other"),
    [
        ("a_row_depends_on_its_batch", is_half),
        ("low_types_cut_their_sums_off", is_fp16),
        ("products_repeat_without_a_setting", lambda place: place[1] == "0 × 0"),
    ],
)
def test_what_is_other_on_the_other_model(
    stem: str, is_other: Callable[[Place], bool]
) -> None:
    one, two = (of_model(gpu, stem) for gpu in MODELS)
    differ = {place for place in one if one[place] != two[place]}
    assert differ
    assert all(map(is_other, differ))


@pytest.mark.parametrize(
    "stem",
    [
        "modes_trade_error_for_speed",
        "flex_attention_follows_the_matmul_setting",
        "math_attention_computes_in_fp32",
        "every_way_gives_the_same_gradients",
    ],
)
def test_errors_are_equal_on_both_models(stem: str) -> None:
    one, two = (of_model(gpu, stem, "error") for gpu in MODELS)
    assert one
    assert one == two


def test_no_library_and_no_driver_is_other() -> None:
    kept = [json.loads(path.read_text("utf-8")) for path in PASSES]
    builders = [run["builder"] for each in kept for run in each["runs"]]
    assert set(MODELS) == {builder["gpu"] for builder in builders}
    for part in ("torch", "cudnn", "driver"):
        assert 1 == len({builder[part] for builder in builders}), part
