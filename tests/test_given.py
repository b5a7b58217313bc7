"""What a script was given is told from what it found, by its text and its record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from evidence.examples.script import Script, Settings, given
from evidence.records.address import Address
from evidence.records.model import Plain, Value
from factories import library, record, timing


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ({"tries": 20}, "TRIES = 20\nmeasured = {'tries': TRIES, 'wrong': count()}"),
        (
            {"size": 4096, "sizes": (4, -1024)},
            "A, B = 4, 2**10\nmeasured = {'size': A * B, 'sizes': (A, -B)}",
        ),
        ({"n": 4}, "N = 3\nM = N + 1\nmeasured = {'n': M}"),
        ({"kind": "pinned"}, "measured = {'kind': 'pinned'}"),
        # What changes it later gives the record another value.
        ({"n": 3}, "N = 3\nN += 1\nmeasured = {'n': N}"),
        ({"n": 4}, "N = 3\nN = N + 1\nmeasured = {'n': N}"),
        ({}, "N = len(found)\nmeasured = {'n': N, 'm': len((1, 2))}"),
        ({}, "measured = {'n': N}\nN = 3"),
        ({}, "N, *rest = 3, 4\nmeasured = {'n': rest}"),
        ({}, "measured = {**found}"),
        ({}, "measured = dict(n=3)"),
    ],
)
def test_constants_of_the_script_are_given(expected: dict[str, Any], code: str) -> None:
    assert expected == given(code)


@pytest.mark.parametrize(
    ("found", "name", "typed", "measured"),
    [
        (False, "tries", 20, Plain(20)),
        (False, "held_bytes", 4096, Plain(4096)),
        (True, "tries", 20, Plain(19)),
        (True, "tries", None, Plain(20)),
        # Typed results are results all the same.
        (True, "same", True, Plain(True)),
        (True, "kind", "pinned", Plain("pinned")),
        (True, "speedup", 7.9, Plain(7.9)),
        (True, "copy_s", 1, timing(1, 1)),
    ],
)
def test_a_constant_is_a_count_or_size_that_the_record_has_too(
    found: bool, name: str, typed: Any, measured: Value
) -> None:
    known = library(record("copy", {name: measured}))
    copy = known.examples["copy"]
    script = Script(copy.path, (), Settings(), "0" * 64, {name: typed})
    known = replace(known, examples={"copy": replace(copy, script=script)})
    assert found is known.is_found(Address("copy", name))
