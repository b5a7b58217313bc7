"""The workflows: what each may do, and that what others write is only data to them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import yaml
from conftest import ROOT
from markdown_it import MarkdownIt

FOLDER = ROOT / ".github/workflows"
TEXTS = {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.yml"))}
WORKFLOWS: dict[str, dict[str, Any]] = {
    name: yaml.load(text, yaml.BaseLoader) for name, text in TEXTS.items()
}
JOBS = {
    f"{name} {job}": described
    for name, workflow in WORKFLOWS.items()
    for job, described in workflow["jobs"].items()
}
STEPS = [(job, step) for job, described in JOBS.items() for step in described["steps"]]
SHA = "a1" * 20


def script(job: str, name: str) -> str:
    """What a step runs."""
    (step,) = [
        step for step in JOBS[job]["steps"] if step.get("name", "").startswith(name)
    ]
    text: str = step["run"]
    return text


def test_each_action_is_pinned_by_its_digest_and_says_its_version() -> None:
    used = [
        line for text in TEXTS.values() for line in text.splitlines() if "uses:" in line
    ]
    pinned = re.compile(r" +- uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

    assert used
    assert [] == [line for line in used if not pinned.fullmatch(line)]


def test_an_action_has_one_version_everywhere() -> None:
    used = {step["uses"] for _, step in STEPS if "uses" in step}
    assert len(used) == len({name.partition("@")[0] for name in used})


def test_no_text_of_others_becomes_a_command() -> None:
    assert [] == [job for job, step in STEPS if "${{" in step.get("run", "")]


def test_nothing_starts_with_the_rights_of_main_on_a_pull_request() -> None:
    events = {name: workflow["on"] for name, workflow in WORKFLOWS.items()}
    assert [] == [name for name, on in events.items() if "pull_request_target" in on]
    assert ["comment.yml"] == [
        name for name, on in events.items() if "workflow_run" in on
    ]


def test_no_checkout_leaves_the_token_and_none_with_a_right_to_write_is_of_others() -> (
    None
):
    for job, step in STEPS:
        if "actions/checkout@" in step.get("uses", ""):
            assert "false" == step["with"]["persist-credentials"], job
            if "write" in JOBS[job]["permissions"].values():
                assert "ref" not in step["with"], job


def test_each_job_has_the_rights_that_it_needs() -> None:
    assert {"{}"} == {str(w["permissions"]) for w in WORKFLOWS.values()}
    read = {"contents": "read"}
    assert {
        "ci.yml replay": read,
        "ci.yml newest": read,
        "comment.yml comment": {**read, "actions": "read", "pull-requests": "write"},
        "gpu.yml measure": read,
        "gpu.yml pass": {"contents": "write", "pull-requests": "write"},
        "gpu.yml moved": {**read, "issues": "write"},
    }.items() <= {
        job: described["permissions"] for job, described in JOBS.items()
    }.items()


def test_each_right_is_explained() -> None:
    granted = re.compile(r"^ +[\w-]+: (?:read|write)\b.*$", re.MULTILINE)
    lines = [line for text in TEXTS.values() for line in granted.findall(text)]

    assert lines
    assert [] == [line for line in lines if " # " not in line]


def test_the_token_is_only_where_nothing_of_the_examples_or_of_others_runs() -> None:
    holding = {job: s["run"] for job, s in STEPS if "GH_TOKEN" in s.get("env", {})}
    assert ["comment.yml comment", "gpu.yml moved", "gpu.yml pass"] == sorted(holding)
    runs = re.compile(r"nox|pip|evidence (?!keep)|examples")
    assert {} == {job: text for job, text in holding.items() if runs.search(text)}


def test_what_follows_a_night_and_a_week_names_their_times() -> None:
    times = [entry["cron"] for entry in WORKFLOWS["gpu.yml"]["on"]["schedule"]]
    for job, at in (("pass", 0), ("moved", 1)):
        assert f"'{times[at]}'" in JOBS[f"gpu.yml {job}"]["if"]


@pytest.mark.parametrize(
    ("code", "examples", "commit"),
    [
        (0, "", ""),
        (0, "pinned_copy_is_faster transfer", SHA),
        (1, "$(id)", ""),
        (1, "a; id", ""),
        (1, "a\nid", ""),
        (1, "--minutes 0", ""),
        (1, " ", ""),
        (1, "../a", ""),
        (1, "", "main"),
        (1, "", SHA[:-1]),
        (1, "", f"{SHA}\n"),
        (1, "", f"{SHA} -x"),
    ],
)
def test_a_dispatch_takes_names_and_a_digest_alone(
    code: int, examples: str, commit: str
) -> None:
    run = script("gpu.yml measure", "Take names")
    env = {"EXAMPLES": examples, "COMMIT": commit}
    assert code == subprocess.run(["/bin/bash", "-ec", run], env=env).returncode


def git(folder: Path, *arguments: str) -> str:
    known = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", *known, *arguments]
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode()


def test_a_contributor_applies_what_was_recorded(tmp_path: Path) -> None:
    builder, home = tmp_path / "builder", tmp_path / "home"
    for name in ("old.json", "gone-1.svg", "new.py"):
        (builder / "examples/memory").mkdir(parents=True, exist_ok=True)
        (builder / "examples/memory" / name).write_text("old\n")
    (builder / "build").mkdir()
    (builder / ".gitignore").write_text("build/\n")
    git(builder, "init", "--quiet")
    git(builder, "add", ".")
    git(builder, "commit", "--quiet", "--message", "As sent in")
    git(tmp_path, "clone", "--quiet", str(builder), str(home))
    (builder / "examples/memory/old.json").write_bytes(b"new\x00\xff\n")
    (builder / "examples/memory/gone-1.svg").unlink()
    (builder / "examples/memory/new.json").write_text("{}\n")
    (builder / "examples/memory/new-1.svg").write_text("<svg/>\n")

    run = script("gpu.yml measure", "Make a patch")
    subprocess.run(["/bin/bash", "-ec", run], cwd=builder, check=True)
    git(home, "apply", "--index", str(builder / "build/records.patch"))
    git(home, "commit", "--quiet", "--message", "Records")

    assert git(builder, "write-tree") == git(home, "write-tree")


def shown(text: str, *arguments: str) -> str:
    """What ``.ci/verbatim.py`` makes of a text."""
    done = subprocess.run(
        [sys.executable, ROOT / ".ci/verbatim.py", *arguments],
        input=text.encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return done.stdout.decode()


HOSTILE = """\
@everyone fixes #1 ![](https://example.org/x.png) <img src=x onerror=y>

