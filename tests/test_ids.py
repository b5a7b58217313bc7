"""What claims say less than they did: ``.ci/ids.py`` compares with a revision."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest
from conftest import ROOT, SCRIPT, claim
from evidence.examples.script import read_script
from evidence.judge.expect import parse
from evidence.records.address import Address
from evidence.records.model import Plain, Table
from evidence.records.store import dump
from factories import record, timing

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / ".ci"))
import ids
from sentences import marked
from weaker import is_implied, is_narrower


def git(folder: Path, *arguments: str) -> None:
    known = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *known, *arguments], cwd=folder, check=True)


class Compared(NamedTuple):
    """What is said on the two streams."""

    stdout: str
    stderr: str


def compared(folder: Path, base: str = "HEAD") -> Compared:
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        lines = ids.main(base)
    return Compared(printed.getvalue(), "".join(f"{line}\n" for line in lines))


REASON = "give it back, or say why in the message of a commit, with its id"
#: A claim with all that it can lose.
ALL = {
    "control": "other",
    "contradicts": "a, b",
    "confirms": "c",
    "seed": "pin-fast",
    "scope": "torch<3.0",
    "documented": "3 to 6×, a page",
}
WHOLE = claim("whole", **ALL)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page of three claims, committed."""
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    page = tmp_path / "docs" / "chapter" / "page.md"
    page.parent.mkdir(parents=True)
    page.write_text(f"# Page\n\n{claim('kept')}\n\n{claim('other')}\n\n{WHOLE}\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Pages")
    return page


@pytest.mark.parametrize(
    "text",
    [
        f"{claim('kept')}\n\n{claim('other')}\n\n{claim('new')}",
        f"{claim('kept', '>= 3 nonsense')}\n\n{claim('other')}",
    ],
)
def test_an_id_may_be_added_and_moved(page: Path, text: str) -> None:
    page.rename(page.with_name("another.md")).write_text(f"{text}\n\n{WHOLE}\n")

    done = compared(page.parents[2])

    assert not done.stderr


def test_an_id_that_is_gone_is_named(page: Path) -> None:
    page.write_text(f"# Page\n\n{claim('renamed')}\n\n{claim('other')}\n\n{WHOLE}\n")

    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "ids.py"), "HEAD"],
        cwd=page.parents[2],
        env={**os.environ, "PYTHONPATH": str(ROOT / "conf")},
        capture_output=True,
        text=True,
        check=False,
    )

    expected = (
        "docs/chapter/page.md: claim 'kept' is gone since HEAD: ids are links, which "
        "never change; give it back, or write (kept)= above what took its place\n"
    )
    assert (1, expected) == (done.returncode, done.stderr)


OLD = """\
:::{{claim}} {}
:value: copy.speedup
:expect: >= 3
{}
It is {{measured}}`copy.speedup` faster.
:::
"""
#: What the page of the fixture says, in the new form.
MOVED = """\
[It is faster, by {{measured}}`.speedup`]{{#kept}}, [than [a page](b.md) [too]]{{#other}}.
[So]{{#whole}}.

```{{checks}} copy
kept:
  speedup: .speedup {expect}
other:
  speedup: .speedup >= 3
whole:
  speedup: .speedup >= 3
  :control: other
  :contradicts: a, b
  :confirms: c
  :seed: pin-fast
  :scope: torch<3.0
  :documented: 3 to 6×, a page
```
"""


@pytest.mark.parametrize(
    ("expect", "is_less"),
    [(">= 3", False), (">= 2.9", True)],
)
def test_a_claim_of_an_old_revision_moved_into_prose_with_its_checks(
    page: Path, expect: str, is_less: bool
) -> None:
    options = "\n".join(f":{name}: {text}" for name, text in ALL.items()) + "\n"
    whole = OLD.format("whole", options)
    page.write_text(OLD.format("kept", "") + OLD.format("other", "") + whole)
    git(page.parents[2], "commit", "--quiet", "--all", "--message", "Boxes")
    page.write_text(f"# Page\n\n{MOVED.format(expect=expect)}")

    done = compared(page.parents[2])

    assert is_less is ("claim 'kept'" in done.stderr), done.stderr
    assert "than [a page](b.md) [too]" in done.stdout


