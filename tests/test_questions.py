"""``verify`` is asked for some of the claims, and every one of them can be judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import conftest
import pytest
import scripts
from evidence.commands import CommandError
from evidence.commands.answers import questions
from evidence.examples.script import find_scripts, read_script
from factories import builder

if TYPE_CHECKING:
    from pathlib import Path

STEMS = {"copy", "paged"}


def write(docs: Path, page: str, *claims: str) -> None:
    path = docs / f"{page}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(claims) + "\n")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """Two claims on one page, and one on another."""
    folder = tmp_path / "docs"
    paged = conftest.claim("b-paged", value="paged.speedup")
    write(folder, "memory/copies", conftest.claim("a-copy"), paged)
    write(folder, "streams/events", conftest.claim("c-copy"))
    return folder


def asked(docs: Path, *expressions: str) -> list[str]:
    return [claim.id for claim in questions(docs, expressions, STEMS)]


def refused(docs: Path, *expressions: str) -> list[str]:
    with pytest.raises(CommandError) as error:
        questions(docs, expressions, STEMS)
    return str(error.value).splitlines()


@pytest.mark.parametrize(
    ("expected", "expressions"),
    [
        (["a-copy", "b-paged", "c-copy"], []),
        (["b-paged"], ["b-"]),
        (["c-copy"], ["streams/"]),
        (["b-paged"], ["aged"]),
        (["a-copy", "c-copy"], ["a-copy", "c-copy"]),
        (["a-copy"], ["a-copy", "nothing"]),
    ],
)
def test_claims_are_selected_by_id_page_or_example(
    docs: Path, expected: list[str], expressions: list[str]
) -> None:
    assert expected == asked(docs, *expressions)


def test_a_claim_is_selected_by_each_example_that_it_rests_on(docs: Path) -> None:
    both = conftest.claim("d-both", expect=">= copy.speedup", value="paged.speedup")
    write(docs, "streams/both", both)
    assert ["b-paged", "d-both"] == asked(docs, "paged")
    assert ["a-copy", "d-both", "c-copy"] == asked(docs, "copy")


def test_a_claim_knows_its_page_and_line(docs: Path) -> None:
    (claim,) = questions(docs, ["paged"], STEMS)
    expected = ("memory/copies", 11)
    assert expected == (claim.page, claim.line)


def test_generated_pages_state_nothing_of_their_own(docs: Path) -> None:
    write(docs, "gallery/memory/copy", conftest.claim("copied"))
    write(docs, "memory/gallery/page", conftest.claim("written"))
    assert "copied" not in asked(docs)
    assert "written" in asked(docs)


def test_nothing_selected_is_an_error(docs: Path) -> None:
    expected = (
        f"there is no claim in {docs} with 'x' or 'yz' in its id, page or example"
    )
    assert [expected] == refused(docs, "x", "yz")


def test_no_claim_at_all_is_an_error(tmp_path: Path) -> None:
    assert [f"there is no claim in {tmp_path}"] == refused(tmp_path)


def test_claims_of_unknown_examples_are_all_named(docs: Path) -> None:
    unknown = conftest.claim("unknown", "> elsewhere.y", value="nowhere.x")
    write(docs, "other", unknown, conftest.claim("more", value="missing.x"))
    assert [
        "some claims cannot be judged",
        "docs/other.md:4: claim 'unknown': no example is called elsewhere",
        "docs/other.md:4: claim 'unknown': no example is called nowhere",
        "docs/other.md:11: claim 'more': no example is called missing",
    ] == refused(docs)
    assert ["a-copy"] == asked(docs, "a-copy")


def test_claims_that_are_written_wrongly_are_all_named(docs: Path) -> None:
    scoped = conftest.claim("scoped", scope="moon")
    write(docs, "other", conftest.claim("Id"), scoped, conftest.claim("a-copy"))
    write(docs, "that", conftest.claim("expected", "perhaps 20"))
    lines = refused(docs)
    assert [
        "some claims cannot be judged",
        "docs/other.md:4: claim 'Id': the id 'Id' is not kebab-case",
        "docs/other.md:11: claim 'scoped': bad scope 'moon'; write one of any, sm_80+, "
        "gpus>=2, torch>=2.9, gpu == NVIDIA H200 or NVIDIA B200; "
        "several are joined by commas",
        "docs/that.md:5: claim 'expected': bad expectation 'perhaps 20': not understood; "
        "write one of",
    ] == lines[:4]


def beyond_one_gpu(docs: Path, examples: Path) -> list[str]:
    """The claims that a machine with one GPU cannot judge, and whose scope does not say so."""
    read = map(read_script, find_scripts(examples))
    pairs = {script.stem: script.settings.gpus > 1 for script in read}
    return [
        claim.id
        for claim in questions(docs, [], pairs)
        if claim.scope.holds_on(builder(gpus=1)) and any(map(pairs.get, claim.stems))
    ]


def test_what_needs_two_gpus_is_out_of_scope_where_there_is_one(
    docs: Path, tmp_path: Path
) -> None:
    paired = conftest.claim("d-paged", value="paged.speedup", scope="gpus>=2")
    write(docs, "memory/pairs", paired)
    for stem, gpus in {"copy": 1, "paged": 2}.items():
        scripts.write(tmp_path / "examples", stem, "measured = {'x': 1}", gpus=gpus)

    assert [] == beyond_one_gpu(conftest.ROOT / "docs", conftest.ROOT / "examples")
    assert ["b-paged"] == beyond_one_gpu(docs, tmp_path / "examples")
