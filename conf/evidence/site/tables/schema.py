"""The schema of a record, from the classes that are it."""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING

from docutils import nodes

from evidence.records import model
from evidence.site.nodes import paragraph, row, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evidence.site.placeholder import Filler


def schema(filler: Filler, _subject: str) -> list[nodes.Node]:
    """The fields of a record, from the classes that are its schema."""
    shown: list[nodes.Node] = [
        paragraph(
            nodes.Text(
                "The claims with their verdicts, and what each example measured, are published as "
            ),
            filler.file("claims.json", "claims.json"),
            nodes.Text(", which "),
            filler.file("claims.schema.json", "claims.schema.json"),
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
