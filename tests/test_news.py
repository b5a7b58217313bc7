"""What changed on the site: committed, in order, and shown on a page and in a feed."""

from __future__ import annotations

import re
import tomllib
from xml.etree import ElementTree

from conftest import ROOT, Build, Site
from docutils import nodes
from evidence.commands.diff import append
from evidence.judge.facts import EDITIONS, Edition, read_editions
from evidence.site.tables.news import entries, news
from factories import claim as made
from factories import domain, filler, having

OLD, NEW = "a" * 40, "b" * 40
EDITION = Edition(
    "2026-01-31",
    OLD,
    NEW,
    added=("came", "came-too", "gone-since"),
    removed=("went",),
    changed=(
        ("a-claim", "copy.speedup", "4.0×", "5.0×"),
        ("a-claim", "verdict", "diverged", "holds"),
        ("gone-too", "verdict", "holds", "noisy"),
    ),
)
COUNTS = "Claims: 3 added, 2 changed, 1 removed"
LINES = ["copy.speedup: 4.0×, now 5.0×", "verdict: diverged, now holds"]


def test_the_committed_editions_stand_in_their_order() -> None:
    found = read_editions(ROOT / "docs" / EDITIONS)
    assert found
    dates = [each.day for each in found]
    assert sorted(dates, reverse=True) == dates
    raw = tomllib.loads((ROOT / "docs" / EDITIONS).read_text("utf-8"))
    assert [each.new[:8] for each in found] == [*reversed(raw)]


def test_an_entry_tells_what_came_what_changed_and_what_went() -> None:
    names = {"came": "copies", "came-too": "copies", "a-claim": "page"}
    said = domain(*(made(name=name, place=(page, 1)) for name, page in names.items()))
    filler(said)

    every = [*entries(said, EDITION)]

    assert [
        ("", COUNTS, [("copies (+2)", "copies"), ("went (−1)", "")]),
        ("a-claim", "It is faster.", [(line, "") for line in LINES]),
        ("gone-too", "gone-too", [("verdict: holds, now noisy", "")]),
    ] == every


def test_pages_are_told_in_their_order_with_how_many_claims_came() -> None:
    added = ("c", "a", "d", "b")
    places = {"c": "zoo", "a": "bar", "d": "zoo", "b": "moor"}
    said = domain(*(made(name=name, place=(p, 1)) for name, p in places.items()))
    filler(said)

    ((_, counted, lines),) = entries(
        said, Edition("2026-01-31", OLD, NEW, added, (), ())
    )

    assert "Claims: 4 added, 0 changed, 0 removed" == counted
    assert [("bar (+1)", "bar"), ("moor (+1)", "moor"), ("zoo (+2)", "zoo")] == lines


def test_a_long_error_is_cut() -> None:
    long = Edition(
        "2026-01-31", OLD, NEW, (), (), (("c", "x", "–", "Error: " + "a " * 99),)
    )
    said = domain()
    filler(said)

    _, (_, _, ((line, _page),)) = entries(said, long)

    assert line.endswith("a …") and len(line) < 180


def test_the_page_leads_to_the_claims_and_can_be_quoted() -> None:
    said = domain(made(), made(name="came", place=("copies", 1)))
    having(said, news=[EDITION])

    (section,) = news(filler(said), "")

    assert "31 January 2026" == section.next_node(nodes.title).astext()
    ids = [part["ids"] for part in (section, *section.findall(nodes.container))]
    anchors = ["news-bbbbbbbb", "news-bbbbbbbb-a-claim", "news-bbbbbbbb-gone-too"]
    assert [[anchors[0]], [], [anchors[1]], [anchors[2]]] == ids
    assert [
        ("copies (+1)", "copies.html"),
        ("It is faster.", "page.html#a-claim"),
    ] == [(link.astext(), link["refuri"]) for link in section.findall(nodes.reference)]


BASE = 'html_baseurl = "https://docs.example/{version}/"\n'
#: The real templates, which have the links in the head and the sidebar.
FURO = f'html_theme = "furo"\ntemplates_path = ["{ROOT}/conf/_templates"]\n'
ATOM = "{http://www.w3.org/2005/Atom}"
FEED = "https://docs.example/stable/news.xml"


def published(site: Site, *, conf: str = BASE + FURO, versions: str = "") -> Build:
    """A site with one edition and, perhaps, a file of versions."""
    changed = (("copy-is-faster", "copy.speedup", "4.0×", "5 < 6 & 7×"),)
    found = Edition("2026-01-31", OLD, NEW, ("copy-is-faster",), (), changed)
    append(found, site.write(f"docs/{EDITIONS}", ""))
    site.page("```{evidence-news}\n```", name="evidence/news", title="News")
    if versions:
        site.write("docs/evidence/versions.toml", f"published = {versions}\n")
    return site.build(conf=conf)