def told(page: Path, expect: str = ">= 3", **options: str | None) -> list[str]:
    """What is said of the third claim with other options, None for one that is left out."""
    kept = {name: text for name, text in {**ALL, **options}.items() if text}
    return with_claim(page, claim("whole", expect, **kept))


def with_claim(page: Path, text: str) -> list[str]:
    """What is said of the third claim, as it now stands."""
    page.write_text(f"# Page\n\n{claim('kept')}\n\n{claim('other')}\n\n{text}\n")
    done = compared(page.parents[2])
    start, end = "docs/chapter/page.md: claim 'whole' ", f" since HEAD: {REASON}"
    lines = done.stderr.splitlines()
    return [line.removeprefix(start).removesuffix(end) for line in lines]


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("has lost its :control:", {"control": None}),
        ("has 'kept' as its :control: instead of 'other'", {"control": "kept"}),
        ("has lost its :documented:", {"documented": None}),
        ("has '5 to 6×, some page' as its :documented: instead of '3 to 6×, a page'",
            {"documented": "5 to 6×, some page"}),
        ("no longer contradicts a, b", {"contradicts": None}),
        ("no longer contradicts b", {"contradicts": "a, d"}),
        ("no longer confirms c", {"confirms": None, "contradicts": "a, b, c"}),
        ("no longer has the seed pin-fast", {"seed": "pin-slow"}),
        ("holds for 'torch<3.0, gpus>=2' instead of 'torch<3.0'",
            {"scope": "torch<3.0, gpus>=2"}),
        ("expects copy.speedup >= 2.9 instead of >= 3", {"expect": ">= 2.9"}),
        ("expects copy.speedup > 2.9 instead of >= 3", {"expect": "> 2.9"}),
        ("no longer checks copy.speedup >= 3", {"value": "copy.ratio"}),
        ("expects copy.speedup >= 3 as documented, which no margin is asked of",
            {"expect": ">= 3 as documented", "documented": "3 to 6×, a page"}),
    ],
)  # fmt: skip
def test_what_a_claim_lost_is_named(
    page: Path, said: str, options: dict[str, str]
) -> None:
    assert [said] == told(page, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"expect": ">= 4", "contradicts": "b, a, d", "seed": "pin-fast, pin-small"},
        {"expect": "in 3..5", "scope": None},
        {"scope": "torch<3.1"},
    ],
)
def test_a_claim_may_say_more(page: Path, options: dict[str, str]) -> None:
    assert [] == told(page, **options)


def checks(*lines: str, **options: str) -> str:
    """The third claim with several checks, each shown."""
    shown = "{measured}`.bad of .calls`, {measured}`.good of .calls`."
    text = [f"[The first wait, the second do not: {shown}]{{#whole}}", ""]
    text += ["```{checks} copy", "whole:", *(f"  {line}: {line}" for line in lines)]
    text += [f"  :{name}: {value}" for name, value in {**ALL, **options}.items()]
    return "\n".join([*text, "```"])


COUNTED = (".bad == .calls", ".good == 0", ".calls == 20")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        # A count that repeats exactly is checked exactly: a share of it is less.
        (
            ["expects copy.bad >= 11 instead of == .calls"],
            checks(".bad >= 11", *COUNTED[1:]),
        ),
        # One that is given up takes its control along, and a bound is moved with a scope.
        (
            ["expects copy.bad >= 0.9 * .calls instead of == .calls", "has lost its :control:"],
            checks(".bad >= 0.9 * .calls", *COUNTED[1:]).replace("  :control: other\n", ""),
        ),
        (
            [
                "expects copy.good <= 2 instead of == 0",
                "holds for 'torch<2.12' instead of 'torch<3.0'",
            ],
            checks(COUNTED[0], ".good <= 2", COUNTED[2], scope="torch<2.12"),
        ),
        (["no longer checks copy.calls == 20"], checks(*COUNTED[:2])),
        (["is no claim any more"], "(whole)=\nNothing is claimed here."),
        (
            ["shows what it measured in another order"],
            checks(*COUNTED).replace(".bad of .calls", ".good of .calls", 1)[::-1]
            .replace(".good of .calls"[::-1], ".bad of .calls"[::-1], 1)[::-1],
        ),
        # Not even with a bound that is stricter by a hair.
        (
            ["shows what it measured in another order"],
            checks(*COUNTED, ".calls <= 20")
            .replace(".bad of .calls`, {measured}`.good", ".good of .calls`, {measured}`.bad"),
        ),
        ([], checks(*COUNTED, ".late == 1")),
        ([], checks(*COUNTED[::-1])),
    ],
)  # fmt: skip
def test_what_a_claim_of_several_checks_lost_is_named(
    page: Path, said: list[str], text: str
) -> None:
    page.write_text(page.read_text().replace(WHOLE, checks(*COUNTED)))
    git(page.parents[2], "commit", "--quiet", "--all", "--message", "Counts")

    assert said == with_claim(page, text)