```
````
~~~
</details> --> <!-- claims -->
\t| a | b |\r\n\x00\x1b[31m \u202ereversed\u2066 \u200bhidden\x0c\x85\u2028# Title
- [x] done
"""


def test_in_a_text_of_others_nothing_acts() -> None:
    text = shown(HOSTILE)

    (block,) = MarkdownIt().parse(f"Ours.\n\n{text}")[3:]
    assert "code_block" == block.type
    assert "@everyone fixes #1" in block.content
    assert len(HOSTILE.split("\n")) == len(text.split("\n"))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e\u2066\u2028]", text)


@pytest.mark.parametrize(
    "text", ["a" * 10**6, "\n" * 10**6 + "a", "`" * 10**6, "é\n" * 10**6]
)
def test_a_text_of_others_is_cut_to_what_a_comment_takes(text: str) -> None:
    cut = shown(text)
    assert len(cut) < 65_000
    ours = "This is not all of it: the summary of the run is.\n"
    assert cut.endswith(ours) or not cut.strip()


#: Stands in for gh: it notes what it is asked, and answers from files.
GH = """\
#!/bin/sh
printf '%s\\n' "$*" >>"$FAKE/asked"
for argument; do
  case $argument in body=@*) cp "${argument#body=@}" "$FAKE/body" ;; esac
done
case "$*" in
  *PATCH* | *--silent*) ;;
  */zip) cat "$FAKE/claims.zip" ;;
  *name=claims*) cat "$FAKE/claims" ;;
  *name=site*) cat "$FAKE/site" ;;
  */comments* | *issues?*) cat "$FAKE/mine" ;;
  */pulls*) cat "$FAKE/pulls" ;;
  "pr list"*) cat "$FAKE/waits" ;;
esac
"""


