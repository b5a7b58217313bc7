"""How many values are checked, which passes came in, and the commands to check them."""

from __future__ import annotations

from docutils import nodes

from evidence.site.look.nodes import Filler, table
from evidence.site.look.words import _, day


def checked(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The values that the pages show, by what protects them."""
    domain = filler.domain
    known = {address for claim in domain.claims for address in claim.addresses}
    shown = [each for page in domain.pages.values() for each in page.shown]
    found = [each for each in shown if domain.site.library.is_found(each.address)]
    beside = [each.address in known for each in found if not each.claim]
    inside, given = len(found) - len(beside), len(shown) - len(found)
    checks = sum(len(claim.checks) for claim in domain.claims)
    counts = {
        _("claims"): len(domain.claims),
        _("checks in these claims"): checks,
        _("values in claim sentences, all checked"): inside,
        _("values in other text, checked by a claim elsewhere"): beside.count(True),
        _(
            "values in tables and on the front page that only link to a claim"
        ): beside.count(False),
        _("constants and row keys, which are not measured"): given,
        _("claims that another machine has also measured"): len(
            domain.judged.elsewhere.outcomes
        ),
    }
    told = ((what, f"{count:,}") for what, count in counts.items())
    return [table((_("On this site"), _("Number")), told, "measured-table")]


def passes(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The passes that came in, the newest first: which machine, and what its sender saw hold."""
    rows = []
    sent = filler.domain.judged.elsewhere.sent
    for machine, run in ((each.machine, run) for each in sent for run in each.runs):
        made = run.builder
        gpus = f"{made.gpus} × {made.gpu}" if made.gpus else made.cpu
        when = day(run.day, filler.config.language)
        own = (machine, gpus, made.driver, made.torch)
        rows.append((run.day, *own, when, f"{run.held}/{run.of}"))
    newest = (cells for _day, *cells in sorted(rows, reverse=True))
    header = (_("Machine"), _("GPUs"), _("Driver"), "torch", _("Day"), _("Claims held"))
    return [table(header, newest)]


def clone(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The commands before ``nox -s verify``; none where the repository has no address."""
    folder = filler.repository.rpartition("/")[2]
    text = f"git clone {filler.repository}\ncd {folder}\npython -m pip install nox"
    block = nodes.literal_block(text, text, language="sh")
    return [block] if filler.repository else []
