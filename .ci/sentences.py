"""The sentences of claims that changed, as Markdown: each beside its checks and their values."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from evidence.judge.claim import LISTS, Claim, read_check
from evidence.judge.wording import addresses
from evidence.records.address import Address, AddressError, Records, lookup
from evidence.records.model import Plain
from evidence.records.store import RecordError, parse
from evidence.records.units import format_cell

_ROLE = re.compile(r"\{measured\}`([^`]+)`")
_CHOICE = re.compile(r"(.+?)\s*\|\s*(.+?)\s*<[^<>]+>", re.DOTALL)
_LABEL = re.compile(r"(true|false):\s*(.+)", re.DOTALL)
#: A block within a claim, which shows code: its first line tells which.
_BLOCK = re.compile(
    r"^(`{3,}|:{3,})\{([\w-]+)\} *(.*?)$.*?^\1 *$", re.DOTALL | re.MULTILINE
)
#: What stands beside the checks.
OPTIONS = ("scope", "control", "documented", *LISTS)
#: Sentences less alike than this are shown one below the other.
_ALIKE = 0.4


class Role(NamedTuple):
    """A role of a sentence: its addresses, and of a choice what is said if true, and if false."""

    addresses: tuple[Address, ...]
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str, prefix: str) -> Role:
        """Read a role as it is written; with labels, either choice may stand first."""
        match = _CHOICE.fullmatch(text)
        words = match.group(1, 2) if match else ()
        labelled = [_LABEL.fullmatch(choice) for choice in words]
        said = {label[1]: label[2] for label in labelled if label}
        if said.keys() == {"true", "false"}:
            words = said["true"], said["false"]
        return cls(addresses(text, prefix), words)


@dataclass(frozen=True)
class Stated:
    """A claim with its text as it is written."""

    claim: Claim
    text: str

    def with_stem(self, old: str, new: str) -> Stated:
        """The same claim on an example that has another name."""

        def renamed(text: str) -> str:
            return re.sub(rf"(?<![\w.]){old}(?=\.)|(?<=^){old}$", new, text)

        given = {"of": renamed(self.claim.of), "documented": self.claim.documented}
        checks = tuple(
            read_check(renamed(f"{check.value} {check.expect}"), given, check.label)
            for check in self.claim.checks
        )
        claim = replace(self.claim, of=given["of"], checks=checks)
        return Stated(claim, renamed(self.text))

    @property
    def options(self) -> dict[str, str]:
        """What stands beside its checks, where that is said."""
        named = {name: getattr(self.claim, name) for name in ("control", "documented")}
        named |= {name: ", ".join(getattr(self.claim, name)) for name in LISTS}
        said = {"scope": self.claim.scope.text, **named}
        return {name: text for name, text in said.items() if text not in ("", "any")}

    @property
    def said(self) -> tuple[str, list[str], dict[str, str]]:
        """All that a reviewer reads of it."""
        checks = [f"{check.value} {check.expect}" for check in self.claim.checks]
        return self.text, checks, self.options

    def roles(self, *, worded: bool = True) -> Iterator[str]:
        """What its sentence shows, in this order.

        :param worded: with the words that a value chooses, each apart
        """
        for text in _ROLE.findall(self.text):
            role = Role.of(text, self.claim.of)
            shown = " of ".join(map(str, role.addresses))
            words = (worded and role.words) or ("",)
            yield from (f"{each} <{shown}>" for each in words)

    def sentence(self, records: Records) -> str:
        """Its text in one line, with the measured values in it, and names for blocks of code."""
        text = _BLOCK.sub(r"(\2 \3)", self.text)
        text = _ROLE.sub(
            lambda match: _value(Role.of(match[1], self.claim.of), records), text
        )
        return " ".join(text.split())


def _value(role: Role, records: Records) -> str:
    """A role as a reader sees it; of a choice also the words that are not shown."""
    if not role.words:
        return " of ".join(_measured(address, records) for address in role.addresses)
    try:
        value = lookup(role.addresses[0], records)
    except AddressError:
        return f"[{' | '.join(role.words)}]"
    said, other = role.words if value == Plain(True) else role.words[::-1]
    return f"{said} [else: {other}]"


def _measured(address: Address, records: Records) -> str:
    """A measured value, or a question mark where there is none."""
    try:
        return format_cell(address.quantity, lookup(address, records))
    except AddressError:
        return "?"


class Version(NamedTuple):
    """The claims of a version of the site, by id, and how the record of an example is read."""

    claims: Mapping[str, Stated]
    read: Callable[[str], bytes]

    def records(self, stems: Iterable[str]) -> Records:
        """The records of these examples that can be read."""
        records = {}
        for stem in stems:
            with suppress(RecordError, KeyError):
                records[stem] = parse(self.read(stem))
        return records


def show_changes(
    old: Version, new: Version, since: str, less: Mapping[str, Sequence[str]]
) -> str:
    """What a reviewer should read: new and changed claims, and those that are gone.

    :param less: what claims say less, by id, in words that follow it
    """
    changed = [
        name
        for name in sorted({*old.claims, *new.claims})
        if _said(old.claims.get(name)) != _said(new.claims.get(name))
    ]
    if not changed:
        return f"No claim has other words or checks since {since}."
    count = "1 claim has" if len(changed) == 1 else f"{len(changed)} claims have"
    kinds = Counter(_kind(name, old, new, less) for name in changed)
    counted = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()) if kind)
    title = f"## {count} other words or checks since {since}"
    sections = (_section(name, old, new, less) for name in changed)
    return "\n\n".join([title, *filter(None, [counted]), *sections])


def _kind(
    name: str, old: Version, new: Version, less: Mapping[str, Sequence[str]]
) -> str:
    """What became of a claim; empty where it says as much as before, or more."""
    if name not in old.claims:
        return "new"
    if name not in new.claims:
        return "gone"
    return "weaker" if less.get(name) else ""


def _said(stated: Stated | None) -> object:
    return stated and stated.said


def _section(
    name: str, old: Version, new: Version, less: Mapping[str, Sequence[str]]
) -> str:
    """One claim: its place, its sentence, a table of what it checks, what else changed."""
    both = old.claims.get(name), new.claims.get(name)
    records = [
        version.records(stated.claim.stems if stated else ())
        for version, stated in zip((old, new), both, strict=True)
    ]
    sentences = [
        stated.sentence(measured) if stated else ""
        for stated, measured in zip(both, records, strict=True)
    ]
    claim = next(stated.claim for stated in reversed(both) if stated)
    kind = _kind(name, old, new, less)
    place = ", ".join(filter(None, (claim.page, f"line {claim.line}", kind)))
    weaker = less[name] if kind == "weaker" else ()
    parts = [
        f"### {name}\n\n{place}",
        marked(*sentences),
        "\n".join(_table([*both], records)),
        "\n".join([*_options(*both), *(f"- weaker: it {text}" for text in weaker)]),
    ]
    return "\n\n".join(filter(None, parts))


def marked(old: str, new: str) -> str:
    """A sentence with what went struck out and what came in bold; or both, if little stayed."""
    if not old or not new or old == new:
        return f"> {new or f'~~{old}~~'}"
    one, two = old.split(), new.split()
    matcher = difflib.SequenceMatcher(None, one, two, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return f"> was: {old}\n>\n> is: {new}"
    words = []
    for _, i, j, k, m in matcher.get_opcodes():
        if one[i:j] == two[k:m]:
            words += one[i:j]
            continue
        if one[i:j]:
            words.append(f"~~{' '.join(one[i:j])}~~")
        if two[k:m]:
            words.append(f"**{' '.join(two[k:m])}**")
    return f"> {' '.join(words)}"


def _table(both: Sequence[Stated | None], records: Sequence[Records]) -> Iterator[str]:
    """The rows of a table: each value that is or was checked, how, and what was measured."""
    yield "| value | expected | measured |\n|---|---|---|"
    checks = [_by_value(stated) for stated in both]
    for value in dict.fromkeys([*checks[1], *checks[0]]):
        expected = [each.get(value, "nothing") for each in checks]
        measured = [_measured(value, each) for each in records]
        if None in both:  # it is new, or gone: nothing became of it
            expected = [text for text in expected if text != "nothing"]
            measured = [text for text in measured if text != "?"] or ["?"]
        cells = (f"`{value}`", _became(expected), _became(measured))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _by_value(stated: Stated | None) -> dict[Address, str]:
    """What is expected of each value."""
    checks: dict[Address, list[str]] = {}
    for check in stated.claim.checks if stated else ():
        checks.setdefault(check.value, []).append(check.expect)
    return {value: " and ".join(expected) for value, expected in checks.items()}


def _options(before: Stated | None, after: Stated | None) -> Iterator[str]:
    """What else a claim says, where that changed."""
    for name in OPTIONS if before and after else ():
        texts = [
            stated.options.get(name, "none") for stated in (before, after) if stated
        ]
        if texts[0] != texts[1]:
            yield f"- {name}: {_became(texts)}"


def _became(texts: Sequence[str]) -> str:
    """What was and what is, if that differs."""
    return " → ".join(dict.fromkeys(texts))
