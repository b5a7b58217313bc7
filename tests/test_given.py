"""What a script was given is told from what it found by its text alone."""

from __future__ import annotations

import pytest
from evidence.examples.given import given


@pytest.mark.parametrize(
    ("expected", "code"),
    [
        ({"tries"}, "TRIES = 20\nmeasured = {'tries': TRIES, 'wrong': count()}"),
        (
            {"size", "sizes"},
            "A, B = 4, 2**10\nmeasured = {'size': A * B, 'sizes': (A, -B)}",
        ),
        ({"n"}, "N = 3\nM = N + 1\nmeasured = {'n': M}"),
        ({"kind"}, "measured = {'kind': 'pinned'}"),
        # Assigned twice, computed, called, looped over, or behind the dictionary.
        (set(), "N = 3\nN += 1\nmeasured = {'n': N}"),
        (set(), "N = 3\nfor N in found:\n    pass\nmeasured = {'n': N}"),
        (set(), "N = len(found)\nmeasured = {'n': N, 'm': len((1, 2))}"),
        (set(), "measured = {'n': N}\nN = 3"),
        (set(), "N, *rest = 3, 4\nmeasured = {'n': rest}"),
        (set(), "measured = {**found}"),
        (set(), "measured = dict(n=3)"),
    ],
)
def test_constants_of_the_script_are_given(expected: set[str], code: str) -> None:
    assert expected == given(code)
