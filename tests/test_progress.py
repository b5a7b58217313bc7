"""Progress stands beside the output proper, one line after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evidence.commands import tell

if TYPE_CHECKING:
    import pytest


def test_each_line_stays(capsys: pytest.CaptureFixture[str]) -> None:
    tell("copy: first of 2")
    tell("second " + "x" * 200)
    written = capsys.readouterr()
    assert ["  copy: first of 2", "  second " + "x" * 200] == written.err.splitlines()
    assert "" == written.out
