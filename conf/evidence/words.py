"""How words are marked that a reader sees: translators find them in the catalog ``evidence``.

``_`` and ``say`` translate the text that they are given; a text that is passed on by a variable is
marked where it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

#: Translates words.
Say: TypeAlias = "Callable[[str], str]"


def N_(text: str) -> str:  # noqa: N802 - its name wherever gettext is used
    """Mark words that are translated where they are shown, and leave them as they are."""
    return text
