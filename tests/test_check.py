"""``nox -s check``: what a build would find, again until it is mended, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import Build, Site, claim, green

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = ("-b", "check", "-t", "check", "-d", "build/check-doctrees")
LABEL = "(the-place)=\n\n## The place"
#: A setting that warns, and does not say where.
WARNS = """
def setup(app):
    from sphinx.util.logging import getLogger

    def read(app, page):
        if "Strange" in page.astext():
            getLogger("sphinx.strange").warning("it is strange")

    app.connect("doctree-read", read)
"""
LINK = "It is [there](#the-place)."


@pytest.fixture
def checked(tmp_path: Path) -> Site:
    """A site of two pages beside the first, one of which links to the other; checked once."""
    site = green(tmp_path)
    site.page(LABEL, "One.", name="target", title="Target")
    site.page(LINK, name="linking", title="Linking")
    check(site)
    return site


def check(site: Site, code: int = 0) -> Build:
    return site.build(*OPTIONS, code=code)


def test_nothing_changed_and_nothing_is_read_or_written(checked: Site) -> None:
    assert set() == check(checked).read
    assert not [*(checked.folder / "build").rglob("*.html")]


def test_what_changed_is_read(checked: Site) -> None:
    checked.page(LABEL, "Two.", name="target", title="Target")
    assert {"target"} == check(checked).read


def test_a_bound_that_fails_is_red_until_it_is_mended(checked: Site) -> None:
    checked.page(claim(expect=">= 6"))
    for _ in range(2):
        assert "[evidence.diverged]" in check(checked, code=1).errors
    checked.page(claim())
    check(checked)


def test_a_warning_of_sphinx_is_red_until_it_is_mended(checked: Site) -> None:
    checked.page("{ref}`no-such-place`", LABEL, name="target", title="Target")
    for _ in range(3):
        build = check(checked, code=1)
        assert "undefined label: 'no-such-place'" in build.errors
        assert {"target"} == build.read
    checked.page(LABEL, name="target", title="Target")
    assert {"target"} == check(checked).read
    assert set() == check(checked).read


def test_a_warning_that_points_to_no_page_is_red_until_it_is_mended(
    tmp_path: Path,
) -> None:
    site = green(tmp_path)
    site.page("Strange.", name="page")
    for _ in range(2):
        assert "it is strange" in site.build(*OPTIONS, code=1, conf=WARNS).errors
    site.page("Usual.", name="page")
    check(site)
    assert set() == check(site).read


def test_a_link_is_red_when_its_target_goes_from_another_page(checked: Site) -> None:
    checked.page("One.", name="target", title="Target")
    for _ in range(2):
        assert "'the-place'" in check(checked, code=1).errors
    checked.page(LABEL, name="target", title="Target")
    check(checked)


def test_a_build_between_two_checks_leaves_what_they_keep(checked: Site) -> None:
    checked.build()
    assert "gallery/memory/copy" not in check(checked).read


def test_without_its_tag_a_check_starts_clean(checked: Site) -> None:
    build = checked.build("-b", "check", "-d", "build/check-doctrees")
    assert {"target", "linking", "index"} <= build.read
