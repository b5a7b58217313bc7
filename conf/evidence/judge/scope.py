"""Scopes: on which builders a statement must hold."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence.records.model import Builder

GRAMMAR = (
    "any, sm_80+, gpus>=2, torch>=2.9, gpu == NVIDIA H200 or NVIDIA B200; "
    "several are joined by commas"
)

_CONDITION = re.compile(
    r"any|sm_(?P<sm>\d+\d)\+|gpus\s*>=\s*(?P<gpus>\d+)|gpu\s*==\s*(?P<gpu>.+)"
    r"|torch\s*>=\s*(?P<since>\d+\.\d+)|torch\s*<\s*(?P<before>\d+\.\d+)"
)


class ScopeError(ValueError):
    """A scope that is not in the grammar."""


@dataclass(frozen=True)
class Scope:
    """Conditions, all of which must hold, as they were written."""

    text: str = "any"

    @classmethod
    def parse(cls, text: str) -> Scope:
        """Read a scope.

        :raises ScopeError: when it is not in the grammar
        """
        for part in text.split(","):
            if not _CONDITION.fullmatch(part.strip()):
                raise ScopeError(f"bad scope {part.strip()!r}; write one of {GRAMMAR}")
        return cls(text)

    def holds_on(self, builder: Builder) -> bool:
        """Whether a statement of this scope must hold on a builder."""
        return all(_holds(part.strip(), builder) for part in self.text.split(","))


def _holds(condition: str, builder: Builder) -> bool:
    match = _CONDITION.fullmatch(condition)
    assert match is not None
    bound = match[match.lastgroup or 0]
    match match.lastgroup:
        case "sm":
            return _version(builder.capability) >= (int(bound[:-1]), int(bound[-1]))
        case "gpus":
            return builder.gpus >= int(bound)
        case "gpu":
            return builder.gpu in re.split(r"\s+or\s+", bound)
        case "since":
            return _version(builder.torch) >= _version(bound)
        case "before":
            return _version(builder.torch) < _version(bound)
    return True


def _version(text: str) -> tuple[int, int]:
    """Major and minor; one that is not known is older than any."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)
