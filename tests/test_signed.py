"""Who answers for what was measured: what a keeper signed is ours, what somebody made up is not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from conftest import SCRIPT, Site, claim
from evidence.__main__ import main
from evidence.examples.script import read_script
from evidence.judge.passes import FOLDER
from evidence.records import signed
from factories import timing
from test_passes import MACHINES, keep, ran, text

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Build

LIST = f"docs/{signed.FOLDER}/keeper.txt"
RECORD = "examples/memory/copy.json"


def make_key(path: Path) -> str:
    """Make a key of a test; gives the public one."""
    kind = ("-t", "ed25519", "-N", "", "-C", "")
    subprocess.run(["ssh-keygen", "-q", *kind, "-f", path], check=True)
    return path.with_suffix(".pub").read_text().strip()


@dataclass
class Kept:
    """A site whose builder has a keeper, who signs by the command."""

    site: Site
    capsys: pytest.CaptureFixture[str]

    def sign(
        self, *files: str, key: str = "key", name: str = "keeper", code: int = 0
    ) -> str:
        """Sign; gives what is said, the last line of what went wrong."""
        assert code == main(["sign", "--key", f"../{key}", name, *files])
        output, errors = self.capsys.readouterr()
        said: str = (errors if code else output).splitlines()[-1]
        return said

    def red(self) -> str:
        """What alone is wrong with the site."""
        (warning,) = self.site.build(code=1).warnings
        return warning

    def sent(self, speedup: float, machine: str, gpu: str = "NVIDIA L4") -> str:
        """Keep a pass of a machine; gives its place."""
        (script,) = (self.site.folder / "examples").rglob("copy.py")
        measured = ran(key=read_script(script).code_key, speedup=timing(speedup))
        content = text(measured, gpu=gpu, machine=machine)
        path = keep(self.site.folder / "docs" / FOLDER, content, machine)
        return path.relative_to(self.site.folder).as_posix()


@pytest.fixture
def kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Kept:
    site = Site(tmp_path / "site")
    site.page(claim(), "```{evidence-signed}\n```")
    site.script()
    site.record()
    public = make_key(tmp_path / "key")
    make_key(tmp_path / "other")
    site.write(
        f"docs/{signed.KEEPERS}",
        f'# Ours.\nkeeper namespaces="{signed.NAMESPACE}" {public}\n',
    )
    monkeypatch.chdir(site.folder)
    return Kept(site, capsys)


def footer(build: Build, stem: str = "copy") -> str:
    """Who answers for an example, by the last words of the line of its builder."""
    (line,) = build.page(f"gallery/memory/{stem}").select("p.builder")
    return line.text.rpartition(" · ")[2]


def test_what_a_keeper_signed_is_ours(kept: Kept) -> None:
    own, _ = (kept.sent(4.5, machine) for machine in MACHINES)

    said = kept.sign("examples", own)

    assert f"{LIST}: 2 files, 2 of them new; 0 are gone" == said
    page = kept.site.write("docs/passes.md", "---\norphan: true\n---\n\n# Passes\n")
    page.write_text(page.read_text() + "\n```{evidence-passes}\n```\n")
    build = kept.site.build()
    assert "signed by our builder" == footer(build)
    words = build.text()
    assert "31 January 2026 · signed by our builder" in words
    assert "Elsewhere: held in 1 of 1 passes, on 1 × NVIDIA L4" in words
    assert "Elsewhere, as sent in: held in 1 of 1 passes, on 1 × NVIDIA L4" in words
    assert "Signed by our builder: 1 of 1 records, 1 of 2 passes." in words
    rows = [row.text.split() for row in build.page("passes").select("tbody tr")]
    whose = {row[0]: " ".join(row[-2:]) for row in rows}
    assert dict(zip(MACHINES, ("our builder", "sent in"), strict=True)) == whose
    data = json.loads((build.html / "claims.json").read_text())
    assert ["keeper"] == [example["signed_by"] for example in data["examples"]]
    (only,) = data["claims"]
    assert {"NVIDIA L4": {MACHINES[0]: ["holds"]}} == only["elsewhere"]
    assert {"NVIDIA L4": {MACHINES[1]: ["holds"]}} == only["sent_in"]
    # It is a list as sha256sum reads it.
    subprocess.run(["sha256sum", "--check", "--quiet", LIST], check=True)


def test_an_example_that_never_ran_is_unsigned(kept: Kept) -> None:
    kept.sign("examples")
    kept.site.script("invented", f"{SCRIPT}\nfound = 40\n")
    kept.site.record("invented", measured={"speedup": timing(39, 41)})
    # The claim rests on what is signed, too.
    lie = claim("so-fast", ">= 5 * copy.speedup", value="invented.speedup")
    kept.site.page(lie, name="lie")

    build = kept.site.build()

    assert "unsigned" == footer(build, "invented")
    assert "31 January 2026 · unsigned" in build.text("lie")
    assert "Signed by our builder: 1 of 2 records" in build.text()


def test_a_pass_of_a_gpu_that_does_not_exist_never_counts_as_ours(kept: Kept) -> None:
    kept.site.page("```{evidence-ledger}\n```", name="ledger", title="Ledger")
    kept.sign("examples", kept.sent(4.5, MACHINES[0]))
    kept.sent(4.9, MACHINES[1], gpu="NVIDIA B999")

    build = kept.site.build()

    ours, invented = "Elsewhere: held in 1 of 1", "Elsewhere, as sent in: held in 1 of"
    assert [1, 1] == [build.text().count(words) for words in (ours, invented)]
    header = build.page("ledger").select("table.ledger thead th")
    assert ["B999, sent in", "L4"] == [cell.text.strip() for cell in header][-2:]


def test_a_signature_by_a_key_of_nobody_is_red(kept: Kept) -> None:
    wrong = (
        f"{LIST}: does not carry the signature of keeper by a key of "
        "docs/evidence/keepers: give it and its .sig back as they were signed, or remove "
        "both and sign anew"
    )
    assert f"evidence: {wrong.replace(':', '', 1)}" == kept.sign(
        "examples", key="other", code=2
    )

    assert f"{LIST}:1: WARNING: {wrong} [evidence.record]" == kept.red()


def test_a_keeper_without_a_key_in_the_tree_is_red(kept: Kept) -> None:
    said = kept.sign("examples", name="stranger", code=2)
    assert "does not carry the signature of stranger by a key of" in said
    assert "stranger.txt:1: WARNING: " in kept.red()


def test_a_signature_for_something_else_is_red(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as other:
        other.setattr(signed, "NAMESPACE", "git")
        kept.sign("examples", code=2)
    assert "does not carry the signature of keeper" in kept.red()


def test_a_record_that_changed_since_it_was_signed_is_red(kept: Kept) -> None:
    kept.sign("examples")
    kept.site.record(measured={"speedup": timing(5.1, 5.3)})

    assert (
        f"{LIST}:1: WARNING: {LIST}: {RECORD} changed since it was signed: give it "
        "back, or have keeper sign what is left [evidence.record]"
    ) == kept.red()

    assert f"{LIST}: 0 files, 0 of them new; 1 are gone" == kept.sign()
    assert "unsigned" == footer(kept.site.build())
    assert f"{LIST}: 1 files, 1 of them new; 0 are gone" == kept.sign(RECORD)
    assert "signed by our builder" == footer(kept.site.build())


def test_what_another_keeper_signed_since_it_changed_is_ours(kept: Kept) -> None:
    keepers = kept.site.folder / "docs" / signed.KEEPERS
    public = (kept.site.folder.parent / "other.pub").read_text()
    second = f'second namespaces="{signed.NAMESPACE}" {public}'
    keepers.write_text(keepers.read_text() + second)
    kept.sign("examples")
    kept.site.record(measured={"speedup": timing(5.1, 5.3)})

    kept.sign("examples", key="other", name="second")

    assert "signed by our builder" == footer(kept.site.build())


@pytest.mark.parametrize("cut", ["list", "signature", "line"])
def test_a_list_that_was_cut_short_or_added_to_is_red(kept: Kept, cut: str) -> None:
    kept.sign("examples", kept.sent(4.5, MACHINES[0]))
    path = kept.site.folder / LIST
    if cut == "list":
        path.write_text(path.read_text().splitlines(keepends=True)[0])
    elif cut == "signature":
        (kept.site.folder / f"{LIST}.sig").unlink()
    else:
        path.write_text(f"{path.read_text()}{'0' * 64}  examples/memory/other.json\n")

    assert "does not carry the signature of keeper" in kept.red()
    # What somebody added is not signed by accident.
    assert "does not carry the signature" in kept.sign(code=2)


def test_a_renamed_example_stays_signed(kept: Kept) -> None:
    kept.sign("examples")
    for path in (kept.site.folder / "examples/memory").glob("copy.*"):
        path.rename(path.with_stem("copies"))
    kept.site.page(claim(value="copies.speedup"))

    assert "signed by our builder" == footer(kept.site.build(), "copies")
    assert f"{LIST}: 1 files, 0 of them new; 0 are gone" == kept.sign()
    assert "examples/memory/copies.json" in (kept.site.folder / LIST).read_text()


def test_without_ssh_keygen_nothing_counts_as_checked(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.sign("examples")
    folders = os.environ["PATH"].split(os.pathsep)
    left = [folder for folder in folders if not shutil.which("ssh-keygen", path=folder)]

    build = kept.site.build(PATH=os.pathsep.join(left))

    assert "signature not checked" == footer(build)
    assert "evidence: signatures were not checked: there is no ssh-keygen" in (
        build.output
    )
    said = "This build had no ssh-keygen, and did not check the signatures."
    assert said in build.text()
    monkeypatch.setenv("PATH", os.pathsep.join(left))
    told = "evidence: there is no ssh-keygen, which OpenSSH has"
    assert told == kept.sign("examples", code=2)


def test_without_ssh_keygen_there_is_nothing_to_check_where_nothing_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    lists = tmp_path / "docs" / signed.FOLDER
    lists.mkdir(parents=True)
    assert signed.read_signed(tmp_path / "docs").is_checked
    (lists / "keeper.txt").write_text("")
    assert not signed.read_signed(tmp_path / "docs").is_checked


def test_a_key_that_is_not_there_signs_nothing(kept: Kept) -> None:
    told = "evidence: ssh-keygen did not sign with ../nobody"
    assert told == kept.sign("examples", key="nobody", code=2)
    assert not (kept.site.folder / LIST).exists()
