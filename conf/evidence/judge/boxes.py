"""Claims in the form that pages had before sentences were claims: boxes, ``:::{claim} id``.

Their checks were options, ``:check:`` or one ``:value:`` with its ``:expect:``, and each checked
value stood in the sentence. No page is written so any more, but old revisions are: what is compared
with one reads it here. It was built once, so what a page must not write is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence.judge.claim import Claim, claim_of, read_check
from evidence.judge.pages import directives

_OPTION = re.compile(r":([\w-]+):\s*(.*)")


def read_boxes(text: str, page: str) -> Iterator[tuple[Claim, str]]:
    """The claims of a page's boxes in their order, each with its sentence as it is written.

    :raises ClaimError: when a claim is not understood today
    :raises ExpectationError: when an expectation is not
    """
    for name, claim_id, body, line in directives(text):
        if name == "claim":
            lines, options = body.splitlines(), dict[str, list[str]]()
            while lines and (match := _OPTION.fullmatch(lines[0])):
                options.setdefault(match[1], []).append(match[2])
                del lines[0]
            given = {name: " ".join(texts) for name, texts in options.items()}
            checks = options.get("check") or [f"{given['value']} {given['expect']}"]
            read = [read_check(check, given, "") for check in checks]
            yield claim_of(claim_id, given, read, page, line), "\n".join(lines)