CHOICE = "{{measured}}`true: {} | false: {} <copy.speedup>`"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (["shows what it measured in another order"], CHOICE.format("mends", "spoils")),
        ([], "{measured}`false: mends | true: spoils <copy.speedup>`"),
    ],
)
def test_words_of_a_choice_that_are_exchanged_are_named(
    page: Path, said: list[str], shown: str
) -> None:
    before = WHOLE.replace("{measured}`copy.speedup`", CHOICE.format("spoils", "mends"))
    page.write_text(page.read_text().replace(WHOLE, before))
    git(page.parents[2], "commit", "--quiet", "--all", "--message", "Words")

    assert said == with_claim(page, WHOLE.replace("{measured}`copy.speedup`", shown))


def test_values_that_choose_words_and_are_exchanged_are_named(page: Path) -> None:
    role = "{{measured}}`is | is not <copy.{}>`"
    two = f"It {role} early and {role} late"
    before, after = two.format("early", "late"), two.format("late", "early")
    value = "{measured}`copy.speedup`"
    page.write_text(page.read_text().replace(WHOLE, WHOLE.replace(value, before)))
    git(page.parents[2], "commit", "--quiet", "--all", "--message", "Choices")

    said = with_claim(page, WHOLE.replace(value, after))
    assert ["shows what it measured in another order"] == said


@pytest.mark.parametrize(
    ("red", "message"),
    [
        (False, "Two GPUs\n\nThe claim 'whole' rests on a link between them."),
        (False, "The wait is gone from whole."),
        (True, "Two GPUs\n\nThe claim 'not-whole' rests on a link, so does whole-2."),
        (True, "Two GPUs, and a link between them\n\nwhole"),
    ],
)
def test_what_is_taken_from_a_claim_is_said_why(
    page: Path, red: bool, message: str
) -> None:
    folder = page.parents[2]
    assert told(page, scope="gpus>=2")
    git(folder, "commit", "--quiet", "--all", "--message", message)

    assert red is bool(compared(folder, "HEAD^").stderr)


def test_all_commits_of_a_branch_count(page: Path) -> None:
    """What an earlier one took is noticed, and its reason found; the target went on."""
    folder = page.parents[2]
    git(folder, "branch", "target")
    page.write_text(page.read_text().replace(claim("kept"), "(kept)="))
    assert told(page, control=None)
    page.write_text(page.read_text().replace(claim("kept"), "(kept)="))
    git(
        folder,
        "commit",
        "--quiet",
        "--all",
        "-m",
        "No control\n\nThe other form of whole is gone.",
    )
    page.with_name("news.md").write_text("# News\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Another page")
    git(folder, "checkout", "--quiet", "target")
    page.with_name("target.md").write_text(f"# Target\n\n{claim('later')}\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Later")
    git(folder, "checkout", "--quiet", "-")

    done = compared(folder, "target")

    assert done.stderr == (
        "docs/chapter/page.md: claim 'kept' is no claim any more since target: "
        f"{REASON}\n"
    )


def test_a_base_that_is_not_here_is_named(page: Path) -> None:
    with pytest.raises(SystemExit) as end:
        compared(page.parents[2], "0" * 40)
    assert f"no commit {'0' * 40!r} here: fetch it, or name another" == end.value.code


