"""Scopes: on which builders a statement must hold."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass

from evidence.records.model import Builder

GRAMMAR = (
    "any, sm_80+, gpus>=2, torch>=2.9, gpu == NVIDIA H200; several are joined by commas"
)

_CAPABILITY = re.compile(r"sm_(\d+)(\d)\+")
_GPUS = re.compile(r"gpus\s*>=\s*(\d+)")
_TORCH = re.compile(r"torch\s*(>=|<)\s*(\d+)\.(\d+)")
_GPU = re.compile(r"gpu\s*==\s*(.+)")

_OPERATORS = {">=": operator.ge, "<": operator.lt, "==": operator.eq}


class ScopeError(ValueError):
    """A scope that is not in the grammar."""


@dataclass(frozen=True)
class Condition:
    """A field of a builder compared with a count, a model or a version."""

    field: str
    operator: str
    bound: int | str | tuple[int, int]

    def holds_on(self, builder: Builder) -> bool:
        """Whether a builder meets it."""
        found = getattr(builder, self.field)
        if isinstance(self.bound, tuple):
            found = _version(found)
        return bool(_OPERATORS[self.operator](found, self.bound))


@dataclass(frozen=True)
class Scope:
    """The conditions of a scope, all of which must hold; ``text`` is how it was written."""

    text: str = "any"
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Scope:
        """Read a scope.

        :raises ScopeError: when it is not in the grammar
        """
        parts = [part.strip() for part in text.split(",")]
        return cls(text, tuple(_condition(part) for part in parts if part != "any"))

    def holds_on(self, builder: Builder) -> bool:
        """Whether a statement of this scope must hold on a builder."""
        return all(condition.holds_on(builder) for condition in self.conditions)


def _condition(text: str) -> Condition:
    if match := _CAPABILITY.fullmatch(text):
        return Condition("capability", ">=", (int(match[1]), int(match[2])))
    if match := _GPUS.fullmatch(text):
        return Condition("gpus", ">=", int(match[1]))
    if match := _TORCH.fullmatch(text):
        return Condition("torch", match[1], (int(match[2]), int(match[3])))
    if match := _GPU.fullmatch(text):
        return Condition("gpu", "==", match[1])
    raise ScopeError(f"bad scope {text!r}; write one of {GRAMMAR}")


def _version(text: str) -> tuple[int, int]:
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)
