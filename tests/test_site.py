"""What a reader sees: claims with their evidence, values in text, the strip, the record."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from conftest import Build, Site, claim, green, hazard
from evidence.judge.pages import read_claims
from evidence.records.model import Plain, Raised, Table
from evidence.records.units import THIN_SPACE
from factories import builder, timing

if TYPE_CHECKING:
    from bs4 import Tag

MEASURED = {
    "speedup": timing(4.9, 5.1),
    "slowdown": timing(1.0, 1.2),
    "held_bytes": Plain(2**21),
    "blocks": Plain(True),
    "kind": Plain("pinned"),
    "late": Raised("RuntimeError", "CUDA error"),
    "said": Raised("ValueError", 'no "fast" copy'),
    "sweep": Table(
        tuple({"size": Plain(n), "copy_s": timing(n / 1e3, n / 1e3)} for n in (1, 2))
    ),
}

CLAIMS = [
    claim(),
    claim("documented", documented="about 5 times (cuda.md)", scope="sm_80+"),
    claim("elsewhere", ">= 9", scope="gpus>=8"),
    claim("compared", "> 3 * copy.slowdown"),
    claim("raises", "raises RuntimeError: CUDA", value="copy.late"),
    claim("quotes", "raises ValueError: no", value="copy.said"),
    hazard(),
]

WORDS = """\
[Words: {measured}`.speedup`, {measured}`.held_bytes`,
{measured}`is blocking | is not blocking <.blocks>`,
{measured}`.kind`, {measured}`.late`, {measured}`.sweep[size=2].copy_s`.]{#words}

```{checks} copy
words:
  speedup: .speedup >= 3
  held: .held_bytes == 2 MiB
  blocks: .blocks true
  kind: .kind == "pinned"
  late: .late raises RuntimeError: CUDA
  time: .sweep[size=2].copy_s <= 3 ms
```"""

#: A table of numbers, and one of sentences.
TABLES = [
    f"```{{list-table}}\n:class: {name}\n\n* - {name}\n"
    f"  - {{measured}}`copy.sweep[size={size}].copy_s`, [claim](#words)\n```"
    for size, name in enumerate(("numbers", "analysis"), start=1)
]
WRITTEN = {
    "numbers": "Tiny numbers 1.000 ms , claim",
    "analysis": "Tiny analysis 2.0 ms , claim",
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Build:
    site = green(tmp_path_factory.mktemp("site"))
    site.record(measured=MEASURED, recorded="2026-02-28")
    site.script("paged")
    site.record("paged", measured={"ok": Plain(True)}, builder=builder(gpu="NVIDIA A1"))
    other = claim("paged", "true", value="paged.ok")
    beside = "Beside: {measured}`copy.speedup`."
    site.page(*CLAIMS, other, WORDS, beside, *TABLES)
    site.page("No claim.", name="silent", title="Silent")
    build = site.build(code=1)
    (warning,) = build.warnings  # one claim is out of scope for its own record
    assert "claim 'elsewhere'" in warning
    return build


def claim_of(build: Build, name: str) -> Tag:
    found = build.page().find(id=name)
    assert found is not None
    return found


def words(tag: Tag) -> str:
    return " ".join(tag.get_text(" ").replace(THIN_SPACE, " ").split())


def evidence_of(build: Build, name: str) -> Tag:
    """What opens behind a claim's sentence, or below its block."""
    tag = claim_of(build, name)
    found = tag.find("details") or tag.find_next("details")
    assert found is not None
    return found


def facts(tag: Tag) -> dict[str, str]:
    """The lines of a claim's evidence, each of which begins with what it tells."""
    lines = (words(line).partition(": ") for line in tag.select("p.how"))
    return {about: told for about, _, told in lines}


def values(build: Build, name: str) -> list[str]:
    """The checked values of a claim, each with its label."""
    return [words(value) for value in evidence_of(build, name).select(".value")]


def test_a_claim_shows_its_statement_and_behind_it_the_verdict(shown: Build) -> None:
    assert "It is faster (5.0×)." == words(claim_of(shown, "copy-is-faster"))
    evidence = evidence_of(shown, "copy-is-faster")
    assert "✓" == words(evidence.find("summary"))
    assert "✓ holds" == words(evidence.select_one(".verdict"))
    expected = ["how fast 5.0× (4.9–5.1×; expected at least 3×)"]
    assert expected == values(shown, "copy-is-faster")


def test_a_table_of_sentences_has_the_digits_of_a_sentence(shown: Build) -> None:
    tables = {name: shown.page().select_one(f"table.{name}") for name in WRITTEN}
    assert {name: words(tag) for name, tag in tables.items() if tag} == WRITTEN


def test_the_evidence_opens_in_place(shown: Build) -> None:
    details = evidence_of(shown, "copy-is-faster")
    assert "open" not in details.attrs
    found = [tag.name for tag in details.find_all(recursive=False)]
    assert ["summary", "div"] == found


def test_the_evidence_names_machine_script_and_date(shown: Build) -> None:
    expected = {
        "Documented": "about 5 times (cuda.md)",
        "Measured by": "copy.py · NVIDIA H200 · 28 February 2026 · unsigned",
        "On your GPU": "nox -s verify -- -k documented",
        "Quote": "link, badge, citation, data",
    }
    evidence = evidence_of(shown, "documented")
    assert expected == facts(evidence)
    links = [link["href"] for link in evidence.select("a")]
    record, own = "gallery/memory/copy.html#measured", "claims/documented.html"
    assert [record, own] == links


def test_each_check_of_a_claim_is_told(shown: Build) -> None:
    assert [
        "speedup 5.0× (4.9–5.1×; expected at least 3×)",
        "held 2 MiB",
        "blocks yes",
        "kind pinned",
        "late RuntimeError: CUDA error (expected raises RuntimeError)",
    ] == values(shown, "words")[:5]


def test_what_is_not_documented_is_left_out(shown: Build) -> None:
    assert "Documented" not in facts(evidence_of(shown, "copy-is-faster"))


def test_a_claim_out_of_scope_is_not_shown_as_a_pass(shown: Build) -> None:
    evidence = evidence_of(shown, "elsewhere")
    assert "– 8 GPUs" == words(evidence.find("summary"))
    assert "– out of scope" == words(evidence.select_one(".verdict"))
    expected = ["how fast 5.0× (4.9–5.1×; expected at least 9×)"]
    assert expected == values(shown, "elsewhere")


def test_a_compared_value_is_shown_as_its_value(shown: Build) -> None:
    (said,) = values(shown, "compared")
    assert "how fast 5.0× (4.9–5.1×; expected more than 3 × 1.1×)" == said


def test_an_expected_exception_is_shown(shown: Build) -> None:
    (said,) = values(shown, "raises")
    assert "how fast RuntimeError: CUDA error (expected raises RuntimeError)" == said


def test_the_quotes_of_a_message_stay_as_they_are(shown: Build) -> None:
    said = 'It is faster (ValueError: no "fast" copy).'
    assert said == words(claim_of(shown, "quotes"))


def test_a_hazard_holds_its_claims_side_by_side(shown: Build) -> None:
    wrong, right = claim_of(shown, "wrong"), claim_of(shown, "right")
    assert wrong.parent is not None
    assert right.parent == wrong.parent
    children = wrong.parent.find_all(recursive=False)
    expected = ["wrong", "right"]
    assert expected == [tag["id"] for tag in children]


def test_the_blocks_of_a_hazard_say_which_is_which(shown: Build) -> None:
    wrong, right = claim_of(shown, "wrong"), claim_of(shown, "right")
    assert "wrong" in wrong["class"]
    assert "right" in right["class"]
    assert "Wrong. It is faster (5.0×)." == words(wrong.find("p"))
    assert "Right. It is faster (5.0×)." == words(right.find("p"))
    assert "✓ how fast 5.0× more" == words(wrong.find("summary"))


def test_the_control_of_a_claim_leads_to_its_right_form(shown: Build) -> None:
    link = claim_of(shown, "wrong").find("a", string="right")
    assert link is not None and "#right" == link["href"]


def test_the_directive_reads_the_claims_that_verify_reads(shown: Build) -> None:
    source = shown.folder.parent / "docs" / "index.md"
    env = pickle.loads((shown.folder / "doctrees" / "environment.pickle").read_bytes())
    expected, _ = read_claims(source.read_text(), "index")
    assert expected == env.domaindata["evidence"]["pages"]["index"].claims
    assert len(expected) > 8


def test_the_values_in_a_text_carry_their_units(shown: Build) -> None:
    text = claim_of(shown, "words")
    expected = (
        "Words: 5.0×, 2 MiB, is blocking, pinned, RuntimeError: CUDA error, 2.0 ms."
    )
    assert expected == " ".join(text.get_text().replace(THIN_SPACE, " ").split())


def test_a_value_beside_the_claims_links_to_its_record(shown: Build) -> None:
    (beside,) = (p for p in shown.page().find_all("p") if "Beside:" in p.get_text())
    targets = [link["href"] for link in beside.find_all("a")]
    assert ["gallery/memory/copy.html#measured"] == targets
    assert [] == claim_of(shown, "words").find_all("a")  # its evidence has the link
    assert shown.page("gallery/memory/copy").find(id="measured")


def test_the_strip_follows_the_lead(shown: Build) -> None:
    lead = shown.page().find("p", string="The lead.")
    expected = "10 claims, 9 hold · NVIDIA A1 and NVIDIA H200, torch 2.11.0, "
    expected += "last run on 28 February 2026 · 8 should hold on any GPU, "
    expected += "2 on what is named at their ✓"
    assert expected == words(lead.find_next_sibling())


def test_a_page_without_a_claim_has_no_strip(shown: Build) -> None:
    expected = "Silent ¶ The lead. No claim."
    assert expected == shown.text("silent")


def test_the_record_is_shown_under_its_example(shown: Build) -> None:
    section = shown.page("gallery/memory/copy").find(id="measured")
    text = words(section)
    assert text.startswith("Measured NVIDIA H200 · ")
    assert "· 28 February 2026 · 6 processes · record · unsigned" in text
    assert "speedup 5.0× (4.9–5.1×), median of 6 processes" in text
    assert "held_bytes 2 MiB" in text
    assert "late RuntimeError: CUDA error" in text
    assert "sweep size copy_s 1 1.000 ms 2 2.000 ms" in text


def test_a_build_in_parallel_judges_the_claims_of_every_page(site: Site) -> None:
    for number in range(8):
        expect = ">= 6" if number == 7 else ">= 3"
        page = [claim(f"copy-{number}", expect), "{measured}`copy.typo`"]
        site.page(*page, name=f"other{number}", title="Other")
    build = site.build("-j", "2", code=1)
    assert "evidence: 9 claims judged, 8 hold" in build.output
    expected = [f"docs/other{number}.md" for number in range(8)]
    typos = sorted(text for text in build.warnings if "'copy.typo'" in text)
    assert expected == [text.partition(":")[0] for text in typos]
    (diverged,) = [text for text in build.warnings if "diverged" in text]
    assert diverged.startswith("docs/other7.md:12: WARNING: claim 'copy-7': expected")
