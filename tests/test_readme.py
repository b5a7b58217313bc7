"""README and CONTRIBUTING are true: the claim that is quoted, the tree, and every command."""

from __future__ import annotations

import re
import subprocess

import pytest
from conftest import ROOT
from evidence.judge.claim import OPTIONS
from evidence.judge.expect import GRAMMAR
from evidence.judge.pages import read_claims, sentences
from evidence.judge.wording import DIGITS, expected_words
from evidence.records.address import Address, lookup
from evidence.records.store import load
from evidence.records.units import THIN_SPACE, format_cell, format_interval

README = (ROOT / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGE = (ROOT / "docs/transfer/pinned_memory.md").read_text("utf-8")
CLAIM = "pinned-copy-is-faster"
NOXFILE = (ROOT / "noxfile.py").read_text("utf-8")


def quoted() -> str:
    """What the README must say between its two markers."""
    (claim,) = (each for each in read_claims(PAGE, "page")[0] if each.id == CLAIM)
    record = load(ROOT / f"examples/transfer/{claim.stem}.json")
    records, builder = {record.stem: record}, record.builder

    def value(match: re.Match[str]) -> str:
        address = Address.of(match[1], claim.of)
        return format_cell(address.quantity, lookup(address, records), DIGITS)

    sentence = re.sub(r"{measured}`(.+?)`", value, sentences(PAGE)[CLAIM]) + "."
    cell = lookup(claim.checks[0].value, records)
    ends = format_interval(claim.checks[0].value.quantity, cell)
    return (
        f"> {sentence}\n>\n"
        f"> <sub>{expected_words(claim.checks[0], records, str)}: holds, {ends} in "
        f"{len(cell.median)} processes · {builder.gpu} · torch {builder.torch} · "
        f"{record.recorded}</sub>\n"
    ).replace(THIN_SPACE, "\u00a0")


def test_the_readme_quotes_a_claim_with_its_recorded_value() -> None:
    _, begin, rest = README.partition("<!-- claim -->\n")
    shown, end, _ = rest.partition("<!-- end of claim -->")

    assert begin
    assert end
    assert quoted() == shown


def test_the_readme_shows_the_tree_as_it_is() -> None:
    told = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", README, re.M))
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    folders = {f"{name.partition('/')[0]}/" for name in files if "/" in name}
    rooms = {path.parent.name for path in ROOT.glob("conf/evidence/*/__init__.py")}

    assert folders == {path for path in told if path.count("/") == 1}
    assert [] == [path for path in told if not (ROOT / path).exists()]
    assert rooms == set(re.findall(r"`(\w+)`", told["conf/evidence/"]))


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_each_session_that_is_named_exists(text: str) -> None:
    sessions = set(re.findall(r"^@nox\.session.*\ndef (\w+)\(", NOXFILE, re.M))
    named = re.findall(r"nox -s ((?:[a-z]+ ?)+)", text)

    assert {"docs", "verify"} <= sessions
    assert named
    assert [] == [
        name for names in named for name in names.split() if name not in sessions
    ]


def test_both_are_short() -> None:
    assert len(README.splitlines()) <= 80
    assert len(CONTRIBUTING.splitlines()) <= 170


def first_cells(head: str) -> list[str]:
    """The code in the first column of that table of CONTRIBUTING which begins so."""
    rows = CONTRIBUTING.partition(f"| {head} |")[2].partition("\n\n")[0].splitlines()
    return [code for row in rows for code in re.findall("`(.+?)`", row.split("|")[1])]


def test_each_option_and_each_form_of_an_expectation_is_explained() -> None:
    """The options of a claim; those of the older form are in a sentence."""
    forms, _, _ = GRAMMAR.partition("\nwhere")
    assert {f":{name}:" for name in OPTIONS} == {*first_cells("option")}
    assert re.split(r"\s{2,}|\n", forms.strip()) == first_cells("expectation")
