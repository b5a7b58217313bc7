"""The doctor's rules over scripts: silent on right ones, sure of wrong ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT
from evidence.doctor.report import Found, Unread
from evidence.doctor.script_rules import RULES, find, read

TEXT = Path(__file__).with_name("doctor_scripts.txt").read_text("utf-8")
SECTIONS = re.split(r"^=== (\S+) (right|wrong)\n", TEXT, flags=re.M)[1:]
#: By rule and kind, the scripts; none has its imports, and each runs on cuda.
SCRIPTS = {
    (finding, kind): [f"import torch  # on cuda\n{s}" for s in body.split("\n---\n")]
    for finding, kind, body in zip(*(iter(SECTIONS),) * 3, strict=True)
}


def found(script: str) -> dict[str, list[int]]:
    """The lines that the rules find, by rule."""
    outcomes = [one for one in find(script) if isinstance(one, Found)]
    return {one.name: [*one.lines] for one in outcomes}


@pytest.mark.parametrize("finding", RULES)
def test_a_rule_is_silent_on_ten_right_scripts(finding: str) -> None:
    scripts = SCRIPTS[finding, "right"]
    assert len(set(scripts)) >= 10
    assert [] == [(script, lines) for script in scripts if (lines := found(script))]


@pytest.mark.parametrize("finding", RULES)
def test_a_rule_finds_its_mistake_at_its_line(finding: str) -> None:
    scripts = SCRIPTS[finding, "wrong"]
    assert len(scripts) >= 2
    for script in scripts:
        lines = script.splitlines()
        here = [n for n, line in enumerate(lines, 1) if line.endswith("# here")]
        assert here
        assert {finding: here} == found(script), script
