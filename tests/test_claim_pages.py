"""A claim at its own address: a page, a badge, a card and data; what a release needs."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import jsonschema
import pytest
from bs4 import BeautifulSoup
from conftest import ROOT, Build, Site, claim, green
from docutils import nodes
from evidence.records.model import Plain
from evidence.site.publish.claim_pages import draw_card, places, write_card
from evidence.site.publish.site_files import TEMPLATES
from factories import domain, timing
from PIL import Image, ImageOps

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/cuda/"
CONF = f"""
html_theme = "furo"
html_baseurl = "{BASE}"
templates_path = ["{ROOT}/conf/_templates"]
"""
SVG = "{http://www.w3.org/2000/svg}"
ODD = "odd-2-9"
SENTENCE = "The share (%) & the $ of `<b>_` is faster"
MACHINE = "NVIDIA H200 · torch 2.11.0+cu130 · driver 580.95.05 · CUDA 13.0"


def write(site: Site) -> Site:
    odd = claim(ODD, documented="about 5 times (cuda.md)")
    former = "(a-claim-that-was-given-up)=\n" + claim()
    site.page(former, odd.replace("It is faster", SENTENCE))
    return site


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = write(green(tmp_path_factory.mktemp("claims")))
    return site.build("-t", "release", conf=CONF)


def file(build: Build, name: str) -> Path:
    return build.html / "claims" / name


def page(build: Build, name: str = "copy-is-faster") -> BeautifulSoup:
    return BeautifulSoup(file(build, f"{name}.html").read_text(), "html.parser")


def words(text: str) -> str:
    return " ".join(text.replace("\u2009", " ").split())


def published(build: Build) -> dict[str, dict[str, Any]]:
    claims = json.loads((build.html / "claims.json").read_text())["claims"]
    return {claim["id"]: claim for claim in claims}


def linked_data(page: BeautifulSoup) -> dict[str, Any]:
    (script,) = page.find_all("script", type="application/ld+json")
    found: dict[str, Any] = json.loads(script.string)
    return found


def test_there_are_as_many_pages_badges_and_files_as_claims(built: Build) -> None:
    names = sorted(published(built))
    assert len(names) == 2
    for kind in (".html", ".svg", ".json", ".txt"):
        found = file(built, "").glob(f"*{kind}")
        assert names == sorted(path.name.removesuffix(kind) for path in found)


def test_a_claim_that_took_the_place_of_another_is_known_by_its_sentence(
    built: Build,
) -> None:
    page = built.page()
    assert page.find(id="a-claim-that-was-given-up") is not None
    said = words(published(built)["copy-is-faster"]["statement"])
    assert said == "It is faster (5.0×)."


def test_a_claim_s_page_is_in_no_list_of_pages(built: Build) -> None:
    for name in ("sitemap.xml", "_static/search_index.js"):
        assert "claims/" not in (built.html / name).read_text(), name


def test_it_shows_the_sentence_the_verdict_the_machine_and_the_way_on(
    built: Build,
) -> None:
    article, facts = page(built).find("article"), page(built).find("dl")
    assert words(article.get_text(" ")) == (
        "Tiny It is faster (5.0×). ✓ holds · NVIDIA H200 · 31 January 2026 Read on: Tiny"
    )
    assert "../index.html#copy-is-faster" in [a["href"] for a in article("a")]
    assert words(facts.get_text(" ")) == (
        "copy.speedup how fast 5.0× (4.9–5.1×; expected at least 3×) "
        f"Measured on {MACHINE} · 31 January 2026 · unsigned "
        "On your GPU nox -s verify -- -k copy-is-faster As data copy-is-faster.json"
    )


def test_markup_in_a_sentence_is_text(built: Build) -> None:
    assert "the $ of <b>_ is faster (5.0×)." in page(built, ODD).find("h1").get_text()
    assert not page(built, ODD).find("b")


def test_a_badge_is_xml_whatever_its_sentence_says(built: Build) -> None:
    for name, entry in published(built).items():
        badge = ElementTree.parse(file(built, f"{name}.svg")).getroot()
        assert entry["statement"] == badge.findtext(f"{SVG}title")
        assert "Tiny: 5.0× · holds" == badge.get("aria-label")


def test_a_badge_is_xml_whatever_the_site_and_its_values_are_called() -> None:
    called = {"number": "6 < 7", "verdict": "holds", "statement": "<&>", "say": str}
    context = {**called, "config": SimpleNamespace(project='"A" & <B>')}
    badge = ElementTree.fromstring(TEMPLATES.render("claim.svg", context))
    texts = [text.text for text in badge.iter(f"{SVG}text")]
    assert ['"A" & <B>', "6 < 7 · holds"] == texts
    assert ": ".join(texts) == badge.get("aria-label")
    assert "<&>" == badge.findtext(f"{SVG}title")


def test_a_preview_is_given_this_address_and_a_search_engine_the_page(
    built: Build,
) -> None:
    found = page(built)
    own = f"{BASE}claims/copy-is-faster"
    told = {tag["property"]: tag["content"] for tag in found.find_all(property=True)}
    assert told["og:url"] == f"{own}.html"
    assert told["og:image"] == f"{BASE}cards/index.png"
    assert told["og:description"].endswith("holds · NVIDIA H200 · 31 January 2026")
    canonical = found.find("link", rel="canonical")["href"]
    assert canonical == f"{BASE}index.html#copy-is-faster"


def test_it_can_be_cited(built: Build) -> None:
    _, tex = page(built, ODD).find("summary", string="Cite this").parent.find_all("pre")
    assert words(tex.get_text()) == words(
        f"""@misc{{tiny:{ODD},
        author = {{{{nobody}}}},
        title = {{The share (\\%) \\& the \\$ of <b>\\_ is faster (5.0×).}},
        howpublished = {{Tiny}},
        year = {{2026}},
        note = {{{MACHINE} · 31 January 2026}},
        url = {{{BASE}claims/{ODD}.html}} }}"""
    )


def test_it_can_be_embedded(built: Build) -> None:
    code = page(built).find("summary", string="Embed").parent.find("pre").get_text()
    frame = BeautifulSoup(code, "html.parser").find("iframe")
    assert frame["src"] == f"{BASE}claims/copy-is-faster.html#embed"
    assert page(built).body["id"] == "embed"


def test_the_badge_has_the_number_and_the_verdict(built: Build) -> None:
    badge = BeautifulSoup(file(built, "copy-is-faster.svg").read_text(), "html.parser")
    assert ["Tiny", "5.0× · holds"] == [text.string for text in badge("text")]
    assert badge("path")[1]["fill"] == "#0b6b53"


def test_the_badge_has_the_first_number_of_a_claim_that_also_checks_a_yes(
    site: Site,
) -> None:
    measured = {"pinned": Plain(True), "speedup": timing(4.9, 5.1), "calls": Plain(7)}
    site.record(measured=measured)
    checks = ("pinned true", "speedup >= 3", "calls == 7")
    lines = "\n".join(f"  {check}: copy.{check}" for check in checks)
    shown = "is pinned | is not pinned <copy.pinned>", "copy.speedup", "copy.calls"
    sentence = ", ".join(f"{{measured}}`{role}`" for role in shown)
    several = f"[It {sentence}.]{{#several}}\n\n```{{checks}}\nseveral:\n{lines}\n```"
    alone = claim("pinned", "true", value="copy.pinned")
    site.page(several, alone)
    build = site.build()
    badges = [
        BeautifulSoup(file(build, f"{name}.svg").read_text(), "html.parser")
        for name in ("several", "pinned")
    ]
    said = [badge("text")[1].string for badge in badges]
    assert ["5.0× · holds", "holds"] == said


def test_what_does_not_hold_is_shown_so(site: Site) -> None:
    site.page(claim(expect=">= 6"))
    build = site.build(code=1)
    assert "✗ diverged · NVIDIA H200" in words(page(build).find("article").get_text())
    badge = BeautifulSoup(file(build, "copy-is-faster.svg").read_text(), "html.parser")
    assert badge("text")[1].string == "5.0× · diverged"
    assert badge("path")[1]["fill"] == "#a3264b"


def test_a_claim_without_a_record_has_a_page_without_a_machine(site: Site) -> None:
    (site.folder / "examples/memory/copy.json").unlink()
    build = site.build(code=1, conf=CONF)
    assert "Measured on" not in page(build).get_text()
    assert "Measured on" not in file(build, "copy-is-faster.txt").read_text()
    data = json.loads(file(build, "copy-is-faster.json").read_text())
    assert (None, None) == (data["machine"], data["recorded"])


def test_the_text_of_a_claim_has_its_limits_a_line_each(site: Site) -> None:
    site.page(
        claim(scope="sm_80+"), claim(ODD, control="copy-is-faster", tried="views")
    )

    text = file(site.build(conf=CONF), f"{ODD}.txt").read_text()

    *limits, not_tried, control, address = text.splitlines()
    assert limits == [
        "It is faster (5.0×).",
        "Verdict: holds. Scope: any",
        "Values: how fast 5.0× (4.9–5.1×; expected at least 3×)",
        "Measured on: NVIDIA H200, torch 2.11.0+cu130",
        "Held with: torch 2.11",
        "Tried: views",
    ]
    assert not_tried.startswith("Not tried: first call, ")
    assert "Control: It is faster (5.0×). (copy-is-faster, scope: sm_80+)" == control
    assert f"Address: {BASE}claims/{ODD}.html" == address


def test_a_claim_alone_is_what_it_is_among_all_with_its_machine(built: Build) -> None:
    schema = json.loads((built.html / "claims.schema.json").read_text())
    one = {"$ref": "#/$defs/claim", "$defs": schema["$defs"]}
    for name, entry in published(built).items():
        data = json.loads(file(built, f"{name}.json").read_text())
        jsonschema.validate(data, one)
        assert not jsonschema.Draft202012Validator(one).is_valid({**data, "more": 1})
        keys = ("$schema", "machine", "recorded", "signed")
        own = {key: data.pop(key) for key in keys}
        assert entry == data
        assert own["$schema"] == "../claims.schema.json#/$defs/claim"
        assert "unsigned" == own["signed"]
        assert ("NVIDIA H200", "2026-01-31") == (own["machine"]["gpu"], own["recorded"])


def test_each_page_has_the_card_of_its_first_claim_or_that_of_the_site(
    tmp_path: Path,
) -> None:
    site = green(tmp_path)
    for name in ("quicker", "faster"):
        first = claim(f"it-is-{name}").replace("faster", name)
        site.page(first, claim(f"also-{name}", title=f"It is also {name}"), name=name)
    # These have values, and claim nothing; the first is the front page.
    for name in ("index", "shown"):
        site.page("It took {measured}`copy.speedup`.", name=name)
    build = site.build("-t", "release", conf=CONF)
    for name in ("quicker", "faster", "index", "gallery/index", "shown"):
        tag = build.page(name).find("meta", property="og:image")
        has_claim = name in ("quicker", "faster")
        card = f"cards/{name if has_claim else 'index'}.png"
        assert tag["content"] == BASE + card
        assert (build.html / card).exists(), card
        if has_claim:
            (entry,) = (
                each
                for each in published(build).values()
                if each["id"] == f"it-is-{name}"
            )
            texts = (
                "5.0×",
                entry["statement"],
                "✓\u2009holds · NVIDIA H200 · 31 January 2026",
            )
            expected = draw_card("Tiny", *texts).convert("RGB").tobytes()
            with Image.open(build.html / card) as image:
                assert image.size == (1200, 630)
                assert image.convert("RGB").tobytes() == expected


def test_a_card_shows_its_texts_and_a_long_sentence_ends_in_a_mark() -> None:
    texts = ("Site", "5.0×", "Faster.", "NVIDIA H200")
    drawn = {texts: draw_card(*texts).tobytes()}
    for place in range(4):
        other = (*texts[:place], "other", *texts[place + 1 :])
        drawn[other] = draw_card(*other).tobytes()
    assert len(set(drawn.values())) == 5
    cut = (draw_card("", "", "word " * count, "") for count in (200, 300))
    assert len({image.tobytes() for image in cut}) == 1


def test_a_long_number_stays_within_its_card() -> None:
    for number in ("5.0×", "AcceleratorError: misaligned"):
        card = draw_card("Tiny", number, "It is faster.", "holds").convert("L")
        (left, _top, right, _bottom) = ImageOps.invert(
            card.crop((60, 100, 1200, 230))
        ).getbbox()  # type: ignore[misc]
        assert 0 < left < right < 1130, number


def test_a_page_stands_in_its_chapter_if_that_has_a_page() -> None:
    known = domain()
    titles = {"amp/index": "Mixed precision", "amp/scaler": "Scaler", "alone": "Alone"}
    known.env.titles = {name: nodes.title("", t) for name, t in titles.items()}
    chapter = ("Mixed precision", "amp/index.html")
    assert [chapter, ("Scaler", "amp/scaler.html")] == places(known, "amp/scaler")
    assert [chapter] == places(known, "amp/index")
    assert [("Alone", "alone.html")] == places(known, "alone")


def test_a_card_is_a_smaller_file_than_pillow_makes_by_itself(tmp_path: Path) -> None:
    sentence = (
        "A pinned buffer of 256 MiB reaches the GPU 6.5× faster than a pageable one."
    )
    texts = ("Site", "6.5×", sentence, MACHINE)
    write_card(tmp_path / "card.png", *texts)
    with Image.open(tmp_path / "card.png") as card:
        card.save(tmp_path / "other.png")
        assert card.tobytes() == draw_card(*texts).tobytes()
    sizes = [(tmp_path / f"{name}.png").stat().st_size for name in ("card", "other")]
    assert sizes[0] < sizes[1]


def test_pages_tell_search_engines_what_they_are(built: Build) -> None:
    assert linked_data(page(built))["@type"] == "Claim"
    assert linked_data(page(built))["text"] == "It is faster (5.0×)."
    index = linked_data(built.page())
    assert ("Dataset", "Tiny") == (index["@type"], index["name"])
    assert index["distribution"]["contentUrl"] == f"{BASE}claims.json"
    example = linked_data(built.page("gallery/memory/copy"))
    assert ("TechArticle", "A copy") == (example["@type"], example["headline"])


def test_a_site_that_knows_no_address_has_no_cards_and_names_none(site: Site) -> None:
    build = write(site).build(conf=CONF + 'html_baseurl = ""\n')
    assert not [*file(build, "").glob("*.png"), *build.html.glob("cards/*.png")]
    assert "https://" not in re.sub(
        r"schema\.org", "", file(build, f"{ODD}.html").read_text()
    )
    assert not build.page().find_all("script", type="application/ld+json")


@pytest.mark.parametrize("address", ["", "example.org/", "https://example.org/cuda"])
def test_a_release_needs_its_address(site: Site, address: str) -> None:
    build = site.build("-t", "release", "-D", f"html_baseurl={address}", code=2)
    assert (
        "a release needs its address, ending in a slash: "
        f"-D html_baseurl=https://…/ (it is {address!r})"
    ) in build.errors


def skill(build: Build) -> str:
    return (build.html / "SKILL.md").read_text()


def test_the_skill_finds_a_claim_with_the_code_that_it_shows(
    built: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", skill(built), re.DOTALL)
    local = re.sub(r"(?m)^   ", "", code).replace(BASE, f"{built.html.as_uri()}/")
    exec(local.replace('"pinned"', '"it is"'), {})
    assert "copy-is-faster holds any It is faster (5.0×).\n" == capsys.readouterr().out


def test_the_skill_names_only_what_is_published(built: Build) -> None:
    parts = json.loads((built.html / "claims.schema.json").read_text())["$defs"]
    known = {*parts["claim"]["properties"], *parts["check"]["properties"]}
    known |= {*parts["verdict"]["enum"], "any"}
    told = skill(built).partition("## Read it")[2].partition("## Verify it")[0]
    named = set(re.findall(r"`([a-z ]+)`", told))
    assert {"verdict", "scope", "checks", "measured", "out of scope"} <= named
    assert named <= known


def test_the_skill_begins_as_a_skill_does(built: Build) -> None:
    expected = r"---\nname: tiny\ndescription: .{50,1024}\n---\n\n# Look up"
    assert re.match(expected, skill(built))
    assert "2 claims, all hold, on NVIDIA H200, torch 2.11.0, last run on" in skill(
        built
    )
