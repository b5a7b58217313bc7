"""Today's claims, each with its sentence as a reader sees it, without a build."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from conftest import ROOT
from evidence.examples.library import open_library
from evidence.judge.claim import Claim
from evidence.judge.pages import read_claims, sentences
from evidence.judge.wording import addresses, wording
from evidence.records.address import Records
from evidence.records.units import THIN_SPACE

#: What is no sentence: code, figures and tables inside of a claim.
_BLOCKS = re.compile(r"^(`{3,}|:{3,}).*?^\1 *$", re.DOTALL | re.MULTILINE)
_ROLE = re.compile(r"\{(\w[\w:]*)\}`([^`]+)`")
_MARKUP = re.compile(r"\[([^\]]+)\](?:\([^)\s]+\)|\{[^}]+\})|`([^`]+)`|\*+|(?m:^[-|] )")


class Said(NamedTuple):
    """A claim beside its sentence."""

    claim: Claim
    sentence: str


@cache
def said() -> tuple[Said, ...]:
    """All claims of the site, page by page."""
    records = open_library(ROOT / "examples").records
    pages = (ROOT / "docs").rglob("*.md")
    paths = sorted(path for path in pages if "gallery" not in path.parts)
    found = []
    for path in paths:
        text = path.read_text("utf-8")
        bodies = sentences(text)
        claims, _ = read_claims(text, path.relative_to(ROOT).as_posix())
        found += [
            Said(claim, claim.title or _plain(bodies[claim.id], claim.of, records))
            for claim in claims
            if claim.id in bodies
        ]
    return tuple(found)


def _plain(body: str, prefix: str, records: Records) -> str:
    def role(match: re.Match[str]) -> str:
        name, text = match.groups()
        if name != "measured":
            return text.partition(" <")[0]
        return wording(text, addresses(text, prefix), records, str, "")

    text = _ROLE.sub(role, _BLOCKS.sub("", body))
    text = _MARKUP.sub(lambda match: match[1] or match[2] or "", text)
    return re.sub(r"[ \n]+", " ", text.replace(THIN_SPACE, "\u00a0")).strip()
