"""What a built site publishes is looked up without the packages of the protocol."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import pytest
from evidence.commands import CommandError
from evidence.commands.published import SCHEMA, LookUp, Published
from evidence.judge.asked import AskedError
from evidence.site.publish import words

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = "Flights over a lake were not tried here. b.html#lake"
NOBODY = "This site does not know: "
#: Its page, what it says, what is around that, and in which scope and PyTorch it holds.
Claim: TypeAlias = tuple[str, str, str, str, list[str]]
CLAIMS: dict[str, Claim] = {
    "crossing": (
        *("a", "Zebra_crossing lets buffers overtake", "how fast .crossing"),
        *("gpu == NVIDIA H200, torch>=2.9", ["2.11", "2.12"]),
    ),
    "giraffe": ("b", "The giraffe_neck is fast", "how long .neck", "any", ["2.12"]),
    "tusks": ("b", "Two walrus_tusks are fast", "how far .tusks", "gpus>=2", ["2.11"]),
    "stripe": ("a", "An okapi_stripe is sharp", "how wide .stripe", "sm_80+", ["2.9"]),
    "lake": ("b", "A heron wades in a lake", "how deep .lake", "any", ["2.13"]),
}
WORDS: dict[str, Any] = {
    "schema": SCHEMA,
    "address": "https://docs.example/",
    "stops": ["is", "the", "in", "a", "are"],
    "pages": {"a": "Animals. They move.", "b": "Birds. They fly."},
    "messages": {
        "no zebra in this row": [["a", "crossing"], ["b", "tusks"]],
        "no zebra in this row of the # long okapi house that burned": [["a", "stripe"]],
        "a # lost": [["b", "giraffe"]],
        "ibis drank from the pond at # noon and flew away": [["b", "lake"]],
    },
    "unknown": {
        UNKNOWN: {
            "page": "b",
            "own": "Flights over a lake were not tried here.",
            "around": "",
        }
    },
    "others": ["llama", "alpaca"],
}
GPUS = {
    "models": ["NVIDIA H100 80GB HBM3", "NVIDIA H200", "NVIDIA H100 NVL"],
    "capabilities": {
        "7.5": ["T4", "Quadro RTX 4000"],
        "8.9": ["RTX 4000"],
        "9.0": ["H200", "H100"],
    },
}


def published(
    folder: Path,
    names: dict[str, list[str]],
    claims: dict[str, Claim] = CLAIMS,
    **changes: Any,
) -> Published:
    """A site with these claims, as far as it is read."""
    fields = ("page", "own", "around", "scope", "torch")
    said = {name: dict(zip(fields, each, strict=True)) for name, each in claims.items()}
    files = {
        "words.json": WORDS | {"claims": said} | changes,
        "gpus.json": GPUS,
        "api/index.json": {"names": names},
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(data))
    (folder / "claims").mkdir()
    for name in claims:
        (folder / f"claims/{name}.txt").write_text(f"This is {name}.\n")
    return Published(folder)


@pytest.fixture
def site(tmp_path: Path) -> Published:
    names = {
        "torch.zoo.heron": ["lake", "crossing"],
        "torch.bar.heron": ["tusks"],
        "torch.zoo.night_heron": ["giraffe"],
    }
    return published(tmp_path, names)


def answer(site: Published, text: str, **given: Any) -> list[str]:
    return site.answer(LookUp(text=text, **given)).split("\n\n")


def test_a_claim_that_says_enough_of_a_question_is_told(site: Published) -> None:
    assert ["This is giraffe."] == answer(site, "Is the giraffe's giraffe_neck fast?")
    # One that says as little of another is none.
    for question in ("giraffe wolf_pack bear_den fox_hole", "how to cook pasta", "42"):
        assert [f"{NOBODY}it has no claim on this."] == answer(site, question)


def test_a_name_that_no_claim_says_is_more_telling_than_a_word(site: Published) -> None:
    assert ["This is giraffe."] == answer(site, "a fast giraffe elephant")
    none = [f"{NOBODY}it has no claim on this."]
    assert none == answer(site, "a fast giraffe fp8x")


def test_the_best_claim_comes_first_and_all_that_say_enough_are_told(
    site: Published,
) -> None:
    for best, other in (("tusks", "giraffe"), ("giraffe", "tusks")):
        found = [*site.rated(f"fast {best}").items()]
        assert [(best, True), (other, False)] == found[:2]
    assert {"crossing", "giraffe", "tusks"} == {*site.by_words("how fast")}


def test_what_was_not_tried_is_told_where_no_claim_says_as_much(
    site: Published,
) -> None:
    assert [f"{NOBODY}{UNKNOWN}"] == answer(site, "flights over a lake")
    for question in ("heron on a lake", "lake"):
        assert "This is lake." == answer(site, question)[0]


def test_what_was_not_tried_is_told_where_it_is_clearly_the_better_answer(
    tmp_path: Path,
) -> None:
    little = {"page": "b", "own": "Lakes: a lake was not tried.", "around": ""}
    clearly = {"page": "a", "own": "Far off.", "around": "far"}
    site = published(tmp_path, {}, unknown={"by little": little, "clearly": clearly})

    assert ["lake", "by little"] == site.by_words("lake")
    assert ["clearly", "tusks"] == site.by_words("far")


def test_who_names_something_else_is_answered_by_a_claim_that_names_it(
    site: Published, tmp_path: Path
) -> None:
    none = [f"{NOBODY}it has no claim on this."]
    assert none == answer(site, "giraffe_neck with a llama")
    folder = tmp_path / "second"
    folder.mkdir()
    page, own, *rest = CLAIMS["giraffe"]
    beside = (page, f"{own} beside a llama", *rest)
    named = published(folder, {}, {**CLAIMS, "giraffe": beside})  # type: ignore[dict-item]

    assert ["This is giraffe."] == answer(named, "giraffe_neck with a llama")
    # One that names one of two does not name both.
    assert none == answer(named, "giraffe_neck with a llama and an alpaca")
    assert none == answer(named, "giraffe_neck with an alpaca and a llama")


@pytest.mark.parametrize(
    ("text", "user", "lacks"),
    [
        ("zebra_crossing", {"gpu": "T4"}, "gpu == NVIDIA H200; you asked for T4"),
        (
            "zebra_crossing",
            {"torch": "2.8.1", "gpu": "Tesla T4", "gpus": 3},
            "gpu == NVIDIA H200, torch>=2.9; "
            "you asked for Tesla T4, torch 2.8.1, 3 GPU",
        ),
        ("walrus_tusks", {"gpus": 1}, "gpus>=2; you asked for 1 GPU"),
        ("okapi_stripe", {"gpu": "sm_75"}, "sm_80+; you asked for sm_75"),
        (
            "okapi_stripe",
            {"gpu": "Quadro RTX 4000"},
            "sm_80+; you asked for Quadro RTX 4000",
        ),
    ],
)
def test_a_claim_that_is_not_for_who_asks_is_refused(
    text: str, user: dict[str, Any], lacks: str, site: Published
) -> None:
    (told,) = answer(site, text, **user)

    name = site.by_words(text)[0]
    where = f"{WORDS['address']}claims/{name}.html"
    assert f"Out of scope: {name} holds for {lacks}. {where}" == told


def test_what_is_left_open_is_not_missing(site: Published) -> None:
    for text, user in (
        ("zebra_crossing", {}),
        ("zebra_crossing", {"gpu": "H200", "torch": "2.12.1"}),
        ("walrus_tusks", {"gpu": "T4", "torch": "2.11"}),
        ("okapi_stripe", {"gpu": "H100", "gpus": 1}),
        ("okapi_stripe", {"gpu": "NVIDIA RTX 4000"}),
        ("okapi_stripe", {"gpu": "sm_90"}),
        ("giraffe_neck", {"gpu": "NVIDIA GeForce"}),
    ):
        (told,) = answer(site, text, **user)
        assert told.startswith("This is "), (text, user)
        assert "Not measured" not in told


def test_a_version_that_did_not_measure_a_claim_is_named(site: Published) -> None:
    said = [answer(site, "zebra_crossing", torch=f"2.{n}.1")[0] for n in (11, 12, 13)]

    told = "This is crossing."
    assert [told, told, f"{told}\nNot measured with: torch 2.13"] == said


def test_a_gpu_that_is_not_known_is_an_error(site: Published) -> None:
    with pytest.raises(AskedError, match="No such NVIDIA GPU is known"):
        answer(site, "giraffe_neck", gpu="Radeon")


def test_a_message_leads_to_its_claims_and_others_of_its_pages(
    site: Published,
) -> None:
    text = "ValueError: No zebra in this row"
    assert ["crossing", "tusks"] == site.by_message(text)[:2]
    # Of two that begin alike, the longer one if all of it is said.
    longer = f"{text} of the 7 long okapi house that burned"
    assert "stripe" == site.by_message(longer)[0]
    assert "giraffe" == site.by_message("A 42 lost")[0]
    # Its first words tell it.
    assert "lake" == site.by_message("ibis drank from the pond at 11 noon")[0]
    # Where none is listed, the words count.
    assert ["lake"] == site.by_message("a heron in the lake")


def test_of_two_messages_with_the_same_words_their_order_tells(tmp_path: Path) -> None:
    two = {
        "found cpu and cuda": [["a", "stripe"]],
        "found cuda and cpu": [["b", "lake"]],
    }
    site = published(tmp_path, {}, messages=two)

    assert "stripe" == site.by_message("ValueError: found cpu and cuda!")[0]
    assert "lake" == site.by_message("ValueError: found cuda and cpu!")[0]


def test_of_a_long_text_the_end_counts(site: Published) -> None:
    text = "no zebra in this row\n" + "at night " * 400 + "\na 7 lost"

    assert "This is giraffe." == answer(site, text, by="message")[0]


def test_a_name_is_found_by_its_end_and_ranked_by_what_claims_say(
    site: Published,
) -> None:
    # The claim that says it comes before those whose code alone has it.
    assert ["lake", "crossing", "tusks"] == site.by_name("heron()")
    assert ["tusks"] == site.by_name("bar.heron")
    assert ["giraffe"] == site.by_name(" torch.zoo.night_heron ")
    # A word alone is a name or nothing; of a name that is not listed, words count.
    assert [] == site.by_name("zebra")
    assert ["stripe"] == site.by_name("okapi.stripe")
    assert [] == site.by_name("flights.over.lake")


def test_five_are_told_and_five_refused_of_the_first_ten(tmp_path: Path) -> None:
    far = {f"far-{n}": ("b", "x", "y", f"gpus>={n}", [""]) for n in range(4, 11)}
    near = {f"near-{n}": ("b", "x", "y", "any", [""]) for n in range(12, 19)}
    names = {"heron": [*far, *near], "egret": [*near]}
    site = published(tmp_path, names, {**far, **near})

    heron = answer(site, "heron", by="name", gpus=3)

    assert [f"This is near-{n}." for n in (12, 13, 14)] == heron[:3]
    refused = [text.split()[3] for text in heron[3:]]
    assert [f"far-{n}" for n in range(4, 9)] == refused
    egret = answer(site, "egret", by="name")
    assert [f"This is near-{n}." for n in range(12, 17)] == egret


def test_a_folder_that_is_no_site_or_of_another_schema_is_refused(
    tmp_path: Path,
) -> None:
    assert words.SCHEMA == SCHEMA
    with pytest.raises(CommandError, match=r"is no site with words\.json: build it by"):
        Published(tmp_path)
    (tmp_path / "words.json").write_text(f'{{"schema": {SCHEMA + 1}}}')
    with pytest.raises(CommandError, match=f"has schema {SCHEMA + 1}, not {SCHEMA}"):
        Published(tmp_path)


@pytest.mark.parametrize(
    "given",
    [
        {"text": " \n"},
        {"text": "a\x1b"},
        {"text": "a" * 20_001},
        {"text": "a", "by": "file"},
        {"text": "a", "gpus": -1},
        {"text": "a", "torch": "new"},
        {"text": "a", "gpu": "H" * 101},
        {"text": "a", "folder": "/"},
    ],
)
def test_what_is_no_question_is_refused(given: dict[str, Any]) -> None:
    msgspec.convert({"text": "a b\n", "torch": "2.11.0+cu130", "gpus": 7}, LookUp)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(given, LookUp)
