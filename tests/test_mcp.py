"""Programs ask a site by the Model Context Protocol: with a real client, on a tiny site.

``SITE_HTML`` names the folder of the real site, of which the forty questions are asked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROOT, claim, green
from evidence.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Sequence

WHY = "the packages of the group mcp are not installed: nox -s tests -- mcp"
anyio = pytest.importorskip("anyio", reason=WHY)
sdk = pytest.importorskip("mcp", reason=WHY)

from evidence.commands.mcp import BUSY, server  # noqa: E402
from evidence.judge.asked import User, missing, who_asks  # noqa: E402

pytestmark = pytest.mark.mcp

QUESTIONS = ROOT / "tests" / "mcp_questions.toml"
#: Questions with the pages that answer them, and others without; how many at least, and at most.
BOUND = ROOT / "tests" / "mcp_bound.txt"
RIGHT, ANSWERED = 46, 7
#: Ten questions on what was not tried, and ten that claims nearby answer; how many are told apart.
UNKNOWN = ROOT / "tests" / "mcp_unknown.txt"
UNTRIED, NEARBY = 6, 10
#: How an answer begins that something was not tried.
NOBODY = "This site does not know"
#: The id of a claim that is told.
NAMED = r"^Address: .*claims/(.*)\.html$"
#: How many of the forty must be answered right.
FLOOR = 37
OTHERS = 'names = ["llama"]\n'
UNTRIED_TEXT = (
    "## May the ostrich_feather fly?\n\nIt stays on the ground, in one stream or two."
    " With ostrich_feather, flights over a lake were not tried here.\n"
)
FACTS = '[capabilities]\nsource = "x"\n"7.5" = ["T4"]\n"9.0" = ["H200", "H100"]\n'
#: How the questions call what the server looks up by.
BY = {"words": "words", "message": "message", "api": "name"}
WORDS = "does zebra_crossing let pinned buffers overtake a stream"
HERE = "Zebra_crossing() lets pinned buffers overtake the stream"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with a claim for each kind of scope, and a message."""
    site = green(tmp_path_factory.mktemp("asked"))
    site.write("docs/evidence/gpus.toml", FACTS)
    site.write("docs/evidence/others.toml", OTHERS)
    claims = [
        claim("crossing", title=HERE, scope="gpu == NVIDIA H200, torch>=2.9"),
        claim("anywhere", title="The giraffe_neck() is fast for a long tensor"),
        claim(
            "two", title="Two walrus_tusks() are fast on a second GPU", scope="gpus>=2"
        ),
        claim(
            "newer", title="An okapi_stripe() is fast with tensor cores", scope="sm_80+"
        ),
    ]
    parts = (f"## Part {n}\n\n{text}" for n, text in enumerate(claims))
    site.page(*parts, UNTRIED_TEXT)
    return site.build().html


def ask(folder: Path, *calls: tuple[str, dict[str, Any]]) -> list[tuple[str, bool]]:
    """What a client is answered, in order, all asked at once; and whether that is an error."""
    answers: dict[int, tuple[str, bool]] = {}

    async def one(client: Any, number: int, tool: str, given: dict[str, Any]) -> None:
        result = await client.call_tool(tool, given)
        (content,) = result.content
        answers[number] = (content.text, bool(result.is_error))

    async def all_of_them() -> None:
        async with (
            sdk.Client(server(folder)) as client,
            anyio.create_task_group() as group,
        ):
            for number, (tool, given) in enumerate(calls):
                group.start_soon(one, client, number, tool, given)

    anyio.run(all_of_them)
    return [answers[number] for number in range(len(calls))]


def words(folder: Path, question: str, **user: Any) -> str:
    ((text, _),) = ask(folder, ("look_up", {"text": question, **user}))
    return text


def is_one_sentence(text: str) -> bool:
    return "\n" not in text and len(text) < 250 and text.endswith(".")


def test_an_answer_is_the_sentence_with_all_of_its_limits(folder: Path) -> None:
    text = words(folder, WORDS, gpu="NVIDIA H200", torch="2.11.0+cu130")

    assert text.splitlines() == [
        HERE,
        "Verdict: holds. Scope: gpu == NVIDIA H200, torch>=2.9",
        "Values: how fast 5.0× (4.9–5.1×; expected at least 3×)",
        "Measured on: NVIDIA H200, torch 2.11.0+cu130",
        "Held with: torch 2.11",
        "Address: claims/crossing.html",
    ]


