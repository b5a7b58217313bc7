"""What upstream says, on a site: linked, published, reported, and red where it is not known."""

from __future__ import annotations

import json
from operator import attrgetter
from types import SimpleNamespace
from typing import TYPE_CHECKING

from conftest import ROOT, SCRIPT, Site, claim, hazard
from evidence.examples.library import open_library
from evidence.judge.facts import PATCHES, UPSTREAM, Upstream, read_toml
from evidence.judge.pages import read_claims
from evidence.records.model import Output
from evidence.site.judging.judged import claims_by
from evidence.site.look.words import builder_facts
from evidence.site.publish.site_files import TEMPLATES
from evidence.site.tables.corrections import FAULTS, HARMS
from factories import toml

if TYPE_CHECKING:
    from pathlib import Path


def test_every_statement_that_the_pages_contradict_has_a_better_wording() -> None:
    known = read_toml(ROOT / "docs" / UPSTREAM, Upstream).statements
    pages = (path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))
    claims = [found for page in pages for found in read_claims(page, "page")[0]]
    contradicted = {name for found in claims for name in found.contradicts}

    assert contradicted == {name for name, said in known.items() if said.suggestion}


SOURCE = "https://github.com/pytorch/pytorch/blob/0123456789abcdef/docs/cuda.md"
REPORT = f"""\
# CUDA semantics: “is fast”

The section “Copies” of [docs/cuda.md at 0123456789abcdef]({SOURCE}), \
accessed on 2026-01-31, has these words (see the [published page](https://docs.example/cuda.html#copies)):

> is fast

We read it as: If possible, `copy_` is fast.

The documentation is wrong.

## What was measured

- It is faster (5.0×).
- It is faster (5.0×).

## Script and output: copy.py

```python
{SCRIPT.strip()}
```

Measured on 2026-01-31: NVIDIA H200, torch 2.11.0+cu130, driver 580.95.05, CUDA 13.0, \
Python 3.12.1. It printed:

```
  5 < 6
7
```

## Suggested wording

> It is slow.
"""


def test_a_site_says_what_its_claims_contradict_and_confirm(site: Site) -> None:
    site.write(f"docs/{UPSTREAM}", toml() + toml("late", page="Data"))
    site.write(f"docs/{PATCHES}/docs-cuda.md.patch", "A patch.\n")
    site.record(outputs=(Output("  5 < 6\n"), Output("7\n")))
    first = claim(contradicts="fast", confirms="late")
    second = claim("again", contradicts="fast")
    site.page(first, second, "```{evidence-corrections}\n```")

    build = site.build()

    assert "Contradicts: CUDA semantics Confirms: Data" in build.text()
    link = build.page().find("a", string="report")
    assert link is not None
    assert REPORT == (build.html / str(link["href"])).read_text()
    patch = build.html / "reports/docs-cuda.md.patch"
    assert "A patch.\n" == patch.read_text()
    assert ["docs-cuda.md.patch", "fast.md"] == sorted(
        path.name for path in patch.parent.iterdir()
    )
    _, data = json.loads((build.html / "claims.json").read_text())["claims"]
    assert (["fast"], ["late"]) == (data["contradicts"], data["confirms"])


def test_a_report_has_no_mark_of_a_hazard_and_the_first_lines_of_a_long_output(
    site: Site,
) -> None:
    """The mark names an arm on the page; a title there is for others, and is printed."""
    site.write(f"docs/{UPSTREAM}", toml())
    site.write(f"docs/{PATCHES}/docs-cuda.md.patch", "A patch.\n")
    site.record(outputs=(Output("\n".join(map(str, range(1, 43)))),))
    told = "It is faster: {measured}`copy.speedup`."
    site.page(hazard(contradicts="fast"), claim(contradicts="fast", title=told))

    report = (site.build().html / "reports/fast.md").read_text()

    assert "\n\n- It is faster" in report
    assert "\n- It is faster: 5.0×." in report
    assert "It printed, in its first 40 lines:" in report
    assert "\n39\n40\n… 2 more lines\n```\n" in report


def test_no_report_is_longer_than_an_issue_may_be() -> None:
    upstream = read_toml(ROOT / "docs" / UPSTREAM, Upstream).statements
    pages = (path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))
    claims = [found for page in pages for found in read_claims(page, "page")[0]]
    contradicting = claims_by(upstream, claims, attrgetter("contradicts"))
    domain = SimpleNamespace(
        site=SimpleNamespace(
            upstream=upstream, library=open_library(ROOT / "examples")
        ),
        judged=SimpleNamespace(contradicting=contradicting),
        sentence=attrgetter("title"),
    )
    words = {"faults": FAULTS, "harms": HARMS, "facts": builder_facts, "say": str}
    for name in (name for name, of in contradicting.items() if of):
        report = TEMPLATES.render(
            "report.md", {"domain": domain, "name": name, **words}
        )
        # GitHub takes 65,536 characters.
        assert len(report) <= 60_000, name


def test_what_no_statement_says_and_what_no_claim_names_is_red(site: Site) -> None:
    site.write(f"docs/{UPSTREAM}", toml())
    site.page(claim(contradicts="fest"))

    file = "docs/evidence/upstream.toml"
    expected = [
        f"docs/index.md:8: WARNING: claim 'copy-is-faster': {file} has no 'fest'; did you "
        "mean fast? [evidence.claim]",
        f"{file}:1: WARNING: no claim contradicts or confirms 'fast': name it in a claim, "
        "or remove it [evidence.unused]",
    ]
    assert expected == site.build(code=1).warnings


def test_a_preview_shows_what_upstream_says_now(tmp_path: Path) -> None:
    site = Site(tmp_path, preview=True)
    site.script()
    site.record()
    site.write(f"docs/{UPSTREAM}", toml())
    site.page(claim(contradicts="fast"))
    assert "Contradicts: CUDA semantics" in site.build().text()

    site.write(f"docs/{UPSTREAM}", toml(page="Elsewhere"))

    assert "Contradicts: Elsewhere" in site.build().text()
