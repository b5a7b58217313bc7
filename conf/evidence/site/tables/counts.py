"""How many values are checked, which passes came in, and the commands to check them."""

from __future__ import annotations

from docutils import nodes

from evidence.site.look.nodes import Filler, table
from evidence.site.look.words import _, day


def checked(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The values that the pages show, by what protects them."""
    domain = filler.domain
    checked_values = {address for claim in domain.claims for address in claim.addresses}
    in_sentences = checked_elsewhere = linked = given = 0
    for value in (value for page in domain.pages.values() for value in page.shown):
        if not domain.site.library.is_found(value.address):
            given += 1
        elif value.claim:
            in_sentences += 1
        elif value.address in checked_values:
            checked_elsewhere += 1
        else:
            linked += 1
    counts = {
        _("claims"): len(domain.claims),
        _("checks in these claims"): sum(len(claim.checks) for claim in domain.claims),
        _("values in claim sentences, all checked"): in_sentences,
        _("values in other text, checked by a claim elsewhere"): checked_elsewhere,
        _("values in tables and on the front page that only link to a claim"): linked,
        _("constants and row keys, which are not measured"): given,
        _("claims that another machine has also measured"): len(
            domain.judged.elsewhere.outcomes
        ),
    }
    rows = ((what, f"{count:,}") for what, count in counts.items())
    return [table((_("On this site"), _("Number")), rows, "measured-table")]


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