@pytest.mark.parametrize(
    ("question", "user", "lacks"),
    [
        (WORDS, {"gpu": "T4"}, "gpu == NVIDIA H200; you asked for T4"),
        (WORDS, {"gpu": "sm_90"}, "gpu == NVIDIA H200; you asked for sm_90"),
        (WORDS, {"torch": "2.8.1"}, "torch>=2.9; you asked for torch 2.8.1"),
        ("two walrus_tusks", {"gpus": 1}, "gpus>=2; you asked for 1 GPU"),
        (
            "okapi_stripe tensor cores",
            {"gpu": "Tesla T4"},
            "sm_80+; you asked for Tesla T4",
        ),
    ],
)
def test_outside_of_its_scope_a_claim_is_refused(
    folder: Path, question: str, user: dict[str, Any], lacks: str
) -> None:
    text = words(folder, question, **user)

    assert f"holds for {lacks}." in text
    assert "Verdict" not in text
    assert "5.0×" not in text


def test_what_nobody_asked_of_is_left_open(folder: Path) -> None:
    for question in (WORDS, "two walrus_tusks", "okapi_stripe tensor cores"):
        assert "Verdict: holds" in words(folder, question)
    newer = words(folder, "giraffe_neck long tensor", torch="2.14", gpu="T4")
    assert "Not measured with: torch 2.14" in newer


def test_five_claims_are_told_and_five_refused_of_the_first_ten(
    tmp_path: Path, folder: Path
) -> None:
    html = tmp_path / "html"
    shutil.copytree(folder, html)
    file, index = html / "words.json", html / "api/index.json"
    data, names = (json.loads(path.read_text()) for path in (file, index))
    known = data["claims"]
    far = {f"far-{n}": known["two"] | {"scope": f"gpus>={n}"} for n in range(4, 11)}
    near = {f"near-{n}": known["anywhere"] for n in range(12, 19)}
    file.write_text(json.dumps(data | {"claims": known | far | near}))
    for name in near:
        (html / f"claims/{name}.txt").write_text(f"Address: claims/{name}.html")
    listed = {"torch.cuda.heron": [*far, *near], "torch.cuda.egret": [*near]}
    index.write_text(json.dumps(names | {"names": listed}))

    asked = [{"by": "name", "text": name, "gpus": 3} for name in listed]
    (heron, _), (egret, _) = ask(html, *(("look_up", question) for question in asked))

    # Those that hold are told, however many before them do not.
    assert [*near][:3] == re.findall(NAMED, heron, re.MULTILINE)
    refused = re.findall(r"^Out of scope: (\S+) holds for (\S+); you", heron, re.M)
    assert [(f"far-{n}", f"gpus>={n}") for n in range(4, 9)] == refused
    assert [*near][:5] == re.findall(NAMED, egret, re.MULTILINE)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("look_up", {"text": "how do I cook pasta"}),
        (
            "look_up",
            {"by": "message", "text": "SyntaxError: invalid syntax in line 12 of it"},
        ),
        ("look_up", {"by": "name", "text": "torch.nothing_of_the_kind"}),
    ],
)
def test_what_the_site_does_not_know_it_says(
    folder: Path, tool: str, given: dict[str, str]
) -> None:
    ((text, failed),) = ask(folder, (tool, given))

    expected = "This site does not know: it has no claim on this."
    assert (expected, False) == (text, failed)


def test_what_was_not_tried_is_told_in_its_own_words(folder: Path) -> None:
    text = words(folder, "can an ostrich_feather fly over a lake")

    assert text == (
        f"{NOBODY}: It stays on the ground, in one stream or two. With ostrich_feather,"
        " flights over a lake were not tried here. index.html#may-the-ostrich-feather-fly"
    )
    # Where a claim says as much, it is told.
    assert "Verdict" in words(
        folder, "zebra_crossing pinned buffers, one stream or two"
    )