def test_an_example_may_get_another_name(page: Path) -> None:
    folder = page.parents[2]
    script = folder / "examples" / "memory" / "copy.py"
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "A script")
    page.write_text(page.read_text().replace("copy.", "transfer."))

    assert "no longer checks copy.speedup >= 3" in compared(folder).stderr
    script.rename(script.with_stem("transfer"))
    assert "" == compared(folder).stderr


PASS = """\
{{
  "builder": {{"gpu": "NVIDIA H200", "torch": "{torch}"}},
  "machine": "{machine}",
  "passes": [{runs}]
}}
"""
KEPT = "docs/evidence/passes/0a1b2c3d-2026-01-05.json"
NEWER = KEPT.replace("01-05", "02-07")
RUNS = ('"copy": {"code_key": "{key}"}', f'"gone": {{"code_key": "{"5" * 64}"}}')


@pytest.mark.parametrize(
    ("said", "files", "message"),
    [
        ("the pass of the machine 0a1b2c3d with torch 2.11 is gone", {}, "Less"),
        ("", {}, "Out\n\n0a1b2c3d-2026-01-05 was measured on a broken machine."),
        ("", {}, "Out\n\nThe machine 0a1b2c3d was broken."),
        ("", {NEWER: ("0a1b2c3d", "2.11", RUNS[0])}, "Newer"),
        ("", {KEPT: ("0a1b2c3d", "2.11", RUNS[0])}, "What is of older code goes"),
        (
            "the machine 0a1b2c3d has no pass of copy any more",
            {NEWER: ("0a1b2c3d", "2.11", RUNS[1])}, "Newer",
        ),
        (
            # Nor does it help that another machine has one.
            "the machine 0a1b2c3d has no pass of copy any more",
            {
                NEWER: ("0a1b2c3d", "2.11", RUNS[1]),
                KEPT.replace("0a1b", "4d3c"): ("4d3c2c3d", "2.11", RUNS[0]),
            },
            "Newer",
        ),
        (
            "the pass of the machine 0a1b2c3d with torch 2.11 is gone",
            {NEWER: ("0a1b2c3d", "2.12", RUNS[0])}, "Newer",
        ),
        (
            "the pass of the machine 0a1b2c3d with torch 2.11 is gone",
            {KEPT: ("4d3c2b1a", "2.11", ", ".join(RUNS))}, "Another",
        ),
    ],
)  # fmt: skip
def test_a_pass_that_goes_is_said_why(
    page: Path, said: str, files: dict[str, tuple[str, str, str]], message: str
) -> None:
    folder = page.parents[2]
    script = folder / "examples" / "memory" / "copy.py"
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT)
    key = read_script(script).code_key
    (folder / KEPT).parent.mkdir(parents=True)
    (folder / KEPT).write_text(kept("0a1b2c3d", "2.11", ", ".join(RUNS), key))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "A pass")
    (folder / KEPT).unlink()
    for name, (machine, torch, runs) in files.items():
        (folder / name).write_text(kept(machine, torch, runs, key))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", message)

    expected = f"{KEPT}: {said} since HEAD^: {REASON[:-2]}name\n" if said else ""
    assert expected == compared(folder, "HEAD^").stderr


