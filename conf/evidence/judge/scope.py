"""A scope: on which builders a statement must hold.

It needs the standard library alone, because the doctor asks it on strangers' machines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence.records.versions import release

if TYPE_CHECKING:
    from evidence.records.model import Builder


class ScopeError(ValueError):
    """A scope that is not in the grammar."""


SCOPES = (
    "any, sm_80+, gpus>=2, torch>=2.9, gpu == NVIDIA H200 or NVIDIA B200; "
    "several are joined by commas"
)

_CONDITION = re.compile(
    r"any|sm_(?P<sm>\d+\d)\+|gpus\s*>=\s*(?P<gpus>\d+)|gpu\s*==\s*(?P<gpu>.+)"
    r"|torch\s*>=\s*(?P<since>\d+\.\d+)|torch\s*<\s*(?P<before>\d+\.\d+)"
)


@dataclass(frozen=True)
class Scope:
    """Conditions, all of which must hold, as they were written.

    :raises ScopeError: when one is not in the grammar
    """

    text: str = "any"

    def __post_init__(self) -> None:
        for part in self.conditions:
            if not _CONDITION.fullmatch(part):
                bad = f"bad scope {part!r}"
                raise ScopeError(f"{bad}; write one of {SCOPES}")

    def holds_on(self, builder: Builder) -> bool:
        """Whether a statement of this scope must hold on a builder."""
        return all(_holds(part, builder) for part in self.conditions)

    @property
    def conditions(self) -> list[str]:
        """What must hold, one by one."""
        return [part.strip() for part in self.text.split(",")]

    @property
    def of_any_torch(self) -> Scope:
        """The scope without what it says of PyTorch's version."""
        rest = (part for part in self.conditions if not part.startswith("torch"))
        return Scope(",".join(rest) or "any")


def _holds(condition: str, builder: Builder) -> bool:
    match = _CONDITION.fullmatch(condition)
    assert match is not None
    bound = match[match.lastgroup or 0]
    match match.lastgroup:
        case "sm":
            return release(builder.capability) >= (int(bound[:-1]), int(bound[-1]))
        case "gpus":
            return builder.gpus >= int(bound)
        case "gpu":
            return builder.gpu in re.split(r"\s+or\s+", bound)
        case "since":
            return release(builder.torch) >= release(bound)
        case "before":
            return release(builder.torch) < release(bound)
    return True
