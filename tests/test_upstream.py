"""What upstream says: read as data, named by claims, shown, and looked for again."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest
from evidence.__main__ import main
from evidence.judge.facts import (
    PATCHES,
    UPSTREAM,
    FactsError,
    Former,
    Upstream,
    read_toml,
)
from evidence.site.diagnostics import Fault, Kind
from evidence.site.judging.claim_faults import of_statements
from factories import claim, domain, having, statement, toml

FAST = statement()
FORMERLY = """
[formerly.a-claim]
notes = "PyTorch 1.7"
since = "2.0"
said = "It was slower."
anchor = "formerly-1"

[formerly.b-claim]
notes = "PyTorch 1.9"
since = "2.2"
said = "It was free."
"""


def digest(paragraph: str) -> str:
    return hashlib.sha256(paragraph.encode()).hexdigest()


def test_statements_are_read_by_id_and_former_ones_by_claim(tmp_path: Path) -> None:
    path = tmp_path / "upstream.toml"
    assert Upstream() == read_toml(path, Upstream)

    path.write_text(
        f"# What it says.\n{toml()}\n{toml('late', suggestion=None)}{FORMERLY}"
    )

    statements = {"fast": FAST, "late": statement(suggestion="")}
    formerly = {
        "a-claim": Former("PyTorch 1.7", "2.0", "It was slower.", "formerly-1"),
        "b-claim": Former("PyTorch 1.9", "2.2", "It was free."),
    }
    assert Upstream(statements, formerly) == read_toml(path, Upstream)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "Object missing required field `digest` - at `$.statements[...]`",
            toml(digest=None),
        ),
        (
            "Object contains unknown field `place` - at `$.statements[...]`",
            toml(place="here"),
        ),
        ("Object contains unknown field `said`", f"said = 3\n{toml()}"),
        ("Expected `str`, got `int` - at `$.statements[...].page`", toml(page=3)),
        (
            r"Expected `str` matching regex '^\\S+( \\S+){0,11}$' - at `$.statements[...].words`",
            toml(words="a b c d e f g h i j k l m"),
        ),
        (
            "Expected `str` matching regex '^[0-9a-f]{64}$' - at `$.statements[...].digest`",
            toml(digest="0"),
        ),
        (
            r"Expected `str` matching regex '^20\\d\\d-\\d\\d-\\d\\d$' "
            "- at `$.statements[...].read`",
            toml(read="today"),
        ),
        (
            "Expected `str | null`, got `int` - at `$.statements[...].known`",
            toml(known=3),
        ),
        ("Invalid enum value 'some' - at `$.statements[...].harm`", toml(harm="some")),
        ("Invalid enum value 'me' - at `$.statements[...].fault`", toml(fault="me")),
        (
            r"Expected `str` matching regex '^(\\S+( \\S+){0,9})?$' - at `$.statements[...].title`",
            toml(title="a b c d e f g h i j k"),
        ),
        (
            "Cannot declare ('statements', 'fast') twice (at line 17, column 17)",
            toml() + "[statements.fast]",
        ),
    ],
)
def test_a_file_that_is_written_wrongly_is_named(
    said: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / UPSTREAM
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(FactsError, match=re.escape(f"{UPSTREAM}: {said}")):
        read_toml(path, Upstream)


def test_claims_name_statements_and_all_of_them() -> None:
    known = {"fast": FAST, "late": FAST, "unpinned": FAST}
    true = domain(
        claim(contradicts="fast"),
        claim(name="b", confirms="late, unpinned"),
        upstream=known,
    )
    assert [] == [*of_statements(true)]

    wrong = claim(contradicts="fest", confirms="unpinned, other", place=("page", 7))
    found = [*of_statements(domain(wrong, upstream=known))]

    file = "docs/evidence/upstream.toml"
    here, there = ("page", 7), f"{file}:1"
    unused = "no claim contradicts or confirms {!r}: name it in a claim, or remove it"
    missing = f"claim 'a-claim': {file} has no"
    expected = [
        Fault(Kind.CLAIM, f"{missing} 'fest'; did you mean fast?", here),
        Fault(Kind.CLAIM, f"{missing} 'other'", here),
        Fault(Kind.UNUSED, unused.format("fast"), there),
        Fault(Kind.UNUSED, unused.format("late"), there),
    ]
    assert expected == found


def test_a_statement_that_is_contradicted_has_a_label() -> None:
    known = {"fast": statement(fault=""), "late": statement(fault="")}
    said = domain(claim(contradicts="fast"), claim(name="b", confirms="late"))
    having(said, upstream=known)

    (fault,) = of_statements(said)

    message = "'fast' is contradicted: say in its 'fault' where the two part"
    assert Fault(Kind.CLAIM, message, "docs/evidence/upstream.toml:1") == fault


def test_what_was_said_formerly_names_a_claim() -> None:
    true = Former("PyTorch 1.7", "2.0", "It was slower.")
    said = domain(claim(), claim(name="b-claim"))
    having(said, formerly={"a-claim": true, "b-clam": true, "zebra": true})

    hint = "there is no such claim; did you mean b-claim or a-claim?"
    messages = [f"formerly.b-clam: {hint}", "formerly.zebra: there is no such claim"]
    there = "docs/evidence/upstream.toml:1"
    expected = [Fault(Kind.CLAIM, message, there) for message in messages]
    assert expected == [*of_statements(said)]


MARKDOWN = "(copies)=\n## On `Copies`\n\nA copy is\nfast.\n\n- A list.\n"
COMMENTS = (
    "x = 1\n\n####\n# On Copies\n# ~~~~~~\n#\n#   A copy is\n#   fast.\n#\n# More.\n"
)
DOCSTRING = 'def copy():\n    r"""On Copies.\n\n    A copy\n    is fast.\n    """\n'


@pytest.mark.parametrize("source", [MARKDOWN, COMMENTS, DOCSTRING])
def test_a_paragraph_is_found_however_it_is_broken(source: str) -> None:
    said = statement(section="On Copies", digest=digest("A copy is fast."))

    assert "" == said.change(source)
    assert "its paragraph changed" == said.change(source.replace("fast", "slow"))
    assert "its section is gone" == said.change("A copy.")


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    """A folder with docs, and checkouts of two repositories that say what was read."""
    same = digest("A copy is fast.")
    other = {"repository": "pytorch/tutorials", "path": "copies.py", "digest": same}
    texts = {
        f"docs/{UPSTREAM}": toml(digest=same, section="On Copies")
        + toml("late", section="On Copies", **other),
        "pytorch/docs/cuda.md": MARKDOWN,
        "tutorials/copies.py": COMMENTS,
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def asked(folder: Path, *names: str) -> int:
    places = [str(folder / name) for name in names]
    return main(["upstream", "--docs", str(folder / "docs"), *places])


def test_what_is_the_same_is_counted(
    checkouts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == asked(checkouts, "pytorch", "tutorials")
    assert 0 == asked(checkouts, "tutorials")
    assert 2 == asked(checkouts, "docs")

    expected = [
        "2 of 2 paragraphs were looked for, 0 changed or are gone",
        "1 of 2 paragraphs were looked for, 0 changed or are gone",
        "0 of 2 paragraphs were looked for, 0 changed or are gone",
    ]
    assert expected == capsys.readouterr().out.splitlines()


def test_what_changed_upstream_is_named(
    checkouts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkouts / "pytorch/docs/cuda.md").write_text(MARKDOWN.replace("fast", "slow"))
    (checkouts / "tutorials/copies.py").write_text("# Nothing.\n")

    assert 1 == asked(checkouts, "pytorch", "tutorials")

    expected = [
        "fast: its paragraph changed (docs/cuda.md, 'On Copies')",
        "late: its section is gone (copies.py, 'On Copies')",
        "2 of 2 paragraphs were looked for, 2 changed or are gone",
    ]
    assert expected == capsys.readouterr().out.splitlines()


PATCH = """\
diff --git a/docs/cuda.md b/docs/cuda.md
--- a/docs/cuda.md
+++ b/docs/cuda.md
@@ -4,4 +4,4 @@
 A copy is
