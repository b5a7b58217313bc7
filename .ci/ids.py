"""What the claims say less than they did at a revision: each needs a reason.

``PYTHONPATH=conf python .ci/ids.py [main]`` compares the pages here with those from which this
branch began. The id of a claim is a link, and stays. A claim that is given up leaves its link
behind, ``(the-id)=`` above what took its place. What claims and kept passes say less, or in another
order, is said why in the message of a commit since. What they say more needs nothing.

What changed is printed as Markdown, for who reviews it: no program can judge a sentence.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from evidence.examples.script import PageError, ScriptError, read_script
from evidence.judge.pages import read_boxes, read_claims, sentences
from sentences import Stated, Version, show_changes
from weaker import is_reordered, lost

DOCS, PASSES, EXAMPLES = Path("docs"), Path("docs/evidence/passes"), Path("examples")
SIGNED, KEEPERS = Path("docs/evidence/signed"), Path("docs/evidence/keepers")
#: A target of MyST, which a link to a claim may have become.
TARGET = re.compile(r"^\(([\w.-]+)\)=\s*$", re.MULTILINE)
REASON = "give it back, or say why in the message of a commit, with its {}"

_WORD = re.compile(r"(?<![\w-])[A-Za-z]{2,}(?![\w-])")
#: So many other words are a reason.
_WORDS = 3


def git(*arguments: str) -> bytes:
    """What a git command says."""
    return subprocess.run(
        ["git", *arguments], stdout=subprocess.PIPE, check=True
    ).stdout


@dataclass(frozen=True)
class Base:
    """The revision that is compared with, by the name that it was given and as a commit."""

    name: str
    commit: str

    @classmethod
    def of(cls, name: str) -> Base:
        """Where this branch and a revision part."""
        try:
            return cls(name, git("merge-base", name, "HEAD").decode().strip())
        except subprocess.CalledProcessError:
            raise SystemExit(
                f"no commit {name!r} here: fetch it, or name another"
            ) from None

    def files(self, folder: Path, suffix: str) -> list[Path]:
        """The files below a folder as it was."""
        listing = ("ls-tree", "-r", "-z", "--name-only", self.commit, f"{folder}/")
        paths = map(Path, git(*listing).decode().split("\0"))
        return [path for path in paths if path.suffix == suffix]

    def read(self, path: Path) -> bytes:
        """A file as it was."""
        return git("cat-file", "blob", f"{self.commit}:{path.as_posix()}")

    @cached_property
    def messages(self) -> list[str]:
        """The paragraphs of what the commits since say."""
        text = git("log", "--format=%B%n", f"{self.commit}..HEAD").decode()
        return re.split(r"\n\s*\n", text)

    def is_explained(self, *names: str) -> bool:
        """Whether a message since has one of these names, with some words beside it."""
        any_name = "|".join(map(re.escape, names))
        named = re.compile(rf"(?<![\w.-])(?:{any_name})(?![\w-]|\.\w)")
        return any(
            named.search(paragraph) and len(_WORD.findall(paragraph)) >= _WORDS
            for paragraph in self.messages
        )


@dataclass
class Pages:
    """What pages claim, the ids of texts that the build refuses, and where else links lead."""

    claims: dict[str, Stated] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, texts: Iterable[tuple[Path, str]]) -> Pages:
        """Read pages: each its path and text."""
        pages = cls()
        for path, text in texts:
            pages.targets.update(TARGET.findall(text))
            said, (claims, _) = sentences(text), read_claims(text, str(path))
            stated = [(claim, said.get(claim.id, "")) for claim in claims]
            for claim, sentence in [*stated, *read_boxes(text, str(path))]:
                pages.claims[claim.id] = Stated(claim, sentence)
            pages.refused.update(said.keys() - pages.claims)
        return pages


def of_claims(base: Base, before: dict[str, Stated], now: Pages) -> Iterator[str]:
    """Ids that are gone, and claims that went or say less than they did."""
    for name, old in before.items():
        begin = f"{old.claim.page}: claim {name!r}"
        if name not in now.claims.keys() | now.refused | now.targets:
            yield (
                f"{begin} is gone since {base.name}: ids are links, which never change; "
                f"give it back, or write ({name})= above what took its place"
            )
        elif name not in now.refused and not base.is_explained(name):
            for less in less_of(old, now.claims.get(name)):
                yield f"{begin} {less} since {base.name}: {REASON.format('id')}"


def less_of(old: Stated, new: Stated | None) -> Iterator[str]:
    """What a claim says less, in words that follow its id."""
    if new is None:
        yield "is no claim any more"
        return
    yield from lost(old.claim, new.claim)
    # Of words that values choose, the values may change places, too.
    ways = {"worded": True}, {"worded": False}
    if any(is_reordered([*old.roles(**way)], [*new.roles(**way)]) for way in ways):
        yield "shows what it measured in another order"


#: In a file of passes: the machine, its torch, and the examples that it ran, each with its code.
_MACHINE = re.compile(r'"machine": "(\w+)"')
_TORCH = re.compile(r'"torch": "([^"]+)"')
_RUN = re.compile(r'"(\w+)": \{\s*"code_key": "([0-9a-f]{64})"')
#: Who may sign, and by which key.
_KEEPER = re.compile(r"(?m)^([^#\s]\S*)(.*)$")


@dataclass(frozen=True)
class Pass:
    """What a file of passes holds, of whatever schema it is."""

    path: Path
    machines: frozenset[tuple[str, str]]
    runs: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, path: Path, text: str) -> Pass:
        """Read it; without a machine in it, its name is that."""
        torch = _TORCH.search(text)
        names = _MACHINE.findall(text) or [path.stem]
        machines = {(name, torch[1] if torch else "") for name in names}
        return cls(path, frozenset(machines), frozenset(_RUN.findall(text)))


def of_passes(base: Base) -> Iterator[str]:
    """Machines that are gone from the kept passes, and what they ran of today's code."""
    changed = [
        Pass.of(path, base.read(path).decode())
        for path in base.files(PASSES, ".json")
        if not path.exists() or path.read_bytes() != base.read(path)
    ]
    if not changed:
        return
    now = [
        Pass.of(path, path.read_text("utf-8")) for path in sorted(PASSES.glob("*.json"))
    ]
    today = set(code_keys())
    for old in changed:
        names = [old.path.stem, *(machine for machine, _ in old.machines)]
        if base.is_explained(*names):
            continue
        for machine in sorted(old.machines):
            kept = [each for each in now if machine in each.machines]
            missing = (old.runs & today).difference(*(each.runs for each in kept))
            examples = ", ".join(sorted({stem for stem, _ in missing}))
            if not kept:
                less = f"the pass of the machine {machine[0]} with torch {machine[1]} is gone"
            elif examples:
                less = f"the machine {machine[0]} has no pass of {examples} any more"
            else:
                continue
            yield f"{old.path}: {less} since {base.name}: {REASON.format('name')}"


