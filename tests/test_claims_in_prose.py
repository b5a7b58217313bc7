"""A claim is a sentence with a tick: spans, rows and blocks whose checks stand beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from conftest import Site
from evidence.judge.claim import VARIATIONS
from evidence.judge.pages import read_claims
from evidence.records.model import Plain
from evidence.site.publish.search_index import passages
from factories import timing

if TYPE_CHECKING:
    from pathlib import Path

    from bs4 import Tag
    from conftest import Build

MEASURED = {
    "speedup": timing(4.9, 5.1),
    "cost_s": timing(0.0021, 0.0022),
    "wrong": Plain(7),
    "waited": Plain(0),
    "lost": Plain(20),
    "tries": Plain(20),
    "same": Plain(True),
    "exponent": Plain(-24),
    "least": Plain(6e-8),
}
PROSE = """\
A *copy* takes time. [It is *always* faster from {measured}`.speedup` pinned memory]{#it-is-faster},
as `cudaMemcpy` pins a page, and [the host never waits]{#it-never-waits}. The *time* is
{measured}`.cost_s`.

| How | Result |
|---|---|
| [at once]{#at-once-is-lost} | always lost |
| [pinned]{.row .it-is-faster} | faster |

```{checks} copy
% A comment.
:seed: R1
it-is-faster:
  faster than pageable: .speedup >= 3
  time: .cost_s <= 4 ms
  the same bytes: .same true
  :scope: gpu == NVIDIA H200
  :tried: views, backward
it-never-waits:
  host waited: .waited of .tries == 0
  wrong results: .wrong of .tries in 4..10
  :title: The host never waits for a copy.
at-once-is-lost:
  lost: .lost of .tries == .tries
  :title: A copy that is read at once is always lost.
```"""
SOURCES = '[statements]\nR1 = { chapter = "memory", text = "It is faster.", from = "notes" }\n'
HAZARD = """\
:::::{hazard}
:::{wrong} copied-at-once
What is copied is always lost.
:::
:::{right} copied-after-waiting
It never waits.
:::
:::::

:::{result} a-number
{measured}`.speedup`

the speedup of a pinned copy
:::

- [A copy waits for nobody]{#in-a-list}.
- More.

```{checks} copy
copied-at-once:
  lost: .lost of .tries == .tries
  :control: copied-after-waiting
copied-after-waiting:
  host waited: .waited of .tries == 0
a-number:
  speedup: .speedup >= 3
  time: .cost_s <= 4 ms
  exponent: .exponent == -24
  least: .least <= 0.0000001
  lost: .lost of .tries == .tries
in-a-list:
  host waited: .waited of .tries == 0
```"""


def site_of(folder: Path, *blocks: str) -> Site:
    site = Site(folder)
    page = site.page(*blocks)
    page.write_text(page.read_text().replace("*The lead.*\n\n", ""))
    site.script()
    site.record(measured=MEASURED)
    return site


def said(node: Tag) -> str:
    return " ".join(node.text.split())


@pytest.fixture(scope="module")
def prose(tmp_path_factory: pytest.TempPathFactory) -> Build:
    text = PROSE.replace(":seed: R1\n", "")
    return site_of(tmp_path_factory.mktemp("prose"), text, HAZARD).build()


def test_verify_reads_the_same_checks() -> None:
    claims, wrong = read_claims(PROSE, "index")
    assert wrong == []
    checks = {
        c.id: [(k.label, str(k.value), str(k.total), k.expect) for k in c.checks]
        for c in claims
    }
    assert checks == {
        "it-is-faster": [
            ("faster than pageable", "copy.speedup", "None", ">= 3"),
            ("time", "copy.cost_s", "None", "<= 4 ms"),
            ("the same bytes", "copy.same", "None", "true"),
        ],
        "it-never-waits": [
            ("host waited", "copy.waited", "copy.tries", "== 0"),
            ("wrong results", "copy.wrong", "copy.tries", "in 4..10"),
        ],
        "at-once-is-lost": [("lost", "copy.lost", "copy.tries", "== .tries")],
    }
    assert [claim.scope.text for claim in claims] == [
        "gpu == NVIDIA H200",
        "any",
        "any",
    ]
    assert [claim.seed for claim in claims] == [("R1",)] * 3
    assert claims[0].tried == ("views", "backward")


def test_a_sentence_is_the_anchor_and_its_evidence_opens_behind_it(
    prose: Build,
) -> None:
    page = prose.page()
    span = page.find(id="it-is-faster")
    assert "It is always faster from 5.0× pinned memory" == span.text
    stop = span.find_next_sibling()
    assert (["stop"], ",") == (stop["class"], stop.text)
    tick = stop.find_next_sibling()
    assert "✓ H200" == tick.summary.text
    assert "div" == tick.parent.name  # what opens may not stand in a p
    values = tick.find(class_="values").text.split("\xa0", 1)[-1]
    assert "faster than pageable 5.0× (4.9–5.1×; expected at least 3×)" in " ".join(
        values.split()
    )
    assert "the same bytes yes" in " ".join(values.split())
    other = page.find(id="it-never-waits").parent.text
    assert "host waited 0 of 20" in other
    assert "wrong results 7 of 20 (expected 4 to 10)" in other
    assert "The time is 2.1 ms." in prose.text()


def test_a_tick_stands_behind_its_own_full_stop(tmp_path: Path) -> None:
    text = f"Call `copy`.\n{CLAIM.format(GOOD)}"
    page = site_of(tmp_path, text).build(code=1).page()  # of unused values
    tick = page.find("details", class_="ev")
    before = tick.find_previous_sibling(class_="stop").find_previous_sibling()
    assert before["id"] == "a-claim"


def test_a_row_is_a_claim_or_refers_to_one(prose: Build) -> None:
    table = prose.page().find("table", class_="claims")
    rows = table.tbody.find_all("tr")
    assert ["row", "opened"] * 2 == [row["class"][0] for row in rows]
    assert ["at-once-is-lost"] == [
        span["id"] for span in table.select(".claim-text[id]")
    ]
    assert "lost 20 of 20" in " ".join(rows[1].text.split())
    assert "Measured by: copy.py" in rows[1].text
    values = "faster than pageable 5.0× time 2.1 ms the same bytes yes"
    assert f"{values} the claim and its evidence" == said(rows[3])
    assert "#it-is-faster" == rows[3].a["href"]


def test_blocks_have_their_word_and_a_line_of_values(prose: Build) -> None:
    wrong, right = prose.page().select(".hazard > .box")
    assert "Wrong. What is copied is always lost." == wrong.p.text
    assert "✓ lost 20 of 20 more" == said(wrong.summary)
    assert "Right. It never waits." == right.p.text
    result = prose.page().find(id="a-number")
    assert "5.0×" == result.find(class_="number").text
    assert "✓ speedup 5.0× time 2.1 ms exponent −24 2 more" == said(result.summary)
    opened = said(result.find(class_="values"))
    assert "speedup 5.0× (4.9–5.1×; expected at least 3×)" in opened
    assert "least 6.000×10⁻⁸ (expected at most 1×10⁻⁷) lost 20 of 20" in opened


def test_a_claim_may_stand_in_a_list_and_in_the_lead(prose: Build) -> None:
    for name in ("in-a-list", "it-is-faster"):
        holder = prose.page().find(id=name).parent
        assert ["para"] == holder["class"]
        assert "host waited 0 of 20" in said(holder)
    assert "h1" == holder.find_previous_sibling().name


def test_data_search_and_twin_have_the_sentence(prose: Build) -> None:
    data = json.loads((prose.html / "claims.json").read_text())
    said = {claim["id"]: claim["statement"] for claim in data["claims"]}
    assert "It is always faster from 5.0× pinned memory" == said["it-is-faster"]
    assert "The host never waits for a copy." == said["it-never-waits"]
    assert "Wrong. What is copied is always lost." == said["copied-at-once"]
    twin = (prose.html / "index.md").read_text()
    assert (
        "pinned memory, as `cudaMemcpy` pins a page, and the host never waits." in twin
    )
    assert "> ✓" in twin.split("the host never waits.")[1].split("| How")[0]
    index = (prose.html / "_static/search_index.js").read_text()
    assert '"gallery/memory/copy"' in index  # the root page itself is left out
    found = passages(prose.doctree(), {})
    assert "It is always faster" in found["it-is-faster"][0]
    assert ["Wrong. What is copied is always lost."] == found["copied-at-once"]
    # To a program, the code is wrong, and not the claim.
    own = (prose.html / "claims/copied-at-once.txt").read_text()
    assert own.startswith("Wrong way: What is copied is always lost.\nVerdict: holds.")


def test_the_page_says_what_was_not_tried(prose: Build) -> None:
    strip = prose.page().find(class_="strip").text
    missing = [word for word in VARIATIONS if word not in ("views", "backward")]
    assert f"not tried: {', '.join(missing)}" in strip
    assert "6 should hold on any GPU, 1 on what is named at their ✓" in strip


CLAIM = "[It is faster]{{#a-claim}}.\n\n```{{checks}} copy\n{}\n```"
GOOD = "a-claim:\n  speedup: .speedup >= 3"
RED = {
    "an option without its colon": (
        CLAIM.format("a-claim:\n  scope: any\n  speedup: .speedup >= 3"),
        "claim 'a-claim': 'scope' is an option: write ':scope:'",
    ),
    "an unknown option": (
        CLAIM.format(f"{GOOD}\n  :scop: any"),
        "claim 'a-claim': unknown option 'scop' (known: ",
    ),
    "a label twice": (
        CLAIM.format(f"{GOOD}\n  speedup: .speedup <= 9"),
        "claim 'a-claim': the label 'speedup' stands twice",
    ),
    "a check of nobody": (
        CLAIM.format(f"speedup: .speedup >= 3\n{GOOD}"),
        "'speedup' belongs to no claim: write its id above",
    ),
    "no check": (CLAIM.format(f"{GOOD}\nb-claim:"), "claim 'b-claim': checks nothing"),
    "no line": (
        CLAIM.format(f"{GOOD}\n  faster"),
        "'faster' is no 'label: address expectation'",
    ),
    "no expectation": (
        CLAIM.format("a-claim:\n  speedup: fast"),
        "claim 'a-claim': 'fast' is no address with an expectation behind it",
    ),
    "an unknown variation": (
        CLAIM.format(f"{GOOD}\n  :tried: everything"),
        "claim 'a-claim': :tried: has 'everything' (known: first call, ",
    ),
    "checks without a text": (
        CLAIM.format(f"{GOOD}\nb-claim:\n  speedup: .speedup >= 3"),
        "claim 'b-claim' has checks and no text: write [its sentence]{#b-claim}",
    ),
    "a text without checks": (
        f"[More]{{#b-claim}}. {CLAIM.format(GOOD)}",
        "'b-claim' has a text and no checks: write them below it, or take its id out",
    ),
    "a text twice": (
        f"[More]{{#a-claim}}.\n\n{CLAIM.format(GOOD)}",
        'Duplicate explicit target name: "a-claim"',
    ),
    "a reference alone": (
        CLAIM.format(GOOD).replace("{#a-claim}", "{.row .a-claim}"),
        "claim 'a-claim' has checks and no text: write [its sentence]{#a-claim}",
    ),
    "a block twice": (
        f"{CLAIM.format(GOOD)}\n\n:::{{result}} a-claim\nOne.\n\nMore.\n:::",
        "claim 'a-claim' stands twice: refer to it with {.row .a-claim}",
    ),
    "a claim in a heading": (
        f"## {CLAIM.format(GOOD)}",
        "claim 'a-claim' is within title: write it into a paragraph",
    ),
    "a claim in an emphasis": (
        CLAIM.format(GOOD).replace("[It", "*[It").replace("claim}", "claim}*", 1),
        "claim 'a-claim' is within emphasis: write it into a paragraph",
    ),
    "a value of another claim": (
        CLAIM.format(GOOD).replace("faster", "faster, {measured}`.cost_s`"),
        "copy.cost_s is shown in claim 'a-claim', which does not check it: add a line "
        "'label: copy.cost_s expectation' to its checks, or leave it out",
    ),
    "a value of nobody beside it": (
        CLAIM.format(GOOD).replace("}.", "}. It took {measured}`.cost_s`."),
        "copy.cost_s is shown, but no claim here checks it: claim it, or leave it out",
    ),
    "an address without its example": (
        "It is {measured}`.speedup` faster.",
        "nothing was measured as ''",
    ),
    "a false check": (
        CLAIM.format("a-claim:\n  speedup: .speedup >= 6"),
        "claim 'a-claim': expected >= 6, measured 5.0× (4.9–5.1×) on NVIDIA H200",
    ),
    "a verdict that is drawn": (
        f"{CLAIM.format(GOOD)}\n\n[holds]{{.verdict}}",
        "a block of class 'verdict' is the build's own to make; remove the class",
    ),
    "arms that changed places": (
        HAZARD.replace("{wrong}", "{x}")
        .replace("{right}", "{wrong}")
        .replace("{x}", "{right}"),
        "a hazard is a {wrong} and a {right}, its ':control:'",
    ),
}


@pytest.mark.parametrize(("blocks", "message"), RED.values(), ids=RED)
def test_each_fault_is_red(tmp_path: Path, blocks: str, message: str) -> None:
    build = site_of(tmp_path, blocks).build(code=1)
    assert [warning for warning in build.warnings if message in warning], build.errors


def test_a_tick_stands_behind_its_own_stop(tmp_path: Path) -> None:
    text = "See [the other page](index.md).\n[The bytes are the same]{#it-is-so}.\n\n"
    checks = "```{checks} copy\nit-is-so:\n  the same bytes: .same true\n```"
    site = Site(tmp_path)
    site.page(text + checks)
    site.script()
    site.record(measured={"same": Plain(True)})
    stop = site.build().page().find("span", class_="stop")

    assert "The bytes are the same" == stop.find_previous_sibling().text