-fast.
+slow.

 - A list.
"""


@pytest.mark.parametrize("is_nested", [False, True])
def test_a_patch_of_ours_that_does_not_apply_is_named(
    checkouts: Path, is_nested: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the checkout lies in another repository, whose git would skip its files."""
    if is_nested:
        subprocess.run(["git", "init", "--quiet", checkouts], check=True)
    patch = checkouts / "docs" / PATCHES / "docs-cuda.md.patch"
    patch.parent.mkdir()
    patch.write_text(PATCH)
    assert 0 == asked(checkouts, "pytorch", "tutorials")

    patch.write_text(PATCH.replace("-fast.", "-free."))

    assert 1 == asked(checkouts, "pytorch", "tutorials")
    assert 0 == asked(checkouts, "tutorials")
    lines = capsys.readouterr().out.splitlines()
    failed = (
        "docs-cuda.md.patch: it does not apply (error: patch failed: docs/cuda.md:4)"
    )
    assert [failed] == [line for line in lines if "apply" in line]


def test_a_patch_of_two_files_is_tried_where_both_are(checkouts: Path) -> None:
    patch = checkouts / "docs" / PATCHES / "docs-cuda.md-copies.patch"
    patch.parent.mkdir()
    patch.write_text(PATCH + PATCH.replace("cuda", "data"))
    assert 0 == asked(checkouts, "pytorch", "tutorials")

    (checkouts / "pytorch/docs/data.md").write_text("# Nothing.\n")

    assert 1 == asked(checkouts, "pytorch", "tutorials")


def test_a_file_that_is_gone_is_named(
    checkouts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = checkouts / "docs" / UPSTREAM
    file.write_text(toml(digest=digest("A copy is fast.")) + toml("old", path="o.md"))

    assert 1 == asked(checkouts, "pytorch")

    said, _ = capsys.readouterr().out.splitlines()
    assert "old: its file is not there (o.md, 'Copies')" == said


def test_without_a_file_of_statements_that_can_be_read_nothing_is_looked_for(
    checkouts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkouts / "docs" / UPSTREAM).write_text("fast")

    assert 2 == asked(checkouts, "pytorch")

    said = capsys.readouterr().err
    assert said.startswith("evidence: evidence/upstream.toml: Expected '=' after a key")
