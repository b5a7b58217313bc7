"""What settings, styles, scripts and templates may not say: no page shows who wrote it there."""

from __future__ import annotations

import html
import re
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT
from evidence.site.reading import quantities
from evidence.site.reading.quantities import FORGED_MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

CONF = ROOT / "conf"
FILES = [path for path in CONF.rglob("*") if path.suffix in {".css", ".js", ".html"}]
#: Words that styles add: those of buttons, and of columns where a table is a list.
ADDED = {
    "",
    "close",
    "expected: ",
    "measured: ",
    "margin: ",
    "held in passes",
    ": ",
    " <",
    ">",
    " · ",
    "[",
    "]",
}
#: Settings whose words stand on every page, or in the place of others.
SPOKEN = {
    "rst_prolog",
    "rst_epilog",
    "myst_substitutions",
    "html_context",
    "html_short_title",
}
#: A character by its number, as styles and scripts write it.
_ESCAPE = re.compile(r"\\(?:u\{?|x)?([0-9a-fA-F]{2,6})\}?\s?")


def unescaped(text: str) -> str:
    """A text with the characters that stand in it by number or by name."""
    return html.unescape(
        _ESCAPE.sub(lambda match: chr(int(match[1], 16) % 0x110000), text)
    )


def forged(text: str) -> Iterator[str]:
    """What a file says as only the build may."""
    yield from FORGED_MARK.findall(unescaped(text))
    for content in re.findall(r"\bcontent\s*:([^;}]*)", text):
        yield from {*re.findall(r"[\"'](.*?)[\"']", content)} - ADDED


def spoken(settings: dict[str, Any]) -> Iterator[str]:
    """What settings say that nothing checks."""
    yield from sorted(SPOKEN & settings.keys())
    options = settings["html_theme_options"]
    yield from sorted({"announcement"} & options.keys())
    for name, value in {**settings, **options}.items():
        if isinstance(value, str) and (
            FORGED_MARK.search(value) or quantities.first(value)
        ):
            yield name


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_no_file_says_what_only_the_build_may(path: Path) -> None:
    assert [] == [*forged(path.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("p::after {content: '✓ holds'}", ["✓", "✓ holds"]),
        (r'p::after { content : "\2713  fine" }', ["✓", r"\2713  fine"]),
        ("p::before { content: 'measured: ' 'always' }", ["always"]),
        ("<p>&check; &#x2714;</p>", ["✓", "✔"]),
        (r'mark.textContent = "\u2713" + "\u{2705}";', ["✓", "✅"]),
        ("a::after { content: ' <' attr(href) '>'; }", []),
    ],
)  # fmt: skip
def test_a_mark_that_is_forged_is_found(text: str, said: list[str]) -> None:
    assert said == [*forged(text)]


def test_no_setting_says_what_nothing_checks() -> None:
    settings = runpy.run_path(str(CONF / "conf.py"))
    assert [] == [*spoken(settings)]
    settings["html_theme_options"]["announcement"] = "All claims hold"
    settings |= {"rst_epilog": "It is slow.", "html_title": "900 GB/s", "author": "✔"}
    assert ["rst_epilog", "announcement", "author", "html_title"] == [*spoken(settings)]


def orphans(folder: Path) -> list[str]:
    """Pages that no list of pages names: readers come there by a link or the search alone."""
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".md", ".rst"} and "gallery" not in path.parts
        if re.search(r"^:?orphan:", path.read_text("utf-8"), re.MULTILINE)
    ]


def test_each_page_is_in_a_list_of_pages(tmp_path: Path) -> None:
    (tmp_path / "hidden.md").write_text("---\norphan: true\n---\n\n# Hidden\n")
    (tmp_path / "also.rst").write_text(":orphan:\n\nAlso\n====\n")
    (tmp_path / "seen.md").write_text("# Seen\n\nNo orphan: true.\n")
    assert ["also.rst", "hidden.md"] == orphans(tmp_path)
    assert [] == orphans(ROOT / "docs")
