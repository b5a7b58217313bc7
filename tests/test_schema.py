"""The published schema of a record: every committed record fits it, and its page says it."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from conftest import ROOT
from docutils import nodes
from evidence.records import wire
from evidence.site.look.nodes import prose

SCHEMA = wire.schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
RECORDS = sorted((ROOT / "examples").rglob("*.json"))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    expected = {"Record", "Builder", "Value", "Column", "Timing", "Raised"}
    assert expected <= SCHEMA["$defs"].keys()


@pytest.mark.parametrize("path", RECORDS[::10], ids=lambda path: path.stem)
def test_committed_records_fit_it(path: Any) -> None:
    VALIDATOR.validate(json.loads(path.read_bytes()))


@pytest.mark.parametrize(
    ("name", "value"),
    [("measured", {"x": {}}), ("measured", {"x": {"value": 1, "table": []}}), ("y", 1)],
)
def test_nonsense_does_not(name: str, value: object) -> None:
    raw = json.loads(RECORDS[0].read_bytes())
    assert not VALIDATOR.is_valid({**raw, name: value})


def test_the_literals_of_a_docstring_are_literals() -> None:
    told = prose("Of ``n``\n  processes.")
    expected = "Of n processes."
    assert expected == told.astext()
    (literal,) = told.findall(nodes.literal)
    assert "n" == literal.astext()
