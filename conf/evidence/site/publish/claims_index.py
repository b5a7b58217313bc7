"""The index that programs search: like that of the site, with each claim as a passage.

There, the text of a paragraph belongs to the first claim in it, which a reader is led to. Who looks
up a claim (evidence.commands.published) needs the others as well, each by its own words.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from evidence.site.domain import evidence_of
from evidence.site.parts import Passage
from evidence.site.publish.search_index import language_of, noted, write

INDEX = "_static/claims_index.js"


def on_build_finished(app: Sphinx, exception: Exception | None) -> None:
    """Write the index."""
    if exception is None and app.builder.format == "html":
        write(app, INDEX, claims_index(app.env))


def claims_index(env: BuildEnvironment) -> dict[str, Any]:
    """Each claim as a passage: its sentence, labels, hidden words, and its section's heading."""
    domain, split = evidence_of(env), language_of(env).words
    found = dict[str, list[Passage]]()
    for name in sorted(domain.judged.by_page):
        page, heading = domain.pages[name], dict[str, str]()
        last = ""
        for passage in page.passages:
            last = last if passage.anchor in page.sentences else passage.heading
            heading[passage.anchor] = last
        found[name] = page.passages[:1]
        for claim in page.claims:
            labels = [check.label for check in claim.checks]
            texts = (domain.sentence(claim), *labels, page.hidden.get(claim.id, ""))
            said, above = sorted({*split(" ".join(texts))}), heading.get(claim.id, "")
            # Its heading alone, or it would be one of the section before.
            fields = (said, [*split(above)])
            found[name].append(Passage(claim.id, above or claim.id, *fields))
    return {**noted(env, found), "best": [], "explained": {}}
