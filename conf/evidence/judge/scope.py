"""Scopes: on which builders a statement must hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from evidence.records.model import Builder

GRAMMAR = (
    "any, sm_80+, gpus>=2, torch>=2.9, gpu == NVIDIA H200; several are joined by commas"
)

_CAPABILITY = re.compile(r"sm_(\d+)(\d)\+")
_GPUS = re.compile(r"gpus\s*>=\s*(\d+)")
_TORCH = re.compile(r"torch\s*(>=|<)\s*(\d+)\.(\d+)")
_GPU = re.compile(r"gpu\s*==\s*(.+)")


class ScopeError(ValueError):
    """A scope that is not in the grammar."""


def in_scope(scope: str, builder: Builder) -> bool:
    """Whether a statement of this scope must hold on this builder.

    :raises ScopeError: when the scope is not in the grammar
    """
    conditions = [_condition(part.strip()) for part in scope.split(",")]
    return all(condition(builder) for condition in conditions)


def _condition(text: str) -> Callable[[Builder], bool]:
    if text == "any":
        return lambda _: True
    if match := _CAPABILITY.fullmatch(text):
        least = (int(match[1]), int(match[2]))
        return lambda builder: _version(builder.capability) >= least
    if match := _GPUS.fullmatch(text):
        count = int(match[1])
        return lambda builder: builder.gpus >= count
    if match := _TORCH.fullmatch(text):
        release, newer = (int(match[2]), int(match[3])), match[1] == ">="
        return lambda builder: (_version(builder.torch) >= release) is newer
    if match := _GPU.fullmatch(text):
        model = match[1].strip()
        return lambda builder: builder.gpu == model
    raise ScopeError(f"bad scope {text!r}; write one of {GRAMMAR}")


def _version(text: str) -> tuple[int, int]:
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)
