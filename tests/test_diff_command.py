"""``python -m evidence diff`` shows what changed between two folders or revisions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import claim
from evidence.__main__ import main
from evidence.commands.diff import append, edition
from evidence.judge.facts import EDITIONS, Edition, read_editions
from evidence.judge.verdict import judge
from evidence.records.model import Plain, Value
from evidence.records.store import save
from factories import builder, record, timing
from factories import claim as given

if TYPE_CHECKING:
    from evidence.records.model import Builder, Record

ROOT = Path(__file__).parents[1]

#: What measured both sides.
HERE = ["NVIDIA H200, torch 2.11.0+cu130, driver 580.95.05"] * 2

OLD: dict[str, Value] = {"speedup": timing(4, 5), "calls": Plain(20)}
NEW: dict[str, Value] = {"speedup": timing(6, 7), "calls": Plain(20)}


def put(folder: Path, *records: Record) -> Path:
    for made in records:
        save(made, folder / "memory" / f"{made.stem}.json", {})
    return folder


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return put(tmp_path / "old", record("copy", OLD))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return put(tmp_path / "new", record("copy", NEW))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository, the current folder, whose two commits record 4–5 and 6–7."""
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    git("init", "--quiet", "--initial-branch=main")
    for measured in (OLD, NEW):
        put(folder / "examples", record("copy", measured))
        put(folder / "build", record("copy", measured))
        git("add", ".")
        git("commit", "--quiet", "--message", "Record")
    git("tag", "bare", git("commit-tree", "-m", "bare", git("mktree")))
    return folder


def git(*arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *identity, *arguments],
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout.strip()


def shown(
    capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0
) -> list[str]:
    """The lines that diff prints; on standard error when it fails."""
    assert code == main(["diff", *map(str, arguments)])
    output, errors = capsys.readouterr()
    assert not (output if code else errors)
    return (errors if code else output).splitlines()


