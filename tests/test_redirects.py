"""Pages that moved: their old addresses lead on, and what leads nowhere is red."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT, Site, green

FURO = f'html_theme = "furo"\ntemplates_path = ["{ROOT}/conf/_templates"]\n'


def moved(folder: Path, redirects: str) -> Site:
    site = green(folder)
    site.page("Nothing else.", name="memory/new", title="The new one")
    site.write("docs/redirects.toml", redirects)
    return site


def test_an_old_address_leads_to_the_new_page(tmp_path: Path) -> None:
    build = moved(tmp_path, '"memory/old" = "memory/new"\n').build(conf=FURO)
    page = build.page("memory/old")

    assert ("new.html", "The new one") == (
        page.find("a", class_="moved")["href"],
        page.find("a", class_="moved").text,
    )
    assert "0; url=new.html" == page.find("meta", {"http-equiv": "refresh"})["content"]
    assert "noindex" == page.find("meta", {"name": "robots"})["content"]


@pytest.mark.parametrize(
    ("redirects", "message"),
    [
        (
            '"memory/old" = "memory/newer"',
            "'memory/old' leads to 'memory/newer', which is no page; "
            "did you mean memory/new or gallery/memory/index?",
        ),
        ('"memory/new" = "index"', "'memory/new' is a page, and leads to none"),
    ],
)
def test_an_address_that_leads_nowhere_is_red(
    tmp_path: Path, redirects: str, message: str
) -> None:
    (warning,) = moved(tmp_path, redirects).build(code=1, conf=FURO).warnings

    assert warning == f"docs/redirects.toml:1: WARNING: {message} [evidence.count]"
