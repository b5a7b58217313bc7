"""A judgement as plain data says what the page says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from evidence.judge.verdict import (
    Judgement,
    Verdict,
    builder_id,
    claim_data,
    measured_data,
    unjudged,
)
from evidence.judge.wording import expected_words
from evidence.records.address import AddressError
from evidence.records.model import Builder, Cell, Plain, Raised, Table, Value
from factories import builder, claim, finding, record, timing

MEASURED: dict[str, Value] = {
    "speedup": timing(4.9, 5.1),
    "copy_s": timing(0.002, 0.004),
    "by_size": Table(({"size_bytes": Plain(4096), "pinned_s": timing(0.5, 0.7)},)),
}
RECORDS = {"copy": record("copy", MEASURED)}


@pytest.mark.parametrize(
    ("expected", "gpu"),
    [
        (r"nvidia-h200-[0-9a-f]{8}", "NVIDIA H200"),
        (r"nvidia-h100-80gb-hbm3-[0-9a-f]{8}", "(NVIDIA) H100 80GB / HBM3 "),
        (r"cpu-[0-9a-f]{8}", ""),
    ],
)
def test_a_builder_is_named_for_its_gpu_and_by_a_hash(expected: str, gpu: str) -> None:
    assert re.fullmatch(expected, builder_id(builder(gpu=gpu)))


def test_a_builder_without_facts_keeps_its_name() -> None:
    # Links and claims.json hold these names: they must not change from build to build.
    expected = "cpu-15e41e8e"
    assert expected == builder_id(builder(gpu=""))


@pytest.mark.parametrize("field", Builder.__struct_fields__)
def test_builders_that_differ_in_anything_have_different_names(field: str) -> None:
    known = builder()
    other = "x" if isinstance(getattr(known, field), str) else 99
    assert builder_id(known) != builder_id(builder(**{field: other}))


@pytest.mark.parametrize(
    ("expected", "expect", "options"),
    [
        ("at least 3×", ">= 3", {}),
        ("at most 4 ms", "<= 4 ms", {"value": "copy.copy_s"}),
        (
            "more than 600 ms",
            "> copy.by_size[size_bytes=4096].pinned_s",
            {"value": "copy.copy_s"},
        ),
    ],
)
def test_what_a_claim_expects_is_said_in_words(
    expected: str, expect: str, options: dict[str, str]
) -> None:
    words = expected_words(claim(expect, **options).checks[0], RECORDS, str)
    assert expected == words.replace("\u202f", " ")


def test_an_expectation_on_what_was_not_measured_has_no_words() -> None:
    with pytest.raises(AddressError, match="copy\\.slowdown"):
        expected_words(claim("> copy.slowdown").checks[0], RECORDS, str)


@pytest.mark.parametrize(
    ("expected", "name", "cell"),
    [
        (
            {
                "value": 0.003,
                "interval": [0.002, 0.004],
                "n": 6,
                "unit": "seconds",
                "text": "3.0\u00a0ms",
            },
            "copy_s",
            timing(0.002, 0.004),
        ),
        ({"value": 20, "unit": "number", "text": "20"}, "calls", Plain(20)),
        ({"value": True, "unit": "number", "text": "yes"}, "blocks", Plain(True)),
        ({"value": "half", "unit": "number", "text": "half"}, "dtype", Plain("half")),
        (
            {
                "raised": "ValueError",
                "message": "too small",
                "unit": "number",
                "text": "ValueError: too small",
            },
            "error",
            Raised("ValueError", "too small"),
        ),
    ],
)
def test_a_measured_value_is_data(
    expected: dict[str, Any], name: str, cell: Cell
) -> None:
    assert expected == measured_data(name, cell)


def test_a_claim_that_was_judged_is_data() -> None:
    given = claim(
        name="copy-is-faster",
        place=("memory/copy", 1),
        scope="sm_80+",
        documented="about 7 times (cuda.md)",
        seed="003 b, 000 a",
        contradicts="copies-are-slow, a-copy",
        confirms="copies-are-free",
        control="copy-waits",
    )
    known = RECORDS["copy"]
    found = finding(given, Verdict.NOISY, timing(4.9, 5.1), "tight")
    judgement = Judgement(given, (found,), known)
    expected = {
        "id": "copy-is-faster",
        "page": "memory/copy",
        "anchor": "memory/copy.html#copy-is-faster",
        "checks": [
            {
                "label": "check 1",
                "value": "copy.speedup",
                "total": "",
                "expect": ">= 3",
                "verdict": "noisy",
                "margin": "tight",
                "measured": {
                    "value": 5.0,
                    "interval": [4.9, 5.1],
                    "n": 6,
                    "unit": "ratio",
                    "text": "5.0×",
                },
            }
        ],
        "documented": "about 7 times (cuda.md)",
        "scope": "sm_80+",
        "control": "copy-waits",
        "seed": ["000 a", "003 b"],
        "tried": [],
        "contradicts": ["a-copy", "copies-are-slow"],
        "confirms": ["copies-are-free"],
        "verdict": "noisy",
        "builder": builder_id(known.builder),
    }
    assert expected == claim_data(judgement)


def test_a_claim_without_a_record_has_neither_value_nor_builder() -> None:
    data = claim_data(unjudged(claim(), Verdict.MISSING))
    assert ("missing", None) == (data["verdict"], data["builder"])
    assert data["checks"][0]["measured"] is None
