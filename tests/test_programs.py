"""What programs fetch: claims by the name of an API, peak rates, and how far a claim goes."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from conftest import SCRIPT, claim
from evidence.judge.passes import Elsewhere, Outcome
from evidence.judge.verdict import Verdict
from evidence.records.model import Plain, Raised
from evidence.site.publish.programs import (
    Named,
    held_with,
    named,
    names_in,
    published,
)
from evidence.site.publish.words import said_by
from factories import builder, claim_of, domain, filler, record, timing
from factories import claim as claim_at

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build, Site

ADDRESS = "https://docs.example/2.11/"
ENDS = {
    "torch.cuda.Stream": {"torch.cuda.Stream"},
    "record_stream": {"torch.Tensor.record_stream"},
    "item": {"torch.Tensor.item"},
    "to": {"torch.Tensor.to", "torch.nn.Module.to"},
    "synchronize": {"torch.cuda.synchronize", "torch.cuda.Stream.synchronize"},
    "GradScaler": {"torch.amp.GradScaler"},
}
SHEETS = (
    'SHEETS = {"NVIDIA H200": (989.5, 4.8), "NVIDIA L4": (121, 0.3)}\n\n# %%\n# It:\n\n'
)
STEM = "the_gpu_nears_its_data_sheet"


def fetched(build: Build, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((build.html / name).read_text())
    return data


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        (
            "After record_stream, item() waits.",
            ["torch.Tensor.record_stream", "torch.Tensor.item"],
        ),
        ("Each item goes to a torch.cuda.Stream.", ["torch.cuda.Stream"]),
        ("You call x.to() and synchronize().", []),
        ("A GradScaler skips.", ["torch.amp.GradScaler"]),
        ("With CUDA_LAUNCH_BLOCKING=1, H200 and OK wait.", ["CUDA_LAUNCH_BLOCKING"]),
        ("Call torch._scaled_mm.", ["torch._scaled_mm"]),
    ],
)
def test_names_are_those_of_code(sentence: str, names: list[str]) -> None:
    assert names == [*names_in(sentence, ENDS)]


def test_a_name_has_a_file_of_the_claims_about_it(site: Site) -> None:
    own = "from torch.nn import attention as own, other_kernel\n\ntorch.cuda.rare()\n"
    own += "own.sdpa_kernel()\nother_kernel.__doc__\n\n"
    code = SCRIPT.replace("# What it gave", f"{own}# %%\n# What it gave")
    site.script(code=code)
    site.record()
    site.page(claim(title="With CUDA_LAUNCH_BLOCKING=1, it is fast"))

    build = site.build(conf=f'html_baseurl = "{ADDRESS}"\n')

    index = fetched(build, "api/index.json")
    assert index == {
        "schema": 1,
        "version": "2.11",
        "address": ADDRESS,
        "names": {
            "CUDA_LAUNCH_BLOCKING": ["copy-is-faster"],
            "torch.cuda.rare": ["copy-is-faster"],
            "torch.nn": ["copy-is-faster"],
            "torch.nn.attention": ["copy-is-faster"],
            "torch.nn.attention.sdpa_kernel": ["copy-is-faster"],
            "torch.nn.other_kernel": ["copy-is-faster"],
        },
    }
    for name, where in (
        ("CUDA_LAUNCH_BLOCKING", "sentence"),
        ("torch.cuda.rare", "code"),
    ):
        own = fetched(build, f"api/{name}.json")
        assert (name, "2.11", 1) == (own["name"], own["version"], own["schema"])
        (only,) = own["claims"]
        assert (where, "any", "holds") == (only["in"], only["scope"], only["verdict"])
        assert fetched(build, only["json"])["id"] == only["id"] == "copy-is-faster"


def test_a_name_that_many_claims_of_few_examples_use_is_listed(site: Site) -> None:
    code = SCRIPT.replace("# What it gave", "torch.cuda.rare()\n\n# %%\n# What it gave")
    site.script(code=code)
    site.record()
    claims = [f"claim-{number}" for number in range(41)]
    site.page(*(claim(name, title=f"It is {name}") for name in claims))

    index = fetched(site.build(), "api/index.json")

    assert sorted(claims) == sorted(index["names"]["torch.cuda.rare"])


def test_claims_are_found_by_what_they_say_and_their_hidden_words(site: Site) -> None:
    path = site.page(claim(scope="sm_80+"))
    hidden = 'search:\n  lead: "pace"\n  copy-is-faster: "haste"\n'
    path.write_text(f"---\n{hidden}---\n\n{path.read_text()}")

    data = fetched(site.build(), "words.json")

    assert {"index": "Tiny. The lead. pace"} == data["pages"]
    assert data["claims"] == {
        "copy-is-faster": {
            "page": "index",
            "own": "It is faster (5.0×). haste",
            "around": "how fast copy.speedup",
            "scope": "sm_80+",
            "torch": ["2.11"],
        }
    }
    assert ("2.11", 3, {}) == (data["version"], data["schema"], data["messages"])
    assert "the" in data["stops"]
    assert ({}, []) == (data["unknown"], data["others"])


def test_what_was_not_tried_is_published_with_what_comes_before_it(site: Site) -> None:
    site.write("docs/evidence/others.toml", 'names = ["llama"]\n')
    site.page(
        claim(),
        "## Two of them?\n\nIt was tried. Here, *three* were not tried. Four are more.\n",
        "## Five\n\nSix were not measured.\n",
    )

    build = site.build(conf=f'html_baseurl = "{ADDRESS}"\n')
    data = fetched(build, "words.json")

    three = "It was tried. Here, three were not tried."
    six = "Five. Six were not measured."
    assert data["unknown"] == {
        f"{three} {ADDRESS}index.html#two-of-them": {
            "page": "index",
            "own": three,
            "around": f"Two of them? {three} Four are more.",
        },
        f"{six} {ADDRESS}index.html#five": {"page": "index", "own": six, "around": six},
    }
    assert ["llama"] == data["others"]


def test_claims_say_how_far_they_go(site: Site) -> None:
    site.page(claim(tried="views"))

    data = fetched(site.build(), "claims.json")

    (only,) = data["claims"]
    assert ["how fast 5.0× (4.9–5.1×; expected at least 3×)"] == only["told"]
    assert "backward" in only["not_tried"]
    assert "views" not in only["not_tried"]
    assert ["2.11"] == only["torch"] == data["torch"]
    assert ("2.11", "") == (data["version"], data["address"])


def test_a_claim_is_found_by_all_of_its_checks_and_less_than_by_its_words() -> None:
    measured = {"speedup": timing(4.9, 5.1), "size": Plain(7)}
    both = claim_of("copy.speedup >= 3", "copy.size == 7")
    known = domain(both, records=(record(measured=measured),))
    page = known.page("page")
    page.sentences["a-claim"], page.hidden = "It is so.", {"a-claim": "haste"}
    said = said_by(known, known.judged.judgements[0])
    assert ("It is so. haste", "page") == (said["own"], said["page"])
    assert "check 1 copy.speedup check 2 copy.size" == said["around"]


def test_claims_are_published_by_their_ids_wherever_they_stand() -> None:
    places = {"d": ("bar", 1), "a": ("zoo", 3), "c": ("bar", 7), "b": ("moor", 9)}
    known = domain(*(claim_at(">= 3", name=n, place=at) for n, at in places.items()))
    filler(known)
    data = published(known)
    assert [*"abcd"] == [each["id"] for each in data["claims"]]
    assert {"claims": 4, "examples": 1, "verdicts": {"holds": 4}} == data["summary"]


def test_a_name_that_a_sentence_has_is_not_one_of_its_code_as_well(
    tmp_path: Path,
) -> None:
    path = tmp_path / "copy.py"
    path.write_text("import torch\ntorch.cuda.rare()\ntorch.cuda.other()\n")
    known = domain(claim_at(">= 3", name="b"), claim_at(">= 2", name="a"))
    examples = known.site.library.examples
    examples["copy"] = replace(examples["copy"], path=path)
    known.page("page").sentences |= {"a": "Call torch.cuda.rare().", "b": "It is so."}

    said, called = named(known, ())

    assert {"torch.cuda.rare": ["a"]} == ids(said)
    assert {"torch.cuda.rare": ["b"], "torch.cuda.other": ["a", "b"]} == ids(called)


def ids(found: Named) -> dict[str, list[str]]:
    return {name: [each.claim.id for each in of] for name, of in found.items()}


def test_a_claim_held_with_each_version_in_the_order_of_their_releases() -> None:
    known = domain(claim_at(">= 3"))
    outcomes = [
        Outcome("a-claim", machine, "NVIDIA L4", version, Counter({verdict: times}))
        for machine, version, verdict, times in (
            ("0000000a", "2.14", Verdict.DIVERGED, 1),
            ("0000000b", "2.10", Verdict.HOLDS, 2),
            ("0000000c", "2.9", Verdict.HOLDS, 3),
        )
    ]
    elsewhere = Elsewhere(outcomes={"a-claim": outcomes})
    known.close(replace(known.judged, elsewhere=elsewhere))
    (judgement,) = known.judged.judgements

    assert ["2.9", "2.10", "2.11"] == held_with(known, judgement)


def sheets(site: Site, table: str, facts: str) -> Build:
    """Build a site with the example of the data sheets."""
    site.script(STEM, SCRIPT.replace("# What it gave:\n\n", f"# A table:\n\n{table}"))
    site.record(STEM)
    site.page(claim(), claim("other-is-fast", value=f"{STEM}.speedup"))
    site.write("docs/evidence/gpus.toml", facts)
    return site.build(code=0 if "L4" in facts and table else 1)


def test_peak_rates_are_those_of_the_example_with_their_sources(site: Site) -> None:
    facts = '[peak_rates]\n"NVIDIA H200" = "there"\n"NVIDIA L4" = "here"\n'

    data = fetched(sheets(site, SHEETS, facts), "gpus.json")

    rates = {"bf16_flop_per_s": 121e12, "memory_bytes_per_s": 0.3e12, "source": "here"}
    assert rates == data["peak_rates"]["NVIDIA L4"]
    assert {"NVIDIA H200", "NVIDIA L4"} == data["peak_rates"].keys()
    assert ["NVIDIA H200", "NVIDIA L4"] == data["models"]


def test_a_gpu_that_was_measured_on_is_a_model_without_a_data_sheet(site: Site) -> None:
    site.record(builder=builder(gpu="NVIDIA B200"))
    site.script("on_the_cpu")
    site.record("on_the_cpu", builder=builder(gpu="", gpus=0))
    site.page(claim("cpu-is-fast", value="on_the_cpu.speedup"), name="cpu")
    facts = '[peak_rates]\n"NVIDIA H200" = "there"\n"NVIDIA L4" = "here"\n'
    facts += '[capabilities]\nsource = "a list"\n"8.9" = ["L4"]\n"9.0" = ["H200"]\n'

    data = fetched(sheets(site, SHEETS, facts), "gpus.json")

    assert {"8.9": ["L4"], "9.0": ["H200"]} == data["capabilities"]
    assert "a list" == data["capabilities_source"]
    assert ["NVIDIA B200", "NVIDIA H200", "NVIDIA L4"] == data["models"]
    assert "NVIDIA B200" not in data["peak_rates"]


@pytest.mark.parametrize(
    ("table", "facts", "message"),
    [
        (
            SHEETS,
            '[peak_rates]\n"NVIDIA H200" = "there"\n',
            "no source for the peak rates of NVIDIA L4",
        ),
        ("", "", f"{STEM} has no SHEETS any more"),
    ],
)
def test_a_peak_rate_without_a_source_is_reported(
    site: Site, table: str, facts: str, message: str
) -> None:
    build = sheets(site, table, facts)

    assert any(message in warning for warning in build.warnings), build.warnings


def test_a_message_of_three_words_is_one_to_look_up(site: Site) -> None:
    measured = {
        "short": Raised("ValueError", "two words"),
        "long": Raised("ValueError", "three are enough"),
    }
    site.record(measured=measured)
    site.page(
        claim("short", "raises ValueError: two words", value="copy.short"),
        claim("long", "raises ValueError: three are enough", value="copy.long"),
    )
    data = fetched(site.build(), "words.json")
    assert {"three are enough": [["index", "long"]]} == data["messages"]
