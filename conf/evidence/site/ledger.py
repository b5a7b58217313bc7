"""Generated pages: the ledger, what changed, where the notes are wrong, the records' schema.

A page holds a placeholder; what stands there depends on all other pages, so it is filled in when
the page is written, after everything is read and judged.
"""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from evidence.judge.report import expected_words, statement
from evidence.judge.verdict import Judgement, Verdict
from evidence.records import model
from evidence.records.units import format_cell
from evidence.site.domain import evidence_of
from evidence.site.evidence_nodes import MARKS, css, interval_text
from evidence.site.nodes import paragraph, row, span, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sphinx.application import Sphinx

    from evidence.site.domain import EvidenceDomain

    Fill = Callable[["Filler"], list[nodes.Node]]


class placeholder(nodes.General, nodes.Element):  # noqa: N801 - docutils names visitors after nodes
    """Where a generated table goes."""


class PlaceholderDirective(SphinxDirective):
    """One of the directives named in :data:`GENERATED`; they take nothing."""

    def run(self) -> list[nodes.Node]:
        """Mark the place."""
        evidence_of(self.env).data["generated"][self.env.docname] = self.name
        return [placeholder(kind=self.name)]


class Filler(SphinxPostTransform):
    """Puts the generated content where the placeholders stand."""

    default_priority = 5  # before references are resolved

    def run(self, **_: object) -> None:
        """Replace each placeholder of the page that is being written."""
        for node in list(self.document.findall(placeholder)):
            node.replace_self(GENERATED[node["kind"]](self))

    @property
    def domain(self) -> EvidenceDomain:
        """What the pages say, judged."""
        return evidence_of(self.env)

    def link(self, text: str, page: str, anchor: str = "") -> nodes.reference:
        """A link to a place on another page."""
        uri = self.app.builder.get_relative_uri(self.env.docname, page)
        target = f"{uri}#{anchor}" if anchor else uri
        return nodes.reference("", text, internal=True, refuri=target)

    def file(self, name: str) -> nodes.reference:
        """A link to a file at the root of the site."""
        depth = self.env.docname.count("/")
        return nodes.reference("", name, refuri="../" * depth + name)

    def title(self, page: str) -> str:
        """The title of a page."""
        return self.env.titles[page].astext() if page in self.env.titles else page


def ledger(filler: Filler) -> list[nodes.Node]:
    """Every claim, grouped by page: documented, measured, interval, verdict."""
    rows: list[nodes.row] = []
    page = ""
    for judgement in filler.domain.judgements:
        if judgement.claim.page != page:
            page = judgement.claim.page
            rows.append(_group(filler, page))
        rows.append(_ledger_row(filler, judgement))
    header = ("Claim", "Documented", "Measured", "Interval", "Verdict")
    return [_counts(filler), table_of(header, rows, classes=["ledger"])]


def _counts(filler: Filler) -> nodes.paragraph:
    verdicts = [judgement.verdict for judgement in filler.domain.judgements]
    counted = [(verdicts.count(verdict), verdict.value) for verdict in Verdict]
    items = [(len(verdicts), "claims"), *(entry for entry in counted if entry[0])]
    builders = {r.builder.gpu for r in filler.domain.library.records.values()}
    machines = span(", ".join(sorted(builders)), "item")
    spans = [
        nodes.inline(
            "",
            "",
            nodes.strong("", str(count)),
            nodes.Text(f" {name}"),
            classes=["item"],
        )
        for count, name in items
    ]
    return paragraph(*spans, machines, filler.file("claims.json"), classes=["strip"])


def _group(filler: Filler, page: str) -> nodes.row:
    entry = nodes.entry(
        "", paragraph(filler.link(filler.title(page), page)), morecols=4
    )
    return nodes.row("", entry, classes=["group", f"chapter-{_chapter(page)}"])


def _chapter(page: str) -> str:
    return page.partition("/")[0] if "/" in page else "start"


def _ledger_row(filler: Filler, judgement: Judgement) -> nodes.row:
    claim, cell, record = judgement.claim, judgement.cell, judgement.record
    records = filler.domain.library.records
    sentence = statement(claim, records)
    verdict = f"{MARKS.get(judgement.verdict, '✗')} {judgement.verdict.value}"
    margin = f" ({judgement.margin} bound)" if judgement.margin else ""
    cells: list[list[nodes.Node]] = [
        [filler.link(sentence, claim.page, claim.id)],
        [nodes.Text(expected_words(claim, records) if cell else claim.expect)],
        [nodes.strong("", format_cell(claim.name, cell) if cell else "–")],
        [nodes.Text(interval_text(claim.name, cell) if cell else "")],
        [span(verdict, "verdict", css(judgement.verdict)), nodes.Text(margin)],
    ]
    made = row(cells)
    made["classes"] = [
        f"chapter-{_chapter(claim.page)}",
        f"verdict-{css(judgement.verdict)}",
        f"scope-{nodes.make_id(claim.scope)}",
        f"builder-{nodes.make_id(record.builder.gpu if record else 'none')}",
    ]
    return made


