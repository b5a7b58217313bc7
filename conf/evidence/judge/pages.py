"""Reading the claims of a page from its text, without Sphinx.

The build reads them through a directive, and checks that both saw the same set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin

from evidence.judge.claim import (
    OPTIONS,
    Claim,
    ClaimError,
    check_id,
    claim_of,
    read_check,
)
from evidence.judge.expect import ExpectationError
from evidence.judge.scope import ScopeError

#: The folder of generated pages, which state nothing of their own.
GENERATED = "gallery"
_DIRECTIVE = re.compile(r"\{([\w-]+)\}\s*(.*)")
_SPAN = re.compile(r"\]\{#([a-z][a-z0-9-]*)\}")
_ROW = re.compile(r"(?m)^:row: .*\{#([a-z][a-z0-9-]*)\}$")
_BOX_OPTION = re.compile(r":([\w-]+):\s*(.*)")
_LINE = re.compile(r"(\s*)(:?)([^:]+):\s*(.*)")


def make_claims(
    argument: str, body: str, page: str, line: int
) -> tuple[list[Claim], list[tuple[int, str]]]:
    """The claims of a ``checks`` block, and those that are wrong as line and reason.

    :param argument: the example that it is about, or a value of it: what its addresses share
    :param line: that of the first line of its body
    """
    shared: dict[str, str] = {"of": argument.strip()}
    entries: list[_Entry] = []
    wrong: list[tuple[int, str]] = []
    for number, text in enumerate(body.splitlines(), line):
        match = _LINE.fullmatch(text)
        if not text.strip() or text.lstrip().startswith("%"):
            continue
        if match is None:
            wrong.append(
                (number, f"{text.strip()!r} is no 'label: address expectation'")
            )
        elif not match[1] and not match[2] and not match[4]:
            entries.append(_Entry(match[3], number, dict(shared)))
        else:
            try:
                owner = entries[-1] if entries else _Entry("", number, shared)
                owner.note(number, match[2], match[3].strip(), match[4].strip())
            except ClaimError as error:
                wrong.append((number, str(error)))
    claims = [claim for entry in entries if (claim := entry.claim(page, wrong))]
    return claims, wrong


@dataclass
class _Entry:
    """A claim of a ``checks`` block while it is read, or what stands before the first.

    ``checks`` are lines with their numbers, by their labels.
    """

    id: str
    line: int
    options: dict[str, str]
    checks: dict[str, tuple[int, str]] = field(default_factory=dict)

    def note(self, line: int, mark: str, name: str, text: str) -> None:
        """A line: an option if it begins with a colon, else a check.

        :raises ClaimError: when it stands twice, or is neither
        """
        begin = f"claim {self.id!r}: " if self.id else ""
        if not mark and name in OPTIONS:
            raise ClaimError(f"{begin}{name!r} is an option: write ':{name}:'")
        if mark and name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise ClaimError(f"{begin}unknown option {name!r} (known: {known})")
        if not mark and not self.id:
            raise ClaimError(f"{name!r} belongs to no claim: write its id above")
        if not text:
            raise ClaimError(f"{begin}{name!r} says nothing")
        if name in self.checks:
            raise ClaimError(f"{begin}the label {name!r} stands twice")
        if mark:
            self.options[name] = text
        else:
            self.checks[name] = line, text

    def claim(self, page: str, wrong: list[tuple[int, str]]) -> Claim | None:
        """The claim, whole; None where it checks nothing or is not understood, which is noted."""
        at, checks = self.line, []
        try:
            check_id(self.id)
            if not self.checks:
                raise ClaimError("checks nothing")
            for label, (line, text) in self.checks.items():
                at = line
                checks.append(read_check(text, self.options, label))
            at = self.line
            return claim_of(self.id, self.options, checks, page, at)
        except (ClaimError, ExpectationError, ScopeError) as error:
            wrong.append((at, f"claim {self.id!r}: {error}"))
            return None


def read_claims(text: str, page: str) -> tuple[list[Claim], list[tuple[int, str]]]:
    """The claims of a MyST page in their order; those that are wrong as line and reason."""
    claims, wrong = [], []
    for name, argument, body, line in directives(text):
        if name == "checks":
            made, refused = make_claims(argument, body, page, line + 1)
            claims += made
            wrong += refused
    return claims, wrong


def read_folder(
    docs: Path,
) -> Iterator[tuple[str, list[Claim], list[tuple[int, str]]]]:
    """Each page of a folder with its claims, as :func:`read_claims` gives them.

    Not of generated pages, which state nothing of their own.
    """
    for path in sorted(docs.rglob("*.md")):
        page = path.relative_to(docs).with_suffix("").as_posix()
        if not page.startswith(f"{GENERATED}/"):
            yield page, *read_claims(path.read_text("utf-8"), page)


def read_boxes(text: str, page: str) -> Iterator[tuple[Claim, str]]:
    """The claims of an old revision's page in their order, each with its sentence as written.

    Before sentences were claims, boxes were, ``:::{claim} id``: with options, ``:check:`` or one
    ``:value:`` with its ``:expect:``, and each checked value in the sentence. What is compared with
    such a revision reads it here. It was built once: what no page may write is not looked for.

    :raises ClaimError: when a claim is not understood today
    :raises ExpectationError: when an expectation is not
    """
    for name, claim_id, body, line in directives(text):
        if name == "claim":
            lines, options = body.splitlines(), dict[str, list[str]]()
            while lines and (match := _BOX_OPTION.fullmatch(lines[0])):
                options.setdefault(match[1], []).append(match[2])
                del lines[0]
            given = {name: " ".join(texts) for name, texts in options.items()}
            checks = options.get("check") or [f"{given['value']} {given['expect']}"]
            read = [read_check(check, given, "") for check in checks]
            yield claim_of(claim_id, given, read, page, line), "\n".join(lines)


def sentences(text: str) -> dict[str, str]:
    """The text of each span and block of a page that has an id, by that id, as it is written.

    Of a row of a sweep that is the title of its claim.
    """
    parts = [*directives(text)]
    sweeps = (part.body for part in parts if part.name == "recorded")
    rows = {name for body in sweeps for name in _ROW.findall(body)}
    claims = read_claims(text, "")[0] if rows else []
    found = {claim.id: claim.title for claim in claims if claim.id in rows}
    for part in parts:
        if part.name in ("wrong", "right", "result"):
            found[part.argument] = part.body
    for end in _SPAN.finditer(text):
        start, depth = end.start(), 1
        while depth and start:
            start -= 1
            depth += {"]": 1, "[": -1}.get(text[start], 0)
        found[end[1]] = text[start + 1 : end.start()]
    return found


class Directive(NamedTuple):
    """A directive as it stands on a page."""

    name: str
    argument: str
    body: str
    line: int


def directives(text: str, first_line: int = 1) -> Iterator[Directive]:
    """Yield every directive of a MyST page, nested ones too."""
    for token in _parser().parse(text):
        match = _DIRECTIVE.fullmatch(token.info.strip())
        if match and token.map:
            line = first_line + token.map[0]
            yield Directive(match[1], match[2], token.content, line)
            yield from directives(token.content, line + 1)


@cache
def _parser() -> MarkdownIt:
    """A parser of blocks: directives are, and most of the time would go into the rest."""
    return MarkdownIt("commonmark").use(colon_fence_plugin).disable("inline")
