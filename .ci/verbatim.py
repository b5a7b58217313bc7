"""A text that somebody else wrote, as one in which nothing acts: no link, mention, picture or mark.

``python .ci/verbatim.py < TEXT`` gives Markdown for a comment or an issue. It needs no package.
"""

from __future__ import annotations

import sys
from textwrap import indent

#: GitHub takes 65,536 characters; what stands around the text has the rest.
MOST = 60_000


def verbatim(text: str) -> str:
    """Every line as code. What is cut off is said; what cannot be seen becomes a space."""
    seen = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    # A fence could be closed by the text; an indented line has no end but its own.
    code = indent(seen.strip("\n"), " " * 4, lambda _: True)
    if len(code) <= MOST:
        return f"{code}\n"
    return f"{code[:MOST]}\n\nThis is not all of it: the summary of the run is.\n"


if __name__ == "__main__":
    # No more is read than may be shown, however much there is.
    read = sys.stdin.buffer.read(4 * MOST)
    print(verbatim(read.decode("utf-8", "replace")), end="")
