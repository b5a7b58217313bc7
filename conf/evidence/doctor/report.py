"""What the doctor found, as lines or as data, and the exit code that follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence.doctor.known import Known, fails

#: Nothing that harms was found; something was; there was nothing to tell by.
NOTHING, HARM, CANNOT_TELL = 0, 1, 2
SCHEMA = 1


@dataclass(frozen=True)
class Found:
    """A finding by its name in ``findings.toml``, and the words and values that its text takes."""

    name: str
    words: Mapping[str, Any] = field(default_factory=dict)
    lines: Sequence[int] = ()


@dataclass(frozen=True)
class Unread:
    """A sentence on what could not be read; ``essential`` if without it nothing can be told."""

    text: str
    essential: bool = False


@dataclass
class Reading:
    """What was read of a machine and a script.

    ``machine`` has what is known of ``gpu``, ``gpus``, ``capability`` and ``torch``, for scopes,
    and of ``python``, ``driver`` and ``cuda``.
    """

    known: Known
    machine: dict[str, Any] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    def take(self, *outcomes: Found | Unread) -> None:
        """Add what a probe found."""
        for outcome in outcomes:
            if isinstance(outcome, Found):
                self.found.append(outcome)
            else:
                self.unread.append(outcome)

    def findings(self) -> list[dict[str, Any]]:
        """All findings as data, those that harm first."""
        every = [self._as_data(found) for found in self.found]
        return sorted(every, key=lambda finding: not finding["harm"])

    def _as_data(self, found: Found) -> dict[str, Any]:
        text = self.known.findings[found.name]
        claim = found.words.get("claim", text["claim"])
        words = {"claim": claim, **found.words}
        scope = self.known.claims.get(claim, {}).get("scope", "any")
        outside = fails(scope, self.machine)
        harm = text.get("harm", False)
        return {
            "finding": found.name,
            "harm": harm == "on any GPU" or (bool(harm) and not outside),
            **{part: text[part].format(**words) for part in ("what", "why", "do")},
            "lines": list(found.lines),
            "claim": claim,
            "address": self.known.address(claim),
            "scope": scope,
            "out_of_scope": outside,
        }

    def exit_code(self) -> int:
        """What a script may go by."""
        if any(finding["harm"] for finding in self.findings()):
            return HARM
        essential = any(unread.essential for unread in self.unread)
        return CANNOT_TELL if essential else NOTHING

    def as_data(self) -> dict[str, Any]:
        """All of it, for ``--json``."""
        return {
            "schema": SCHEMA,
            "machine": self.machine,
            "findings": self.findings(),
            "held": self.held,
            "unread": [unread.text for unread in self.unread],
            "exit": self.exit_code(),
        }

    def lines(self) -> Iterator[str]:
        """All of it, a line each."""
        yield ", ".join(self._machine())
        findings = self.findings()
        for finding in findings:
            yield _line(finding)
        for claim in self.held:
            yield f"holds: {self.known.claims[claim]['statement']}. [{self.known.address(claim)}]"
        for unread in self.unread:
            yield f"could not tell: {unread.text}"
        harmful = sum(finding["harm"] for finding in findings)
        counts = f"{harmful} that harm, {len(findings) - harmful} to know"
        yield f"{len(findings)} findings: {counts}; exit code {self.exit_code()}"

    def _machine(self) -> Iterator[str]:
        for name in ("python", "torch", "cuda", "driver"):
            if self.machine.get(name):
                yield f"{name} {self.machine[name]}"
        if "gpus" in self.machine:
            yield f"{self.machine['gpus']} × {self.machine.get('gpu', 'GPU')}"


def _line(finding: Mapping[str, Any]) -> str:
    """A finding: what, why, what to do, and the address of its claim."""
    numbers = ", ".join(map(str, finding["lines"]))
    where = f"line{'s' * (len(finding['lines']) > 1)} {numbers}: " if numbers else ""
    scope = f"; measured where {finding['scope']}" if finding["scope"] != "any" else ""
    if finding["out_of_scope"]:
        scope = f"; out of scope here: it was measured where {finding['out_of_scope']}"
    mark = "harms" if finding["harm"] else "know"
    said = f"{finding['what']}: {finding['why']}. To do: {finding['do']}"
    return f"{mark}: {where}{said}. [{finding['address']}{scope}]"
