"""What a search by programs needs: by which words claims are found, and what is not known.

It is in ``words.json``, whose ``schema`` is another number where a field is gone or says something
else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

from evidence.judge.facts import read_toml
from evidence.judge.verdict import Judgement
from evidence.site.domain import EvidenceDomain, evidence_of
from evidence.site.publish.programs import about, held_with
from evidence.site.publish.search_index import UNTRIED, language_of
from evidence.site.publish.search_messages import listed

WORDS, SCHEMA = "words.json", 3
#: Names of what the site is not about, below the pages' folder.
OTHERS = "evidence/others.toml"

#: Where a sentence ends.
_END = re.compile(r"(?<=[.?!:]) (?=\W?[A-Z])")


def found_by(env: BuildEnvironment) -> dict[str, Any]:
    """What ``words.json`` holds.

    Of each page it has the title, the lead and the hidden words. Messages have the places that
    explain each. ``unknown`` are sentences that say what was not tried, each as it is quoted, and
    ``others`` names of what the site is not about; the words in ``stops`` say nothing. A claim or
    such a sentence is found by its ``own`` words, and less by those ``around`` it.
    """
    domain = evidence_of(env)
    names, pages = sorted(domain.judged.by_page), {}
    for name in names:
        page, title = domain.pages[name], env.titles[name].astext()
        pages[name] = f"{title}. {page.lead} {page.hidden.get('lead', '')}".rstrip()
    judgements = chain.from_iterable(domain.judged.by_page[name] for name in names)
    messages = {
        text: [
            [names[int(at)], anchor]
            for at, anchor in zip(each[::2], each[1::2], strict=True)
        ]
        for text, *each in listed(domain, names)
        if len(str(text).split()) > 2
    }
    unknown = (untried(domain, name) for name in names)
    others = read_toml(Path(env.srcdir, OTHERS), dict[str, list[str]])
    return {
        "schema": SCHEMA,
        **about(domain),
        "stops": sorted(language_of(env).stops),
        "pages": pages,
        "claims": {each.claim.id: said_by(domain, each) for each in judgements},
        "messages": messages,
        "unknown": dict(chain.from_iterable(unknown)),
        "others": others.get("names", []),
    }


def said_by(domain: EvidenceDomain, judgement: Judgement) -> dict[str, Any]:
    """What a claim says, with its hidden words, and where it holds: in which scope and PyTorch."""
    claim = judgement.claim
    hidden = domain.pages[claim.page].hidden.get(claim.id, "")
    return {
        "page": claim.page,
        "own": f"{domain.sentence(claim)} {hidden}".rstrip(),
        "around": " ".join(f"{each.label} {each.value}" for each in claim.checks),
        "scope": claim.scope.text,
        "torch": held_with(domain, judgement),
    }


def untried(domain: EvidenceDomain, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The sentences of a page that say what was not tried, each after what comes before it."""
    page, address = domain.pages[name], about(domain)["address"]
    for anchor, heading, text in page.untried:
        headed = heading if heading.endswith("?") or not heading else f"{heading}."
        around = f"{headed} {text}".strip()
        for before, own in pairwise([headed, *_END.split(text)]):
            if UNTRIED.search(own):
                said = f"{before} {own}".strip()
                place = f"{address}{name}.html#{anchor}"
                yield f"{said} {place}", {"page": name, "own": said, "around": around}
