"""Patterns that make English read like a translation are in no page and no example."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT

#: What is found, and a sentence that has it; code is left out before.
PATTERNS = {
    r"\bwho\b": "Who reads a result need not synchronise.",
    r"\bby hand\b": "It need not be synchronised by hand.",
    r"\b(?:did|does|do|done) so\b": "Then they did so in all tries.",
    r"(?:^|[.;:] )(?:nor|neither|so) (?:is|are|do|does|did|has|have|must|can|will)\b": (
        "Nor must operations of one stream wait for each other."
    ),
    r"(?:^|[.:] )to \w+ [^.]*? is (?:to|not enough)\b": "To synchronise once is not enough.",
    r"(?:: |\? )(?:yes|no)[.;]?$": "Is it pinned? No.",
}

#: A link whose text has a measured value, which leads to its record.
NESTED = re.compile(r"\[[^\[\]]*\{measured\}`[^`\n]*`[^\[\]]*\]\(")
CODE = re.compile(r"```.*?```|:::+\{plot\}.*?\n\n|`[^`\n]*`|\]\([^)\s]*\)", re.DOTALL)


def found(text: str) -> list[str]:
    prose = CODE.sub("", text)
    flags = re.IGNORECASE | re.MULTILINE
    return [m[0] for pattern in PATTERNS for m in re.finditer(pattern, prose, flags)]


@pytest.mark.parametrize(("pattern", "sample"), PATTERNS.items())
def test_each_pattern_finds_its_sample(pattern: str, sample: str) -> None:
    assert re.search(pattern, sample, re.IGNORECASE | re.MULTILINE)
    assert found(sample)


def test_no_page_and_no_example_has_them() -> None:
    pages = (p for p in (ROOT / "docs").rglob("*.md") if "gallery" not in p.parts)
    texts = {path: path.read_text("utf-8") for path in pages}
    for path in (ROOT / "examples").rglob("*.py"):
        source = path.read_text("utf-8")
        said = [source.split('"""')[1], *re.findall(r"(?m)^# (?!%%)(.*)$", source)]
        texts[path] = "\n".join(said)
    hits = {path.name: found(text) for path, text in texts.items()}
    assert {name: words for name, words in hits.items() if words} == {}


def test_no_link_holds_a_value_that_is_a_link_itself() -> None:
    assert NESTED.search("[{measured}`a.b` there](page.md)")
    pages = (ROOT / "docs").glob("*/*.md")
    found = {page.name: NESTED.findall(page.read_text("utf-8")) for page in pages}
    assert {name: links for name, links in found.items() if links} == {}
