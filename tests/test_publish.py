"""``nox -s publish`` on a tiny site: two versions and what stands at their root, or no change."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from conftest import CONF, ROOT, Site, green
from factories import builder
from test_noxfile import nox

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "https://docs.example/cuda"
SETTINGS = f"""{CONF}
html_theme = "furo"
html_additional_pages = {{"404": "404.html", "search": "search.html"}}
templates_path = ["{ROOT}/conf/_templates"]
locale_dirs = ["../conf/locale"]
gettext_compact = False
evidence_editions = {{"en": ("English", ""), "zh_CN": ("中文", "zh/")}}
"""
CATALOG = "conf/locale/zh_CN/LC_MESSAGES/index.po"
VERSIONS = 'published = ["2.11", "2.12"]\nrevisions = ["older"]\n'
COMMITTER = ("-c", "user.name=nobody", "-c", "user.email=nobody@docs.example")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *COMMITTER, *arguments], cwd=folder, check=True)


def publish(site: Site) -> str:
    """What ``nox --no-venv -s publish`` prints, in single spaces."""
    command = ("--no-venv", "-s", "publish", "--", f"{ADDRESS}/")
    printed, _ = nox(site.folder, *command).communicate()
    return " ".join(printed.split())


def versioned(folder: Path) -> Site:
    """A site of 2.11, on its own branch, that has become one of 2.12; in it, a page moved.

    And it is translated.
    """
    site = green(folder)
    for name in ("noxfile.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    site.write("conf/conf.py", SETTINGS)
    site.write(".gitignore", "build/\ndocs/gallery/\n")
    site.write("docs/evidence/versions.toml", 'published = ["2.11"]\n')
    site.page("Nothing else.", name="memory/old", title="The old one")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "2.11")

    site.write("docs/evidence/versions.toml", VERSIONS)
    git(folder, "branch", "older")
    site.write("docs/redirects.toml", '"memory/old" = "memory/new"\n')
    (folder / "docs/memory/old.md").rename(folder / "docs/memory/new.md")
    site.record(builder=builder(torch="2.12.0"))
    site.write(CATALOG, 'msgid "Tiny"\nmsgstr "小站"\n')
    return site


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is published of a site of two versions."""
    site = versioned(tmp_path_factory.mktemp("published"))
    site.write("build/site/of_before.html", "")
    printed = publish(site)
    assert "Session publish was successful" in printed, printed
    return site.folder / "build/site"


def page(served: Path, name: str) -> BeautifulSoup:
    return BeautifulSoup((served / f"{name}.html").read_text(), "html.parser")


def link(shown: BeautifulSoup, selector: str, attribute: str = "href") -> str:
    """An attribute of the only element that a selector finds."""
    (found,) = shown.select(selector)
    return str(found[attribute])


def test_each_version_has_an_address_and_the_newest_is_stable(served: Path) -> None:
    folders = {path.name for path in served.iterdir() if path.is_dir()}
    newest, stable = (
        {path.relative_to(served / name) for path in served.glob(f"{name}/**/*")}
        for name in ("2.12", "stable")
    )

    assert {"2.11", "2.12", "stable"} == folders
    assert newest == stable
    assert "torch 2.11.0" in page(served, "2.11/index").text
    assert "torch 2.12.0" in page(served, "stable/index").text
    # The service takes no links.
    assert [] == [path for path in served.rglob("*") if path.is_symlink()]
    # Nothing of before, and nothing in the making.
    assert not (served / "of_before.html").exists()
    assert ["site"] == [path.name for path in served.parent.glob("site*")]


def test_the_root_leads_to_the_newest(served: Path) -> None:
    root = page(served, "index")

    assert "0; url=stable/index.html" == link(root, "[http-equiv=refresh]", "content")
    assert {"stable/index.html"} == {
        link(root, "a"),
        link(root, "link[rel=canonical]"),
    }


@pytest.mark.parametrize("version", ["2.11", "2.12", "stable"])
def test_search_engines_find_the_newest(served: Path, version: str) -> None:
    """A quotation keeps the version that it is of."""
    own = "2.12" if version == "stable" else version
    claim = page(served, f"{version}/claims/copy-is-faster")
    canonical = "link[rel=canonical]"
    shown = page(served, f"{version}/gallery/memory/copy")

    stable = f"{ADDRESS}/stable/"
    assert f"{stable}gallery/memory/copy.html" == link(shown, canonical)
    assert f"{stable}index.html#copy-is-faster" == link(claim, canonical)
    assert f"{ADDRESS}/{own}/claims/copy-is-faster.html" in claim.select("pre")[0].text