def test_a_question_on_something_else_needs_a_claim_that_names_it(
    tmp_path: Path, folder: Path
) -> None:
    assert "Verdict" in words(folder, "giraffe_neck long tensor, alpaca")
    assert words(folder, "giraffe_neck long tensor, llama").startswith(NOBODY)

    shutil.copytree(folder, tmp_path / "html")
    file = tmp_path / "html/words.json"
    data = json.loads(file.read_text())
    data["claims"]["anywhere"]["own"] += " llama"
    file.write_text(json.dumps(data))
    assert "Verdict" in words(tmp_path / "html", "giraffe_neck long tensor, llama")


def test_a_name_is_found_by_its_end(tmp_path: Path, folder: Path) -> None:
    shutil.copytree(folder, tmp_path / "html")
    index = tmp_path / "html/api/index.json"
    data = json.loads(index.read_text())
    index.write_text(
        json.dumps(data | {"names": {"torch.cuda.okapi_stripe": ["newer"]}})
    )

    for name in ("okapi_stripe()", "cuda.okapi_stripe", "torch.cuda.okapi_stripe"):
        ((text, _),) = ask(tmp_path / "html", ("look_up", {"by": "name", "text": name}))
        assert "claims/newer.html" in text
    ((text, _),) = ask(tmp_path / "html", ("look_up", {"by": "name", "text": "stripe"}))
    assert text.startswith("This site does not know")
    # Where it is no name that is listed, its words count.
    for name in ("walrus_tusks", "walrus_tusks on a second GPU"):
        ((text, _),) = ask(folder, ("look_up", {"by": "name", "text": name}))
        assert "claims/two.html" in text


def test_a_message_that_is_listed_word_for_word_comes_before_longer_ones(
    tmp_path: Path, folder: Path
) -> None:
    shutil.copytree(folder, tmp_path / "html")
    file = tmp_path / "html/words.json"
    data = json.loads(file.read_text())
    start = "expected all tensors to be on the same"
    page = data["pages"] and next(iter(data["pages"]))
    data["messages"] = {
        f"{start} device but found cpu and cuda": [[page, "anywhere"]],
        f"{start} device but found cuda and cpu": [[page, "newer"]],
        f"{start} device in the backward pass of a convolution": [[page, "two"]],
    }
    file.write_text(json.dumps(data))

    first = []
    for found in ("cuda and cpu", "cpu and cuda"):
        asked = f"RuntimeError: {start} device, but found {found}!"
        asked = asked.replace("expected", "Expected")
        question = {"by": "message", "text": asked}
        ((text, _),) = ask(tmp_path / "html", ("look_up", question))
        first.append(re.search(NAMED, text, re.MULTILINE)[1])  # type: ignore[index]
    assert ["newer", "anywhere"] == first


def test_of_a_long_traceback_the_message_at_its_end_counts(
    tmp_path: Path, folder: Path
) -> None:
    shutil.copytree(folder, tmp_path / "html")
    file = tmp_path / "html/words.json"
    data = json.loads(file.read_text())
    page = next(iter(data["pages"]))
    first, last = "a quokka lost its pouch", "no ocelot has this spot"
    data["messages"] = {first: [[page, "two"]], last: [[page, "newer"]]}
    file.write_text(json.dumps(data))

    frames = "\n".join(f'  File "x.py", line {n}, in f' for n in range(200))
    text = f"ValueError: {first}\n{frames}\nRuntimeError: {last}"
    ((told, _),) = ask(tmp_path / "html", ("look_up", {"by": "message", "text": text}))
    assert "newer" == re.search(NAMED, told, re.MULTILINE)[1]  # type: ignore[index]