def test_a_change_stands_on_one_line(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = ["copy.speedup  4.5× (4.0–5.0×)  ->  6.5× (6.0–7.0×)"]
    assert [*expected, *HERE] == shown(capsys, old, new)


def test_a_record_is_compared_under_the_name_of_its_file(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (old, new):
        (folder / "memory/copy.json").rename(folder / "memory/fast_copy.json")
        put(folder, record("copy", {"calls": Plain(7)}))
    expected = ["fast_copy.speedup  4.5× (4.0–5.0×)  ->  6.5× (6.0–7.0×)"]
    assert [*expected, *HERE] == shown(capsys, old, new)


def test_lines_are_aligned(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(old, record("copy", {**OLD, "gone": Plain("a"), "pinned": Plain(True)}))
    put(new, record("copy", {**NEW, "came": Plain(7), "pinned": Plain(False)}))
    expected = [
        "copy.came     –                ->  7",
        "copy.gone     a                ->  –",
        "copy.pinned   yes              ->  no",
        "copy.speedup  4.5× (4.0–5.0×)  ->  6.5× (6.0–7.0×)",
    ]
    assert [*expected, *HERE] == shown(capsys, old, new)


def test_what_overlaps_is_no_change(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(new, record("copy", {"speedup": timing(4.2, 5), "calls": Plain(20)}))
    assert ["no measured value changed", *HERE] == shown(capsys, old, new)


def test_builders_are_named(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = builder(gpu="NVIDIA L4", driver="590.1")
    put(new, record("copy", NEW, builder=other), record("other"))
    both = f"{HERE[0]} and NVIDIA L4, torch 2.11.0+cu130, driver 590.1"
    assert [HERE[0], both] == shown(capsys, old, new)[-2:]


def test_revisions_are_read_without_a_checkout(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change = "copy.speedup  4.5× (4.0–5.0×)  ->  6.5× (6.0–7.0×)"
    put(repository / "examples", record("copy", {"speedup": timing(1, 2)}))
    status = git("status", "--porcelain")
    assert [change, *HERE] == shown(capsys, "HEAD~1", "main")
    assert status == git("status", "--porcelain")


@pytest.mark.usefixtures("repository")
def test_a_revision_is_compared_with_a_folder(
    new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change = "copy.speedup  4.5× (4.0–5.0×)  ->  6.5× (6.0–7.0×)"
    assert [change, *HERE] == shown(capsys, "HEAD~1", "examples")
    assert [change, *HERE] == shown(capsys, "HEAD~1", new)


def test_a_revision_is_read_from_its_root_wherever_one_stands(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(repository / "build")
    line, *_ = shown(capsys, "HEAD~1", "HEAD")
    assert line.startswith("copy.speedup ")


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("unknown", ["nowhere", "HEAD~7", "HEAD:nothing", ""])
def test_what_is_neither_a_folder_nor_a_revision_is_an_error(
    unknown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = [f"evidence: {unknown!r} is neither a folder nor a git revision here"]
    assert expected == shown(capsys, unknown, "HEAD", code=2)
    assert expected == shown(capsys, "HEAD", unknown, code=2)


def test_outside_a_repository_there_are_only_folders(
    old: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(old)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(old.parent))
    expected = ["evidence: 'HEAD' is neither a folder nor a git revision here"]
    assert expected == shown(capsys, old, "HEAD", code=2)


def test_without_git_there_are_only_folders(
    old: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    expected = ["evidence: 'HEAD' is neither a folder nor a git revision here"]
    assert expected == shown(capsys, old, "HEAD", code=2)


def test_a_side_without_a_record_is_an_error(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "empty").mkdir()
    for place in ("empty", "bare"):
        expected = [f"evidence: there is no record in {place}"]
        assert expected == shown(capsys, "HEAD", place, code=2)


def test_two_records_of_one_stem_are_an_error(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(record("copy"), old / "other" / "copy.json", {})
    expected = [f"evidence: {old} holds two records of copy"]
    assert expected == shown(capsys, old, old, code=2)


def test_a_record_that_cannot_be_used_is_named(
    old: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = new / "memory" / "copy.json"
    whole = path.read_text()
    path.write_text(whole.replace("580.95", "580.96"))
    expected = [f"evidence: {path} was edited: its checksum does not match"]
    assert expected == shown(capsys, old, new, code=2)
    path.write_text(whole[:200])
    (line,) = shown(capsys, old, new, code=2)
    assert line.startswith(f"evidence: {path} is not JSON, or was cut off (")


def test_an_unusable_record_of_a_revision_is_named(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "examples/memory/copy.json").write_text("<<<<<<< HEAD\n")
    git("commit", "--all", "--quiet", "--message", "Merge")
    (line,) = shown(capsys, "HEAD", "HEAD~1", code=2)
    start = "evidence: HEAD:examples/memory/copy.json is not JSON, or was cut off ("
    assert line.startswith(start)


@pytest.mark.parametrize(
    ("code", "changed", "where"),
    [
        pytest.param(1, NEW, builder(), id="a timing"),
        pytest.param(1, {**OLD, "calls": Plain(21)}, builder(), id="a count"),
        pytest.param(0, OLD, builder(), id="nothing"),
        pytest.param(0, NEW, builder(driver="999"), id="another kind of builder"),
    ],
)
def test_the_exit_code_says_whether_the_same_kind_of_builder_says_else(
    code: int,
    changed: dict[str, Value],
    where: Builder,
    old: Path,
    tmp_path: Path,
) -> None:
    new = put(tmp_path / "new", record("copy", changed, builder=where))
    put(new, record("added", NEW))
    assert code == main(["diff", str(old), str(new), "--exit-code"])
    assert not main(["diff", str(old), str(new)])


@pytest.fixture
def commits(repository: Path) -> Path:
    """Its two commits, each with a page: one claim stays, one comes, one goes."""
    (repository / "docs/evidence").mkdir(parents=True)
    for other, measured in (("went", timing(4, 4.5)), ("came", timing(6, 7))):
        page = "\n\n".join(["# Copies", claim("stays"), claim(other)])
        (repository / "docs/copies.md").write_text(page)
        recorded = record("copy", {"speedup": measured})
        save(recorded, repository / "examples/memory/copy.json", {})
        git("add", ".")
        git("commit", "--quiet", "--message", "Page")
    return repository


def test_an_edition_is_added_to_those_before(
    commits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = commits / "docs" / EDITIONS
    path.write_text("# Editions.\n")
    for sides in (("HEAD~1", "HEAD"), ("HEAD", "HEAD~1")):
        assert 0 == main(["diff", *sides, "--news"])

    latest, first = read_editions(path)

    old, new = git("rev-parse", "HEAD~1"), git("rev-parse", "HEAD")
    day = git("show", "-s", "--format=%cs", "HEAD")
    spoken = ("4.2× (4.0–4.5×)", "6.5× (6.0–7.0×)")
    change = (("stays", "copy.speedup", *spoken),)
    assert Edition(day, old, new, ("came",), ("went",), change) == first
    assert ((old, new), ("went",)) == ((latest.new, latest.old), latest.added)
    assert path.read_text().startswith(f"# Editions.\n\n[{new[:8]}]\nday = ")
    said = capsys.readouterr().out.splitlines()
    assert f"added to docs/{EDITIONS}: {new[:8]}" in said


def test_the_claims_of_an_old_revision_are_read(commits: Path) -> None:
    box = (
        ":::{claim} stays\n:value: copy.speedup\n:expect: >= 3\n\nIt is faster.\n:::\n"
    )
    page = commits / "docs/copies.md"
    now = page.read_text()
    page.write_text(box)
    git("commit", "--all", "--quiet", "--message", "As it was")
    page.write_text(now)
    git("commit", "--all", "--quiet", "--message", "As it is")

    assert 0 == main(["diff", "HEAD~1", "HEAD", "--news"])

    (latest,) = read_editions(commits / "docs" / EDITIONS)
    assert (("came",), ()) == (latest.added, latest.removed)


def test_a_claim_that_cannot_be_read_is_named(
    commits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (commits / "docs/copies.md").write_text("# Copies\n\n" + claim("Bad"))
    git("commit", "--all", "--quiet", "--message", "Bad")

    assert 2 == main(["diff", "HEAD~1", "HEAD", "--news"])

    reason = "claim 'Bad': the id 'Bad' is not kebab-case"
    assert f"evidence: HEAD:docs/copies.md:6: {reason}\n" == capsys.readouterr().err
    assert not (commits / "docs" / EDITIONS).exists()


def test_there_is_news_of_revisions_alone(
    commits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == main(["diff", "HEAD~1", str(commits / "examples"), "--news"])

    said = capsys.readouterr().err
    assert said.endswith("examples' is neither a folder nor a git revision here\n")


def test_each_page_of_a_revision_is_read_and_the_first_mistake_told(
    commits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (commits / "docs/waits.md").write_text("# Waits\n\n" + claim("waits"))
    (commits / "docs/waits.txt").write_text(claim("no-page"))
    git("add", ".")
    git("commit", "--quiet", "--message", "Another page")
    assert 0 == main(["diff", "HEAD~1", "HEAD", "--news"])
    (latest,) = read_editions(commits / "docs" / EDITIONS)
    assert (("waits",), ()) == (latest.added, latest.removed)

    bad = "\n\n".join(["# Waits", claim("Bad"), claim("Worse")])
    (commits / "docs/waits.md").write_text(bad)
    git("commit", "--all", "--quiet", "--message", "Bad")
    capsys.readouterr()

    assert 2 == main(["diff", "HEAD", "HEAD~1", "--news"])

    reason = "HEAD:docs/waits.md:6: claim 'Bad': the id 'Bad' is not kebab-case"
    assert f"evidence: {reason}\n" == capsys.readouterr().err


@pytest.mark.usefixtures("commits")
def test_an_edition_of_branches_names_their_commits_and_claims_in_order() -> None:
    """An annotated tag is an object of its own, and no commit."""
    git("tag", "--annotate", "--message", "First", "first", "HEAD~1")
    git("commit", "--allow-empty", "--quiet", "--message", "Empty")
    before, after = ("b-went", "stays", "a-went"), ("d-came", "stays", "c-came")
    same = judge(given(), {"copy": record("copy", NEW)})

    found = edition(
        "first", "main", dict.fromkeys(before, same), dict.fromkeys(after, same), []
    )

    expected = Edition(
        git("show", "-s", "--format=%cs", "HEAD"),
        git("rev-parse", "HEAD~2"),
        git("rev-parse", "HEAD"),
        ("c-came", "d-came"),
        ("a-went", "b-went"),
        (),
    )
    assert expected == found


def test_an_edition_is_written_so_that_a_reader_can_review_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("editions.toml")
    path.write_text("# Before.\n")
    changed = (("a-claim", "copy.speedup", "4.5×", "6.5×"),)
    latest = Edition("2026-01-31", "c" * 40, "d" * 40, ("b", "e"), ("f",), changed)

    append(latest, path)

    expected = f"""\
# Before.

[dddddddd]
day = "2026-01-31"
old = "{"c" * 40}"
new = "{"d" * 40}"
added = ["b", "e"]
removed = ["f"]
changed = [["a-claim", "copy.speedup", "4.5×", "6.5×"]]
"""
    assert expected == path.read_text("utf-8")
    assert "added to editions.toml: dddddddd\n" == capsys.readouterr().out