@dataclass
class GitHub:
    """What GitHub answers, as files, and what it was asked."""

    folder: Path

    def run(self, *command: str, cwd: Path = ROOT, **env: str) -> int:
        """Run a part of a workflow, as a runner does."""
        usual = {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "FAKE": str(self.folder),
            "GITHUB_SERVER_URL": "https://github.test",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GH_REPO": "ours/site",
        }
        return subprocess.run(command, cwd=cwd, env={**usual, **env}).returncode

    def comment(self, head: str = "them:main", sha: str = SHA, run: str = "5") -> int:
        return self.run("/bin/bash", ".ci/comment", RUN=run, HEAD=head, HEAD_SHA=sha)

    def answer(self, **answers: str) -> None:
        for name, text in answers.items():
            (self.folder / name).write_text(text)

    def left(self, text: str) -> None:
        """CI's run left a text."""
        with ZipFile(self.folder / "claims.zip", "w", ZIP_DEFLATED) as archive:
            archive.writestr("claims.md", text)

    @property
    def body(self) -> str:
        path = self.folder / "body"
        return path.read_text("utf-8") if path.exists() else ""

    @property
    def changes(self) -> list[str]:
        """The calls that change something, without the file of the text."""
        path = self.folder / "asked"
        asked = path.read_text().splitlines() if path.exists() else []
        calls = [call for call in asked if "--silent" in call or "pr create" in call]
        return [re.sub(r" -F body=.*", "", call) for call in calls]


@pytest.fixture
def github(tmp_path: Path) -> GitHub:
    made = GitHub(tmp_path / "github")
    made.folder.mkdir()
    (made.folder / "gh").write_text(GH)
    (made.folder / "gh").chmod(0o755)
    made.answer(
        pulls=f"{SHA} 12\n", claims="71 900\n", site="72 9000\n", mine="", waits=""
    )
    made.left("## 1 claim has other words")
    return made


NEW = "api --silent repos/ours/site/issues/12/comments"


def test_a_pull_request_gets_one_comment(github: GitHub) -> None:
    assert 0 == github.comment()
    assert [NEW] == github.changes
    assert f"What {SHA} changes in claims" in github.body
    assert "(https://github.test/ours/site/actions/runs/5/artifacts/72)" in github.body
    assert github.body.endswith("\n\n    ## 1 claim has other words\n")

    github.answer(mine="99\n100\n", site="")
    assert 0 == github.comment()
    update = "api --silent --method PATCH repos/ours/site/issues/comments/99"
    assert [NEW, update] == github.changes
    assert "artifacts/" not in github.body


@pytest.mark.parametrize(
    "answers",
    [
        # It has a newer commit, or is closed; or CI was red before there was a text.
        {"pulls": f"{'b2' * 20} 12\n"},
        {"pulls": ""},
        {"pulls": f"{SHA} 12;id\n"},
        {"claims": ""},
    ],
)
def test_where_there_is_nothing_to_say_nothing_is_said(
    github: GitHub, answers: dict[str, str]
) -> None:
    github.answer(**answers)
    assert 0 == github.comment()
    assert [] == github.changes


@pytest.mark.parametrize(
    "given", [{"sha": "main"}, {"sha": f"{SHA}/p;s/.*"}, {"run": "5/../6"}]
)
def test_what_no_event_has_is_refused(github: GitHub, given: dict[str, str]) -> None:
    assert 0 != github.comment(**given)
    assert [] == github.changes


