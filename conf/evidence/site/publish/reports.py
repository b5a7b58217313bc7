"""``reports/<id>.md``: a report on each contradicted statement, ready to be filed upstream.

Reports are not translated: upstream is written in English.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.jinja2glue import BuiltinTemplateLoader

from evidence.site.domain import EvidenceDomain
from evidence.site.evidence_nodes import builder_facts

REPORTS = "reports"
TEMPLATE = Path(__file__).with_name("report.md")


def reports(templates: BuiltinTemplateLoader, domain: EvidenceDomain) -> dict[str, str]:
    """The reports by file name: what a statement says, what was measured, a better wording."""
    text, found = TEMPLATE.read_text("utf-8"), {}
    for name in domain.contradicted:
        context = {"domain": domain, "name": name, "facts": builder_facts}
        found[f"{REPORTS}/{name}.md"] = templates.render_string(text, context)
    return found
