"""How much of what the pages show is checked, counted by the build."""

from __future__ import annotations

from docutils import nodes

from evidence.site.nodes import table
from evidence.site.placeholder import Filler
from evidence.site.words import _


def checked(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The values that the pages show, by what protects them."""
    domain = filler.domain
    known = {address for claim in domain.claims for address in claim.addresses}
    shown = [each for page in domain.pages.values() for each in page.shown]
    found = [each for each in shown if domain.library.is_found(each.address)]
    beside = [each.address in known for each in found if not each.claim]
    inside, given = len(found) - len(beside), len(shown) - len(found)
    checks = sum(len(claim.checks) for claim in domain.claims)
    counts = {
        _("claims"): len(domain.claims),
        _("checks in them"): checks,
        _("values in their sentences, each checked"): inside,
        _("values in other text, checked by a claim elsewhere"): beside.count(True),
        _(
            "values in tables and on the first page that only link to a claim"
        ): beside.count(False),
        _("constants and keys of rows, which are not measured"): given,
        _("claims that another machine has measured too"): len(
            domain.elsewhere.verdicts
        ),
    }
    told = ((what, str(count)) for what, count in counts.items())
    return [table((_("On this site"), _("Number")), told, "measured-table")]