def of_keepers(base: Base) -> Iterator[str]:
    """Keepers who came, by whom all that they sign is ours, and lists that went."""
    was = KEEPERS in base.files(KEEPERS.parent, "")
    before = set(_KEEPER.findall(base.read(KEEPERS).decode())) if was else set()
    now = KEEPERS.read_text("utf-8") if KEEPERS.exists() else ""
    for name, _key in sorted(set(_KEEPER.findall(now)) - before):
        if not base.is_explained(name):
            come = f"{KEEPERS}: {name} has a new key since {base.name}"
            yield f"{come}: say whose builder that is in the message of a commit"
    for path in base.files(SIGNED, ".txt"):
        if not path.exists() and not base.is_explained(path.stem):
            less = f"{path}: what {path.stem} signed is unsigned since {base.name}"
            yield f"{less}: {REASON.format('name')}"


def code_keys() -> Iterator[tuple[str, str]]:
    """The examples with the keys of their code, as it is."""
    for path in EXAMPLES.rglob("[!_]*.py"):
        try:
            yield path.stem, read_script(path).code_key
        except (PageError, ScriptError):
            continue


def renamed(before: dict[str, Stated], now: Pages, base: Base) -> dict[str, Stated]:
    """What was claimed, with the new name of an example whose script is gone.

    A script may change under its name, so it may change its name as well.
    """
    earlier = {path.stem for path in base.files(EXAMPLES, ".py")}
    here = {path.stem for path in EXAMPLES.rglob("*.py")}
    claims = {}
    for name, old in before.items():
        new = now.claims.get(name, old)
        gone, come = old.claim.stems - here, new.claim.stems - earlier
        alike = len(gone) == len(come) == 1
        claims[name] = old.with_stem(*gone, *come) if alike else old
    return claims


def main(name: str = "main") -> list[str]:
    """Print what changed; gives what needs a reason and has none."""
    base = Base.of(name)
    pages = base.files(DOCS, ".md")
    before = Pages.of((path, base.read(path).decode()) for path in pages).claims
    now = Pages.of(
        (path, path.read_text("utf-8")) for path in sorted(DOCS.rglob("*.md"))
    )
    earlier = {path.stem: path for path in base.files(EXAMPLES, ".json")}
    here = {path.stem: path for path in EXAMPLES.rglob("*.json")}
    comparable = renamed(before, now, base)
    both = before.keys() & now.claims.keys()
    print(
        show_changes(
            Version(before, lambda stem: base.read(earlier[stem])),
            Version(now.claims, lambda stem: here[stem].read_bytes()),
            name,
            {each: [*less_of(comparable[each], now.claims[each])] for each in both},
        )
    )
    return [*of_claims(base, comparable, now), *of_passes(base), *of_keepers(base)]


if __name__ == "__main__":
    sys.exit("\n".join(main(*sys.argv[1:])) or None)
