"""The two arms of a hazard: what goes wrong and its fixed form, which may not change places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes

from evidence.judge.claim import Claim

#: So many characters of code fit beside as many.
LONGEST_LINE = 38


class Arm(NamedTuple):
    """One of the two claims of a hazard, with its code and what that was chosen by."""

    claim: Claim
    code: str = ""
    names: str = ""

    @property
    def is_wide(self) -> bool:
        """Whether its code is too wide to stand beside other code."""
        return any(len(line) > LONGEST_LINE for line in self.code.splitlines())

    @property
    def checked(self) -> set[str]:
        """The words of the values that it checks, without those of the example."""
        return _words(" ".join(check.value.name for check in self.claim.checks))


def exchanged(wrong: Arm, right: Arm) -> Iterator[str]:
    """What allows that the two claims of a hazard, or their codes, change places."""
    # Words that the names in the codes share with their own checks, and crosswise.
    own = crosswise = 0
    for arm, other in ((wrong, right), (right, wrong)):
        part = arm.claim.shows
        if part and (part not in arm.code or part in other.code):
            yield f"the code of {arm.claim.id!r} alone has to show {part!r}"
        names = _words(arm.names) - _words(other.names)
        own += len(names & (arm.checked - other.checked))
        crosswise += len(names & (other.checked - arm.checked))
    told = wrong.claim.shows or right.claim.shows or own > crosswise
    if (wrong.code or right.code) and not told:
        yield (
            f"nothing tells whether its code belongs to {wrong.claim.id!r} or to "
            f"{right.claim.id!r}: write a part of it as ':shows:' of that claim"
        )


def _words(text: str) -> set[str]:
    """How its words begin: "wait" and "waiting" are one."""
    return {word[:4] for word in re.findall(r"[a-z]{2,}|\d+", text.lower())}


def arm(claim: Claim, box: nodes.Element) -> Arm:
    """A claim with the code of its box."""
    blocks = [*box.findall(nodes.literal_block)]
    code = "\n".join(block.astext() for block in blocks)
    names = " ".join(block.get("chosen", "") for block in blocks)
    return Arm(claim, code, names)