def test_the_feed_has_what_changed_at_the_address_of_the_version(site: Site) -> None:
    build = published(site, versions='["2.11"]')

    feed = ElementTree.parse(build.html / "news.xml").getroot()
    texts = [feed.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated")]
    day = "2026-01-31T00:00:00+00:00"
    assert ["https://docs.example/stable/", "Tiny", day] == texts
    assert {"href": FEED, "rel": "self"} == feed.find(f"{ATOM}link").attrib
    names = ("id", "title", "updated", "summary")
    first, second = (
        [entry.findtext(f"{ATOM}{name}") for name in names]
        for entry in feed.findall(f"{ATOM}entry")
    )
    place = "https://docs.example/stable/evidence/news.html#news-bbbbbbbb"
    counts = "Claims: 1 added, 1 changed, 0 removed"
    assert [place, counts, day, "Tiny (+1)"] == first
    line = "copy.speedup: 4.0×, now 5 < 6 & 7×"
    assert [f"{place}-copy-is-faster", "It is faster (5.0×).", day, line] == second
    for anchor in ("news-bbbbbbbb", "news-bbbbbbbb-copy-is-faster"):
        assert build.page("evidence/news").find(id=anchor)
    shown = build.page("evidence/news").find("a", string="Atom feed")
    assert shown is not None and "../news.xml" == shown["href"]
    (link,) = build.page().find_all("link", type="application/atom+xml")
    assert (["alternate"], FEED) == (link["rel"], link["href"])
    assert (
        build.page().find(class_="versions") is None
    )  # of one there is nothing to choose


def test_an_entry_has_the_day_of_its_edition_and_the_feed_the_newest(
    site: Site,
) -> None:
    older = Edition("2026-01-30", "c" * 40, OLD, ("copy-is-faster",), ("gone",), ())
    append(older, site.write(f"docs/{EDITIONS}", ""))
    newer = Edition("2026-01-31", OLD, NEW, (), ("lost", "left"), ())
    append(newer, site.folder / "docs" / EDITIONS)
    site.page("```{evidence-news}\n```", name="evidence/news", title="News")
    build = site.build(conf=f'{BASE}project = "A & B"\nauthor = "C"\n')

    feed = ElementTree.parse(build.html / "news.xml").getroot()
    day, counts = "2026-01-31T00:00:00+00:00", "Claims: 0 added, 0 changed, 2 removed"
    names = ("title", "generator", "updated")
    assert ["A & B", "A & B", day] == [feed.findtext(f"{ATOM}{n}") for n in names]
    assert "C" == feed.findtext(f"{ATOM}author/{ATOM}name")
    names = ("updated", "title", "summary")
    before, counts_before = (
        day.replace("31", "30"),
        "Claims: 1 added, 0 changed, 1 removed",
    )
    assert [
        [day, counts, "lost (−1)\nleft (−1)"],
        [before, counts_before, "Tiny (+1)\ngone (−1)"],
    ] == [
        [entry.findtext(f"{ATOM}{name}") for name in names]
        for entry in feed.findall(f"{ATOM}entry")
    ]


def test_without_an_address_there_is_no_feed(site: Site) -> None:
    build = published(site, conf=FURO)

    assert not (build.html / "news.xml").exists()
    assert [] == build.page().find_all("link", type="application/atom+xml")
    assert build.page().find(class_="versions") is None


def test_before_anything_changed_there_is_no_feed(site: Site) -> None:
    build = site.build(conf=BASE)

    assert not (build.html / "news.xml").exists()


def test_editions_that_cannot_be_read_end_the_build(site: Site) -> None:
    site.write(f"docs/{EDITIONS}", '[bbbbbbbb]\nday = "today"\n')

    build = site.build(code=2)

    assert "evidence/news.toml: Expected `str` matching regex" in build.errors


def test_of_two_versions_and_no_sooner_each_leads_to_the_other(site: Site) -> None:
    build = published(site, versions='["2.11", "2.12"]')

    for name, up in (("index", "./"), ("evidence/news", "../")):
        shown = build.page(name).find("nav", class_="versions")
        assert shown is not None
        assert "PyTorch 2.11 2.12" == " ".join(shown.text.split())
        current, other = shown.find("strong"), shown.find("a")
        assert current is not None and other is not None
        assert ("2.11", "true") == (current.text, current["aria-current"])
        assert f"{up}../2.12/index.html" == other["href"]


def test_versions_stand_in_the_order_of_their_releases(site: Site) -> None:
    build = published(site, versions='["2.11", "2.9", "2.10"]')

    shown = build.page().find("nav", class_="versions")
    assert shown is not None
    assert "PyTorch 2.9 2.10 2.11" == " ".join(shown.text.split())


def test_a_file_of_versions_that_cannot_be_read_ends_the_build(site: Site) -> None:
    site.write("docs/evidence/versions.toml", "published = 2.11\n")

    build = site.build(code=2)

    expected = "evidence/versions.toml: Expected `array`, got `float` - at `$[...]`"
    assert expected in build.errors


def test_the_version_of_the_records_is_published() -> None:
    raw = tomllib.loads((ROOT / "docs/evidence/versions.toml").read_text("utf-8"))
    torch = {
        re.search(r'"torch": "(\d+\.\d+)\.', path.read_text("utf-8"))[1]  # type: ignore[index]
        for path in (ROOT / "examples").rglob("*.json")
    }

    assert torch <= {*raw["published"]}
