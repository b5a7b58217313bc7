"""A text that somebody else wrote, as one in which nothing acts: no link, mention or mark.

``python .ci/verbatim.py < TEXT``, or ``… ARCHIVE.zip TEXT`` of one in an archive, gives Markdown
for a comment or an issue. It needs no package.
"""

from __future__ import annotations

import sys
from contextlib import nullcontext
from textwrap import indent
from zipfile import ZipFile

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


def main(archive: str = "", name: str = "") -> None:
    """Read no more than may be shown, however much there is."""
    with (
        ZipFile(archive).open(name)
        if archive
        else nullcontext(sys.stdin.buffer) as text
    ):
        read = text.read(4 * MOST)
    print(verbatim(read.decode("utf-8", "replace")), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