def test_the_sitemap_stands_at_the_root_and_lists_the_newest(served: Path) -> None:
    root = ElementTree.parse(served / "sitemap.xml").getroot()
    listed = [str(place.text) for place in root.iter() if place.tag.endswith("loc")]

    assert f"{ADDRESS}/stable/memory/new.html" in listed
    assert [] == [name for name in listed if not name.startswith(f"{ADDRESS}/stable/")]
    robots = (served / "robots.txt").read_text()
    maps = [f"{ADDRESS}/sitemap.xml", f"{ADDRESS}/stable/zh/sitemap.xml"]
    assert [f"Sitemap: {address}" for address in maps] == robots.splitlines()
    chinese = (served / "stable/zh/sitemap.xml").read_text()
    assert f"<loc>{ADDRESS}/stable/zh/memory/new.html</loc>" in chinese


def test_one_page_of_wrong_addresses_leads_to_the_newest(served: Path) -> None:
    assert "/cuda/stable/" == link(page(served, "404"), "base")
    # There is no such page in another version.
    assert not page(served, "404").select(".versions[data-page]")


def test_each_version_leads_to_the_other_and_names_the_page(served: Path) -> None:
    for version, other in (("2.11", "2.12"), ("2.12", "2.11"), ("stable", "2.11")):
        shown = page(served, f"{version}/gallery/memory/copy")
        target = f"../../../{other}/index.html"
        assert "gallery/memory/copy.html" == link(shown, ".versions", "data-page")
        assert target == link(shown, ".versions a")
        assert (served / version / "gallery/memory" / target).exists()
        assert "PyTorch 2.11 2.12" == " ".join(
            shown.select(".versions")[0].text.split()
        )


def test_an_address_that_moved_leads_on_where_it_has_moved(served: Path) -> None:
    assert "The old one" in page(served, "2.11/memory/old").text
    assert not (served / "2.11/memory/new.html").exists()
    assert "new.html" == link(page(served, "stable/memory/old"), "a.moved")


def test_a_translated_version_stands_below_the_english_one(served: Path) -> None:
    assert "小站" == page(served, "2.12/zh/index").h1.contents[0]
    assert "Tiny" == page(served, "2.12/index").h1.contents[0]
    assert not (served / "2.11/zh").exists()
    for version in ("2.12", "stable"):
        for name, up in (("index", ""), ("gallery/memory/copy", "../../")):
            there = link(page(served, f"{version}/{name}"), "a.edition")
            back = link(page(served, f"{version}/zh/{name}"), "a.edition")
            assert (f"{up}zh/{name}.html", f"{up}../{name}.html") == (there, back)
            assert (served / version / f"{name}.html").parent.joinpath(there).exists()
    # What is of one language alone leads to no other.
    assert not page(served, "2.11/index").select("a.edition")


def test_from_a_translated_version_another_one_is_found(served: Path) -> None:
    shown = page(served, "stable/zh/gallery/memory/copy")
    target = "../../../../2.11/index.html"
    assert target == link(shown, ".versions a")
    assert (served / "stable/zh/gallery/memory" / target).exists()
    assert "zh/" == link(shown, ".versions", "data-folder")


def test_search_engines_find_the_newest_in_each_language(served: Path) -> None:
    stable = f"{ADDRESS}/stable/"
    canonical = "link[rel=canonical]"
    assert f"{stable}zh/index.html" == link(page(served, "2.12/zh/index"), canonical)
    own = page(served, "2.12/zh/claims/copy-is-faster")
    assert f"{ADDRESS}/2.12/cards/index.png" == link(
        own, "[property='og:image']", "content"
    )


def test_a_broken_translation_leaves_the_site_of_before(site: Site) -> None:
    versioned(site.folder)
    site.write("docs/evidence/versions.toml", 'published = ["2.12"]\n')
    site.write(CATALOG, 'msgid "*The lead.*"\nmsgstr "*导语* 3"\n')
    before = site.write("build/site/index.html", "of before")

    printed = publish(site)

    assert "the translation says 3, which its text does not" in printed
    assert "The build is red: build/html-zh is moved to build/html-zh-red" in printed
    assert "Session publish failed" in printed
    assert "of before" == before.read_text()


def test_what_breaks_half_way_leaves_the_site_of_before(site: Site) -> None:
    versioned(site.folder)
    before = site.write("build/site/index.html", "of before")
    site.write("docs/redirects.toml", '"memory/old" = "memory/nowhere"\n')

    printed = publish(site)

    assert "'memory/nowhere', which is no page" in printed
    assert "Session publish failed" in printed
    assert "of before" == before.read_text()
    assert (site.folder / "build/site.part/2.11/index.html").exists()


def test_a_version_whose_commit_is_not_there_is_named(site: Site) -> None:
    versioned(site.folder)
    git(site.folder, "branch", "--quiet", "--delete", "--force", "older")

    printed = publish(site)

    assert "2.11 has no revision older here: git fetch --unshallow, or take" in printed
    assert not (site.folder / "build/site").exists()
