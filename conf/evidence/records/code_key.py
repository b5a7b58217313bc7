"""The code key: decides whether a record still belongs to its script.

The key covers the code cells and the evidence settings. Prose, comments and blank lines are not
in it, so they can be edited without a GPU. It is built on ``tokenize``: the output of
``ast.dump`` and ``ast.unparse`` differs between the Python versions of builder and contributor.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import tokenize
from collections.abc import Iterable, Mapping
from typing import Any


def code_key(cells: Iterable[str], settings: Mapping[str, Any]) -> str:
    """SHA-256 over the cells that hold a statement, each without comments and blank lines.

    :param settings: what ``# sphinx_gallery_evidence = {...}`` says
    :raises SyntaxError: when a cell is not Python
    """
    bare = [strip_comments(cell) for cell in cells if has_statement(cell)]
    canonical = json.dumps([bare, dict(settings)], sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def has_statement(cell: str) -> bool:
    """Whether a code cell holds more than comments: only such cells have an output."""
    return bool(ast.parse(cell).body)


def strip_comments(source: str) -> str:
    """The source without comments and blank lines; strings and everything else untouched."""
    # Not str.splitlines: it also splits at form feeds and Unicode separators, tokenize does not.
    lines = io.StringIO(source).readlines()
    inside_string: set[int] = set()
    fstrings: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        (row, column), (last, _) = token.start, token.end
        if token.type == tokenize.COMMENT:
            lines[row - 1] = lines[row - 1][:column].rstrip() + "\n"
        elif tokenize.tok_name[token.type] == "FSTRING_START":
            # Python 3.12 gives the parts of an f-string, 3.11 the whole.
            fstrings.append(row)
        elif tokenize.tok_name[token.type] == "FSTRING_END":
            inside_string.update(range(fstrings.pop(), last))
        elif last > row:
            # A blank line within a string is part of the code.
            inside_string.update(range(row, last))
    kept = (
        line.rstrip() if number not in inside_string else line.rstrip("\n")
        for number, line in enumerate(lines, 1)
        if line.strip() or number in inside_string
    )
    return "\n".join(kept)