@pytest.mark.parametrize("message", ["Keys", "The builder of keeper is another one"])
def test_a_keeper_who_comes_and_a_list_that_goes_are_said_why(
    page: Path, message: str
) -> None:
    folder, listed = page.parents[2], "docs/evidence/signed/keeper.txt"
    keepers = folder / ids.KEEPERS
    (folder / listed).parent.mkdir(parents=True)
    (folder / listed).write_text("")
    keepers.write_text("# Ours.\nother ssh-ed25519 AAAA\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "A list")
    keepers.write_text(f"{keepers.read_text()}keeper ssh-ed25519 BBBB\n\n# More.\n")
    (folder / listed).unlink()
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", message)

    expected = (
        "docs/evidence/keepers: keeper has a new key since HEAD^: say whose builder that "
        "is in the message of a commit\n"
        f"{listed}: what keeper signed is unsigned since HEAD^: {REASON[:-2]}name\n"
    )
    explained = message != "Keys"
    assert ("" if explained else expected) == compared(folder, "HEAD^").stderr


def kept(machine: str, torch: str, runs: str, key: str) -> str:
    """A file of passes."""
    return PASS.format(
        machine=machine, torch=torch, runs=f"{{{runs.replace('{key}', key)}}}"
    )


VALUE = Address("copy", "by_size[size_bytes=4].copy_speedup")


@pytest.mark.parametrize(
    ("old", "new", "implied"),
    [
        (">= 3", [">= 3"], True),
        (">= 3", ["> 3"], True),
        ("> 3", [">= 3"], False),
        ("> 3", [">= 3.1"], True),
        (">= 3", [">= 2.99"], False),
        (">= 3", ["<= 3"], False),
        (">= 3", ["== 4"], True),
        ("<= 3", ["< 3"], True),
        ("< 3", ["<= 3"], False),
        ("<= 3", ["<= 3.01"], False),
        ("<= 3", ["in 1..2.9"], True),
        ("in 1..3", ["in 1..2.9"], True),
        ("in 1..3", ["in 1.1..3.1"], False),
        ("in 1..3", [">= 1"], False),
        ("in 1..3", [">= 1.2", "<= 2.9"], True),
        ("== 4", ["in 4..4"], True),
        ("== 4", [">= 4"], False),
        ("== 4", ["== 5"], False),
        ("about 2 +- 5 %", ["about 2 +- 4 %"], True),
        ("about 2 +- 4 %", ["about 2 +- 5 %"], False),
        ("about 2 +- 4 %", ["about 2.01 +- 4 %"], False),
        ("about 2 +- 5 %", ["in 1.9..2.1"], True),
        (">= 5 * copy.other_speedup", [">= 5.1 * copy.other_speedup"], True),
        (">= 5 * copy.other_speedup", [">= 4.9 * copy.other_speedup"], False),
        (">= copy.other_speedup", ["== copy.other_speedup"], True),
        ("about copy.other_speedup +- 3 %", ["about copy.other_speedup +- 2 %"], True),
        # What the other value is does not count: it may change as well.
        (">= 5 * copy.other_speedup", [">= 5"], False),
        (">= 5", [">= 5 * copy.other_speedup"], False),
        ("true", ["true"], True),
        ("true", ["false"], False),
        ("most", ["most"], True),
        ("most", ["least"], False),
        ("most", [">= 3"], False),
        ('== "fast"', ['== "fast"'], True),
        ('== "fast"', ['== "slow"'], False),
        ("raises RuntimeError: a b", ["raises torch.RuntimeError: it is a b c"], True),
        ("raises RuntimeError: a b", ["raises RuntimeError: a"], False),
        ("raises RuntimeError: a b", ["raises ValueError: a b"], False),
        (">= 3", [], False),
    ],
)
def test_whether_expectations_say_as_much(
    old: str, new: list[str], implied: bool
) -> None:
    read = [parse(text, VALUE) for text in (old, *new)]

    assert implied is is_implied(read[0], read[1:])


@pytest.mark.parametrize(
    ("new", "old", "narrower"),
    [
        ("any", "torch<3.0", False),
        ("torch<3.0", "any", True),
        ("torch<2.9", "torch<3.0", True),
        ("torch < 3.1", "torch<3.0", False),
        ("torch>=2.9", "torch<3.0", True),
        ("torch>=2.10", "torch>=2.9", True),
        ("torch>=2.8", "torch>=2.9", False),
        ("gpus>=2", "gpus>=4", False),
        ("gpus>=4", "gpus >= 2", True),
        ("sm_90+", "sm_80+", True),
        ("sm_80+", "sm_90+, gpus>=2", False),
        ("sm_80+, gpus>=2", "sm_90+", True),
        ("gpu == NVIDIA H200", "gpu == NVIDIA H200 or NVIDIA B200", True),
        ("gpu == NVIDIA B200 or NVIDIA H200", "gpu == NVIDIA H200", False),
        # What a GPU can do is not known here.
        ("sm_90+", "gpu == NVIDIA H200", True),
    ],
)
def test_whether_a_scope_is_narrower(new: str, old: str, narrower: bool) -> None:
    assert narrower is is_narrower(new, old)


def test_what_to_read_stands_beside_its_values(page: Path) -> None:
    folder = page.parents[2]
    kept = folder / "examples" / "memory" / "copy.json"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(dump(record("copy", {"speedup": timing(3.2, 3.8)})))
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Records")
    kept.write_bytes(
        dump(record("copy", {"speedup": timing(4.2, 4.8), "fast": Plain(True)}))
    )
    slower = claim("other", ">= 4", scope="sm_80+").replace("faster", "much slower")
    fast = claim("fast", "true", value="copy.fast")
    claims = "\n\n".join([claim("kept"), slower, fast])
    page.write_text(f"# Page\n\nA lead.\n\n{claims}\n\n(whole)=\n")

    assert (
        compared(folder).stdout
        == """\
## 3 claims have other words or checks since HEAD

1 gone, 1 new, 1 weaker

### fast

docs/chapter/page.md, line 23, new

> It is faster (is faster [else: is not faster]).

| value | expected | measured |
|---|---|---|
| `copy.fast` | true | yes |

### other

docs/chapter/page.md, line 15, weaker

> It is ~~faster (3.5×).~~ **much slower (4.5×).**

| value | expected | measured |
|---|---|---|
| `copy.speedup` | >= 3 → >= 4 | 3.5× → 4.5× |

- scope: none → sm_80+
- weaker: it holds for 'sm_80+' instead of 'any'

### whole

docs/chapter/page.md, line 20, gone

> ~~It is faster (3.5×).~~

| value | expected | measured |
|---|---|---|
| `copy.speedup` | >= 3 | 3.5× |
"""
    )


def test_what_is_weaker_is_shown_with_its_reason_and_without(page: Path) -> None:
    folder = page.parents[2]
    weaker = claim("kept", ">= 2.9").replace("faster", "quicker")
    page.write_text(page.read_text().replace(claim("kept"), weaker))
    git(folder, "commit", "--quiet", "--all", "-m", "Less\n\nThe link of kept is slow.")

    done = compared(folder, "HEAD^")

    lines = done.stdout.splitlines()
    assert "1 weaker" == lines[2]
    assert lines[6].endswith(", weaker")
    assert "- weaker: it expects copy.speedup >= 2.9 instead of >= 3" in lines
    assert "" == done.stderr


def test_both_bounds_of_a_value_are_shown(page: Path) -> None:
    bounded = checks(*COUNTED, ".good <= 6", ".bad <= 19")
    page.write_text(page.read_text().replace(WHOLE, bounded))
    git(page.parents[2], "commit", "--quiet", "--all", "--message", "Bounds")
    page.write_text(page.read_text().replace("  .good == 0: .good == 0\n", ""))

    lines = compared(page.parents[2]).stdout.splitlines()

    assert "| `copy.good` | == 0 and <= 6 → <= 6 | ? |" in lines
    assert "| `copy.bad` | == .calls and <= 19 | ? |" in lines


def test_a_bar_in_a_text_or_a_row_ends_no_cell(page: Path) -> None:
    folder = page.parents[2]
    kept = folder / "examples" / "memory" / "copy.json"
    kept.parent.mkdir(parents=True)
    rows = (
        {"way": Plain("x|y"), "speedup": Plain(7)},
        {"way": Plain("z"), "speedup": Plain(8)},
    )
    measured = {"modes": Plain("sum|mean"), "ways": Table(rows)}
    kept.write_bytes(dump(record("copy", measured)))
    modes = claim("modes", '== "sum|mean"', value="copy.modes")
    way = claim("way", ">= 6", value="copy.ways[way=x|y].speedup")
    page.write_text(f"{page.read_text()}\n{modes}\n\n{way}\n")

    lines = compared(folder).stdout.splitlines()

    rows = [line for line in lines if line.startswith("| `")]
    assert [
        r'| `copy.modes` | == "sum\|mean" | sum\|mean |',
        r"| `copy.ways[way=x\|y].speedup` | >= 6 | 7.000× |",
    ] == rows


def test_sentences_that_have_little_in_common_stand_apart() -> None:
    assert "> was: It is slow.\n>\n> is: Nothing waits here." == marked(
        "It is slow.", "Nothing waits here."
    )
