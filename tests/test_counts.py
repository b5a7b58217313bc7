"""What must be as many, and what is published of it: claims.json fits its own schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest
from conftest import claim
from docutils import nodes
from evidence.site.tables.counts import limits, schema
from factories import claim as made
from factories import domain, filler

if TYPE_CHECKING:
    from conftest import Build, Site


def published(build: Build) -> dict[str, object]:
    """``claims.json``, checked against the schema beside it."""
    data: dict[str, object] = json.loads((build.html / "claims.json").read_text())
    schema = json.loads((build.html / "claims.schema.json").read_text())
    jsonschema.validate(data, schema)
    return data


def test_the_published_claims_fit_their_schema(site: Site) -> None:
    told = '[statements.{}]\nchapter = ""\nsources = []\ntext = ""\n'
    both = "".join(told.format(name) for name in "ab")
    site.write("docs/evidence/sources.toml", both)
    site.page(claim(documented="about 5 times (cuda.md)", seed="b, a"))

    data = published(site.build())

    expected = {"claims": 1, "examples": 1, "verdicts": {"holds": 1}}
    assert expected == data["summary"]


@pytest.mark.parametrize(
    ("verdict", "expect"), [("diverged", ">= 6"), ("noisy", ">= 5")]
)
def test_a_red_build_publishes_its_verdicts(
    site: Site, verdict: str, expect: str
) -> None:
    site.page(claim(expect=expect))

    data = published(site.build(code=1))

    assert {"verdicts": {verdict: 1}}.items() <= data["summary"].items()  # type: ignore[attr-defined]
    (only,) = data["claims"]  # type: ignore[misc]
    # It held with no PyTorch.
    assert [] == only["torch"] == data["torch"]


def test_a_claim_without_a_record_is_published_as_missing(site: Site) -> None:
    (site.folder / "examples/memory/copy.json").unlink()

    data = published(site.build(code=1))

    (only,) = data["claims"]  # type: ignore[misc]
    assert ("missing", None, None) == (
        only["verdict"],
        only["checks"][0]["measured"],
        only["builder"],
    )


def test_a_script_that_the_gallery_passes_over_is_named(site: Site) -> None:
    hidden = 'sphinx_gallery_conf["ignore_pattern"] = r"^copy"\n'
    site.script("other")
    site.record("other")
    site.page(claim(), claim("other-too", value="other.speedup"))

    build = site.build(code=1, conf=hidden)

    expected = "WARNING: the example memory/copy.py has no page [evidence.count]"
    assert expected in build.warnings


def test_a_claim_that_stands_in_the_text_alone_is_named(site: Site) -> None:
    shown = claim("only-in-the-text")
    site.page(claim(), f"````{{code-block}} markdown\n{shown}\n````")
    expected = (
        "docs/index.md:1: WARNING: claim 'only-in-the-text' is in the text, but was "
        "not built [evidence.count]"
    )

    site.preview = True
    assert [expected] == site.build(code=1).warnings
    again = site.build(code=1)  # the page is not read again

    assert set() == again.read
    assert [expected] == again.warnings


@pytest.mark.parametrize(
    ("scopes", "said"),
    [
        ((), ""),
        (("gpus>=2",), "each should hold on what is named at its ✓"),
        (("any", "any"), "all should hold on any GPU"),
        (
            ("gpu == NVIDIA A100", "gpu == NVIDIA A100"),
            "each should hold on what is named at its ✓",
        ),
        (
            ("any", "gpu == NVIDIA A100", "any"),
            "2 should hold on any GPU, 1 on what is named at their ✓",
        ),
    ],
)
def test_a_page_says_how_far_its_claims_go(scopes: tuple[str, ...], said: str) -> None:
    assert [said] * bool(said) == [
        str(text) for text in limits([made(scope=s) for s in scopes])
    ]


def test_a_link_of_an_earlier_site_leads_to_the_fields_of_a_value() -> None:
    anchors = {
        part[0].astext(): part["ids"]
        for part in schema(filler(domain()), "")
        if isinstance(part, nodes.section)
    }
    assert ["record-value", "record-plain", "record-table"] == anchors["Value"]
    assert ["record-record"] == anchors["Record"]
