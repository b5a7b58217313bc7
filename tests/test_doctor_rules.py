"""The doctor's rules over scripts: silent on right ones, sure of wrong ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from evidence.doctor.known import findings_and_scripts
from evidence.doctor.script_rules import find

FINDINGS = findings_and_scripts()["findings"]
RULES = [name for name, text in FINDINGS.items() if "statement" in text]
TEXT = Path(__file__).with_name("doctor_scripts.txt").read_text("utf-8")
SECTIONS = re.split(r"^=== (\S+) (right|wrong)\n", TEXT, flags=re.M)[1:]
Found: TypeAlias = "Callable[[str], dict[str, list[int]]]"
#: By rule and kind, the scripts; none has its imports, and each runs on cuda.
SCRIPTS = {
    (finding, kind): [f"import torch  # on cuda\n{s}" for s in body.split("\n---\n")]
    for finding, kind, body in zip(*(iter(SECTIONS),) * 3, strict=True)
}


@pytest.fixture
def found(tmp_path: Path) -> Callable[[str], dict[str, list[int]]]:
    """The lines that the rules find in a script, by rule."""

    def look(script: str) -> dict[str, list[int]]:
        (tmp_path / "script.py").write_text(script, "utf-8")
        outcomes = dict(find(tmp_path / "script.py", FINDINGS))
        return {name: words["lines"] for name, words in outcomes.items()}

    return look


@pytest.mark.parametrize("finding", RULES)
def test_a_rule_is_silent_on_ten_right_scripts(finding: str, found: Found) -> None:
    scripts = SCRIPTS[finding, "right"]
    assert len(set(scripts)) >= 10
    assert [] == [(script, lines) for script in scripts if (lines := found(script))]


@pytest.mark.parametrize("finding", RULES)
def test_a_rule_finds_its_mistake_at_its_line(finding: str, found: Found) -> None:
    scripts = SCRIPTS[finding, "wrong"]
    assert len(scripts) >= 2
    for script in scripts:
        lines = script.splitlines()
        here = [n for n, line in enumerate(lines, 1) if line.endswith("# here")]
        assert here
        assert {finding: here} == found(script), script


def test_code_in_a_text_is_no_statement_but_a_word_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("""\
print("torch.cuda.set_device(1)")
torch.set_device("cuda:1")
torch.set_device("a cuda:1")
print('''set_device(1)''')
torch.cuda.set_device(1)
""")
    rules = {"by number": {"statement": r"set_device\(1"}}
    rules["by name"] = {"statement": r"set_device\('.*cuda:1"}
    assert [("by number", {"lines": [5]}), ("by name", {"lines": [2]})] == [
        *find(path, rules)
    ]


def test_the_lines_of_a_finding_stand_in_their_order(tmp_path: Path) -> None:
    path, lines = tmp_path / "script.py", ["import torch  # on cuda"] * 40
    at = [3, 8, 17, 32, 33, 40]
    for number in at:
        lines[number - 1] = "torch.cuda.synchronize()"
    path.write_text("\n".join(lines))
    rules = {"late": {"statement": r"synchronize\("}}
    assert [("late", {"lines": at})] == [*find(path, rules)]
