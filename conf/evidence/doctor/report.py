"""What the doctor found, as lines or as data, and the exit code that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from textwrap import shorten
from types import SimpleNamespace
from typing import Any, TypeAlias

from evidence.judge.scope import Scope

#: Nothing that harms was found; something was; what was asked cannot be told.
NOTHING, HARM, CANNOT_TELL = 0, 1, 2
#: A finding by its name, and the words of its text; or a sentence on what could not be read.
Outcome: TypeAlias = "tuple[str, dict[str, Any]] | str"
#: What could not be read is told in one line of at most so many characters; as data, it is whole.
LONGEST = 200


@dataclass
class Report:
    """What was read of a machine and a script.

    ``findings`` are all that there may be, ``claims`` those that are known, both by name, and
    ``scripts`` those of the health check. ``machine`` has, as far as they are known, what a scope
    asks for (``gpu``, ``gpus``, ``capability``, ``torch``), ``python``, ``cuda`` and ``driver``.
    """

    findings: dict[str, Any]
    scripts: dict[str, str]
    claims: dict[str, Any]
    machine: dict[str, Any] = field(default_factory=dict)
    found: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    can_tell: bool = True

    def take(self, name: str, outcomes: Iterable[Outcome]) -> bool:
        """Add what a probe finds, and tell whether it came to its end; else, that is a sentence."""
        try:
            for outcome in outcomes:
                if isinstance(outcome, str):
                    self.unread.append(outcome)
                else:
                    self.found.append(outcome)
        except Exception as error:
            self.unread.append(f"{name}: {type(error).__name__}: {error}")
            return False
        return True

    def exit_code(self) -> int:
        """What a script may go by."""
        if any(finding["harms"] for finding in self.told()):
            return HARM
        return NOTHING if self.can_tell else CANNOT_TELL

    def told(self) -> list[dict[str, Any]]:
        """The findings with their words, those that harm first."""
        every = [self._told(name, words) for name, words in self.found]
        return sorted(every, key=lambda finding: not finding["harms"])

    def _told(self, name: str, words: dict[str, Any]) -> dict[str, Any]:
        text = {"harm": False, "lines": [], **self.findings[name], **words}
        claim = self.claims.get(text["claim"], {"scope": "any", "address": ""})
        scope, builder = Scope(claim["scope"]), SimpleNamespace(**self.machine)
        # Before a GPU is known, nothing is out of scope.
        outside = "gpu" in self.machine and not scope.holds_on(builder)  # type: ignore[arg-type]
        told = {part: text[part].format(**text) for part in ("what", "why", "do")}
        told |= {"finding": name, "lines": text["lines"], "claim": text["claim"]}
        told |= {"address": claim["address"], "scope": scope.text}
        harms = text["harm"] == "on any GPU" or (bool(text["harm"]) and not outside)
        return {**told, "out_of_scope": outside, "harms": harms}

    def data(self) -> dict[str, Any]:
        """All of it, for ``--json``."""
        parts = {"machine": self.machine, "held": self.held, "unread": self.unread}
        end = {"findings": self.told(), "exit_code": self.exit_code()}
        return {"schema": 1, **parts, **end}

    def lines(self) -> Iterator[str]:
        """All of it, a line each."""
        if self.machine:
            yield ", ".join(f"{name} {value}" for name, value in self.machine.items())
        findings = self.told()
        yield from map(_line, findings)
        for claim in map(self.claims.__getitem__, self.held):
            yield f"holds: {claim['statement']}. [{claim['address']}]"
        yield from (shorten(f"unread: {each}", LONGEST) for each in self.unread)
        harmful = sum(finding["harms"] for finding in findings)
        counted = f"findings: {len(findings)}, of which {harmful} harm"
        yield f"{counted}; exit code {self.exit_code()}"


def _line(finding: dict[str, Any]) -> str:
    """A finding: what, why, what to do, and the address of its claim."""
    lines, scope = ", ".join(map(str, finding["lines"])), ""
    if finding["scope"] != "any":
        here = "out of scope here: " if finding["out_of_scope"] else ""
        scope = f"; {here}it was measured where {finding['scope']}"
    mark = ("harms: " if finding["harms"] else "know: ") + (lines and f"line {lines}: ")
    said = f"{finding['what']}: {finding['why']}. To do: {finding['do']}."
    return f"{mark}{said} [{finding['address'] or finding['claim']}{scope}]"
