"""Claims that are rows of a table: what may be wrong with one, and where its evidence opens."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from evidence.judge.claim import Claim
from evidence.site.look.nodes import Fill, late, paragraph, span
from evidence.site.look.panel import tick_of_row
from evidence.site.look.words import _


def faults_of_row(row: nodes.row, claim: Claim, *, refers: bool) -> Iterator[str]:
    """What is wrong with a claim, or a reference to one, in a row."""
    if not (refers or claim.title):
        yield f"claim {claim.id!r} is a row: write its sentence as ':title:'"
    sweep = row.get("sweep", "")
    if sweep and not any(str(a).startswith(f"{sweep}.") for a in claim.addresses):
        yield f"claim {claim.id!r} checks nothing of its row, {sweep}"


def into_row(row: nodes.row, name: str, panel: Fill) -> None:
    """A tick at the end of a row, and below it the row that its evidence opens in.

    Of a row of a sweep, the evidence tells its values alone.
    """
    subject = f"{name} {row['sweep']}" if "sweep" in row else name
    group = row.parent.parent
    if "claims" not in group.parent["classes"]:
        group.parent["classes"].append("claims")
        group.insert(0, nodes.colspec(colwidth=1))
        group["cols"] += 1
        head, *rows = group.findall(nodes.row)
        hidden = made(span(_("evidence"), "visually-hidden"))
        head.append(nodes.entry("", paragraph(hidden)))
        for each in rows:
            each.append(made(nodes.entry("", classes=["tick"])))
    row["classes"].append("row")
    [*row.findall(nodes.entry)][-1].append(late(tick_of_row, name))
    width = group["cols"] - 1
    cell = nodes.entry("", late(panel, subject), morecols=width)
    body = row.parent
    body.insert(body.index(row) + 1, made(nodes.row("", cell, classes=["opened"])))


def made(node: nodes.Element) -> nodes.Element:
    """A node of the build's own, whose classes no page may give."""
    node["made"] = True
    return node