HOSTILE: Sequence[tuple[str, dict[str, Any]]] = [
    ("look_up", {"text": "pinned " * 150_000}),
    ("look_up", {"by": "message", "text": "x" * 1_000_000}),
    ("look_up", {"by": "name", "text": "a." * 500_000}),
    ("look_up", {"text": "pinned", "gpu": "H200" * 1000}),
    ("look_up", {"text": "pinned\x00memory"}),
    ("look_up", {"text": "\x1b]0;owned\x07 pinned"}),
    ("look_up", {"text": " \n\t"}),
    ("look_up", {}),
    ("look_up", {"text": ["pinned"] * 1000}),
    ("look_up", {"text": "pinned", "gpus": "two"}),
    ("look_up", {"text": "pinned", "gpus": True}),
    ("look_up", {"text": "pinned", "file": "/etc/passwd"}),
    ("look_up", {"text": "pinned", "torch": "newest"}),
    ("look_up", {"text": "pinned", "gpu": "Radeon"}),
    ("look_up", {"by": "name", "text": "../../claims"}),
    ("look_up", {"by": "name", "text": "/etc/passwd"}),
    ("look_up", {"by": "name", "text": "claims.json"}),
    ("look_up", {"by": "name", "text": "__class__"}),
    ("look_up", {"by": "name", "text": 'nothing_"at_all'}),
    ("look_up", {"text": "/etc/passwd ../../conf.py"}),
    ("look_up", {"text": '"); siteSearch.load({}); ("'}),
    ("by_words", {"text": "pinned"}),
    ("look_up", {"text": "pinned", "by": "file"}),
]