def changes(filler: Filler) -> list[nodes.Node]:
    """What notes of older versions said and no longer holds, newest change first."""
    notes = sorted(filler.domain.formerly, key=lambda note: (note.page, note.line))
    if not notes:
        return [paragraph(nodes.Text("No page notes a change yet."))]
    claims = {claim.id: claim for claim in filler.domain.claims}
    rows = [
        row(
            [
                [nodes.Text(note.since)],
                [nodes.Text(f"{note.versions}: {note.statement}")],
                [
                    filler.link(
                        _sentence(filler, claims[note.claim]), note.page, note.claim
                    )
                ]
                if note.claim in claims
                else [nodes.Text(note.claim)],
            ]
        )
        for note in notes
    ]
    return [
        table_of(
            ("Since", "What the notes said", "What holds"), rows, classes=["changes"]
        )
    ]


def corrections(filler: Filler) -> list[nodes.Node]:
    """Claims that contradict an upstream page, by that page."""
    rows = [
        row(
            [
                [nodes.literal("", upstream)],
                [filler.link(_sentence(filler, claim), claim.page, claim.id)],
                [nodes.Text(claim.documented)],
            ]
        )
        for claim in filler.domain.claims
        for upstream in claim.contradicts
    ]
    if not rows:
        return [paragraph(nodes.Text("No claim contradicts an upstream page yet."))]
    rows.sort(key=lambda entry: entry.astext())
    return [
        table_of(
            ("Upstream page", "What holds", "What it says"), rows, classes=["changes"]
        )
    ]


def _sentence(filler: Filler, claim: object) -> str:
    from evidence.judge.claim import Claim

    assert isinstance(claim, Claim)
    return statement(claim, filler.domain.library.records)


def schema(filler: Filler) -> list[nodes.Node]:
    """The fields of a record, from the classes that are its schema."""
    shown: list[nodes.Node] = [
        paragraph(
            nodes.Text("The claims with their verdicts are published as "),
            filler.file("claims.json"),
            nodes.Text(", which "),
            filler.file("claims.schema.json"),
            nodes.Text(" describes."),
        )
    ]
    for kind in SCHEMA_CLASSES:
        first, *rest = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
        section = nodes.section(ids=[f"record-{kind.__name__.lower()}"])
        section += nodes.title("", kind.__name__)
        section += [
            paragraph(nodes.Text(" ".join(text.split()))) for text in (first, *rest)
        ]
        rows = [
            row([[nodes.literal("", name)], [nodes.literal("", kind_name)]])
            for name, kind_name in _fields(kind)
        ]
        section += table_of(("Field", "Type"), rows, classes=["schema"])
        shown.append(section)
    return shown


def _prose(text: str) -> nodes.paragraph:
    """A paragraph of a docstring, with its literals."""
    pieces = " ".join(text.split()).split("``")
    return paragraph(
        *(
            nodes.literal("", piece) if number % 2 else nodes.Text(piece)
            for number, piece in enumerate(pieces)
        )
    )


SCHEMA_CLASSES: Sequence[type] = (
    model.Record,
    model.Builder,
    model.Plain,
    model.Raised,
    model.Timing,
    model.Table,
    model.Output,
    model.Figure,
    model.Process,
)


def _fields(kind: type) -> Iterable[tuple[str, str]]:
    return ((field.name, str(field.type)) for field in dataclasses.fields(kind))


GENERATED: dict[str, Fill] = {
    "evidence-ledger": ledger,
    "evidence-changes": changes,
    "evidence-corrections": corrections,
    "evidence-schema": schema,
}


def on_html_page_context(
    app: Sphinx, pagename: str, _template: str, _context: object, _doctree: object
) -> None:
    """Load the ledger's filters on its page alone."""
    if evidence_of(app.env).data["generated"].get(pagename) == "evidence-ledger":
        app.add_js_file("ledger.js", loading_method="defer")


def setup_ledger(app: Sphinx) -> None:
    """Register the placeholders and what fills them."""
    for name in GENERATED:
        app.add_directive(name, PlaceholderDirective)
    app.add_node(placeholder)
    app.add_post_transform(Filler)
    app.connect("html-page-context", on_html_page_context)