def test_the_name_of_a_branch_is_a_text(github: GitHub, tmp_path: Path) -> None:
    assert 0 == github.comment(head=f"them:$(touch${{IFS}}{tmp_path}/ran)`id`;'\"")
    assert [NEW] == github.changes
    assert not (tmp_path / "ran").exists()


def test_an_archive_that_is_too_large_is_not_fetched(github: GitHub) -> None:
    github.answer(claims="71 1000001\n")
    assert 0 != github.comment()
    assert "/zip" not in (github.folder / "asked").read_text()


def test_an_archive_that_unpacks_to_much_is_read_as_far_as_it_is_shown(
    github: GitHub,
) -> None:
    github.left("a" * 10**8)
    assert 0 == github.comment()
    assert len(github.body) < 65_000


def test_an_archive_without_the_text_says_nothing(github: GitHub) -> None:
    with ZipFile(github.folder / "claims.zip", "w") as archive:
        archive.writestr("../claims.md", "x")
    assert 0 != github.comment()
    assert [] == github.changes


def moved(github: GitHub, folder: Path, text: str) -> int:
    """Run the last step of the weekly recording on what ``diff`` said."""
    (folder / "build").mkdir(exist_ok=True)
    (folder / "build/diff.txt").write_text(text)
    if not (folder / ".ci").exists():
        (folder / ".ci").symlink_to(ROOT / ".ci")
    run = script("gpu.yml moved", "Make or update")
    return github.run("/bin/bash", "-ec", run, cwd=folder, RUN="https://github.test/1")


def test_what_a_week_moved_is_one_issue(github: GitHub, tmp_path: Path) -> None:
    assert 0 == moved(github, tmp_path, "copy.speedup  3  ->  @all\nNVIDIA H200\n")
    new = "api --silent repos/ours/site/issues -f title=What the weekly recording moved"
    assert [new] == github.changes
    expected = "a patch:\n\n    copy.speedup  3  ->  @all\n    NVIDIA H200\n"
    assert github.body.endswith(expected)

    github.answer(mine="31\n")
    assert 0 == moved(github, tmp_path, "copy.speedup  3  ->  4\n")
    update = "api --silent --method PATCH repos/ours/site/issues/31"
    assert [new, update] == github.changes
    assert 0 == moved(github, tmp_path, "no measured value changed\nNVIDIA H200\n")
    assert 0 != moved(github, tmp_path, "")
    assert [new, update] == github.changes


def test_a_pass_is_proposed_on_a_branch_of_its_own(
    github: GitHub, tmp_path: Path
) -> None:
    remote, folder = tmp_path / "remote", tmp_path / "checkout"
    git(tmp_path, "init", "--quiet", "--bare", str(remote))
    git(tmp_path, "clone", "--quiet", str(remote), str(folder))
    passes = folder / "docs/evidence/passes"
    passes.mkdir(parents=True)
    (folder / "other").write_text("")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Pages")
    git(folder, "push", "--quiet", "origin", "HEAD:main")
    (passes / "0a1b2c3d-2.14.json").write_text("{}\n")
    (folder / "other").write_text("changed")
    run = script("gpu.yml pass", "Propose it")
    given = {"RUN": "https://github.test/1", "RESULT": "success"}

    assert 0 == github.run("/bin/bash", "-ec", run, cwd=folder, **given)

    (created,) = github.changes
    assert created.startswith("pr create --head nightly-pass --title The pass of 2")
    changed = git(remote, "diff", "--name-only", "main", "nightly-pass").split()
    assert ["docs/evidence/passes/0a1b2c3d-2.14.json"] == changed

    github.answer(waits="8\n")
    assert 0 == github.run("/bin/bash", "-ec", run, cwd=folder, **given)
    assert [created] == github.changes
    assert "#8 waits" in (github.folder / "summary").read_text()