@pytest.mark.parametrize(("tool", "given"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_question_gets_one_sentence(
    folder: Path, tool: str, given: dict[str, Any]
) -> None:
    ((text, _),) = ask(folder, (tool, given))

    assert is_one_sentence(text), text
    assert "Verdict: holds" in words(folder, "giraffe_neck long tensor")


@pytest.mark.parametrize("given", [{"by": "name"}, {"by": "message"}, {}])
def test_a_long_text_of_many_parts_holds_nobody_up(
    folder: Path, given: dict[str, str]
) -> None:
    began = time.monotonic()
    text = words(folder, "a." * 9_999 + "a", **given)

    assert is_one_sentence(text)
    assert time.monotonic() - began < 5


def test_of_a_thousand_at_once_the_first_are_answered(folder: Path) -> None:
    question = ("look_up", {"text": "giraffe_neck long tensor"})
    answers = ask(folder, *[question] * 1000)

    refused = [text for text, failed in answers if failed]
    assert 1000 - BUSY == len(refused)
    assert {f"{BUSY} questions at once are the most."} == {*refused}


def test_another_schema_is_refused(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads((folder / "words.json").read_text())
    (tmp_path / "words.json").write_text(json.dumps(data | {"schema": 1}))

    assert 2 == main(["mcp", "--site", str(tmp_path)])
    assert "words.json has schema 1, not 3" in capsys.readouterr().err


def test_a_folder_without_a_site_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["mcp", "--site", str(tmp_path)])
    assert "is no site with words.json" in capsys.readouterr().err


def test_it_reads_nothing_but_the_data(folder: Path) -> None:
    opened = []

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and watching and isinstance(arguments[0], (str, Path)):
            opened.append(Path(arguments[0]))

    words(folder, WORDS)  # imports are read once
    watching = True
    sys.addaudithook(note)
    words(folder, WORDS, gpu="NVIDIA H200")
    watching = False

    assert {"crossing.txt", "gpus.json", "words.json"} == {
        path.name for path in opened if path.name != "null"
    }
    assert all(path.is_relative_to(folder) for path in opened)


def test_a_program_that_starts_it_is_answered_within_seconds(folder: Path) -> None:
    command = ["-m", "evidence", "mcp", "--site", str(folder)]
    started = sdk.StdioServerParameters(
        command=sys.executable,
        args=command,
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf")},
    )

    async def tools() -> list[str]:
        async with sdk.Client(started) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    began = time.monotonic()
    assert ["look_up"] == anyio.run(tools)
    # A second where nothing else runs: of that the protocol's own package takes half.
    assert time.monotonic() - began < 10


def test_a_claim_must_say_enough_of_a_question(folder: Path) -> None:
    known, nobody = "giraffe_neck long tensor", "This site does not know"
    foreign = (
        "sauce dinner guests tonight cooked onions garlic"
        " pepper salt butter flour sugar honey vinegar lemon basil thyme rice"
    )

    assert "Verdict" in words(folder, f"{known} sauce dinner")
    assert words(folder, f"{known} {foreign}").startswith(nobody)
    # A name that no claim says is more telling than a word.
    assert "Verdict" in words(folder, "giraffe neck sauce dish")
    assert words(folder, "giraffe neck sauce_dish").startswith(nobody)


def questions(path: Path) -> list[tuple[str, str]]:
    """The questions of a file, each with the pages that answer it."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line]
    return [line.partition(" | ")[::2] for line in lines if line[0] != "#"]


@pytest.mark.skipif("SITE_HTML" not in os.environ, reason="SITE_HTML names no site")
def test_what_was_not_tried_is_told_from_claims_nearby() -> None:
    site, asked = Path(os.environ["SITE_HTML"]), questions(UNKNOWN)
    data = json.loads((site / "claims.json").read_text("utf-8"))
    page = {claim["id"]: claim["page"] for claim in data["claims"]}

    untried, nearby = 0, 0
    answers = ask(site, *(("look_up", {"text": question}) for question, _ in asked))
    for number, ((_, pages), (text, _)) in enumerate(zip(asked, answers, strict=True)):
        if number < 10:
            untried += text.startswith(NOBODY) and f"{pages}.html#" in text
        else:
            told = {page[name] for name in re.findall(NAMED, text, re.M)}
            nearby += bool(told.intersection(pages.split()))
    assert untried >= UNTRIED
    assert nearby >= NEARBY


@pytest.mark.skipif("SITE_HTML" not in os.environ, reason="SITE_HTML names no site")
def test_most_of_what_the_site_knows_is_answered_and_little_else() -> None:
    asked, site = questions(BOUND), Path(os.environ["SITE_HTML"])
    calls = [("look_up", {"text": question}) for question, _ in asked]
    data = json.loads((site / "claims.json").read_text("utf-8"))
    page = {claim["id"]: claim["page"] for claim in data["claims"]}

    right, answered = 0, 0
    for first in range(0, len(calls), BUSY):
        answers = ask(site, *calls[first : first + BUSY])
        for (_, pages), (text, _) in zip(asked[first:], answers, strict=False):
            told = {page[name] for name in re.findall(NAMED, text, re.M)}
            right += bool(told.intersection(pages.split()))
            answered += bool(told) and not pages
    assert right >= RIGHT
    assert answered <= ANSWERED


def test_a_model_that_may_be_another_is_out_of_scope() -> None:
    scope, models = "gpu == NVIDIA H200", {"NVIDIA H200"}
    for known, lacks in ((models, []), ({*models, "NVIDIA H200 NVL"}, [scope])):
        gpus = {"models": known, "capabilities": {"9.0": ["H200"]}}
        asks = who_asks(User(gpu="H200"), gpus)
        assert lacks == missing(scope, asks)


def graded(question: dict[str, Any], text: str) -> bool:
    """Whether an answer is right by what is expected of it."""
    told = {*re.findall(NAMED, text, re.M)}
    refused = re.findall(r"^Out of scope: (\S+) holds for (.*?); you", text, re.M)
    match question["expect"]:
        case "unknown":
            return not told and not refused
        case "out of scope":
            return any(
                name in question["of"]
                and any(part in lacks for part in question["missing"])
                for name, lacks in refused
            )
        case expected:
            return bool(told.intersection(expected))


def test_an_answer_is_graded_by_what_is_expected() -> None:
    told, refused = "Address: claims/a.html", "Out of scope: a holds for sm_80+; you"
    scoped = {"expect": "out of scope", "of": ["a"], "missing": ["sm_80+"]}
    assert graded({"expect": ["a", "b"]}, told)
    assert not graded({"expect": ["b"]}, told)
    assert not graded({"expect": ["a"]}, refused)
    assert graded(scoped, refused)
    assert not graded(scoped | {"missing": ["gpus>=2"]}, refused)
    assert not graded({"expect": "unknown"}, told)
    assert graded({"expect": "unknown"}, "This site does not know.")


@pytest.mark.skipif("SITE_HTML" not in os.environ, reason="SITE_HTML names no site")
def test_the_forty_questions() -> None:
    asked = tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]
    calls = []
    for each in asked:
        user = {"torch": each["torch"], "gpu": each["gpu"], "gpus": each.get("gpus", 1)}
        given = {"by": BY[each["kind"]], "text": each["question"], **user}
        calls.append(("look_up", given))
    answers = ask(Path(os.environ["SITE_HTML"]), *calls)

    pairs = zip(asked, answers, strict=True)
    wrong = [each["id"] for each, (text, _) in pairs if not graded(each, text)]
    assert 40 == len(asked)
    assert 40 - len(wrong) >= FLOOR, wrong
