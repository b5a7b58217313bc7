"""Words of direction in a translation: those that it lacks, and those that say the opposite."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: English where the words of a rule say something else.
_IDIOMS = re.compile(
    r"\bnot only\b|\bno matter\b|\bno longer\b|\bnothing but\b|\bafter all\b|\bno\. |\bat first\b"
    r"|\bone after (?:the other|another)\b|\bMay \d|\bno doubt\b|\bnone ?the ?less\b"
    r"|\bwhether or not\b|\bmore or less\b|\bonce more\b|\bfirst of all\b|\bas before\b"
    r"|\b(?:left|leav\w*) (?:[\w ]{0,30} )?alone\b|\bnormally distributed\b|\bor not\b"
    r"|\bnot at all\b|\bat all\b|\bnamed after\b"
    r"|\beach other\b|\band more\b|\bnot matter\b"
    # Before a value it tells how often: after 20 steps.
    r"|\b(?:after|before) (?=[\0\1\3])",
    re.IGNORECASE,
)


def _english(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_COUNTERPARTS = {
    _english(said): re.compile(theirs)
    for said, theirs in TABLES["counterparts"].items()
}
#: Chinese words, and the English one of which they need.
_NEEDED = {
    re.compile(said): _english(words) for said, words in TABLES["needed"].items()
}
#: Of two opposites: English that says one, all Chinese for it, Chinese that says the other alone,
#: and English that may mean the other.
_OPPOSITES = [
    (
        _english(own["said"]),
        re.compile(own["fits"]),
        re.compile(other["plain"]),
        _english(f"{other['said']}|{other['like']}"),
    )
    for pair in TABLES["opposites"]
    for own, other in (("one", "two"), ("two", "one"))
    for own, other in [(pair[own], pair[other])]
]


def lacking(english: str, chinese: str) -> Iterator[str]:
    """Words of direction that have fewer counterparts in the translation."""
    bare = _IDIOMS.sub(" ", english)
    for said, counterparts in _COUNTERPARTS.items():
        words, found = said.findall(bare), counterparts.findall(chinese)
        if len(words) > len(found):
            often = (
                "nothing says" if not found else f"of {len(words)}, {len(found)} say"
            )
            yield f"{often} {words[0]!r}"


def contrary(english: str, chinese: str) -> Iterator[str]:
    """Words of a translation that it says more often than its English, and their opposites less."""
    for own, fits, plain, other in _OPPOSITES:
        said, found = own.findall(english), plain.findall(chinese)
        if (
            found
            and len(fits.findall(chinese)) < len(said)
            and len(found) > len(other.findall(english))
        ):
            yield f"{found[0]!r} is the opposite of {said[0]!r}"


def unsaid(english: str, chinese: str) -> Iterator[str]:
    """Words of a translation that it has more often than its English has words for them."""
    for said, needed in _NEEDED.items():
        found = said.findall(chinese)
        if len(found) > len(needed.findall(english)):
            yield f"{found[-1]!r} is not in the English so often"
